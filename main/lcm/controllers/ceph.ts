import type { CephOsd } from '../../../shared/domain/ceph.ts'
import { osdsOfNode, sparedMons, whyNotWhole } from '../../../shared/domain/ceph-safety.ts'
import type { Cluster } from '../../../shared/domain/cluster.ts'
import { type NodeWorkloadLock, nodeMeant } from '../../../shared/domain/maintenance-api.ts'
import type { Result } from '../../../shared/domain/result.ts'
import type { Clock } from '../../clock/clock.ts'
import type { ControllerWorld } from '../../ports/world.ts'
import { deferredText } from '../../procedures/steps/requests/lock-limits.ts'
import { type OsdsReported, proveOsds, storesOf } from '../../procedures/steps/storage/storage-node.ts'
import type { ApplicationController, Snapshot } from './application-controller.ts'
import { countedBefore, prepareOsds, restoreOsds } from './ceph-osds.ts'
import { stamped, withoutStamp } from './lock-texts.ts'

/** What Ceph told longer ago than this says of no node any more that it has no OSDs. */
const STALE_MS = 60_000

/** What Ceph told last: its map of OSDs, where they reported to run (or why that is not known), and when by the clock that never jumps. */
interface Heard {
  readonly osds: readonly CephOsd[]
  readonly reported: Result<OsdsReported>
  readonly atMs: number
}

/**
 * Ceph's part of a maintenance: locks for the nodes with OSDs, one host at a time, and Ceph whole before the next (docs/domain.md C.3, A.9;
 * seed 003, phase 2: Ceph waits for OpenStack). Both scopes are the same to it: a drained node loses its OSD pods as well.
 */
export function cephController(cluster: Cluster, clock: Clock): ApplicationController {
  let heard: Heard | null = null
  return {
    name: 'ceph',
    concerns: ({ name }) => {
      if (heard === null || clock.monotonicMs() - heard.atMs > STALE_MS) return null
      const { osds, reported } = heard
      // A node that only one of Ceph's words names gets its lock before anybody asks for it: preparing it says what does not agree.
      const stores = storesOf(osds, reported, name)
      if (typeof stores === 'boolean') return stores
      return reported.ok && osdsOfNode(reported.value, name).length > 0 ? true : null
    },
    provesAbsent: async ({ node, world, snapshot, signal }) => {
      const osds = await world.ceph.osds(signal)
      if (!osds.ok) return false
      const counted = countedBefore(ownLock(node.name, snapshot()))
      const proved = await proveOsds([node.name], osds.value, { world, signal, counted })
      return proved.ok && proved.value.own.length === 0
    },
    heldBack: (node, started) => {
      const [other] = started
      if (other === undefined) return null
      return deferredText(node.name, `Ceph on ${other.node.name} has to be whole again first`)
    },
    prepare: work => prepareOsds(work, ownLock(work.node.name, work.snapshot())),
    restore: work => restoreOsds(work, ownLock(work.node.name, work.snapshot())),
    clusterWaits: async (world, snapshot, signal) => openstackFirst(cluster, snapshot) ?? cephWaits(world, signal),
    refresh: async (world, snapshot, signal) => {
      const atMs = clock.monotonicMs()
      const [osds, reported] = await Promise.all([world.ceph.osds(signal), world.ceph.osdsReported(signal)])
      if (!osds.ok) return
      heard = { osds: osds.value, reported, atMs }
      await keepNoout(world, osds.value, snapshot, clock.now(), signal)
    },
  }
}

/** Seed 003, phase 2: OpenStack is updated before Ceph is. */
function openstackFirst(cluster: Cluster, snapshot: Snapshot): string | null {
  const locks = snapshot.objects.clusterLocks.filter(lock => lock.controller === 'openstack')
  const waits = 'Waiting for the ClusterWorkloadLock of openstack to be inactive'
  if (locks.length === 0)
    return cluster.maintenanceApi.controllers.openstack === 'none' ? null : `${waits}: there is none yet`
  return locks.every(lock => lock.state === 'inactive') ? null : waits
}

async function cephWaits(world: ControllerWorld, signal: AbortSignal): Promise<string | null> {
  const status = await world.ceph.status(signal)
  if (!status.ok) return status.failure.message
  const whole = whyNotWhole(status.value)
  if (whole !== null) return `Ceph is not whole: ${whole}`
  const { monsInQuorum, monsTotal } = status.value
  if (sparedMons(status.value) >= 1 || monsTotal <= 1) return null
  return `${monsInQuorum.length} of ${monsTotal} Ceph monitors are in quorum: none may be lost`
}

/**
 * Rook removes the noout of a drained host after 30 minutes (osdMaintenanceTimeout, docs/domain.md C.3); work that takes longer would have
 * its data moved away. Hosts whose OSDs are up again are left alone: there it is about to be removed. What cannot be kept is said on the lock.
 */
async function keepNoout(
  world: ControllerWorld,
  osds: readonly CephOsd[],
  { objects, nodes }: Snapshot,
  nowMs: number,
  signal: AbortSignal,
): Promise<void> {
  const names = nodes.map(node => node.name)
  for (const lock of objects.nodeLocks) {
    if (lock.controller !== 'ceph' || lock.state !== 'inactive') continue
    const node = nodeMeant(lock.nodeName, names) ?? lock.nodeName
    const proved = await proveOsds([node], osds, { world, signal, counted: countedBefore(lock) })
    const unprotected = proved.ok ? proved.value.own.filter(osd => !osd.up && !osd.noout) : []
    const host = unprotected[0]?.host ?? null
    const set = host === null ? proved : await world.ceph.setNoout({ kind: 'host', host }, true, signal)
    if (signal.aborted) return
    const said = withoutStamp(lock.errorMessage)
    // What another part of the controller says there is left to it.
    if (said !== '' && !said.startsWith(NOT_KEPT)) continue
    const text = set.ok ? '' : `${NOT_KEPT}: ${set.failure.message}`
    if (text === said) continue
    const { name, uid } = lock
    await world.locks.setLockStatus(
      { kind: 'NodeWorkloadLock', name, uid },
      { errorMessage: stamped(text, nowMs) },
      signal,
    )
  }
}

const NOT_KEPT = 'noout cannot be kept for its OSDs'

function locksOf(node: string, { objects, nodes }: Snapshot): readonly NodeWorkloadLock[] {
  const names = nodes.map(each => each.name)
  return objects.nodeLocks.filter(lock => lock.controller === 'ceph' && nodeMeant(lock.nodeName, names) === node)
}

function ownLock(node: string, snapshot: Snapshot): NodeWorkloadLock | null {
  return locksOf(node, snapshot)[0] ?? null
}
