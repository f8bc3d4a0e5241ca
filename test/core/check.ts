import { spawnSync } from 'node:child_process'
import {
  chmodSync,
  cpSync,
  existsSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { readSource } from '../unit/architecture/source.ts'
import { leftOutOf } from './left-out.ts'

/**
 * `npm run check:core`: whether the core compiles and passes its tests without the wings. In a copy, each folder of main/wings and renderer/wings holds nothing but its doors, as
 * stubs: test/core/stubs and test/core/pages. Tests that need a wing do not run there: how many, and which wing they need, is printed.
 */
const ROOT = resolve(import.meta.dirname, '../..')
/** Consoles, simulations and screens are not among them: they play on the embedded clouds. */
const TESTS = 'test/{unit,contract,differential}/**/*.test.{ts,tsx}'
const PROJECTS = ['rules', 'renderer', 'alone']
const WINGS = readdirSync(join(ROOT, 'main/wings'), { withFileTypes: true })
  .filter(entry => entry.isDirectory())
  .map(({ name }) => name)
  .toSorted()
/** The stub of each door. */
const STUBS = [
  ['stubs/*.ts', 'main/wings/*/door.ts'],
  ['stubs/cli/*.ts', 'main/wings/*/cli/door.ts'],
  ['pages/*.tsx', 'renderer/wings/*/door.tsx'],
] as const
const copy = mkdtempSync(join(tmpdir(), 'lockkeeper-core-'))
process.exitCode = 1
try {
  process.exitCode = check()
} finally {
  rmSync(copy, { recursive: true, force: true })
}

function check(): number {
  copyFiles()
  const { left, ran } = leaveWingsOut()
  const vitest = ['node_modules/.bin/vitest', 'run', ...PROJECTS.flatMap(name => ['--project', name])]
  const commands = [
    ['node_modules/.bin/tsc', '-b', 'main', 'renderer', 'shared'],
    [...vitest, ...process.argv.slice(2)],
  ]
  for (const [command = '', ...args] of commands) {
    const { status } = spawnSync(command, args, { cwd: copy, stdio: 'inherit' })
    if (status !== 0) return status ?? 1
  }
  report(left, ran)
  return 0
}

/** The files of the repository, and node_modules by links: its caches are the copy's own. */
function copyFiles(): void {
  // Some tests run a part of the program as a user who owns nothing.
  chmodSync(copy, 0o755)
  const listed = spawnSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], { cwd: ROOT })
  if (listed.status !== 0) throw new Error(`git lists no files: ${listed.stderr}`)
  for (const file of listed.stdout.toString().split('\0').filter(Boolean)) {
    mkdirSync(dirname(join(copy, file)), { recursive: true })
    cpSync(join(ROOT, file), join(copy, file), { verbatimSymlinks: true, force: true })
  }
  mkdirSync(join(copy, 'node_modules'))
  for (const entry of readdirSync(join(ROOT, 'node_modules'))) {
    if (entry !== '.cache' && entry !== '.vite')
      symlinkSync(join(ROOT, 'node_modules', entry), join(copy, 'node_modules', entry))
  }
}

/** Puts the stubs in the place of the wings, and removes the tests that need a wing: answers those, and how many files are left. */
function leaveWingsOut(): { readonly left: ReadonlyMap<string, string>; readonly ran: number } {
  const files = new Map(
    globSync('{main,renderer,shared,test,bin,packaging}/**/*.{ts,tsx}', { cwd: copy }).map(
      file => [file, readSource(file, readFileSync(join(copy, file), 'utf8'))] as const,
    ),
  )
  const left = leftOutOf(files, globSync(TESTS, { cwd: copy }))
  for (const test of left.keys()) rmSync(join(copy, test))
  for (const wing of WINGS) {
    for (const side of ['main', 'renderer']) rmSync(join(copy, side, 'wings', wing), { recursive: true, force: true })
    for (const [stub, door] of STUBS) {
      const file = join(copy, 'test/core', stub.replace('*', wing))
      if (existsSync(file)) cpSync(file, join(copy, door.replace('*', wing)))
    }
  }
  cpSync(join(copy, 'test/core/tests'), join(copy, 'test/unit/core'), { recursive: true })
  return { left, ran: globSync(TESTS, { cwd: copy }).length }
}

function report(left: ReadonlyMap<string, string>, ran: number): void {
  const byNeed = Map.groupBy(left.values(), need => need.split('/').slice(0, 3).join('/'))
  const needs = [...byNeed].map(([need, tests]) => `${tests.length} need ${need}`).toSorted()
  process.stdout.write(
    `The core compiles and passes its tests without ${WINGS.join(', ')}. Files of tests: ${ran} ran, ${left.size} were left out (${needs.join(', ')}).\n`,
  )
}
