import { MASAKARI_ANNOTATION } from '../../../../shared/domain/masakari.ts'
import type { PlannedStep } from '../../../../shared/domain/plan.ts'
import { planStep } from '../../../runs/engine/step.ts'
import { endMasakariMaintenance } from '../../steps/compute/end-masakari-maintenance.ts'
import { masakariRecovers } from '../../steps/compute/masakari-recovers.ts'
import { setMasakariMaintenance } from '../../steps/compute/set-masakari-maintenance.ts'
import type { PlanRequest } from './plan-request.ts'

/** Tells Masakari before anything on a compute node stops. No step where Masakari does not watch the node. */
export function masakariSteps(request: PlanRequest): readonly PlannedStep[] {
  return isWatched(request) ? [planStep(setMasakariMaintenance, { node: request.name })] : []
}

/** Lets Masakari watch the node again, last. If Masakari does not answer: only where a run may have set its flag, or no node can hold the note. */
export function endsMasakari(request: PlanRequest, after: string): readonly PlannedStep[] {
  const { node, ran, isOutside, masakari, name } = request
  const isNoted = node?.annotations[MASAKARI_ANNOTATION] !== undefined
  const mayBeNoted = ran === 'noted-in-this-run' || isOutside === true
  const isPlanned = isNoted || masakari === 'watches' || (masakari === 'unread' && mayBeNoted)
  return isPlanned && request.roles.includes('compute') && request.cluster.cloud !== null
    ? [planStep(endMasakariMaintenance, { node: name }, { needs: [after] })]
    : []
}

/** A rescue first checks whether Masakari recovers the same instances. */
export function seesMasakari(request: PlanRequest): readonly PlannedStep[] {
  return isWatched(request) ? [planStep(masakariRecovers, { node: request.name })] : []
}

function isWatched({ masakari = 'none', roles, cluster }: PlanRequest): boolean {
  return masakari !== 'none' && roles.includes('compute') && cluster.cloud !== null
}
