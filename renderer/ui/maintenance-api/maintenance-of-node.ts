import {
  type MaintenanceObjects,
  type NodeDeletionRequest,
  type NodeDisableNotification,
  type NodeMaintenanceRequest,
  type NodeWorkloadLock,
  nodeMeant,
} from '../../../shared/domain/maintenance-api.ts'

/** The objects of the node maintenance API for one node. */
interface MaintenanceOfNode {
  /** Sorted by controller. */
  readonly locks: readonly NodeWorkloadLock[]
  readonly requests: readonly NodeMaintenanceRequest[]
  readonly notifications: readonly NodeDisableNotification[]
  readonly deletions: readonly NodeDeletionRequest[]
}

/** Objects for a node, by the node's name in their spec, never by their own name (docs/domain.md A.1). */
export function maintenanceOfNode(
  objects: MaintenanceObjects,
  node: string,
  nodes: readonly string[],
): MaintenanceOfNode {
  const isOurs = ({ nodeName }: { readonly nodeName: string }) => nodeMeant(nodeName, nodes) === node
  return {
    locks: objects.nodeLocks.filter(isOurs).sort((a, b) => a.controller.localeCompare(b.controller, 'en')),
    requests: objects.nodeRequests.filter(isOurs),
    notifications: objects.disableNotifications.filter(isOurs),
    deletions: objects.deletionRequests.filter(isOurs),
  }
}

/**
 * What a deletion of a request still waits for (docs/domain.md A.3): controllers whose locks are not active again, then
 * controllers with a finalizer.
 */
export function returnWaitsFor(
  finalizers: readonly string[],
  locks: readonly Pick<NodeWorkloadLock, 'controller' | 'state'>[],
): readonly string[] {
  const away = locks.filter(({ state }) => state !== 'active').map(({ controller }) => controller)
  return away.length > 0 ? away : finalizers.map(controllerOfFinalizer)
}

/** `lcm.mirantis.com/lockkeeper-ceph-finalizer` belongs to `ceph`. */
function controllerOfFinalizer(finalizer: string): string {
  const last = finalizer.slice(finalizer.lastIndexOf('/') + 1)
  return last.replace(/^lockkeeper-/, '').replace(/-finalizer$/, '')
}

/** An object without a valid node or content. */
interface BadObject {
  readonly kind: string
  readonly name: string
  readonly why: string
}

/** Faulty objects and objects for unknown nodes; `nodes` null: unknown, then only faults count. */
export function badObjects(objects: MaintenanceObjects, nodes: readonly string[] | null): readonly BadObject[] {
  const homeless = (nodeName: string) =>
    nodes !== null && nodeMeant(nodeName, nodes) === null
      ? [nodeName === '' ? 'It names no node.' : `The cloud has no node ${nodeName}.`]
      : []
  const rows: readonly (readonly [
    string,
    { readonly name: string; readonly faults: readonly string[] },
    string | null,
  ])[] = [
    ...objects.clusterLocks.map(each => ['ClusterWorkloadLock', each, null] as const),
    ...objects.clusterRequests.map(each => ['ClusterMaintenanceRequest', each, null] as const),
    ...objects.nodeLocks.map(each => ['NodeWorkloadLock', each, each.nodeName] as const),
    ...objects.nodeRequests.map(each => ['NodeMaintenanceRequest', each, each.nodeName] as const),
    ...objects.disableNotifications.map(each => ['NodeDisableNotification', each, each.nodeName] as const),
    ...objects.deletionRequests.map(each => ['NodeDeletionRequest', each, each.nodeName] as const),
  ]
  return rows.flatMap(([kind, object, nodeName]) =>
    [...object.faults, ...(nodeName === null ? [] : homeless(nodeName))].map(why => ({ kind, name: object.name, why })),
  )
}
