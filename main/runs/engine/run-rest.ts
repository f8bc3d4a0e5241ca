import { planSubject } from '../../../shared/domain/plan.ts'
import type { RunOutcome, RunView } from '../../../shared/domain/run.ts'
import type { RunLeft } from '../../../shared/domain/run-left.ts'
import { unseenEnds } from '../../../shared/domain/run-progress.ts'
import { undoneSteps } from '../../../shared/domain/undone-steps.ts'
import { because } from '../../../shared/words/reasons.ts'
import { leftWords } from '../../../shared/words/run-left.ts'
import { unseenEndWords } from '../../../shared/words/unseen-ends.ts'
import type { RunRecord } from './run-record.ts'
import { type CodedText, codedOf } from './said.ts'
import type { StopReason } from './stop-switch.ts'

/** How driving a run ended. */
export type RestState =
  | { readonly kind: 'finished'; readonly outcome: RunOutcome }
  /** The driver left; the run can be resumed. `why`: the journal could not be written; null means any other reason. */
  | { readonly kind: 'left'; readonly why: string | null }

export const LEFT: RestState = { kind: 'left', why: null }

/** The end of a run that was stopped for good; null when it may continue. */
export function restFor(reason: StopReason, record: RunRecord): RestState | null {
  switch (reason.kind) {
    case 'lease-away':
    case 'pause':
      return null
    case 'detach':
      return leave(record, { code: reason.handsOver === true ? 'HandingOver' : 'Detached', by: reason.by })
    case 'abort':
      return finishAborted(record, reason)
    case 'replaced':
      return LEFT
    case 'journal-refused':
      return { kind: 'left', why: reason.why }
    case 'lease-lost': {
      const node = planSubject(record.view().plan)
      record.append({ kind: 'lease-lost', node, why: reason.why.message, ...codedOf(reason.why) })
      return leave(record, { code: 'LeaseLost', node, cause: reason.why.message })
    }
  }
}

export function leave(record: RunRecord, left: RunLeft): RestState {
  const handsOver = left.code === 'HandingOver' ? { handsOver: true as const } : {}
  record.append({ kind: 'driver-left', why: leftWords(left), left, ...handsOver })
  return LEFT
}

export function finishAborted(record: RunRecord, abort: { readonly by: string; readonly reason: string }): RestState {
  return finish(record, 'aborted', because('StoppedBy', { by: abort.by, reason: abort.reason }))
}

/** Ends a run and records what stays changed. */
export function finish(record: RunRecord, outcome: RunOutcome, said: CodedText): RestState {
  const leftBehind = outcome === 'done' || outcome === 'checks-failed' ? [] : changesLeft(record.view())
  record.append({ kind: 'run-finished', outcome, summary: said.message, ...codedOf(said), leftBehind })
  return { kind: 'finished', outcome }
}

/** Steps that made changes and were not undone, with how to undo them (style G24). */
function changesLeft(view: RunView): string[] {
  const undone = undoneSteps(view)
  return view.steps
    .filter(step => step.attempts > 0 && !undone.has(step.step.id) && step.facts.some(fact => fact.announces))
    .flatMap(step => [`${step.step.title}: ${step.step.undo}`, ...unseenEnds(step).map(unseenEndWords)])
}
