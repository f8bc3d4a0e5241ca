import { execFileSync } from 'node:child_process'
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'

const LAUNCHER = resolve(import.meta.dirname, '../../../bin/lockkeeper')
const OLD = new Date('2026-01-01T00:00:00Z')
const NEW = new Date('2026-01-02T00:00:00Z')

let house: string

beforeEach(() => {
  house = mkdtempSync(join(tmpdir(), 'lockkeeper bin-'))
  // In place of the real node, one that prints how it was called.
  place('node_modules/.bin/node', '#!/bin/sh\nprintf "%s\\n" "$NODE_COMPILE_CACHE" "$@"\n', OLD, 0o755)
  place('main/compose/terminal/index.ts', '', OLD)
  place('shared/domain/x.ts', '', OLD)
  mkdirSync(join(house, 'bin'))
  copyFileSync(LAUNCHER, join(house, 'bin/lockkeeper'))
})
afterEach(() => rmSync(house, { recursive: true }))

function place(path: string, content: string, at: Date, mode = 0o644): void {
  const file = join(house, path)
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, content, { mode })
  utimesSync(file, at, at)
  for (let folder = dirname(file); folder !== house; folder = dirname(folder)) utimesSync(folder, at, at)
}

function start(launcher: string, ...args: string[]): string[] {
  const env = { PATH: process.env.PATH ?? '', XDG_CACHE_HOME: '/cache' }
  return execFileSync(launcher, args, { encoding: 'utf8', cwd: '/', env }).trimEnd().split('\n')
}

const direct = () => join(house, 'bin/lockkeeper')
const flags = ['--disable-warning=ExperimentalWarning', '--min-semi-space-size=16', '--max-semi-space-size=16']

test('without a bundle the sources run, with arguments passed as they are and compiled code kept', () => {
  expect(start(direct(), 'enter', 'a b', '')).toEqual([
    '/cache/lockkeeper/compile',
    ...flags,
    `--import=${join(house, 'bin/read-tsx.ts')}`,
    join(house, 'main/compose/terminal/index.ts'),
    'enter',
    'a b',
  ])
})

test.each([
  ['serve', 4],
  ['demo', 4],
  ['nodes', 16],
])('%s has a nursery of %i MiB: what stays keeps its memory small', (command, size) => {
  const sizes = [`--min-semi-space-size=${size}`, `--max-semi-space-size=${size}`]
  expect(start(direct(), '--data-dir', '/d', command, '--no-open')).toEqual(expect.arrayContaining(sizes))
})

test('a bundle newer than every source runs', () => {
  place('out/cli/lockkeeper.mjs', '', NEW)
  expect(start(direct())).toEqual(['/cache/lockkeeper/compile', ...flags, join(house, 'out/cli/lockkeeper.mjs')])
})

test.each([
  'main/compose/terminal/index.ts',
  'shared/domain/x.ts',
  'main/runs/engine/new.ts',
  'renderer/ui/timeline-figure.tsx',
])('a bundle older than %s does not run', path => {
  place('out/cli/lockkeeper.mjs', '', OLD)
  place(path, '', NEW)
  expect(start(direct())).toContain(join(house, 'main/compose/terminal/index.ts'))
})

test('it finds its own folder through symbolic links', () => {
  const link = join(house, 'link')
  symlinkSync('bin/lockkeeper', link)
  const second = join(house, 'second')
  symlinkSync(link, second)
  expect(start(second)).toContain(join(house, 'main/compose/terminal/index.ts'))
})

test('without installed packages it says what to do', () => {
  rmSync(join(house, 'node_modules'), { recursive: true })
  expect(() => start(direct())).toThrow(/npm ci/)
})
