import type { RunSummary } from '../../shared/contract/index.ts'
import type { MeasuredNode } from '../../shared/domain/history.ts'
import { measuredIn } from '../../shared/domain/measured.ts'
import { type BlockedCheck, blockedChecksOf } from '../../shared/domain/recurring-blockers.ts'
import type { RunEvent, RunView } from '../../shared/domain/run.ts'

/** What the history stores of a run: views are large, and a history has thousands. */
export interface RunInHistory {
  readonly summary: RunSummary
  readonly windowId: string | null
  /** The operator's own reasons: for the run, for a start outside any window, for each override. */
  readonly reasons: readonly string[]
  readonly measured: readonly MeasuredNode[]
  readonly blocked: readonly BlockedCheck[]
  /** Why its events cannot be read; null if they can. */
  readonly damage: string | null
}

export function inHistory(view: RunView, events: readonly RunEvent[]): Omit<RunInHistory, 'summary'> {
  const { window, options } = view.plan
  const reasons = [
    options.reason,
    ...(window?.kind === 'outside' ? [window.reason] : []),
    ...view.overrides.map(({ reason }) => reason),
  ]
  return {
    windowId: window?.kind === 'in' ? window.id : null,
    reasons: [...new Set(reasons.filter(reason => reason !== ''))],
    measured: measuredIn(view, events),
    blocked: blockedChecksOf(view, events),
    damage: null,
  }
}
