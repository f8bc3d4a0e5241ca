import { seconds } from '../../../shared/domain/durations.ts'
import type { MaintenanceObjects } from '../../../shared/domain/maintenance-api.ts'
import type { Clock } from '../../platform/clock/clock.ts'
import type { WatchMaintenance } from '../../ports/maintenance-api.ts'
import {
  NO_MAINTENANCE_API,
  readClusterLock,
  readClusterRequest,
  readDeletionRequest,
  readDisableNotification,
  readNodeLock,
  readNodeRequest,
} from './maintenance-objects.ts'
import { maintenanceType } from './resource-types.ts'
import type { KubernetesSession } from './session.ts'
import { createWatchTogether, type WatchedKinds } from './watch-together.ts'

const KINDS: WatchedKinds<MaintenanceObjects> = {
  clusterLocks: { collection: everyObjectOf('ClusterWorkloadLock'), read: readClusterLock, needed: true },
  nodeLocks: { collection: everyObjectOf('NodeWorkloadLock'), read: readNodeLock, needed: true },
  clusterRequests: { collection: everyObjectOf('ClusterMaintenanceRequest'), read: readClusterRequest, needed: true },
  nodeRequests: { collection: everyObjectOf('NodeMaintenanceRequest'), read: readNodeRequest, needed: true },
  disableNotifications: {
    collection: everyObjectOf('NodeDisableNotification'),
    read: readDisableNotification,
    needed: false,
  },
  deletionRequests: { collection: everyObjectOf('NodeDeletionRequest'), read: readDeletionRequest, needed: false },
}

export function createMaintenanceWatch(options: {
  readonly session: KubernetesSession
  readonly clock: Clock
}): WatchMaintenance {
  return createWatchTogether<MaintenanceObjects>({
    ...options,
    kinds: KINDS,
    absent: NO_MAINTENANCE_API,
    lookAgainMs: seconds(60),
  })
}

function everyObjectOf(kind: Parameters<typeof maintenanceType>[0]) {
  return { type: maintenanceType(kind), namespace: null }
}
