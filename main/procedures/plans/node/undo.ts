import type { AppliedChanges } from '../../../../shared/domain/applied-changes.ts'
import type { PlannedStep } from '../../../../shared/domain/plan.ts'
import type { MaintenanceWorld } from '../../../ports/world.ts'
import { planStep, type Step } from '../../../runs/engine/step.ts'
import { bringHome } from '../../steps/compute/bring-home.ts'
import { computeGivenBack } from '../../steps/compute/compute-given-back.ts'
import { enableCompute } from '../../steps/compute/enable-compute.ts'
import { endMasakariMaintenance } from '../../steps/compute/end-masakari-maintenance.ts'
import { instancesReturn } from '../../steps/compute/instances-return.ts'
import { machineFound, machineInput } from '../../steps/general/machine-found.ts'
import { noOtherRun } from '../../steps/general/no-other-run.ts'
import { nodeExists } from '../../steps/general/node-exists.ts'
import { permissionsSuffice } from '../../steps/general/permissions-suffice.ts'
import { takeBackCordon } from '../../steps/general/take-back-cordon.ts'
import { undoReaches } from '../../steps/general/undo-reaches.ts'
import { nodeLocksActive } from '../../steps/requests/node-locks-active.ts'
import { removeNodeRequest } from '../../steps/requests/remove-node-request.ts'
import { startOsds } from '../../steps/storage/start-osds.ts'
import { unsetNoout } from '../../steps/storage/unset-noout.ts'
import { homeInput } from './compute-steps.ts'
import { type PlanRequest, plan } from './plan-request.ts'

/** A run to undo, with the changes that it made and did not revert. */
export interface UndoneRun {
  readonly id: string
  /** The run works on several nodes and ends for all of them. */
  readonly isOfMany: boolean
  readonly effects: AppliedChanges
}

/** One step for each change, in the order of a return. A step skips a change that someone else reverted or took over. */
export function undoSteps(request: PlanRequest, { id, isOfMany, effects }: UndoneRun): readonly PlannedStep[] {
  const { name, node, isOutside, cluster, options } = request
  if (node === null && isOutside !== true) return plan(request, nodeExists)
  const input = { node: name }
  const found = isOutside === true ? [planStep(machineFound, machineInput(request))] : plan(request, nodeExists)
  const steps: PlannedStep[] = []
  const then = (step: Step<MaintenanceWorld>, more: PlannedStep['input'] = {}) => {
    const before = steps.at(-1)
    steps.push(planStep(step, { ...input, ...more }, { needs: before === undefined ? [] : [before.id] }))
  }
  if (effects.cordoned) then(takeBackCordon, { of: id })
  if (effects.requested) {
    then(removeNodeRequest, { of: id })
    then(nodeLocksActive)
    if (request.roles.includes('compute') && cluster.cloud !== null) then(computeGivenBack)
  }
  if (effects.osds.length > 0) then(startOsds, { osds: [...effects.osds] })
  if (effects.noout) then(unsetNoout)
  if (effects.disabledFor !== null) then(enableCompute, { reason: effects.disabledFor })
  if (effects.onMaintenance) then(endMasakariMaintenance)
  // Also lists the instances that will not be started.
  if (effects.stopped.length > 0) then(instancesReturn, { ran: effects.stopped.map(each => ({ ...each })) })
  if (effects.away.length > 0 && options.home) {
    const opens = effects.requested || effects.disabledFor !== null
    then(bringHome, homeInput(name, effects.away, opens))
  }
  return [
    ...found,
    ...plan(request, permissionsSuffice, noOtherRun),
    planStep(undoReaches, { ...input, undoes: id, isOfMany, podsGone: effects.podsGone }),
    ...steps,
  ]
}
