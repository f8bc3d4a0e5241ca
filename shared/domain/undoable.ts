import { isLeftChanged } from './applied-changes.ts'
import { isNodePlan, isNodeRun, type RunKind } from './plan.ts'
import type { RunView } from './run.ts'
import { completedAllSteps } from './run-ending.ts'
import { nodesOfPlan } from './update-nodes.ts'

interface RunInList {
  readonly id: string
  readonly kind: RunKind
  readonly cluster: string
  readonly state: string
  readonly node: string | null
  /** Null if its history is unreadable. */
  readonly nodes: readonly string[] | null
  /** Null if there is none, or its history is unreadable. */
  readonly undoes: string | null
}

interface Undoing<Run> {
  readonly view: Pick<RunView, 'id' | 'handedTo' | 'plan' | 'state' | 'steps'>
  readonly isDriven: boolean
  readonly later: readonly Run[] | null
}

export type WhyNotUndone<Run> =
  | { readonly kind: 'brings-back' }
  | { readonly kind: 'rescue' }
  | { readonly kind: 'driven' }
  | { readonly kind: 'handed-over' }
  | { readonly kind: 'done' }
  | { readonly kind: 'nothing-left' }
  | { readonly kind: 'later-unknown' }
  | { readonly kind: 'undone' | 'being-undone'; readonly by: Run }
  | { readonly kind: 'worked-since' | 'unread-since'; readonly by: Run }

/** Created after this one, from a list with the newest first; null if the list does not contain it. */
export function runsAfter<Run extends Pick<RunInList, 'id' | 'cluster'>>(
  { id, plan: { cluster } }: Pick<RunView, 'id' | 'plan'>,
  list: readonly Run[],
): readonly Run[] | null {
  const at = list.findIndex(run => run.id === id)
  return at < 0 ? null : list.slice(0, at).filter(run => run.cluster === cluster)
}

/** A run can be undone if it ended early or has no console, and no other run worked there since. A failed undo may be repeated. */
export function whyNotUndone<Run extends RunInList>(
  { view, isDriven, later }: Undoing<Run>,
  node: string,
): WhyNotUndone<Run> | null {
  const { plan, state } = view
  if (plan.kind === 'leave' || plan.kind === 'home' || plan.kind === 'undo') return { kind: 'brings-back' }
  if (plan.kind === 'rescue') return { kind: 'rescue' }
  if (isDriven) return { kind: 'driven' }
  if (view.handedTo !== null) return { kind: 'handed-over' }
  if (state.kind === 'finished' && state.outcome === 'done') return { kind: 'done' }
  if (!isLeftChanged(node, view)) return { kind: 'nothing-left' }
  if (later === null) return { kind: 'later-unknown' }
  const by = later.find(run => run.state !== 'checks-failed' && !isFailedTry(view.id, run) && mayWorkOn(node, run))
  if (by === undefined) return null
  if (by.undoes === view.id) return { kind: completedAllSteps(by) ? 'undone' : 'being-undone', by }
  return { kind: isNodeRun(by.kind) || by.nodes !== null ? 'worked-since' : 'unread-since', by }
}

export function undoableNodes<Run extends RunInList>(undoing: Undoing<Run>): readonly string[] {
  const { plan } = undoing.view
  const nodes = isNodePlan(plan) ? [plan.node] : nodesOfPlan(plan).map(({ node }) => node)
  return nodes.filter(node => whyNotUndone(undoing, node) === null)
}

function isFailedTry(runId: string, { undoes, state }: RunInList): boolean {
  return undoes === runId && (state === 'failed' || state === 'aborted')
}

function mayWorkOn(node: string, run: RunInList): boolean {
  return isNodeRun(run.kind) ? run.node === node : (run.nodes?.includes(node) ?? true)
}
