import { globSync, readFileSync } from 'node:fs'
import { join, posix, resolve } from 'node:path'
import { expect, test } from 'vitest'
import { idleExports } from './exports.ts'
import { ROOMS } from './rooms.ts'
import { readSource } from './source.ts'
import { circleIn, roomOf, violationsOf } from './violations.ts'

const HOUSE = resolve(import.meta.dirname, '../../..')
const FILES = new Map(
  globSync(['*.config.ts', '{bin,main,packaging,shared,renderer,test}/**/*.{ts,tsx}'], { cwd: HOUSE })
    .sort()
    .map(file => [file, readSource(file, readFileSync(join(HOUSE, file), 'utf8'))] as const),
)
/** The shipped code: only this has rooms. */
const PRODUCT = [...FILES].filter(([file]) => /^(main|shared|renderer)\//.test(file))

/** All imports of the product, those of types too: the paths of importer and target. */
const EDGES = PRODUCT.flatMap(([file, { imports }]) =>
  imports.flatMap(({ from }) =>
    from?.startsWith('.') ? [[file, posix.join(posix.dirname(file), from)] as const] : [],
  ),
)

/** Files that are used without an import: installed in place of a package, or called by Vitest. */
const TAKEN_BY_NAME = [
  'renderer/icons/index.ts',
  'test/electron-stand-in/',
  'test/fixtures/cli/bundle-cli.ts',
  'test/lab/start-lab.ts',
]

test('a file imports only what its room allows, and only the clock reads the time', () => {
  expect(PRODUCT.flatMap(([file, source]) => violationsOf(file, source))).toEqual([])
})

test('every room of the table has files, and every name in the table is a room, a folder or a file', () => {
  const files = [...PRODUCT.map(([file]) => file), 'package.json']
  const rooms = new Set(files.map(roomOf))
  expect(ROOMS.filter(room => !rooms.has(room)).map(({ path }) => path)).toEqual([])
  const named = ROOMS.flatMap(room => [...room.imports, ...(room.types ?? [])])
  expect(named.filter(path => !files.some(file => file === path || file.startsWith(`${path}/`)))).toEqual([])
})

test('no files import each other in a circle, not even for a type', () => {
  expect(circleIn(EDGES)).toEqual([])
})

test('no rooms import each other in a circle, not even for a type', () => {
  // A file with its own rules belongs to its folder. The faces, the wings and what puts them together are folders of folders.
  // The words of a wing are on the floor of the core's words.
  const roomName = (file: string) =>
    /^shared\/wings\//.test(file)
      ? 'shared/words'
      : (/^main\/(?:compose|faces|wings)\/[^/]+(?=\/)/.exec(file)?.[0] ?? file.split('/').slice(0, 2).join('/'))
  const floors = EDGES.filter(([, target]) => roomOf(target) !== undefined).map(
    ([file, target]) => [roomName(file), roomName(target)] as const,
  )
  expect(circleIn(floors)).toEqual([])
  expect(circleIn([...floors, ['main/ports', 'main/api']])).not.toEqual([])
})

test('every export has a user', () => {
  expect(idleExports(FILES).filter(each => !TAKEN_BY_NAME.some(path => each.startsWith(path)))).toEqual([])
})

/** Line by line: the code of a file, and the offence that is reported for that line, if any. */
const OFFENCES: Readonly<Record<string, readonly (readonly [code: string, problem?: string])[]>> = {
  'main/reports/a.tsx': [
    // Letters of two and four bytes before an offence do not change its line number.
    ["import { a } from './b.ts' // é🙂"],
    ["import { a } from '../adapters/kubernetes/b.ts'", 'main/reports may not import main/adapters/kubernetes/b.ts'],
    ["import { readFile } from 'node:fs'", 'main/reports may not import node:fs'],
    ["import 'zod'", 'main/reports may not import the package zod'],
    ["export { a } from 'path'", 'imports path without node: before it'],
    ["export * from 'ws/wrapper.mjs'", 'main/reports may not import the package ws'],
    ["const a = <p>don't {await import(name)}</p>", 'imports a module whose name is only known when it runs'],
    ["require('../app.ts')", 'main/reports may not import main/app.ts'],
    ["process.getBuiltinModule('fs')", 'imports fs without node: before it'],
    ["let b: import('electron').App", 'main/reports may not import the package electron'],
    ["// import 'zod'"],
    ['const c = `import "zod"` + /[/]\'/ + "import \'zod\'"'],
  ],
  'main/adapters/kubernetes/a.ts': [
    ["import type { A } from '../../ports/leases.ts'"],
    ["export type { A } from '../../ports/leases.ts'"],
    [
      "import { type A } from '../../ports/leases.ts'",
      'main/adapters/kubernetes may import only types of main/ports/leases.ts',
    ],
    [
      "import { A } from '../../ports/leases.ts'",
      'main/adapters/kubernetes may import only types of main/ports/leases.ts',
    ],
    [
      "import type { B } from '../openstack/b.ts'",
      'main/adapters/kubernetes may not import main/adapters/openstack/b.ts',
    ],
    ["import type { C } from '@kubernetes/client-node/dist/x.js'"],
  ],
  'main/app.ts': [
    ["import { a } from './view/b.ts'"],
    ["import { a } from './faces/cli/b.ts'", 'may not import the face main/faces/cli/b.ts'],
    ["import { a } from './wings/runner/door.ts'"],
    ["import type { a } from './wings/runner/runner.ts'", 'may import of main/wings/runner only its doors'],
    ['Date.now()'],
  ],
  'main/wings/notify/a.ts': [
    ["import { a } from './mail/b.ts'"],
    ["import { a } from '../runner/door.ts'", 'main/wings/notify may not import main/wings/runner/door.ts'],
    ["import { a } from '../runner/shard.ts'", 'may import of main/wings/runner only its doors'],
  ],
  'main/clusters/view/a.ts': [
    ['new Date(clock.now())'],
    ["const a = 'setTimeout' // Date.now()"],
    ...[
      ['Date.now()', 'Date.now'],
      ['globalThis.setInterval(f, 1)', 'setInterval'],
      ['setTimeout(f, 1)', 'setTimeout'],
      ["Math['random']()", 'Math.random'],
      ['new Date', 'new Date()'],
      ['Date()', 'Date()'],
      ['performance.now()', 'performance.now'],
    ].map(([code = '', use]) => [code, `uses ${use}; take time and chance from the Clock`] as const),
  ],
}

test.each(Object.entries(OFFENCES))('each offence of %s is reported with its line', (file, lines) => {
  const found = violationsOf(file, readSource(file, lines.map(([code]) => code).join('\n')))
  expect(found).toEqual(
    lines.flatMap(([, problem], index) => (problem === undefined ? [] : [`${file}:${index + 1}: ${problem}`])),
  )
})

test('a file without a room and an unreadable file are reported', () => {
  expect(violationsOf('main/attic/a.ts', readSource('main/attic/a.ts', ''))).toEqual([
    'main/attic/a.ts: no room of test/unit/architecture/rooms.ts holds this file',
  ])
  expect(() => readSource('main/clusters/view/a.ts', 'import {')).toThrow('main/clusters/view/a.ts cannot be read')
})

/** The idle exports of main/a.ts, next to main/index.ts, which re-exports them, and one more file. */
function idleBeside(exports: string, other: string, where = 'main/b.ts'): readonly string[] {
  const files = { 'main/a.ts': exports, 'main/index.ts': "export * from './a.ts'", [where]: other }
  return idleExports(new Map(Object.entries(files).map(([file, text]) => [file, readSource(file, text)])))
}

test.each([
  '\nexport async function* a() {}',
  '\nexport interface a {}',
  '\nexport const [{ a }] = b',
  'const b = 1\nexport { b as a }',
  "\nexport { a } from './c.ts'",
])('%s is named with its line when no file takes it', exports => {
  expect(idleBeside(exports, "import { b } from './a.ts'")).toEqual(['main/a.ts:2: nobody imports a'])
  expect(idleBeside(exports, "import { a } from './d.ts'")).toEqual(['main/a.ts:2: nobody imports a'])
})

test.each([
  "import { b as c, type a as d } from './a.ts'",
  "import * as all from './a.ts'",
  "import { a } from './index.ts'",
  "export { a as c } from './a.ts'\nimport { c } from './b.ts'",
  "const { b, a: c } = await import('./a.ts')",
  "const load = async () => (await import('./a.ts')).a",
  "let b: import('./a.ts').a",
  "void import('./a.ts').then(use)",
])('%s takes a', other => {
  expect(idleBeside('export const a = 1', other)).toEqual([])
})

test('another name that is loaded from the same module does not count as a use', () => {
  expect(idleBeside('export const a = 1', "const { b } = await import('./a.ts')")).toHaveLength(1)
  expect(idleBeside('export const a = 1', "(await import('./a.ts')).b")).toHaveLength(1)
})

test('an export that only tests import must be used in its own file', () => {
  const taken = "import { a } from '../main/a.ts'"
  expect(idleBeside('export function a() {}', taken, 'test/b.ts')).toEqual(['main/a.ts:1: only tests use a'])
  expect(idleBeside('export function a() {}\na()', taken, 'test/b.ts')).toEqual([])
})
