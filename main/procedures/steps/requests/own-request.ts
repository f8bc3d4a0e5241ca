import {
  type ClusterMaintenanceRequest,
  type MaintenanceObjects,
  runOf,
} from '../../../../shared/domain/maintenance-api.ts'
import type { MaintenanceWorld } from '../../../ports/world.ts'
import type { StepContext } from '../../../runs/engine/step.ts'

/** The name of a run's ClusterMaintenanceRequest: one for each run, so that a resumed run finds its own. */
export function clusterRequestName(runId: string): string {
  return `lockkeeper-${runId}`
}

/**
 * The ClusterMaintenanceRequest of this run; null: there is none (any more). A request left by an earlier run of Lockkeeper is taken over: the holder
 * of the cluster's update Lease is its only driver.
 */
export function ownClusterRequest(
  { clusterRequests }: Pick<MaintenanceObjects, 'clusterRequests'>,
  { runId }: Pick<StepContext<MaintenanceWorld>, 'runId'>,
): ClusterMaintenanceRequest | null {
  return (
    clusterRequests.find(request => runOf(request) === runId) ??
    clusterRequests.find(request => runOf(request) !== null) ??
    null
  )
}
