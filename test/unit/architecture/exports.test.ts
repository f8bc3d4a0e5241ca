import { globSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { expect, test } from 'vitest'
import { idleExports } from './exports.ts'

const HOUSE = resolve(import.meta.dirname, '../../..')
const FILES = globSync(['*.config.ts', '{bin,main,packaging,shared,renderer,test}/**/*.{ts,tsx}'], { cwd: HOUSE })
  .map(file => file.replaceAll('\\', '/'))
  .sort()

/** Whose names are taken by other means than a path: what is installed or set in the place of a package, what Vitest calls. */
const TAKEN_BY_NAME = [
  'renderer/icons/index.ts',
  'test/electron-stand-in/',
  'test/fixtures/cli/bundle-cli.ts',
  'test/lab/start-lab.ts',
]

test('nothing is exported for nobody', () => {
  const sources = new Map(FILES.map(file => [file, readFileSync(join(HOUSE, file), 'utf8')]))
  const idle = idleExports(sources)
  expect(idle.filter(each => !TAKEN_BY_NAME.some(path => each.startsWith(path)))).toEqual([])
})

/** What is idle in main/a.ts, which has this source, beside a file that has that one. */
function idleBeside(source: string, other: string, where = 'main/b.ts'): readonly string[] {
  return idleExports(
    new Map([
      ['main/a.ts', source],
      [where, other],
    ]),
  )
}

test.each([
  ['export const a = 1', 'main/a.ts:1: nobody imports a'],
  ['\nexport async function* a() {}', 'main/a.ts:2: nobody imports a'],
  ['export interface a {}', 'main/a.ts:1: nobody imports a'],
  ['export type a<T> = T', 'main/a.ts:1: nobody imports a'],
  ['export abstract class a {}', 'main/a.ts:1: nobody imports a'],
  ['const b = 1\nexport { b as a }', 'main/a.ts:2: nobody imports a'],
  ["export { a } from './c.ts'", 'main/a.ts:1: nobody imports a'],
])('%s, which no file imports, is named with its file and line', (source, problem) => {
  expect(idleBeside(source, 'const a = 2')).toEqual([problem])
  expect(idleBeside(source, "import { b } from './a.ts'")).toEqual([problem])
  expect(idleBeside(source, "import { a } from './d.ts'")).toEqual([problem])
})

test.each([
  "import { a } from './a.ts'",
  "import { b as c, type a as d } from './a.ts'",
  "import type { a } from './a.ts'",
  "import * as all from './a.ts'",
  "export { a } from './a.ts'\nimport { a } from './b.ts'",
  "const { b, a: c } = await import('./a.ts')",
  "const load = async () => (await import('./a.ts')).a",
  "let b: import('./a.ts').a",
  "void import('./a.ts').then(use)",
])('%s takes a', other => {
  expect(idleBeside('export const a = 1', other)).toEqual([])
})

test("a name that is handed on with all of its file's is taken where it is taken from the other file", () => {
  const files = (taken: string) =>
    new Map([
      ['main/a.ts', 'export const a = 1'],
      ['main/index.ts', "export * from './a.ts'"],
      ['main/c.ts', `import { ${taken} } from './index.ts'`],
    ])
  expect(idleExports(files('a'))).toEqual([])
  expect(idleExports(files('b'))).toEqual(['main/a.ts:1: nobody imports a'])
})

test('what only a test imports has a use in its own file, or is code that runs in tests alone', () => {
  const taken = "import { a } from '../main/a.ts'"
  expect(idleBeside('export function a() {}', taken, 'test/b.ts')).toEqual(['main/a.ts:1: only tests use a'])
  expect(idleBeside('export function a() {}\na()', taken, 'test/b.ts')).toEqual([])
})
