import type { NodeWork } from '../../../../shared/domain/command-work.ts'
import type { PlannedStep } from '../../../../shared/domain/plan.ts'
import type { NodeStage } from '../../../../shared/domain/update.ts'
import { PLAN_TITLES } from '../../../../shared/words/steps/plans.ts'
import type { MaintenanceWorld } from '../../../ports/world.ts'
import { planStep, type Step, type StepInput } from '../../../runs/engine/step.ts'
import { disableCompute } from '../../steps/compute/disable-compute.ts'
import { enableCompute } from '../../steps/compute/enable-compute.ts'
import { endMasakariMaintenance } from '../../steps/compute/end-masakari-maintenance.ts'
import { migrateInstances } from '../../steps/compute/migrate-instances.ts'
import { setMasakariMaintenance } from '../../steps/compute/set-masakari-maintenance.ts'
import { cordonNode } from '../../steps/general/cordon-node.ts'
import { drainNode } from '../../steps/general/drain-node.ts'
import { nodeExists } from '../../steps/general/node-exists.ts'
import { uncordonNode } from '../../steps/general/uncordon-node.ts'
import { nodeLocksInactive } from '../../steps/requests/node-locks-inactive.ts'
import { removeNodeRequest } from '../../steps/requests/remove-node-request.ts'
import { requestNodeMaintenance } from '../../steps/requests/request-node-maintenance.ts'
import { nodeReadyAgain } from '../../steps/rolling/node-ready-again.ts'
import { nodeWork } from '../../steps/rolling/node-work.ts'
import { noteNode } from '../../steps/rolling/note-node.ts'
import { updatePermitted } from '../../steps/rolling/update-permitted.ts'
import { setNoout } from '../../steps/storage/set-noout.ts'
import { startOsds } from '../../steps/storage/start-osds.ts'
import { stopOsds } from '../../steps/storage/stop-osds.ts'
import { unsetNoout } from '../../steps/storage/unset-noout.ts'
import { runWatcherPlan } from '../../steps/watcher/run-watcher-plan.ts'
import { ENTER } from './enter.ts'
import { LEAVE } from './leave.ts'
import { onlyLooks, type PlanRequest, plan, verdictInput } from './plan-request.ts'

/** For each step of the way in: the step of the way back that undoes it. */
const UNDONE_BY: ReadonlyMap<string, string> = new Map([
  [disableCompute.kind, enableCompute.kind],
  [migrateInstances.kind, enableCompute.kind],
  [runWatcherPlan.kind, enableCompute.kind],
  [setMasakariMaintenance.kind, endMasakariMaintenance.kind],
  [setNoout.kind, unsetNoout.kind],
  [stopOsds.kind, startOsds.kind],
  [cordonNode.kind, uncordonNode.kind],
  [drainNode.kind, uncordonNode.kind],
  [requestNodeMaintenance.kind, removeNodeRequest.kind],
  [nodeLocksInactive.kind, removeNodeRequest.kind],
])

/** A step of a node's whole maintenance, its stage, and the step of the same plan that undoes it. */
interface StagedStep {
  readonly step: PlannedStep
  readonly stage: NodeStage
  readonly undoneBy: string | null
}

/** A node's enter procedure, the work, Ready again, and its leave procedure. Only a node that is Ready may come back. */
export function wholeMaintenance(
  request: PlanRequest,
  work: NodeWork,
  more: readonly PlannedStep[] = [],
): readonly StagedStep[] {
  const { flavour } = request.cluster
  const enter = ENTER[flavour](request)
  const leave = LEAVE[flavour](request).filter(step => !onlyLooks(step))
  const staged = (step: PlannedStep, stage: NodeStage): StagedStep => {
    const undoing = UNDONE_BY.get(step.kind)
    const isUndone = stage === 'draining' && undoing !== undefined && leave.some(({ kind }) => kind === undoing)
    return { step, stage, undoneBy: isUndone ? undoing : null }
  }
  const add = (step: Step<MaintenanceWorld>, stage: NodeStage, input: StepInput = {}) =>
    staged(planStep(step, { node: request.name, ...input }), stage)
  return [
    ...[...enter.filter(onlyLooks), ...more].map(step => staged(step, 'pending')),
    add(noteNode, 'draining'),
    ...enter.filter(step => !onlyLooks(step)).map(step => staged(step, 'draining')),
    add(nodeWork, 'work', { work, ...verdictInput(request) }),
    add(nodeReadyAgain, 'returning'),
    ...leave.map(step => staged(step, 'returning')),
  ]
}

/** The batch of a plan for one node: in its one lane a failure becomes a question, and the run waits. */
export const NODE_BATCH = { id: 'node', title: PLAN_TITLES.node, atOnce: 1 } as const

/** Out of service, the work, and back in one run, by the procedures of the node's flavour. */
export function planMaintenance(request: PlanRequest): readonly PlannedStep[] {
  if (request.node === null) return plan(request, nodeExists)
  const work = request.options.work ?? { kind: 'person' }
  const jobs = work.kind === 'job' ? [planStep(updatePermitted, { jobNamespace: work.namespace, requests: false })] : []
  return wholeMaintenance({ ...request, ran: 'noted-in-this-run' }, work, jobs).map(({ step, stage, undoneBy }) => ({
    ...step,
    lane: { batch: NODE_BATCH.id, name: request.name },
    stage,
    ...(undoneBy === null ? {} : { verifyFinally: false, holdsUntil: undoneBy }),
  }))
}
