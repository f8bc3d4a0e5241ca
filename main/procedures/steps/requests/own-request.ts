import {
  type ClusterMaintenanceRequest,
  type MaintenanceObjects,
  runOf,
} from '../../../../shared/domain/maintenance-api.ts'
import type { MaintenanceWorld } from '../../../ports/world.ts'
import type { StepContext } from '../../../runs/engine/step.ts'

/** One name for each run, so that a resumed run finds its own request. */
export function clusterRequestName(runId: string): string {
  return `lockkeeper-${runId}`
}

/** The run's own request, or one of an earlier run that it takes over; null if there is none (any more). Only the holder of the update Lease drives. */
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
