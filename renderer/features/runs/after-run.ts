import type { RunSummary } from '../../../shared/contract/index.ts'
import { isNodePlan } from '../../../shared/domain/plan.ts'
import type { RunView } from '../../../shared/domain/run.ts'
import { endingOf, isReached } from '../../../shared/domain/run-ending.ts'
import { runsAfter, undoableNodes } from '../../../shared/domain/undoable.ts'

/** The last run that undoes this run on a node, according to the list; null if there is none. */
export function undoOf({ id, plan }: Pick<RunView, 'id' | 'plan'>, list: readonly RunSummary[]): RunSummary | null {
  if (!isNodePlan(plan)) return null
  return list.find(({ undoes, state }) => undoes === id && state !== 'checks-failed') ?? null
}

/** The nodes of a finished run on which it can be undone now. The list has the newest run first. */
export function undoableNow(view: RunView, list: readonly RunSummary[]): readonly string[] {
  return undoableNodes({ view, isDriven: view.state.kind !== 'finished', later: runsAfter(view, list) })
}

/** Whether this run brought its node back without its instances, so that they can be brought back; a node that others keep out of work accepts none. */
export function mayBringHome(view: RunView): boolean {
  const { plan, state } = view
  return (
    (plan.kind === 'leave' || plan.kind === 'maintain') &&
    state.kind === 'finished' &&
    state.outcome === 'done' &&
    isReached(endingOf(view, state)) &&
    !plan.options.home &&
    plan.steps.some(({ role }) => role === 'compute')
  )
}
