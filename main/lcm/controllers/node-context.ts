import type { ClusterNode } from '../../../shared/domain/kubernetes.ts'
import {
  type NodeDeletionRequest,
  type NodeMaintenanceRequest,
  type NodeWorkloadLock,
  nodeMeant,
} from '../../../shared/domain/maintenance-api.ts'
import type { LockTarget } from '../../ports/maintenance-api.ts'
import type { NodeWork, Snapshot, StartedNode } from './application-controller.ts'
import { createLockMessage, type LockMessage } from './lock-message.ts'
import { isWritten, rest, type WorkerParts } from './worker-parts.ts'

/** What a controller has at hand for all its nodes. */
export interface NodeContext {
  readonly parts: WorkerParts
  readonly finalizer: string
  /** The release the controller announces; null: none. */
  readonly release: string | null
  /** The node as it was last heard of. */
  entryOf(name: string): NodeEntry
  /** Begun by this process, also where the watch has not shown the mark yet: what limits count. */
  readonly begunHere: Set<string>
  startedBut(name: string): readonly StartedNode[]
}

/** One piece of work on one node. */
export interface NodeJob {
  /** Aborted when something else is to be done with the node, or the controllers stop. */
  readonly signal: AbortSignal
  readonly message: LockMessage
}

/** A message for the lock of a node. */
export function messageWriterOf(name: string, context: NodeContext, onSaid: (text: string) => void): LockMessage {
  const { parts, entryOf } = context
  return createLockMessage({
    status: () => entryOf(name).lock?.errorMessage ?? null,
    write: async message => {
      const { lock } = entryOf(name)
      if (lock === null || !parts.mayAct()) return false
      const written = parts.world.locks.setLockStatus(lockTarget(lock), { errorMessage: message }, parts.signal)
      return isWritten(written, name, parts.log)
    },
    now: () => parts.clock.now(),
    onSaid,
  })
}

/** What an application controller works with on a node. */
export function workOn(
  name: string,
  scope: NodeWork['scope'],
  context: NodeContext,
  { signal, message }: NodeJob,
): NodeWork | null {
  const { world, clock, log, snapshot } = context.parts
  const { node } = context.entryOf(name)
  return node === null ? null : { node, scope, world, clock, log, signal, snapshot, say: message.say }
}

/** A job for as long as the picture that it rests on is current: it begins nothing by one that may be of the past. */
export function jobOfNow(job: NodeJob, { parts }: NodeContext): NodeJob {
  return { ...job, signal: AbortSignal.any([job.signal, parts.current()]) }
}

/** Waits until something about this node changes, or a short while: Nova and Ceph are not watched. */
export async function untilNodeChanges(name: string, context: NodeContext, signal: AbortSignal): Promise<void> {
  const { wake, clock, lookAgainMs } = context.parts
  const patience = new AbortController()
  const over = AbortSignal.any([signal, patience.signal])
  const before = fingerprintOf(context.entryOf(name))
  const changed = async () => {
    while (!over.aborted && fingerprintOf(context.entryOf(name)) === before) await wake.next()
  }
  await rest(changed(), lookAgainMs, clock, signal)
  patience.abort()
}

/** What about a node may change a controller's mind; its own messages and a kubelet's heartbeat do not. */
function fingerprintOf({ node, lock, requests, deletion }: NodeEntry): string {
  return JSON.stringify([
    node === null ? null : [node.labels, node.annotations, node.readiness],
    lock === null ? null : [lock.uid, lock.state, lock.innerState],
    requests.map(({ uid, deletingSince, scope, release }) => [uid, deletingSince, scope, release]),
    deletion?.uid ?? null,
  ])
}

/** A node's lock as writes name it. */
export function lockTarget(lock: NodeWorkloadLock): LockTarget {
  return { kind: 'NodeWorkloadLock', name: lock.name, uid: lock.uid }
}

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
