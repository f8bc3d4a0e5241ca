import {
  type ClusterMaintenanceRequest,
  type MaintenanceObjects,
  REQUEST_RUN_ANNOTATION,
} from '../../../shared/domain/maintenance-api.ts'
import type { StepContext } from '../../engine/step.ts'
import type { MaintenanceWorld } from '../../maintenance/ports.ts'

/** The name of the ClusterMaintenanceRequest that a run makes: one a run, so that a resumed run finds its own. */
export function clusterRequestName(runId: string): string {
  return `lockkeeper-${runId}`
}

/** The ClusterMaintenanceRequest that this run made, as it is now; null: there is none (any more). */
export function ownClusterRequest(
  { clusterRequests }: Pick<MaintenanceObjects, 'clusterRequests'>,
  { runId }: Pick<StepContext<MaintenanceWorld>, 'runId'>,
): ClusterMaintenanceRequest | null {
  return clusterRequests.find(request => request.annotations[REQUEST_RUN_ANNOTATION] === runId) ?? null
}

/** Who made a request, as far as it says. */
export function madeBy(request: { readonly annotations: Readonly<Record<string, string>> }): string {
  const run = request.annotations[REQUEST_RUN_ANNOTATION]
  return run === undefined ? 'by LCM or by hand' : `by Lockkeeper run ${run}`
}
