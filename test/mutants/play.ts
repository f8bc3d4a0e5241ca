import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { simulateMany } from '../simulation/many-seeds.ts'
import { changed } from './check-table.ts'
import type { Catcher, Mutant } from './mutant.ts'
import { playedOf, playTests, projectOf, TEST_LIMIT_MS, type VitestRun } from './vitest-run.ts'

/** What came of a mutant, in words for one line. */
interface Outcome {
  readonly caught: boolean
  readonly words: string
}

/** The time limit of one mutant, or of the unbroken tests of a project. */
const MUTANT_LIMIT_MS = 150_000
const UNBROKEN_LIMIT_MS = 400_000

/** Puts the mutant into the copy, plays what has to catch it, and takes the mutant out again. */
export async function playMutant(copy: string, mutant: Mutant): Promise<Outcome> {
  const before = new Map(mutant.changes.map(({ file }) => [file, readFileSync(join(copy, file), 'utf8')]))
  try {
    for (const change of mutant.changes) {
      const path = join(copy, change.file)
      writeFileSync(path, changed(readFileSync(path, 'utf8'), change))
    }
    const { caughtBy } = mutant
    if (caughtBy.kind === 'test') return await playTest(copy, caughtBy)
    const found = await simulated(copy, caughtBy, { from: 1, count: caughtBy.schedules })
    if (typeof found === 'string') return { caught: false, words: found }
    for (const [file, text] of before) writeFileSync(join(copy, file), text)
    const unbroken = await simulated(copy, caughtBy, { from: found.seed, count: 1 })
    return typeof unbroken === 'string'
      ? { caught: true, words: `seed ${found.seed}: ${found.rule}` }
      : { caught: false, words: `seed ${found.seed} breaks a promise without the mutant too: ${unbroken.rule}` }
  } finally {
    for (const [file, text] of before) writeFileSync(join(copy, file), text)
  }
}

async function playTest(copy: string, test: Extract<Catcher, { kind: 'test' }>): Promise<Outcome> {
  const run = await playTests(copy, [test], { project: projectOf(test.file), limitMs: MUTANT_LIMIT_MS })
  return outcomeOf(run, test)
}

/** Errors of a change that is not a valid program, rather than of a broken rule. */
const NO_PROGRAM = /^(SyntaxError|ReferenceError|RolldownError|Error: (Transform failed|Failed to (load|resolve)))/m

/** Whether the run says that the named test itself ran and failed. */
export function outcomeOf(run: VitestRun, test: Extract<Catcher, { kind: 'test' }>): Outcome {
  if (run.kind === 'hung') return { caught: false, words: 'it hung, and no report says which test' }
  if (run.kind === 'no-report') return { caught: false, words: `Vitest made no report: ${run.said}` }
  const named = playedOf(test, run.played)
  if (named.length === 0) {
    const why = run.broken[0] ?? 'no test of that name'
    return { caught: false, words: `the named test did not run: ${why.split('\n')[0]}` }
  }
  const failed = named.filter(({ status }) => status === 'failed')
  if (failed.length === 0) return { caught: false, words: `NOT CAUGHT by ${test.file}, "${test.title}"` }
  const [own] = failed.filter(({ why }) => !NO_PROGRAM.test(why))
  if (own === undefined) return { caught: false, words: `it only breaks the program: ${failed[0]?.why.split('\n')[0]}` }
  // The report of a test that timed out has no message.
  const timedOut = own.tookMs >= TEST_LIMIT_MS ? ', which timed out' : ''
  return { caught: true, words: `${test.file}, "${own.fullName}"${timedOut}` }
}

async function simulated(
  copy: string,
  { options = [] }: Extract<Catcher, { kind: 'simulation' }>,
  seeds: { readonly from: number; readonly count: number },
): Promise<string | { readonly seed: number; readonly rule: string }> {
  try {
    const folder = join(copy, 'test/simulation')
    const { broken } = await simulateMany({ ...seeds, workers: 1, stopAtFirst: true, folder, options })
    const [first] = broken
    if (first === undefined) return `NOT CAUGHT in ${seeds.count} schedules`
    return { seed: first.seed, rule: first.violations[0]?.rule ?? 'no rule named' }
  } catch (error) {
    return `it only breaks the program: ${error instanceof Error ? error.message : String(error)}`
  }
}

/** What is wrong with the named tests while nothing is broken: each has to run, and to pass. By the name of the mutant. */
export async function unbrokenProblems(copy: string, mutants: readonly Mutant[]): Promise<ReadonlyMap<string, string>> {
  const tests = mutants.flatMap(({ name, caughtBy }) => (caughtBy.kind === 'test' ? [{ name, ...caughtBy }] : []))
  const byProject = Object.entries(Object.groupBy(tests, ({ file }) => projectOf(file)))
  const problems = new Map<string, string>()
  for (const [project, named = []] of byProject) {
    const run = await playTests(copy, named, { project, limitMs: UNBROKEN_LIMIT_MS })
    for (const test of named) {
      const problem = unbrokenProblem(run, test)
      if (problem !== null) problems.set(test.name, problem)
    }
  }
  return problems
}

function unbrokenProblem(run: VitestRun, test: { readonly file: string; readonly title: string }): string | null {
  if (run.kind === 'hung') return 'the tests hang without the mutant'
  if (run.kind === 'no-report') return `Vitest made no report without the mutant: ${run.said}`
  const named = playedOf(test, run.played)
  if (named.length === 0) return `no test of ${test.file} runs whose name contains "${test.title}"`
  const failed = named.find(({ status }) => status === 'failed')
  return failed === undefined ? null : `"${failed.fullName}" fails without the mutant: ${failed.why.split('\n')[0]}`
}
