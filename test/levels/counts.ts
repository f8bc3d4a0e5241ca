import { existsSync, readFileSync } from 'node:fs'
import { z } from 'zod'
import type { Counting } from './levels.ts'

/** The test results of one stage. */
export interface Counts {
  readonly passed: number
  readonly failed: number
  readonly skipped: number
  readonly slowest: readonly TestTime[]
}

/** How long one test took. */
interface TestTime {
  readonly name: string
  readonly seconds: number
}

const NOTHING: Counts = { passed: 0, failed: 0, skipped: 0, slowest: [] }

/**
 * The counts of a stage that ended with `code`, from the report that its runner wrote. A command that failed, or that ran no test, counts as at
 * least one failed test: a file that cannot be loaded holds no test.
 */
export function countsOf(counting: Counting, report: string, code: number): Counts {
  const counts = counting === 'one-check' ? { ...NOTHING, passed: code === 0 ? 1 : 0 } : read(counting, report)
  const isGreen = code === 0 && counts.passed > 0
  return isGreen || counts.failed > 0 ? counts : { ...counts, failed: 1 }
}

function read(counting: 'vitest' | 'playwright', report: string): Counts {
  return existsSync(report) ? READERS[counting](report) : NOTHING
}

const vitestReport = z.object({
  numPassedTests: z.number(),
  numFailedTests: z.number(),
  numPendingTests: z.number(),
  testResults: z.array(
    z.object({
      name: z.string(),
      assertionResults: z.array(z.object({ fullName: z.string(), duration: z.number().nullish() })),
    }),
  ),
})

interface PlaywrightSuite {
  readonly title: string
  readonly suites?: readonly PlaywrightSuite[] | undefined
  readonly specs: readonly { readonly title: string; readonly tests: readonly PlaywrightTest[] }[]
}

interface PlaywrightTest {
  readonly projectName: string
  readonly results: readonly { readonly duration: number }[]
}

const playwrightSuite: z.ZodType<PlaywrightSuite> = z.object({
  title: z.string(),
  get suites() {
    return z.array(playwrightSuite).optional()
  },
  specs: z.array(
    z.object({
      title: z.string(),
      tests: z.array(z.object({ projectName: z.string(), results: z.array(z.object({ duration: z.number() })) })),
    }),
  ),
})

const playwrightReport = z.object({
  stats: z.object({ expected: z.number(), unexpected: z.number(), flaky: z.number(), skipped: z.number() }),
  suites: z.array(playwrightSuite),
})

const READERS: Readonly<Record<'vitest' | 'playwright', (report: string) => Counts>> = {
  vitest: report => {
    const { numPassedTests, numFailedTests, numPendingTests, testResults } = vitestReport.parse(parsed(report))
    const times = testResults.flatMap(({ name, assertionResults }) =>
      assertionResults.map(({ fullName, duration }) => ({
        name: `${name.replace(/^.*?\/test\//, 'test/')}: ${fullName}`,
        seconds: (duration ?? 0) / 1000,
      })),
    )
    return { passed: numPassedTests, failed: numFailedTests, skipped: numPendingTests, slowest: slowestOf(times) }
  },
  playwright: report => {
    const { stats, suites } = playwrightReport.parse(parsed(report))
    return {
      passed: stats.expected,
      failed: stats.unexpected + stats.flaky,
      skipped: stats.skipped,
      slowest: slowestOf(suites.flatMap(timesOf)),
    }
  },
}

function timesOf(suite: PlaywrightSuite): readonly TestTime[] {
  const own = suite.specs.flatMap(({ title, tests }) =>
    tests.map(({ projectName, results }) => ({
      name: `${projectName}, ${suite.title}: ${title}`,
      seconds: results.reduce((sum, { duration }) => sum + duration, 0) / 1000,
    })),
  )
  return [...own, ...(suite.suites ?? []).flatMap(timesOf)]
}

/** The twenty slowest, slowest first. */
export function slowestOf(times: readonly TestTime[]): readonly TestTime[] {
  return times.toSorted((one, other) => other.seconds - one.seconds).slice(0, 20)
}

function parsed(report: string): unknown {
  return JSON.parse(readFileSync(report, 'utf8'))
}
