import { z } from 'zod'
import type { InstanceAttempt } from './instance-attempts.ts'
import { nearestRank } from './nearest-rank.ts'
import type { RunFact, RunView } from './run.ts'
import { historyOfFacts } from './run-history.ts'
import { schedule } from './schedule.ts'

/** One completed live migration in the journal of an earlier run. `ramMib` null: neither the request nor Nova's progress contained it. */
export const MeasuredMove = z.strictObject({ ms: z.number(), ramMib: z.number().nullable() })
export type MeasuredMove = Readonly<z.infer<typeof MeasuredMove>>

/** The usual time, and the 90th percentile. */
interface ExpectedSpan {
  readonly low: number
  readonly high: number
}

/** The live migrations of a run in order of arrival, each from the last request to the arrival. */
export function movesMeasuredIn(view: RunView): readonly MeasuredMove[] {
  return view.steps.flatMap(({ facts }) => movesMeasuredBy(facts))
}

export function movesMeasuredBy(facts: readonly RunFact[]): readonly MeasuredMove[] {
  return [...historyOfFacts({ facts }).instances.values()]
    .flatMap(({ attempts }) => attempts.filter(wasLive))
    .toSorted((a, b) => Date.parse(a.end?.at ?? '') - Date.parse(b.end?.at ?? ''))
    .flatMap(attempt => {
      const { startedAt, end } = attempt
      const ms = end === null ? 0 : Date.parse(end.at) - Date.parse(startedAt)
      return ms > 0 ? [{ ms, ramMib: ramMibOf(attempt) }] : []
    })
}

/** The memory of the instance that moves; null if neither the request nor Nova's progress contained it. */
export function ramMibOf({ asked, memoryTotal }: Pick<InstanceAttempt, 'asked' | 'memoryTotal'>): number | null {
  return asked?.ramMib ?? (memoryTotal === null ? null : memoryTotal / 1024 ** 2)
}

/** A cold migration copies disks, an evacuation copies nothing; Watcher does not report memory. */
function wasLive({ asked, watcherType, end }: InstanceAttempt): boolean {
  return end?.kind === 'moved' && (asked?.how === 'live' || watcherType === 'live-migrate')
}

/** How long a move may take by measurements: per GiB if memory is known; null if nothing was measured. */
export function expectedSpan(ramMib: number | null, measured: readonly MeasuredMove[]): ExpectedSpan | null {
  const perGib = measured.flatMap(move =>
    move.ramMib === null || move.ramMib <= 0 ? [] : [(move.ms / move.ramMib) * 1024],
  )
  if (ramMib !== null && perGib.length > 0) {
    const gib = ramMib / 1024
    return { low: Math.round(nearestRank(perGib, 0.5) * gib), high: Math.round(nearestRank(perGib, 0.9) * gib) }
  }
  const times = measured.map(({ ms }) => ms)
  return times.length === 0 ? null : { low: nearestRank(times, 0.5), high: nearestRank(times, 0.9) }
}

/** How long all moves take with this concurrency; null if one is unknown, or there is none. */
export function expectedTotal(spans: readonly (ExpectedSpan | null)[], atOnce: number): ExpectedSpan | null {
  const work = spans.map(span => ({
    ...{ name: '', begunAt: null, span: span === null ? null : { lowMs: span.low, highMs: span.high } },
  }))
  const total = spans.length === 0 ? null : schedule([{ work, atOnce }], null)
  return total === null ? null : { low: total.lowMs, high: total.highMs }
}
