import { nearestRank } from './nearest-rank.ts'
import type { RunFact, RunView } from './run.ts'
import {
  factName,
  factNumber,
  factText,
  INSTANCE_MOVED,
  MIGRATION_PROGRESS,
  MIGRATION_REQUESTED,
  WATCHER_ACTION,
} from './run-facts.ts'

/** One live migration that arrived, as the journal of an earlier run has it. */
export interface MeasuredMove {
  readonly ms: number
  /** Null where neither the request nor Nova's progress told it. */
  readonly ramMib: number | null
}

/** A span that an operator can plan with: what is usual, and what nine in ten stay below. */
interface ExpectedSpan {
  readonly low: number
  readonly high: number
}

/** The migrations of a run that arrived: the time from the last request to the arrival. */
export function movesMeasuredIn(view: RunView): readonly MeasuredMove[] {
  return view.steps.flatMap(({ facts }) => movesMeasuredBy(facts))
}

/** The same, of the facts of one step. */
export function movesMeasuredBy(facts: readonly RunFact[]): readonly MeasuredMove[] {
  const asked = new Map<string, { at: string; ramMib: number | null }>()
  const measured: MeasuredMove[] = []
  const arrived = (subject: string, at: string): void => {
    const open = asked.get(subject)
    const ms = open === undefined ? Number.NaN : Date.parse(at) - Date.parse(open.at)
    if (open !== undefined && ms > 0) measured.push({ ms, ramMib: open.ramMib })
    asked.delete(subject)
  }
  for (const fact of facts) {
    switch (factName(fact)) {
      case MIGRATION_REQUESTED:
        // A cold migration copies disks, an evacuation nothing: they say nothing of how long a live one takes.
        if (factText(fact, 'how') !== null) break
        asked.set(fact.subject, { at: fact.at, ramMib: factNumber(fact, 'ramMib') })
        break
      case MIGRATION_PROGRESS: {
        const open = asked.get(fact.subject)
        const bytes = factNumber(fact, 'memoryTotal')
        if (open !== undefined && bytes !== null && bytes > 0) open.ramMib ??= bytes / 1024 ** 2
        break
      }
      case INSTANCE_MOVED:
        arrived(fact.subject, fact.at)
        break
      case WATCHER_ACTION:
        // Watcher says when it begins with an instance and when it is through; it does not say how much memory that has.
        if (factText(fact, 'type') !== 'live-migrate') break
        if (factText(fact, 'state') === 'ONGOING') asked.set(fact.subject, { at: fact.at, ramMib: null })
        if (factText(fact, 'state') === 'SUCCEEDED') arrived(fact.subject, fact.at)
        break
      default:
    }
  }
  return measured
}

/** How long a move of this much memory may take, by what was measured: per GiB where memory is known; null when nothing was measured. */
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

/** How long all moves may take, so many at once, each beginning as soon as there is room for it; null when one of them is not known. */
export function expectedTotal(spans: readonly (ExpectedSpan | null)[], atOnce: number): ExpectedSpan | null {
  const known = spans.flatMap(span => span ?? [])
  if (known.length === 0 || known.length < spans.length) return null
  return {
    low: lastEnd(
      known.map(({ low }) => low),
      atOnce,
    ),
    high: lastEnd(
      known.map(({ high }) => high),
      atOnce,
    ),
  }
}

function lastEnd(durations: readonly number[], atOnce: number): number {
  const slots = Array.from({ length: Math.max(1, atOnce) }, () => 0)
  for (const duration of durations) {
    const free = slots.indexOf(Math.min(...slots))
    slots[free] = (slots[free] ?? 0) + duration
  }
  return Math.max(...slots)
}
