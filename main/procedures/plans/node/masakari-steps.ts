import { MASAKARI_ANNOTATION } from '../../../../shared/domain/masakari.ts'
import type { PlannedStep } from '../../../../shared/domain/plan.ts'
import { planStep } from '../../../runs/engine/step.ts'
import { endMasakariMaintenance } from '../../steps/compute/end-masakari-maintenance.ts'
import { masakariRecovers } from '../../steps/compute/masakari-recovers.ts'
import { setMasakariMaintenance } from '../../steps/compute/set-masakari-maintenance.ts'
import type { PlanRequest } from './plan-request.ts'

/** Masakari is told before anything of a compute node goes. A cloud without it, or that does not let it watch the node, has no such step. */
export function masakariSteps(request: PlanRequest): readonly PlannedStep[] {
  return isWatched(request) ? [planStep(setMasakariMaintenance, { node: request.name })] : []
}

/**
 * Masakari watches the node again, last of all that brings its nova-compute back. A Masakari that does not answer is asked for on the way back only where a
 * run noted that it told it, may have done so in this run, or has no node to note it on.
 */
export function endsMasakari(request: PlanRequest, after: string): readonly PlannedStep[] {
  const { node, ran, isOutside, masakari, name } = request
  const isNoted = node?.annotations[MASAKARI_ANNOTATION] !== undefined
  const mayBeNoted = ran === 'noted-in-this-run' || isOutside === true
  const isPlanned = isNoted || masakari === 'watches' || (masakari === 'unread' && mayBeNoted)
  return isPlanned && request.roles.includes('compute') && request.cluster.cloud !== null
    ? [planStep(endMasakariMaintenance, { node: name }, { needs: [after] })]
    : []
}

/** A rescue sees whether Masakari does the same. */
export function seesMasakari(request: PlanRequest): readonly PlannedStep[] {
  return isWatched(request) ? [planStep(masakariRecovers, { node: request.name })] : []
}

function isWatched({ masakari = 'none', roles, cluster }: PlanRequest): boolean {
  return masakari !== 'none' && roles.includes('compute') && cluster.cloud !== null
}
