import type { ListedLock, ListedRequest, RequestOutput } from '../../shared/contract/index.ts'
import { parseLockMessage } from '../../shared/domain/lock-message.ts'
import { lockStatus } from '../../shared/domain/lock-status.ts'
import {
  type ClusterMaintenanceRequest,
  type ClusterWorkloadLock,
  type MaintenanceObjects,
  NO_MAINTENANCE_OBJECTS,
  type NodeDeletionRequest,
  type NodeDisableNotification,
  type NodeMaintenanceRequest,
  type NodeWorkloadLock,
  nodeMeant,
  REQUEST_REASON_ANNOTATION,
  runOf,
} from '../../shared/domain/maintenance-api.ts'
import { ok } from '../../shared/domain/result.ts'
import { lockStatusText } from '../../shared/words/lock-status.ts'
import { madeBy } from '../../shared/words/makers.ts'
import { because } from '../../shared/words/reasons.ts'
import { isoNow } from '../platform/clock/clock.ts'
import type { Handlers } from './serve.ts'
import type { ApiServices } from './services.ts'

type Lock = NodeWorkloadLock | ClusterWorkloadLock
type Asked = ClusterMaintenanceRequest | NodeMaintenanceRequest
type Request = Asked | NodeDeletionRequest | NodeDisableNotification

/** Requests about objects of the node maintenance API, whatever client created them. */
export function maintenanceObjectHandlers(
  services: Pick<ApiServices, 'clock' | 'worlds'>,
): Pick<Handlers, 'maintenance.list'> {
  return {
    'maintenance.list': async ({ cluster }) => {
      const connected = await services.worlds.open(cluster)
      if (!connected.ok) return connected
      const { kubernetes, maintenanceApi } = connected.value.world
      const [objects, nodes] = await Promise.all([maintenanceApi.objects(), kubernetes.listNodes()])
      if (!nodes.ok) return nodes
      const readAt = isoNow(services.clock)
      if (objects.ok) {
        const names = nodes.value.map(({ name }) => name)
        return ok({ served: true, ...listedObjects(objects.value, names), readAt })
      }
      return objects.failure.code === 'not-found'
        ? ok({ served: false, ...listedObjects(NO_MAINTENANCE_OBJECTS, []), readAt })
        : objects
    },
  }
}

/** Every lock and request with what it waits for. `nodes`: the cluster's node names. */
export function listedObjects(
  objects: MaintenanceObjects,
  nodes: readonly string[],
): Pick<RequestOutput<'maintenance.list'>, 'locks' | 'requests'> {
  const of = <T extends { readonly nodeName: string }>(node: string | null, all: readonly T[]) =>
    node === null ? [] : all.filter(({ nodeName }) => nodeMeant(nodeName, nodes) === node)
  /** Of several requests, one that is not being deleted counts. */
  const answered = (requests: readonly Asked[]) =>
    requests.find(({ deletingSince }) => deletingSince === null) ?? requests[0] ?? null
  const forNode = ({ nodeName }: { readonly nodeName: string }) => {
    const node = nodeMeant(nodeName, nodes)
    return { node, locks: of(node, objects.nodeLocks) }
  }
  const locks: ListedLock[] = [
    ...objects.clusterLocks.map(lock => listedLock('cluster', null, lock, answered(objects.clusterRequests))),
    ...objects.nodeLocks.map(lock => {
      const node = nodeMeant(lock.nodeName, nodes)
      return listedLock('node', lock.nodeName, lock, answered(of(node, objects.nodeRequests)))
    }),
  ]
  const requests: ListedRequest[] = [
    ...objects.clusterRequests.map(request =>
      listedRequest('ClusterMaintenanceRequest', null, request, waitsOf(request, objects.clusterLocks)),
    ),
    ...objects.nodeRequests.map(request => {
      const { node, locks: held } = forNode(request)
      const waits = node === null ? [NO_SUCH_NODE] : waitsOf(request, held)
      return listedRequest('NodeMaintenanceRequest', request.nodeName, request, waits)
    }),
    ...objects.deletionRequests.map(request => {
      const { node, locks: held } = forNode(request)
      const waits = node === null ? [NO_SUCH_NODE] : waitsOf(request, held)
      return listedRequest('NodeDeletionRequest', request.nodeName, request, waits)
    }),
    ...objects.disableNotifications.map(request =>
      listedRequest('NodeDisableNotification', request.nodeName, request, []),
    ),
  ]
  return { locks, requests }
}

const NO_SUCH_NODE = because('RequestOfNoNode').message

function listedLock(of: ListedLock['of'], node: string | null, lock: Lock, request: Asked | null): ListedLock {
  const status = lockStatus(lock, request)
  return {
    of,
    name: lock.name,
    node,
    controller: lock.controller,
    state: lock.state,
    status: status.kind,
    says: lockStatusText(status),
    saidAt: parseLockMessage(lock.errorMessage).at,
    release: lock.release,
    madeBy: madeBy(lock),
    createdAt: lock.createdAt,
    deletingSince: lock.deletingSince,
    faults: lock.faults,
  }
}

function listedRequest(
  kind: ListedRequest['kind'],
  node: string | null,
  request: Request,
  waitsFor: readonly string[],
): ListedRequest {
  return {
    kind,
    name: request.name,
    uid: request.uid,
    node,
    scope: 'scope' in request ? request.scope : null,
    release: 'release' in request ? request.release : null,
    madeBy: madeBy(request),
    runId: runOf(request),
    reason: request.annotations[REQUEST_REASON_ANNOTATION] ?? null,
    createdAt: request.createdAt,
    deletingSince: request.deletingSince,
    waitsFor: [...waitsFor],
    faults: request.faults,
  }
}

/** Why a request is not granted yet or (Terminating) not gone yet. */
function waitsOf(request: Request, locks: readonly Lock[]): readonly string[] {
  if (request.deletingSince === null) {
    if (locks.length === 0) return [because('NoLockToAnswer').message]
    return locks.filter(({ state }) => state !== 'inactive').map(lock => saying(lock, request))
  }
  const back = locks.filter(({ state }) => state !== 'active').map(lock => saying(lock, request))
  return back.length > 0 ? back : [`its finalizers: ${request.finalizers.join(', ') || 'none'}`]
}

function saying(lock: Lock, request: { readonly deletingSince: string | null }): string {
  return `${lock.controller || lock.name}: ${lockStatusText(lockStatus(lock, request))}`
}
