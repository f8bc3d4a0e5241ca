import { isNodePlan, isWayBack } from '../../shared/domain/plan.ts'
import type { RunView } from '../../shared/domain/run.ts'
import { conditionOf, viewOfNode } from '../../shared/domain/run-condition.ts'
import { beganStage } from '../../shared/domain/run-progress.ts'
import { type DrainedOnly, drainedOnly } from '../../shared/domain/taken-out.ts'
import { waitText } from '../../shared/words/waits.ts'
import type { RunService } from './run-service.ts'

/** A run that is not finished, and the node it works on. */
export interface ActiveNodeRun {
  readonly runId: string
  readonly node: string
  /** Where the node is going: of a run that does both, out of service until its way back is begun. */
  readonly kind: 'enter' | 'leave'
  /** Whether a console drives it now; one that was left or killed only says where the node was going. */
  readonly isDriven: boolean
  /** What it waits for on this node, in a sentence; absent: nothing there stands still. */
  readonly waits?: string
}

/** The runs of a cluster that are not over, in the order they were made: the newest of a node says where it is going. */
export function activeNodeRuns(runs: Pick<RunService, 'unfinished'>, cluster: string): readonly ActiveNodeRun[] {
  const unfinished = runs.unfinished(cluster)
  return (unfinished.ok ? unfinished.value : [])
    .flatMap(({ view, interrupted }) => nodesOf(view, !interrupted))
    .reverse()
}

/** The nodes that were last taken out of service without moving their instances (scope `drain`), by what the runs recorded. */
export function nodesDrainedOnly(runs: Pick<RunService, 'takenOut'>, cluster: string): DrainedOnly {
  const reported = runs.takenOut(cluster)
  return drainedOnly(reported.ok ? reported.value : [])
}

/** Whether a run is over and ended otherwise than it was to. */
export function hasRunFailed(runs: Pick<RunService, 'view'>, runId: string): boolean {
  const found = runs.view(runId)
  const state = found.ok ? found.value.view.state : null
  return state?.kind === 'finished' && state.outcome !== 'done'
}

/** The nodes a run works on now: its own, or those of a run over many whose lanes are begun and not over. */
function nodesOf(view: RunView, isDriven: boolean): readonly ActiveNodeRun[] {
  const waitsOn = (name: string) => {
    const condition = conditionOf(viewOfNode(view, name), !isDriven)
    const [first] = condition.kind === 'waiting' ? condition.waits : []
    return first === undefined ? {} : { waits: waitText(first).what }
  }
  if (isNodePlan(view.plan)) {
    const { node, kind } = view.plan
    // The node stays where it is while its instances come home.
    if (kind === 'home') return []
    const isReturning = beganStage(view, 'returning') !== null
    const isBack = isWayBack(kind) || (kind === 'maintain' && isReturning)
    return [{ runId: view.id, node, kind: isBack ? 'leave' : 'enter', isDriven, ...waitsOn(node) }]
  }
  const lanes = new Map<string, { begun: boolean; open: boolean; back: boolean }>()
  for (const { step, state, attempts } of view.steps) {
    // A check alone is never carried out: it says nothing about whether the node is through.
    if (step.lane === null || !step.verbs.includes('apply')) continue
    const lane = lanes.get(step.lane.name) ?? { begun: false, open: false, back: false }
    const over = state === 'applied' || state === 'verified' || state === 'skipped' || state === 'nothing-to-do'
    lanes.set(step.lane.name, {
      begun: lane.begun || attempts > 0,
      open: lane.open || !over,
      back: lane.back || (attempts > 0 && step.stage === 'returning'),
    })
  }
  return [...lanes]
    .filter(([, { begun, open }]) => begun && open)
    .map(([name, { back }]) => ({
      runId: view.id,
      node: name,
      kind: back ? 'leave' : 'enter',
      isDriven,
      ...waitsOn(name),
    }))
}
