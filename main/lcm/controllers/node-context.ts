import type { ClusterNode } from '../../../shared/domain/kubernetes.ts'
import {
  type NodeDeletionRequest,
  type NodeMaintenanceRequest,
  type NodeWorkloadLock,
  nodeMeant,
} from '../../../shared/domain/maintenance-api.ts'
import type { LockTarget } from '../../ports/maintenance-api.ts'
import type { NodeWork, Snapshot, StartedNode } from './application-controller.ts'
import { isBegun } from './decide-node.ts'
import { createLockMessage, type LockMessage } from './lock-message.ts'
import { finalizerOf, isWritten, rest, type WorkerParts } from './worker-parts.ts'

/** What a controller shares among its nodes. */
export interface NodeContext {
  readonly parts: WorkerParts
  readonly finalizer: string
  readonly release: string | null
  /** Every node, and every name that only maintenance objects use. */
  entries(): ReadonlyMap<string, NodeEntry>
  entryOf(name: string): NodeEntry
  /** Nodes that this process started, even if the watch has not shown the mark yet; limits count them. */
  readonly begunHere: Set<string>
  startedBut(name: string): readonly StartedNode[]
}

export function createNodeContext(parts: WorkerParts): NodeContext {
  const { controller, world, snapshot } = parts
  const begunHere = new Set<string>()
  let indexed: { readonly of: Snapshot; readonly entries: ReadonlyMap<string, NodeEntry> } | null = null
  const entries = () => {
    const now = snapshot()
    if (indexed === null || indexed.of.objects !== now.objects || indexed.of.nodes !== now.nodes) {
      indexed = { of: now, entries: indexNodes(now, controller.name) }
    }
    return indexed.entries
  }
  return {
    parts,
    finalizer: finalizerOf(controller.name),
    release: world.cluster.maintenanceApi.release,
    entries,
    entryOf: name => entries().get(name) ?? NO_ENTRY,
    begunHere,
    startedBut: name =>
      [...entries()].flatMap(([other, { node, lock }]): readonly StartedNode[] =>
        other !== name && lock !== null && (isBegun(lock) || begunHere.has(other)) ? [{ name: other, node, lock }] : [],
      ),
  }
}

export interface NodeJob {
  readonly signal: AbortSignal
  readonly message: LockMessage
}

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

/** A task that lasts while the watch is current, so that it starts nothing on outdated data. */
export function jobOfNow(job: NodeJob, { parts }: NodeContext): NodeJob {
  return { ...job, signal: AbortSignal.any([job.signal, parts.current()]) }
}

/** Waits for a change of this node, or a short time: Nova and Ceph are not watched. */
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

/** The node state that a decision depends on, without our own messages and heartbeats. */
function fingerprintOf({ node, lock, requests, deletion }: NodeEntry): string {
  return JSON.stringify([
    node === null ? null : [node.labels, node.annotations, node.readiness],
    lock === null ? null : [lock.uid, lock.state, lock.innerState],
    requests.map(({ uid, deletingSince, scope, release }) => [uid, deletingSince, scope, release]),
    deletion?.uid ?? null,
  ])
}

export function lockTarget(lock: NodeWorkloadLock): LockTarget {
  return { kind: 'NodeWorkloadLock', name: lock.name, uid: lock.uid }
}

/** The objects of one node, or of a name that only maintenance objects use. */
export interface NodeEntry {
  readonly node: ClusterNode | null
  readonly lock: NodeWorkloadLock | null
  /** Oldest first. */
  readonly requests: readonly NodeMaintenanceRequest[]
  readonly deletion: NodeDeletionRequest | null
  readonly disabledOnPurpose: boolean
}

export const NO_ENTRY: NodeEntry = { node: null, lock: null, requests: [], deletion: null, disabledOnPurpose: false }

/** A snapshot by node, for one controller. Specs decide which node a lock or request belongs to (docs/domain.md A.1). */
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
    // An active request comes before one that is being deleted.
    put(deletion.nodeName, ({ deletion: known }) =>
      known === null || known.deletingSince !== null ? { deletion } : {},
    )
  }
  for (const notification of objects.disableNotifications) {
    put(notification.nodeName, () => ({ disabledOnPurpose: true }))
  }
  return entries
}

/** Of several locks for one node, ours counts, else the oldest, so that the choice is stable. */
function isBefore(lock: NodeWorkloadLock, other: NodeWorkloadLock, controller: string): boolean {
  const isOurs = (each: NodeWorkloadLock) => each.name === `${controller}-${each.nodeName}`
  if (isOurs(lock) !== isOurs(other)) return isOurs(lock)
  return `${lock.createdAt}/${lock.name}` < `${other.createdAt}/${other.name}`
}
