import {
  type ClusterMaintenanceRequest,
  type MaintenanceObjects,
  runOf,
} from '../../../../shared/domain/maintenance-api.ts'
import type { MaintenanceWorld } from '../../../ports/world.ts'
import type { StepContext } from '../../../runs/engine/step.ts'

/** The name of the ClusterMaintenanceRequest that a run makes: one a run, so that a resumed run finds its own. */
export function clusterRequestName(runId: string): string {
  return `lockkeeper-${runId}`
}

/**
 * The ClusterMaintenanceRequest of this run; null: there is none (any more). One that an earlier run of Lockkeeper left behind is taken over:
 * who holds the Lease of the cluster's update is its only driver, so nobody else goes on with it.
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
