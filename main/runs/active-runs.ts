import { isNodePlan, isWayBack } from '../../shared/domain/plan.ts'
import type { RunView } from '../../shared/domain/run.ts'
import { conditionOf, viewOfNode } from '../../shared/domain/run-condition.ts'
import { beganStage } from '../../shared/domain/run-progress.ts'
import { type DrainedOnly, drainedOnly } from '../../shared/domain/taken-out.ts'
import { waitText } from '../../shared/words/waits.ts'
import type { UnfinishedRun } from './run-reading.ts'
import type { RunService } from './run-service.ts'

export interface ActiveNodeRun {
  readonly runId: string
  readonly node: string
  /** The direction of the node; a run that does both is `enter` until its way back has begun. */
  readonly kind: 'enter' | 'leave'
  /** Whether a console drives it now. A run that was left or killed only tells the last direction. */
  readonly isDriven: boolean
  /** What it waits for on this node; absent if it does not wait. */
  readonly waits?: string
}

/** The unfinished runs of a cluster in the order of creation: the newest run of a node decides its direction. */
export function activeNodeRuns(runs: Pick<RunService, 'unfinished'>, cluster: string): readonly ActiveNodeRun[] {
  const unfinished = runs.unfinished(cluster)
  return (unfinished.ok ? unfinished.value : [])
    .flatMap(run => (run.view === null ? nodeOfDamaged(run) : nodesOf(run.view, !run.interrupted)))
    .reverse()
}

/** The nodes that were last taken out of service without moving their instances (scope `drain`), by the journals of the runs. */
export function nodesDrainedOnly(runs: Pick<RunService, 'takenOut'>, cluster: string): DrainedOnly {
  const reported = runs.takenOut(cluster)
  return drainedOnly(reported.ok ? reported.value : [])
}

export function hasRunFailed(runs: Pick<RunService, 'view'>, runId: string): boolean {
  const found = runs.view(runId)
  const state = found.ok ? found.value.view.state : null
  return state?.kind === 'finished' && state.outcome !== 'done'
}

/** A run with a damaged record cannot be resumed: it decides the state of its node only while its driver lives. */
function nodeOfDamaged({ id, kind, node, interrupted }: UnfinishedRun): readonly ActiveNodeRun[] {
  if (interrupted || node === '' || kind === 'home') return []
  return [{ runId: id, node, kind: kind === 'leave' ? 'leave' : 'enter', isDriven: true }]
}

/** The nodes a run works on now: its own node, or the nodes of started lanes that have not ended. */
function nodesOf(view: RunView, isDriven: boolean): readonly ActiveNodeRun[] {
  const waitsOn = (name: string) => {
    const condition = conditionOf(viewOfNode(view, name), !isDriven)
    const [first] = condition.kind === 'waiting' ? condition.waits : []
    return first === undefined ? {} : { waits: waitText(first).what }
  }
  if (isNodePlan(view.plan)) {
    const { node, kind } = view.plan
    // The node stays in service while its instances return.
    if (kind === 'home') return []
    const isReturning = beganStage(view, 'returning') !== null
    const isBack = isWayBack(kind) || (kind === 'maintain' && isReturning)
    return [{ runId: view.id, node, kind: isBack ? 'leave' : 'enter', isDriven, ...waitsOn(node) }]
  }
  const lanes = new Map<string, { begun: boolean; open: boolean; back: boolean }>()
  for (const { step, state, attempts } of view.steps) {
    // A step that is only a check is never applied: it does not show whether the node has finished.
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
