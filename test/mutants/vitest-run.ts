import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'

/** A test by its file and text of its full name. */
interface NamedTest {
  readonly file: string
  readonly title: string
}

/** How one test of a run of Vitest ended. */
interface Played {
  readonly file: string
  readonly fullName: string
  readonly status: string
  readonly why: string
  readonly tookMs: number
}

/** What a run of Vitest reported. `hung`: it was ended by our time limit and reported nothing. */
export type VitestRun =
  | { readonly kind: 'reported'; readonly played: readonly Played[]; readonly broken: readonly string[] }
  | { readonly kind: 'hung' }
  | { readonly kind: 'no-report'; readonly said: string }

/** A test that waits for what never comes is ended after this, and reported as timed out. The unbroken tests of hundreds of files share a busy machine: 20 s were not enough. */
export const TEST_LIMIT_MS = 60_000

/** The project of vitest.config.ts that a file belongs to. */
export function projectOf(file: string): string {
  if (file.startsWith('test/integration/')) return 'consoles'
  if (!file.startsWith('test/unit/renderer/')) return 'rules'
  return file.endsWith('.alone.test.ts') ? 'alone' : 'renderer'
}

const running = new Set<ChildProcess>()

/** Ends all tests that are being played, at once. */
export function endTests(): void {
  for (const child of running) endGroup(child)
}

/** Vitest and the processes in which it plays the tests are one group. */
function endGroup({ pid }: ChildProcess): void {
  if (pid !== undefined) process.kill(-pid, 'SIGKILL')
}

/** Plays these tests of one project in the folder `root`, a copy of the sources, and reads the JSON report. */
export async function playTests(
  root: string,
  tests: readonly NamedTest[],
  { project, limitMs }: { readonly project: string; readonly limitMs: number },
): Promise<VitestRun> {
  const folder = mkdtempSync(join(root, 'node_modules', 'report-'))
  const report = join(folder, 'report.json')
  const titles = [...new Set(tests.map(({ title }) => escaped(title)))]
  const child = spawn(
    process.execPath,
    [
      join(root, 'node_modules/vitest/vitest.mjs'),
      'run',
      ...new Set(tests.map(({ file }) => file)),
      '--project',
      project,
      '--testNamePattern',
      titles.join('|'),
      '--reporter',
      'json',
      '--outputFile',
      report,
      // Consoles have their own limit in the configuration, with its reason.
      ...(project === 'consoles' ? [] : ['--testTimeout', String(TEST_LIMIT_MS)]),
    ],
    {
      cwd: root,
      stdio: ['ignore', 'pipe', 'pipe'],
      detached: true,
      // Not set at all: an empty one too means many tries and long limits.
      env: { ...process.env, LOCKKEEPER_LONG: undefined },
    },
  )
  running.add(child)
  const said: string[] = []
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (text: Buffer) => said.push(text.toString()))
  let hung = false
  const limit = setTimeout(() => {
    hung = true
    endGroup(child)
  }, limitMs)
  await new Promise(resolve => child.once('close', resolve))
  running.delete(child)
  clearTimeout(limit)
  try {
    return hung ? { kind: 'hung' } : readReport(root, readFileSync(report, 'utf8'))
  } catch {
    return { kind: 'no-report', said: said.join('').slice(-500) }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

interface Report {
  readonly testResults: readonly {
    readonly name: string
    readonly status: string
    readonly message: string
    readonly assertionResults: readonly {
      readonly fullName: string
      readonly status: string
      readonly failureMessages: readonly string[]
      readonly duration?: number
    }[]
  }[]
}

function readReport(root: string, text: string): VitestRun {
  const { testResults } = JSON.parse(text) as Report
  const fileOf = (name: string) => name.slice(name.indexOf(root) + root.length + 1)
  return {
    kind: 'reported',
    played: testResults.flatMap(({ name, assertionResults }) =>
      assertionResults.map(({ fullName, status, failureMessages, duration = 0 }) => ({
        file: fileOf(name),
        fullName,
        status,
        why: failureMessages.join('\n'),
        tookMs: duration,
      })),
    ),
    broken: testResults.flatMap(({ name, status, message }) =>
      status === 'failed' && message !== '' ? [`${fileOf(name)}: ${message}`] : [],
    ),
  }
}

/** The tests that a name means, among those that a run played; one that was skipped was not. */
export function playedOf({ file, title }: NamedTest, played: readonly Played[]): readonly Played[] {
  return played.filter(
    test =>
      test.file === file && test.fullName.includes(title) && (test.status === 'passed' || test.status === 'failed'),
  )
}

function escaped(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
}
