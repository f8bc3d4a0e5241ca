import type { CephOsd } from '../../../shared/domain/ceph.ts'
import { osdsOfNode, sparedMons, whyNotStop, whyNotWhole } from '../../../shared/domain/ceph-safety.ts'
import type { Cluster } from '../../../shared/domain/cluster.ts'
import type { Failure } from '../../../shared/domain/failure.ts'
import { type NodeWorkloadLock, nodeMeant } from '../../../shared/domain/maintenance-api.ts'
import type { Result } from '../../../shared/domain/result.ts'
import { because } from '../../../shared/words/reasons.ts'
import { findingIn } from '../../../shared/words/refusal.ts'
import type { Finding } from '../../../shared/words/steps/coded.ts'
import type { Clock } from '../../platform/clock/clock.ts'
import type { ControllerWorld } from '../../ports/world.ts'
import { countedOsds, type OsdsReported, proveOsds, storesOf } from '../../procedures/steps/storage/storage-node.ts'
import {
  type ApplicationController,
  type NodeWork,
  type Progress,
  type Snapshot,
  waiting,
} from './application-controller.ts'
import { waitsForOpenstack } from './application-order.ts'
import { decideNode } from './decide-node.ts'
import { stamped, withoutStamp } from './lock-message.ts'
import { indexNodes, NO_ENTRY, type NodeEntry } from './node-context.ts'
import { finalizerOf } from './worker-parts.ts'

/** Older answers of Ceph no longer prove that a node has no OSDs. */
const STALE_MS = 60_000

/** Ceph's last answer: its OSD map, the reported locations (or why they are unknown), and the monotonic time. */
interface Received {
  readonly osds: readonly CephOsd[]
  readonly reported: Result<OsdsReported>
  readonly atMs: number
}

/**
 * Locks for nodes with OSDs, one host at a time, and a healthy Ceph before the next (docs/domain.md C.3, A.9; seed 003). Both scopes are equal: a drained node
 * loses its OSD pods too.
 */
export function cephController(cluster: Cluster, clock: Clock): ApplicationController {
  let received: Received | null = null
  return {
    name: 'ceph',
    concerns: ({ name }) => {
      if (received === null || clock.monotonicMs() - received.atMs > STALE_MS) return null
      const { osds, reported } = received
      // A node in only one of Ceph's answers gets its lock early; preparing it reports the disagreement.
      const stores = storesOf(osds, reported, name)
      if (typeof stores === 'boolean') return stores
      return reported.ok && osdsOfNode(reported.value, name).length > 0 ? true : null
    },
    provesAbsent: async ({ node, world, snapshot, signal }) => {
      const osds = await world.ceph.osds(signal)
      if (!osds.ok) return false
      const counted = osdsBefore(ownLock(node.name, snapshot()))
      const proved = await proveOsds([node.name], osds.value, { world, signal, counted })
      return proved.ok && proved.value.own.length === 0
    },
    heldBack: (node, started) => {
      const [other] = started
      if (other === undefined) return null
      return because('DeferredForCeph', { node: node.name, other: other.name })
    },
    prepare: work => prepareOsds(work, ownLock(work.node.name, work.snapshot())),
    restore: work => restoreOsds(work, ownLock(work.node.name, work.snapshot())),
    clusterWaits: async (world, snapshot, signal) => waitsForOpenstack(cluster, snapshot) ?? cephWaits(world, signal),
    refresh: async (world, snapshot, signal) => {
      const atMs = clock.monotonicMs()
      const [osds, reported] = await Promise.all([world.ceph.osds(signal), world.ceph.osdsReported(signal)])
      if (!osds.ok) return
      received = { osds: osds.value, reported, atMs }
      await keepNoout(world, osds.value, snapshot, clock.now(), signal)
    },
  }
}

async function cephWaits(world: ControllerWorld, signal: AbortSignal): Promise<Finding | null> {
  const status = await world.ceph.status(signal)
  if (!status.ok) return findingIn(status.failure)
  const whole = whyNotWhole(status.value)
  if (whole !== null) return because('ClusterCephNotWhole', { why: whole })
  const { monsInQuorum, monsTotal } = status.value
  if (sparedMons(status.value) >= 1 || monsTotal <= 1) return null
  return because('NoMonToSpare', { inQuorum: monsInQuorum.length, total: monsTotal })
}

/**
 * Rook removes the noout of a drained host after 30 minutes (docs/domain.md C.3), and longer work would move its data. Hosts with OSDs up again are skipped.
 * The lock reports a failure.
 */
async function keepNoout(
  world: ControllerWorld,
  osds: readonly CephOsd[],
  snapshot: Snapshot,
  nowMs: number,
  signal: AbortSignal,
): Promise<void> {
  const names = snapshot.nodes.map(node => node.name)
  const entries = indexNodes(snapshot, 'ceph')
  for (const lock of snapshot.objects.nodeLocks) {
    if (lock.controller !== 'ceph' || lock.state !== 'inactive') continue
    const node = nodeMeant(lock.nodeName, names) ?? lock.nodeName
    const proved = await proveOsds([node], osds, { world, signal, counted: osdsBefore(lock) })
    const unprotected = proved.ok ? proved.value.own.filter(osd => !osd.up && !osd.noout) : []
    const host = unprotected[0]?.host ?? null
    const set = host === null ? proved : await world.ceph.setNoout({ kind: 'host', host }, true, signal)
    if (signal.aborted) return
    // Otherwise other parts of the controller write the lock's message.
    if (!isSettled(lock, entries.get(node) ?? NO_ENTRY, world.cluster)) continue
    const text = set.ok ? '' : because('NooutNotKept', { cause: set.failure.message }).message
    if (text === withoutStamp(lock.errorMessage)) continue
    const { name, uid } = lock
    await world.locks.setLockStatus(
      { kind: 'NodeWorkloadLock', name, uid },
      { errorMessage: stamped(text, nowMs) },
      signal,
    )
  }
}

function isSettled(lock: NodeWorkloadLock, entry: NodeEntry, { maintenanceApi }: Cluster): boolean {
  const { node, requests, deletion, disabledOnPurpose } = entry
  const decision = decideNode({
    exists: node !== null,
    concerned: true,
    lock,
    mayTakeBack: false,
    begunHere: true,
    requests,
    deletion,
    disabledOnPurpose,
    release: maintenanceApi.release,
    finalizer: finalizerOf('ceph'),
  })
  return decision.kind === 'rest'
}

function locksOf(node: string, { objects, nodes }: Snapshot): readonly NodeWorkloadLock[] {
  const names = nodes.map(each => each.name)
  return objects.nodeLocks.filter(lock => lock.controller === 'ceph' && nodeMeant(lock.nodeName, names) === node)
}

function ownLock(node: string, snapshot: Snapshot): NodeWorkloadLock | null {
  return locksOf(node, snapshot)[0] ?? null
}

/** An annotation on a node's lock: the OSDs that ran when the node was prepared, and must run again before it is back. */
const OSDS_ANNOTATION = 'lockkeeper.dev/osds'

/** Prepares a node's OSDs to stop: Ceph is healthy, all of them are ok to stop together, and noout is set and verified for their host (docs/domain.md C.3). */
async function prepareOsds(work: NodeWork, lock: NodeWorkloadLock | null): Promise<Progress> {
  const { node, scope, signal } = work
  const { ceph, locks } = work.world
  const osds = await ceph.osds(signal)
  if (!osds.ok) return cephDoesNotAnswer(osds.failure)
  const proved = await proveOsds([node.name], osds.value, { world: work.world, signal, counted: osdsBefore(lock) })
  if (!proved.ok) return cephDoesNotAnswer(proved.failure)
  const { own } = proved.value
  const host = own[0]?.host ?? null
  if (host === null) return { kind: 'ready' }
  const ids = own.map(osd => osd.id)
  if (scope === 'delete') return waiting(because('OsdsOnDeletedNode', { osds: ids, node: node.name }))
  const [status, answer] = await Promise.all([ceph.status(signal), ceph.okToStop(ids, signal)])
  if (!status.ok) return cephDoesNotAnswer(status.failure)
  if (!answer.ok) return cephDoesNotAnswer(answer.failure)
  const why = whyNotStop(node.name, own, status.value, answer.value)
  if (why !== null) return waiting(because('OsdsNotToStop', { why }))
  if (lock !== null && lock.annotations[OSDS_ANNOTATION] === undefined) {
    const running = own.filter(osd => osd.up).map(osd => osd.id)
    const { name, uid } = lock
    const noted = await locks.annotateLock(
      { kind: 'NodeWorkloadLock', name, uid },
      { [OSDS_ANNOTATION]: running.join(',') },
      signal,
    )
    if (!noted.ok) return cephDoesNotAnswer(noted.failure)
  }
  const set = await ceph.setNoout({ kind: 'host', host }, true, signal)
  if (!set.ok) return cephDoesNotAnswer(set.failure)
  const again = await ceph.osds(signal)
  if (!again.ok) return cephDoesNotAnswer(again.failure)
  const unprotected = ids.filter(id => !again.value.some(osd => osd.id === id && osd.noout))
  if (unprotected.length === 0) return { kind: 'ready' }
  return waiting(because('NooutAwaited', { osds: unprotected, node: node.name }))
}

/** Restores a node's OSDs: up, noout off, and Ceph healthy again. */
async function restoreOsds(work: NodeWork, lock: NodeWorkloadLock | null): Promise<Progress> {
  const { node, signal } = work
  const { ceph, locks } = work.world
  const osds = await ceph.osds(signal)
  if (!osds.ok) return cephDoesNotAnswer(osds.failure)
  const proved = await proveOsds([node.name], osds.value, { world: work.world, signal, counted: osdsBefore(lock) })
  if (!proved.ok) return cephDoesNotAnswer(proved.failure)
  const { own } = proved.value
  const ran = ranBefore(lock)
  // A disk that was dead before the maintenance need not return; one that ran must.
  const missing = own.filter(osd => !osd.up && (ran === undefined ? osd.in : ran.includes(osd.id)))
  if (missing.length > 0) return waiting(because('OsdsAwaited', { osds: missing.map(osd => osd.id), node: node.name }))
  const host = own[0]?.host ?? null
  if (host !== null && own.some(osd => osd.noout)) {
    const unset = await ceph.setNoout({ kind: 'host', host }, false, signal)
    if (!unset.ok) return cephDoesNotAnswer(unset.failure)
  }
  // A node that provably has no OSDs does not wait for problems elsewhere.
  if (own.length > 0) {
    const status = await ceph.status(signal)
    if (!status.ok) return cephDoesNotAnswer(status.failure)
    const whole = whyNotWhole(status.value)
    if (whole !== null) return waiting(because('CephAwaited', { why: whole }))
  }
  if (lock === null || lock.annotations[OSDS_ANNOTATION] === undefined) return { kind: 'ready' }
  const { name, uid } = lock
  const forgotten = await locks.annotateLock(
    { kind: 'NodeWorkloadLock', name, uid },
    { [OSDS_ANNOTATION]: null },
    signal,
  )
  return forgotten.ok ? { kind: 'ready' } : cephDoesNotAnswer(forgotten.failure)
}

/** The OSDs that ran when the node was prepared; undefined if not recorded. */
function ranBefore(lock: NodeWorkloadLock | null): readonly number[] | undefined {
  const noted = lock?.annotations[OSDS_ANNOTATION]
  return noted
    ?.split(',')
    .filter(id => id !== '')
    .map(Number)
}

/** The OSDs on a lock, in the form that {@link proveOsds} compares with Ceph's. */
function osdsBefore(lock: NodeWorkloadLock | null) {
  return countedOsds((ranBefore(lock) ?? []).map(id => ({ id })))
}

function cephDoesNotAnswer(why: Failure): Progress {
  return why.code === 'aborted' ? { kind: 'stopped' } : waiting(findingIn(why))
}
