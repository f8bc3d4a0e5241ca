import type { Failure } from '../../../shared/domain/failure.ts'
import type { DeploymentStatus, MaintenanceKind, MaintenanceObjects } from '../../../shared/domain/maintenance-api.ts'
import { failed, ok, type Result } from '../../../shared/domain/result.ts'
import { because } from '../../../shared/words/reasons.ts'
import { refusal } from '../../../shared/words/refusal.ts'
import type { Clock } from '../../platform/clock/clock.ts'
import type { MaintenanceApiPort } from '../../ports/maintenance-api.ts'
import type { KubernetesObject } from './answers.ts'
import { definitionsStatus, installDefinitions, servedKinds } from './definitions.ts'
import { asObject, objectIn, textIn, textOrNullIn } from './fields.ts'
import { FOREIGN_KINDS } from './foreign-kinds.ts'
import { listRead } from './list.ts'
import {
  NO_MAINTENANCE_API,
  readClusterLock,
  readClusterRequest,
  readDeletionRequest,
  readDisableNotification,
  readNodeLock,
  readNodeRequest,
} from './maintenance-objects.ts'
import { createObject, deleteExactly, findObject } from './objects.ts'
import { readMetadata } from './read-metadata.ts'
import { maintenanceType } from './resource-types.ts'
import { listForeign, servedAs } from './served-kinds.ts'
import type { KubernetesSession } from './session.ts'

export function createMaintenanceApi({
  session,
  clock,
}: {
  readonly session: KubernetesSession
  readonly clock: Clock
}): MaintenanceApiPort {
  return {
    definitions: signal => definitionsStatus(session, signal),
    servedKinds: signal => servedKinds(session, signal),
    installDefinitions: signal => installDefinitions(session, clock, signal),
    objects: signal => readObjects(session, signal),
    createNodeRequest: ({ name, nodeName, scope, release, annotations }, signal) =>
      createRequest(
        session,
        'NodeMaintenanceRequest',
        { name, annotations, spec: { nodeName, scope, ...(release === null ? {} : { release }) } },
        readNodeRequest,
        signal,
      ),
    createClusterRequest: ({ name, scope, release, annotations }, signal) =>
      createRequest(
        session,
        'ClusterMaintenanceRequest',
        { name, annotations, spec: { scope, ...(release === null ? {} : { release }) } },
        readClusterRequest,
        signal,
      ),
    uidOf: ({ kind, name }, signal) =>
      findObject(
        session,
        { type: maintenanceType(kind), namespace: null, name },
        ({ metadata }) => metadata.uid,
        signal,
      ),
    deleteRequest: (request, signal) => deleteExactly(session, request, signal),
    deploymentStatus: (namespace, signal) => readDeploymentStatus(session, namespace, signal),
  }
}

async function readObjects(session: KubernetesSession, signal?: AbortSignal): Promise<Result<MaintenanceObjects>> {
  const list = async <T>(kind: MaintenanceKind, read: (object: KubernetesObject) => T): Promise<Result<T[]>> => {
    const listed = await listRead(session, maintenanceType(kind), read, { signal })
    return listed.ok ? ok([...listed.value]) : listed
  }
  const [nodeLocks, clusterLocks, nodeRequests, clusterRequests, disabled, deletions] = await Promise.all([
    list('NodeWorkloadLock', readNodeLock),
    list('ClusterWorkloadLock', readClusterLock),
    list('NodeMaintenanceRequest', readNodeRequest),
    list('ClusterMaintenanceRequest', readClusterRequest),
    list('NodeDisableNotification', readDisableNotification),
    list('NodeDeletionRequest', readDeletionRequest),
  ])
  if (!nodeLocks.ok) return withoutApi(nodeLocks)
  if (!clusterLocks.ok) return withoutApi(clusterLocks)
  if (!nodeRequests.ok) return withoutApi(nodeRequests)
  if (!clusterRequests.ok) return withoutApi(clusterRequests)
  // Older clusters lack these two kinds; the others remain usable.
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
}

async function createRequest<T>(
  session: KubernetesSession,
  kind: MaintenanceKind,
  request: {
    readonly name: string
    readonly annotations: Readonly<Record<string, string>>
    readonly spec: Readonly<Record<string, string>>
  },
  read: (object: KubernetesObject) => T,
  signal?: AbortSignal,
): Promise<Result<T>> {
  const { name, annotations, spec } = request
  const type = maintenanceType(kind)
  const created = await createObject(
    session,
    { type, namespace: null, name },
    { apiVersion: type.apiVersion, kind, metadata: { name, annotations }, spec },
    read,
    // Strict: the server rejects fields that the schema would silently drop (docs/domain.md A.1).
    { query: { fieldValidation: 'Strict' }, signal },
  )
  return created.ok ? created : withoutApi(created)
}

function withoutApi(answer: { readonly ok: false; readonly failure: Failure }) {
  if (answer.failure.code !== 'not-found') return answer
  return failed(refusal('not-found', NO_MAINTENANCE_API, { detail: answer.failure.message }))
}

/**
 * The OpenStackDeploymentStatus of a namespace (docs/domain.md A.3); null if the cluster serves neither it nor OpenStackDeployments. A missing object of a
 * served kind is a failure: the OpenStack Controller then keeps its lock too.
 */
async function readDeploymentStatus(
  session: KubernetesSession,
  namespace: string,
  signal?: AbortSignal,
): Promise<Result<DeploymentStatus | null>> {
  const { OpenStackDeploymentStatus, OpenStackDeployment } = FOREIGN_KINDS
  const listed = await listForeign(session, OpenStackDeploymentStatus, deploymentStatusOf, { namespace, signal })
  if (!listed.ok) return listed
  if (listed.value !== null) {
    const [first] = listed.value
    return first === undefined
      ? failed(refusal('unreadable', because('DeploymentStatusMissing', { host: session.host, namespace })))
      : ok(first)
  }
  // Where deployments are served, a missing status kind says nothing about OpenStack's health.
  const deployments = await servedAs(session, OpenStackDeployment, signal)
  if (!deployments.ok) return deployments
  return deployments.value === null
    ? ok(null)
    : failed(refusal('unreadable', because('DeploymentStatusNotServed', { host: session.host })))
}

/** Health by service and component: `nova: {compute: {status: Ready}}`. */
function deploymentStatusOf(object: KubernetesObject): DeploymentStatus {
  const status = objectIn(object, 'status')
  const osdpl = objectIn(status, 'osdpl')
  const components = Object.entries(objectIn(status, 'health')).flatMap(([service, parts]) =>
    Object.entries(asObject(parts, `health of ${service}`)).map(([component, health]) => ({
      name: `${service}/${component}`,
      status: textIn(asObject(health, `health of ${component}`), 'status') || 'Unknown',
    })),
  )
  return {
    name: readMetadata(object).name,
    state: textIn(osdpl, 'state'),
    release: textOrNullIn(osdpl, 'release'),
    services: Object.keys(objectIn(status, 'services')),
    components,
  }
}
