import type { MovesTally } from './instance-state.ts'
import { isNodeRun } from './plan.ts'
import type { RunView, StepView } from './run.ts'
import { type Tally, talliesOf } from './run-progress.ts'
import { stepWait } from './run-wait.ts'
import { nodesOfPlan, updateNodeOf } from './update-nodes.ts'

/** What a run counts now, and the completed share of everything, 0 to 1. */
export interface RunAdvance extends Tally {
  readonly of: 'nodes' | 'moves' | 'stops' | 'pods' | 'steps'
  readonly share: number
}

export interface NodeAdvance {
  readonly node: string
  /** `broken-off`: it started, and the run ended before it finished. */
  readonly state: 'pending' | 'at-work' | 'waits' | 'failed' | 'broken-off' | 'done' | 'skipped'
}

/** Nodes for a run over many; else instances, pods while they leave, then steps. Null if there is nothing to do. */
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
  // A skipped step has ended, but is not done.
  const done = settled - acting.filter(({ state }) => state === 'skipped').length
  return { of: 'steps', done, total: acting.length, share }
}

type LeavingNow = Pick<RunAdvance, 'of' | 'done' | 'total'> & { readonly within: number }

/** What the current step moves off the node, while part of it remains. */
function leavingNow(view: RunView): LeavingNow | null {
  const atWork = view.steps.filter(({ state }) => state === 'applying' || state === 'waiting')
  const now = talliesOf({ plan: view.plan, steps: atWork })
  // Checks of another step may list what leaves.
  const { moves, pods } = talliesOf(view)
  if (now.moves !== null && moves !== null && moves.done < moves.total)
    return { ...movesShown(moves), within: moves.done / moves.total }
  return now.pods !== null && pods !== null && pods.done < pods.total
    ? { of: 'pods', ...pods, within: pods.done / pods.total }
    : null
}

/** How many have moved or, if none must, how many have stopped. */
export function movesShown(moves: MovesTally): Tally & { readonly of: 'moves' | 'stops' } {
  const toMove = moves.total - moves.toStop
  return toMove > 0 || moves.moved > 0
    ? { of: 'moves', done: moves.moved, total: Math.max(toMove, moves.moved) }
    : { of: 'stops', done: moves.stopped + moves.started, total: moves.toStop }
}

/** The nodes of a run in working order, each by its own steps. */
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

function isSettled({ state, step }: StepView): boolean {
  if (state === 'applied') return !step.verifyEarly || !step.verbs.includes('verify')
  return state === 'verified' || state === 'nothing-to-do' || state === 'skipped'
}
