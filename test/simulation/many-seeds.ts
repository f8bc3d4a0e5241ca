import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import type { Violation } from './judge.ts'

/** What a worker says of one schedule. */
export interface Reported {
  readonly seed: number
  readonly hash: string
  readonly violations: readonly Violation[]
  readonly kinds: readonly string[]
  readonly ways: readonly string[]
  readonly messages: number
  readonly turns: number
  readonly virtualMs: number
  readonly cpuMs: number
}

/** What came of many schedules. */
interface Figures {
  readonly schedules: number
  readonly broken: readonly Reported[]
  /** How procedures ended, and how often. */
  readonly ways: Readonly<Record<string, number>>
  /** How many schedules played what. */
  readonly kinds: Readonly<Record<string, number>>
  readonly messages: number
  readonly virtualHours: number
  readonly cpuMsEach: number
}

/** Schedules that a worker tries at most: it starts with cold code, and what it forgets to free goes with it. */
const SHARE = 5_000

/**
 * Simulates the seeds `from` to `from + count - 1` in parallel processes. `stopAtFirst` ends with the first broken
 * promise.
 */
export async function simulateMany(options: {
  readonly from: number
  readonly count: number
  readonly workers: number
  readonly stopAtFirst?: boolean
  /** Where the simulation lies; this folder unless given. */
  readonly folder?: string
  /** Flags of `run-seeds.ts`, as `--batches`; none unless given. */
  readonly options?: readonly string[]
  readonly onReported?: (reported: Reported, done: number) => void
}): Promise<Figures> {
  const { from, count, workers, stopAtFirst = false } = options
  const last = from + count - 1
  const size = Math.min(SHARE, Math.ceil(count / workers))
  const broken: Reported[] = []
  const ways: Record<string, number> = {}
  const kinds: Record<string, number> = {}
  let next = from
  let done = 0
  let messages = 0
  let virtualMs = 0
  let cpuMs = 0
  const report = (reported: Reported): void => {
    done += 1
    messages += reported.messages
    virtualMs += reported.virtualMs
    cpuMs += reported.cpuMs
    for (const way of reported.ways) ways[way] = (ways[way] ?? 0) + 1
    for (const kind of reported.kinds) kinds[kind] = (kinds[kind] ?? 0) + 1
    if (reported.violations.length > 0) broken.push(reported)
    options.onReported?.(reported, done)
  }
  const work = async (): Promise<void> => {
    while (next <= last && !(stopAtFirst && broken.length > 0)) {
      const first = next
      next = Math.min(last + 1, first + size)
      const flags = options.options ?? []
      await share([first, next - 1], options.folder ?? import.meta.dirname, flags, reported => {
        report(reported)
        return !(stopAtFirst && reported.violations.length > 0)
      })
    }
  }
  await Promise.all(Array.from({ length: workers }, work))
  return {
    schedules: done,
    broken: broken.toSorted((a, b) => a.seed - b.seed),
    ways,
    kinds,
    messages,
    virtualHours: virtualMs / 3_600_000,
    cpuMsEach: cpuMs / Math.max(1, done),
  }
}

/** One worker's share; `tell` returns whether it continues. */
async function share(
  [from, to]: readonly [number, number],
  folder: string,
  flags: readonly string[],
  report: (reported: Reported) => boolean,
): Promise<void> {
  const child = spawn(
    process.execPath,
    [
      '--disable-warning=ExperimentalWarning',
      // Schedules make much short-lived garbage, and each worker has one core, so collecting it in parallel does not
      // help.
      '--min-semi-space-size=256',
      '--max-semi-space-size=256',
      '--single-threaded-gc',
      join(folder, 'run-seeds.ts'),
      String(from),
      String(to),
      ...flags,
    ],
    { stdio: ['ignore', 'pipe', 'inherit'] },
  )
  const exited = new Promise<number | null>(resolve => child.once('exit', resolve))
  let reported = 0
  let ended = false
  for await (const line of createInterface({ input: child.stdout })) {
    if (ended) continue
    reported += 1
    if (report(JSON.parse(line) as Reported)) continue
    ended = true
    child.kill()
  }
  const code = await exited
  if (!ended && reported < to - from + 1) {
    throw new Error(`A worker ended with ${code} at seed ${from + reported}, of ${from} to ${to}`)
  }
}

/** The figures as lines for people. */
export function figureLines(figures: Figures, tookMs: number): readonly string[] {
  const { schedules, broken, ways, kinds, messages, virtualHours, cpuMsEach } = figures
  const mostFirst = (counts: Readonly<Record<string, number>>) =>
    Object.entries(counts)
      .toSorted(([, a], [, b]) => b - a)
      .map(([name, times]) => `${name} ${times}`)
      .join(', ')
  return [
    `${schedules} schedules in ${(tookMs / 1000).toFixed(0)} s, ${((schedules * 1000) / tookMs).toFixed(1)} a second (${cpuMsEach.toFixed(1)} ms of processor each), ${messages} messages, ${virtualHours.toFixed(0)} hours of virtual time`,
    `played: ${mostFirst(kinds)}`,
    `procedures: ${mostFirst(ways)}`,
    `${broken.length} schedules broke a promise`,
    ...broken
      .slice(0, 20)
      .flatMap(({ seed, violations }) => [
        `seed ${seed}: ${violations[0]?.rule}: ${violations[0]?.what.slice(0, 300)}`,
        `  replay: node test/simulation/run-seed.ts ${seed} --trace`,
      ]),
  ]
}
