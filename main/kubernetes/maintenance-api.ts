import { MAINTENANCE_GROUP, MAINTENANCE_VERSION, type MaintenanceKind } from '../../shared/domain/maintenance-api.ts'
import { ok, type Result } from '../../shared/domain/result.ts'
import type { Clock } from '../clock/clock.ts'
import type { MaintenanceApiPort } from '../maintenance/ports.ts'
import { definitionsStatus, installDefinitions } from './definitions.ts'
import { readDeploymentStatus } from './deployment-status.ts'
import { listRead } from './list.ts'
import {
  folderOf,
  pathOf,
  readClusterLock,
  readClusterRequest,
  readDeletionRequest,
  readDisableNotification,
  readNodeLock,
  readNodeRequest,
} from './maintenance-objects.ts'
import { type RawObject, rawObject } from './raw.ts'
import type { KubernetesSession } from './session.ts'

/** The node maintenance API over one session, as LCM and onlookers use it (main/maintenance/ports.ts). */
export function createMaintenanceApi(options: {
  readonly session: KubernetesSession
  readonly clock: Clock
}): MaintenanceApiPort {
  const { session, clock } = options

  async function list<T>(
    kind: MaintenanceKind,
    read: (object: RawObject) => T,
    signal?: AbortSignal,
  ): Promise<Result<T[]>> {
    const listed = await listRead(session, folderOf(kind), read, { signal })
    return listed.ok ? ok([...listed.value]) : listed
  }

  async function create<T>(
    kind: MaintenanceKind,
    request: {
      readonly name: string
      readonly annotations: Readonly<Record<string, string>>
      readonly spec: Readonly<Record<string, string>>
    },
    read: (object: RawObject) => T,
    signal?: AbortSignal,
  ): Promise<Result<T>> {
    const answer = await session.ask({
      method: 'POST',
      path: folderOf(kind),
      body: {
        apiVersion: `${MAINTENANCE_GROUP}/${MAINTENANCE_VERSION}`,
        kind,
        metadata: { name: request.name, annotations: request.annotations },
        spec: request.spec,
      },
      signal,
    })
    return answer.ok ? ok(read(rawObject(answer.value))) : answer
  }

  return {
    definitions: signal => definitionsStatus(session, signal),
    installDefinitions: signal => installDefinitions(session, clock, signal),
    objects: async signal => {
      const [nodeLocks, clusterLocks, nodeRequests, clusterRequests, disabled, deletions] = await Promise.all([
        list('NodeWorkloadLock', readNodeLock, signal),
        list('ClusterWorkloadLock', readClusterLock, signal),
        list('NodeMaintenanceRequest', readNodeRequest, signal),
        list('ClusterMaintenanceRequest', readClusterRequest, signal),
        list('NodeDisableNotification', readDisableNotification, signal),
        list('NodeDeletionRequest', readDeletionRequest, signal),
      ])
      if (!nodeLocks.ok) return nodeLocks
      if (!clusterLocks.ok) return clusterLocks
      if (!nodeRequests.ok) return nodeRequests
      if (!clusterRequests.ok) return clusterRequests
      // Older clusters lack these two kinds: that is no reason to see nothing of the others.
      if (!disabled.ok && disabled.failure.code !== 'not-found') return disabled
      if (!deletions.ok && deletions.failure.code !== 'not-found') return deletions
      return ok({
        nodeLocks: nodeLocks.value,
        clusterLocks: clusterLocks.value,
        nodeRequests: nodeRequests.value,
        clusterRequests: clusterRequests.value,
        disableNotifications: disabled.ok ? disabled.value : [],
        deletionRequests: deletions.ok ? deletions.value : [],
      })
    },
    createNodeRequest: ({ name, nodeName, scope, release, annotations }, signal) =>
      create(
        'NodeMaintenanceRequest',
        { name, annotations, spec: { nodeName, scope, ...(release === null ? {} : { release }) } },
        readNodeRequest,
        signal,
      ),
    createClusterRequest: ({ name, scope, release, annotations }, signal) =>
      create(
        'ClusterMaintenanceRequest',
        { name, annotations, spec: { scope, ...(release === null ? {} : { release }) } },
        readClusterRequest,
        signal,
      ),
    deleteRequest: async ({ kind, name, uid }, signal) => {
      const answer = await session.ask({
        method: 'DELETE',
        path: pathOf(kind, name),
        // Never another object that took the name meanwhile.
        body: { preconditions: { uid } },
        signal,
      })
      return answer.ok || answer.failure.code === 'not-found' ? ok(undefined) : answer
    },
    deploymentStatus: (namespace, signal) => readDeploymentStatus(session, namespace, signal),
  }
}
