import { must } from '../../../../shared/domain/must.ts'
import type { Plan, PlannedStep } from '../../../../shared/domain/plan.ts'
import type { NodeStage } from '../../../../shared/domain/update.ts'
import type { MaintenanceWorld } from '../../../ports/world.ts'
import { planStep, type Step, type StepInput } from '../../../runs/engine/step.ts'
import { disableCompute } from '../../steps/compute/disable-compute.ts'
import { enableCompute } from '../../steps/compute/enable-compute.ts'
import { migrateInstances } from '../../steps/compute/migrate-instances.ts'
import { cordonNode } from '../../steps/general/cordon-node.ts'
import { drainNode } from '../../steps/general/drain-node.ts'
import { noOtherRun } from '../../steps/general/no-other-run.ts'
import { permissionsSuffice } from '../../steps/general/permissions-suffice.ts'
import { uncordonNode } from '../../steps/general/uncordon-node.ts'
import { batchCanLeave } from '../../steps/rolling/batch-can-leave.ts'
import { nodeReadyAgain } from '../../steps/rolling/node-ready-again.ts'
import { nodeWork } from '../../steps/rolling/node-work.ts'
import { noteNode } from '../../steps/rolling/note-node.ts'
import { setNoout } from '../../steps/storage/set-noout.ts'
import { startOsds } from '../../steps/storage/start-osds.ts'
import { stopOsds } from '../../steps/storage/stop-osds.ts'
import { unsetNoout } from '../../steps/storage/unset-noout.ts'
import { ENTER } from '../node/enter.ts'
import { LEAVE } from '../node/leave.ts'
import type { PlanRequest } from '../node/plan-request.ts'
import type { RollingRequest } from './chosen-nodes.ts'

/** Which step of the way back undoes a step of the way in. */
const UNDONE_BY: ReadonlyMap<string, string> = new Map([
  [disableCompute.kind, enableCompute.kind],
  [migrateInstances.kind, enableCompute.kind],
  [setNoout.kind, unsetNoout.kind],
  [stopOsds.kind, startOsds.kind],
  [cordonNode.kind, uncordonNode.kind],
  [drainNode.kind, uncordonNode.kind],
])

/**
 * A node's way through a batch: its own enter procedure, the work, Ready again, and what its leave procedure does. Its checks are asked when
 * the plan is made and once more when its turn comes (main/runs/engine/walk-batch.ts).
 */
export function batchLane(
  place: {
    readonly node: string
    readonly batch: string
    readonly phase: 'control-nodes' | 'worker-nodes'
    /** Nodes that are out of service at the same time. */
    readonly beside: readonly string[]
  },
  { cluster, nodes, options, update }: RollingRequest,
): Plan['steps'] {
  const name = place.node
  const known = must(
    nodes.find(({ node }) => node.name === name),
    'unknown nodes are refused before planning',
  )
  const request: PlanRequest = {
    cluster,
    name,
    node: known.node,
    roles: known.roles,
    options,
    watcher: null,
    ran: 'noted-in-this-run',
  }
  const enter = ENTER[cluster.flavour](request)
  // Whether it may come back is seen by the step that waits until it is Ready again.
  const leave = LEAVE[cluster.flavour](request).filter(isApplied)
  const checks = enter.filter(step => !isApplied(step) && step.kind !== permissionsSuffice.kind)
  const own = (step: PlannedStep, stage: NodeStage): PlannedStep => {
    const undoing = UNDONE_BY.get(step.kind)
    const isUndone = stage === 'draining' && leave.some(({ kind }) => kind === undoing)
    return {
      ...step,
      id: `${step.id}@${name}`,
      needs: step.needs.map(id => `${id}@${name}`),
      // An update asks for its own Lease once, not for each node of it.
      input: step.kind === noOtherRun.kind ? { ...step.input, ofUpdate: true } : step.input,
      lane: { batch: place.batch, name },
      phase: place.phase,
      stage,
      ...(isUndone ? { verifyFinally: false, holdsUntil: `${undoing}@${name}` } : {}),
    }
  }
  const add = (step: Step<MaintenanceWorld>, stage: NodeStage, input: StepInput = {}) =>
    own(planStep(step, { node: name, ...input }), stage)
  return [
    ...checks.map(step => own(step, 'pending')),
    ...(place.beside.length === 0 ? [] : [add(batchCanLeave, 'pending', { beside: [...place.beside] })]),
    add(noteNode, 'draining'),
    ...enter.filter(isApplied).map(step => own(step, 'draining')),
    add(nodeWork, 'work', { work: update.work }),
    add(nodeReadyAgain, 'returning'),
    ...leave.map(step => own(step, 'returning')),
  ]
}

function isApplied({ verbs }: PlannedStep): boolean {
  return verbs.includes('apply')
}
