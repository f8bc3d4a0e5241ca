import type { RunSummary } from '../../../shared/contract/index.ts'
import { isNodePlan, isNodeRun, takesOut } from '../../../shared/domain/plan.ts'
import type { RunView } from '../../../shared/domain/run.ts'
import { isLeftChanged } from '../../../shared/domain/run-deeds.ts'
import { nodesOfPlan } from '../../../shared/domain/update-nodes.ts'

/** What worked on a run's node after it, as far as the list of runs tells. */
interface Since {
  /** The last of the runs that undo it; null: none was started. */
  readonly undo: RunSummary | null
  /** Another run worked on the node since: what is there now is not this run's alone to take back. */
  readonly other: boolean
}

/**
 * What followed a run on its node. A run is undone by the next runs on its node alone, so an undo that follows directly is its own; `list` is newest first.
 */
export function sinceRun({ id, plan }: Pick<RunView, 'id' | 'plan'>, list: readonly RunSummary[]): Since {
  const at = list.findIndex(run => run.id === id)
  if (!isNodePlan(plan)) return { undo: null, other: false }
  const later = list
    .slice(0, Math.max(0, at))
    .filter(run => run.cluster === plan.cluster && run.node === plan.node && run.state !== 'checks-failed')
    .toReversed()
  const end = later.findIndex(({ kind }) => kind !== 'undo')
  return { undo: later.slice(0, end === -1 ? later.length : end).at(-1) ?? null, other: end !== -1 }
}

/** Whether the way back of a run may be planned: it took a node out, came to an end short of its own, changed something, and nothing but an undo that failed came after it. */
export function mayUndo(view: RunView, { undo, other }: Since): boolean {
  const { plan } = view
  if (!isNodePlan(plan) || !takesOut(plan.kind) || !cameShort(view)) return false
  return (undo === null || isFailedTry(undo)) && !other && isLeftChanged(plan.node, view)
}

/** Whether a run came to an end short of its own. */
function cameShort({ state }: Pick<RunView, 'state'>): boolean {
  return state.kind === 'finished' && (state.outcome === 'failed' || state.outcome === 'aborted')
}

/** Whether a run is an undo that may be tried again. */
function isFailedTry({ kind, state }: RunSummary): boolean {
  return kind === 'undo' && (state === 'failed' || state === 'aborted')
}

/**
 * The nodes of a run over many on which something of it may still be undone: it came to an end short of its own, changed something there, and nothing worked on
 * them since. A run that the list does not hold tells nothing of what came after it.
 */
export function undoableNodes(view: RunView, list: readonly RunSummary[]): readonly string[] {
  const { id, plan } = view
  const at = list.findIndex(run => run.id === id)
  if (isNodePlan(plan) || at < 0 || !cameShort(view)) return []
  const later = list
    .slice(0, at)
    .filter(run => run.cluster === plan.cluster && run.state !== 'checks-failed' && !isFailedTry(run))
  if (later.some(({ kind }) => !isNodeRun(kind))) return []
  return nodesOfPlan(plan)
    .map(({ node }) => node)
    .filter(node => later.every(run => run.node !== node) && isLeftChanged(node, view))
}

/** Whether the node of a run is back in service by it, and held instances that may be brought home. */
export function mayBringHome({ plan, state }: Pick<RunView, 'plan' | 'state'>): boolean {
  return (
    (plan.kind === 'leave' || plan.kind === 'maintain') &&
    state.kind === 'finished' &&
    state.outcome === 'done' &&
    plan.steps.some(({ role }) => role === 'compute')
  )
}
