import { isLeftChanged } from './applied-changes.ts'
import { isNodePlan, isNodeRun, type RunKind } from './plan.ts'
import type { RunView } from './run.ts'
import { wentThrough } from './run-ending.ts'
import { nodesOfPlan } from './update-nodes.ts'

/** What the list of runs tells of one of them: enough to say on which nodes it worked. */
interface RunInList {
  readonly id: string
  readonly kind: RunKind
  readonly cluster: string
  readonly state: string
  /** Null where it is about many nodes. */
  readonly node: string | null
  /** The nodes that it works on; null: its history cannot be read. */
  readonly nodes: readonly string[] | null
  /** The run that it undoes; null: none, or its history cannot be read. */
  readonly undoes: string | null
}

/** A run that may be undone, and what is known of the time after it. */
interface Undoing<Run> {
  readonly view: Pick<RunView, 'id' | 'handedTo' | 'plan' | 'state' | 'steps'>
  /** Whether a process drives it now. */
  readonly isDriven: boolean
  /** The runs of its cluster that were made after it, the newest first; null: that is not known. */
  readonly later: readonly Run[] | null
}

/** Why a run is not undone on a node. */
export type WhyNotUndone<Run> =
  /** It brings a node back itself. */
  | { readonly kind: 'brings-back' }
  /** It rescued the instances of a machine that was off. */
  | { readonly kind: 'rescue' }
  /** Somebody drives it. */
  | { readonly kind: 'driven' }
  /** A runner goes on with it, or may: it was handed over. */
  | { readonly kind: 'handed-over' }
  /** It came to its own end. */
  | { readonly kind: 'done' }
  /** Nothing of it is left there. */
  | { readonly kind: 'nothing-left' }
  /** What came after it is not known. */
  | { readonly kind: 'later-unknown' }
  /** Another run has undone it there already, or is not over with that. */
  | { readonly kind: 'undone' | 'being-undone'; readonly by: Run }
  /** Another run worked there since: what is there now is not this run's alone. `unread`: it may have. */
  | { readonly kind: 'worked-since' | 'unread-since'; readonly by: Run }

/** The runs of a cluster that were made after this one, of a list with the newest first; null: the list does not have it, and so tells nothing. */
export function runsAfter<Run extends Pick<RunInList, 'id' | 'cluster'>>(
  { id, plan: { cluster } }: Pick<RunView, 'id' | 'plan'>,
  list: readonly Run[],
): readonly Run[] | null {
  const at = list.findIndex(run => run.id === id)
  return at < 0 ? null : list.slice(0, at).filter(run => run.cluster === cluster)
}

/**
 * Why a run is not undone on a node; null: it may be. Undone is what a run left that ended before its time or that nobody drives, as long as no other one worked there
 * since. An undo of this very run that came to an end short of it may be tried again, and one that touched nothing does not count.
 */
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
  if (by.undoes === view.id) return { kind: wentThrough(by) ? 'undone' : 'being-undone', by }
  return { kind: isNodeRun(by.kind) || by.nodes !== null ? 'worked-since' : 'unread-since', by }
}

/** The nodes of a run on which it may be undone, in their order. */
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
