import type { ClusterNode } from '../../../shared/domain/kubernetes.ts'
import {
  type NodeDeletionRequest,
  type NodeMaintenanceRequest,
  type NodeWorkloadLock,
  nodeMeant,
} from '../../../shared/domain/maintenance-api.ts'
import type { Snapshot } from './application-controller.ts'

/** What a snapshot holds about one node, or about a name that maintenance objects give and no node has. */
export interface NodeEntry {
  readonly node: ClusterNode | null
  readonly lock: NodeWorkloadLock | null
  /** Oldest first. */
  readonly requests: readonly NodeMaintenanceRequest[]
  readonly deletion: NodeDeletionRequest | null
  readonly disabledOnPurpose: boolean
}

export const NO_ENTRY: NodeEntry = { node: null, lock: null, requests: [], deletion: null, disabledOnPurpose: false }

/** A snapshot by node, for one controller. Locks and requests are matched by what their specs say (docs/domain.md A.1). */
export function indexNodes(snapshot: Snapshot, controller: string): ReadonlyMap<string, NodeEntry> {
  const { nodes, objects } = snapshot
  const names = nodes.map(node => node.name)
  const exact = new Set(names)
  const entries = new Map<string, NodeEntry>(nodes.map(node => [node.name, { ...NO_ENTRY, node }]))
  const put = (nodeName: string, change: (entry: NodeEntry) => Partial<NodeEntry>) => {
    if (nodeName === '') return
    const name = exact.has(nodeName) ? nodeName : (nodeMeant(nodeName, names) ?? nodeName)
    const entry = entries.get(name) ?? NO_ENTRY
    entries.set(name, { ...entry, ...change(entry) })
  }
  for (const lock of objects.nodeLocks) {
    if (lock.controller !== controller) continue
    put(lock.nodeName, ({ lock: known }) => (known === null || isBefore(lock, known, controller) ? { lock } : {}))
  }
  const byAge = [...objects.nodeRequests].sort(
    (a, b) => a.createdAt.localeCompare(b.createdAt) || a.name.localeCompare(b.name),
  )
  for (const request of byAge) put(request.nodeName, ({ requests }) => ({ requests: [...requests, request] }))
  for (const deletion of objects.deletionRequests) {
    // One that still asks comes before one that is going.
    put(deletion.nodeName, ({ deletion: known }) =>
      known === null || known.deletingSince !== null ? { deletion } : {},
    )
  }
  for (const notification of objects.disableNotifications) {
    put(notification.nodeName, () => ({ disabledOnPurpose: true }))
  }
  return entries
}

/** Of several locks for one node the one of our own name counts, else the oldest: always the same one. */
function isBefore(lock: NodeWorkloadLock, other: NodeWorkloadLock, controller: string): boolean {
  const isOurs = (each: NodeWorkloadLock) => each.name === `${controller}-${each.nodeName}`
  if (isOurs(lock) !== isOurs(other)) return isOurs(lock)
  return `${lock.createdAt}/${lock.name}` < `${other.createdAt}/${other.name}`
}
