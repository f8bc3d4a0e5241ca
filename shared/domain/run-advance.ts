import type { MovesTally } from './instance-state.ts'
import { isNodeRun } from './plan.ts'
import type { RunView, StepView } from './run.ts'
import { type Tally, talliesOf } from './run-progress.ts'
import { stepWait } from './run-wait.ts'
import { nodesOfPlan, updateNodeOf } from './update-nodes.ts'

/** How far a run is: what is counted of it just now, and which part of all is behind it, 0 to 1. */
export interface RunAdvance extends Tally {
  readonly of: 'nodes' | 'moves' | 'stops' | 'pods' | 'steps'
  readonly share: number
}

/** A node of a run, as far as its steps tell. */
export interface NodeAdvance {
  readonly node: string
  /** `broken-off`: it was begun, and the run ended before it was through. */
  readonly state: 'pending' | 'at-work' | 'waits' | 'failed' | 'broken-off' | 'done' | 'skipped'
}

/** How far a run is: nodes where it works on many; else instances, then pods, while they leave, then steps. Null: it has nothing to do. */
export function advanceOf(view: RunView): RunAdvance | null {
  if (!isNodeRun(view.plan.kind)) {
    const nodes = nodesOf(view)
    const done = nodes.filter(({ state }) => state === 'done').length
    const behind = nodes.filter(({ state }) => state === 'done' || state === 'skipped').length
    return nodes.length === 0 ? null : { of: 'nodes', done, total: nodes.length, share: behind / nodes.length }
  }
  const acting = view.steps.filter(({ step }) => step.verbs.includes('apply'))
  if (acting.length === 0) return null
  const settled = acting.filter(isSettled).length
  const leaving = leavingNow(view)
  const share = Math.min(1, (settled + (leaving?.within ?? 0)) / acting.length)
  if (leaving !== null) return { of: leaving.of, done: leaving.done, total: leaving.total, share }
  // What was passed is behind the run, and was not done.
  const done = settled - acting.filter(({ state }) => state === 'skipped').length
  return { of: 'steps', done, total: acting.length, share }
}

/** `within`: the part of its step that is done; what is stopped, settled or left here is counted there too. */
type LeavingNow = Pick<RunAdvance, 'of' | 'done' | 'total'> & { readonly within: number }

/** What the step at work sees off the node, while some of it is still there. */
function leavingNow(view: RunView): LeavingNow | null {
  const atWork = view.steps.filter(({ state }) => state === 'applying' || state === 'waiting')
  const now = talliesOf({ plan: view.plan, steps: atWork })
  // Which of them leave is told by the checks, which may be another step's.
  const { moves, pods } = talliesOf(view)
  if (now.moves !== null && moves !== null && moves.done < moves.total)
    return { ...movesShown(moves), within: moves.done / moves.total }
  return now.pods !== null && pods !== null && pods.done < pods.total
    ? { of: 'pods', ...pods, within: pods.done / pods.total }
    : null
}

/** What is said of the instances of a run: how many of those that have to move moved; where none has to, how many of those that have to stop stopped. */
export function movesShown(moves: MovesTally): Tally & { readonly of: 'moves' | 'stops' } {
  const toMove = moves.total - moves.toStop
  return toMove > 0 || moves.moved > 0
    ? { of: 'moves', done: moves.moved, total: Math.max(toMove, moves.moved) }
    : { of: 'stops', done: moves.stopped + moves.started, total: moves.toStop }
}

/** The nodes of a run, in the order in which they are worked on, each as its own steps tell. */
export function nodesOf(view: RunView): readonly NodeAdvance[] {
  const byNode = Map.groupBy(
    view.steps.filter(({ step }) => step.verbs.includes('apply')),
    ({ step }) => updateNodeOf(step),
  )
  return nodesOfPlan(view.plan).map(({ node }) => ({ node, state: stateOf(view, byNode.get(node) ?? []) }))
}

function stateOf(view: RunView, steps: readonly StepView[]): NodeAdvance['state'] {
  if (steps.length > 0 && steps.every(isSettled)) return steps.at(-1)?.state === 'skipped' ? 'skipped' : 'done'
  const ids = new Set(steps.map(({ step }) => step.id))
  if (steps.some(({ state }) => state === 'failed' || state === 'cannot-tell')) return 'failed'
  const isBegun = steps.some(step => step.startedAt !== null || isSettled(step))
  if (view.state.kind === 'finished') return isBegun ? 'broken-off' : 'pending'
  if (view.openGates.some(({ stepId }) => ids.has(stepId))) return 'waits'
  if (steps.some(step => stepWait(view, step) !== null)) return 'waits'
  return isBegun ? 'at-work' : 'pending'
}

/** Whether a step is behind the run: carried out, and looked at where others lean on it, or passed. */
function isSettled({ state, step }: StepView): boolean {
  if (state === 'applied') return !step.verifyEarly || !step.verbs.includes('verify')
  return state === 'verified' || state === 'nothing-to-do' || state === 'skipped'
}
