import type { RunSummary } from '../../../shared/contract/index.ts'
import type { RunView } from '../../../shared/domain/run.ts'
import { conditionOf, needsSomebody, type RunCondition } from '../../../shared/domain/run-condition.ts'
import { type EndingTone, endingTone } from '../../../shared/words/run-ending.ts'

/** What a run does, by its colour; a word always says the same. */
export type RunTone = 'moving' | 'waits' | 'failed' | 'verified' | 'rest'

/** The colour of a run's state on every screen. */
export function toneOf(condition: RunCondition): RunTone {
  switch (condition.kind) {
    case 'starting':
    case 'moving':
    case 'aborting':
      return 'moving'
    case 'waiting':
    case 'paused':
      return 'waits'
    case 'interrupted':
      return 'failed'
    case 'unheard':
      return 'rest'
    case 'over':
      return ENDING_TONES[endingTone(condition.ending)]
  }
}

const ENDING_TONES: Readonly<Record<EndingTone, RunTone>> = {
  good: 'verified',
  attention: 'waits',
  bad: 'failed',
  rest: 'rest',
}

/** How long an unseen failed run is shown. */
const REPORTED_FOR_MS = 12 * 60 * 60_000

/** Active and waiting runs, and unseen failed ones: those that need you first, the longest first. */
export function liveRuns(list: readonly RunSummary[], seen: ReadonlySet<string>, nowMs: number): readonly RunSummary[] {
  const latest = new Map<string, RunSummary>()
  for (const run of list) {
    const before = latest.get(subjectOf(run))
    if (before === undefined || before.createdAt < run.createdAt) latest.set(subjectOf(run), run)
  }
  const isFailed = (run: RunSummary) =>
    run.condition.kind === 'over' &&
    toneOf(run.condition) === 'failed' &&
    run.endedAt !== null &&
    nowMs - Date.parse(run.endedAt) < REPORTED_FOR_MS &&
    !seen.has(run.id) &&
    // The operator who started another run there has seen it.
    latest.get(subjectOf(run)) === run
  return list
    .filter(run => run.condition.kind !== 'over' || isFailed(run))
    .toSorted((a, b) => rankOf(a) - rankOf(b) || (sinceOf(a) ?? a.createdAt).localeCompare(sinceOf(b) ?? b.createdAt))
}

function subjectOf({ cluster, node }: RunSummary): string {
  return `${cluster}/${node}`
}

function rankOf({ condition }: RunSummary): number {
  if (condition.kind === 'over') return 2
  if (condition.kind === 'paused') return 3
  if (condition.kind === 'unheard') return 6
  if (needsSomebody(condition)) return condition.kind === 'interrupted' ? 1 : 0
  return condition.kind === 'waiting' ? 4 : 5
}

/** Since when a run is in its state; a moving one, since its start. Null if unknown. */
export function sinceOf({ condition, createdAt, endedAt }: RunSummary): string | null {
  switch (condition.kind) {
    case 'waiting':
      return condition.waits[0]?.since ?? null
    case 'paused':
    case 'interrupted':
    case 'unheard':
      return condition.since
    case 'over':
      return endedAt ?? createdAt
    case 'starting':
    case 'moving':
    case 'aborting':
      return createdAt
  }
}

/** A run's state by the latest events; only its line in the list says whether it lost its console. */
export function conditionNow(view: RunView, summary: Pick<RunSummary, 'condition'> | null): RunCondition {
  if (summary?.condition.kind === 'unheard' && view.state.kind !== 'finished') return summary.condition
  if (summary?.condition.kind !== 'interrupted') return conditionOf(view, false)
  const { left } = summary.condition
  return conditionOf(view, true, left?.code === 'JournalRefused' ? left.cause : null)
}
