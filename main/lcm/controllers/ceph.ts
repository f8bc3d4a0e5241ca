import type { CephOsd } from '../../../shared/domain/ceph.ts'
import { osdsOfNode, sparedMons, whyNotWhole } from '../../../shared/domain/ceph-safety.ts'
import { type NodeWorkloadLock, nodeMeant } from '../../../shared/domain/maintenance-api.ts'
import { deferredText } from '../../maintenance/lock-limits.ts'
import type { ControllerWorld } from '../ports.ts'
import type { ApplicationController, Snapshot } from './application-controller.ts'
import { prepareOsds, restoreOsds } from './ceph-osds.ts'

/**
 * Ceph's part of a maintenance: locks for the nodes with OSDs, one host at a time, and Ceph whole before the next (docs/domain.md C.3, A.9;
 * seed 003, phase 2: Ceph waits for OpenStack). Both scopes are the same to it: a drained node loses its OSD pods as well.
 */
export function cephController(world: ControllerWorld): ApplicationController {
  /** Null until Ceph could be asked. */
  let osds: readonly CephOsd[] | null = null
  return {
    name: 'ceph',
    concerns: (node, snapshot) =>
      // While Ceph was never asked, the locks that are there tell which nodes are its.
      osds === null ? locksOf(node.name, snapshot).length > 0 : osdsOfNode(osds, node.name).length > 0,
    heldBack: (node, started) => {
      const [other] = started
      if (other === undefined) return null
      return deferredText(node.name, `Ceph on ${other.node.name} has to be whole again first`)
    },
    prepare: work => prepareOsds(work, ownLock(work.node.name, work.snapshot())),
    restore: work => restoreOsds(work, ownLock(work.node.name, work.snapshot())),
    clusterWaits: async (_world, snapshot, signal) => openstackFirst(world, snapshot) ?? cephWaits(world, signal),
    refresh: async (_world, snapshot, signal) => {
      const read = await world.ceph.osds(signal)
      if (!read.ok) return
      osds = read.value
      await keepNoout(world, osds, snapshot, signal)
    },
  }
}

/** Seed 003, phase 2: OpenStack is updated before Ceph is. */
function openstackFirst(world: ControllerWorld, snapshot: Snapshot): string | null {
  const locks = snapshot.objects.clusterLocks.filter(lock => lock.controller === 'openstack')
  const waits = 'Waiting for the ClusterWorkloadLock of openstack to be inactive'
  if (locks.length === 0)
    return world.cluster.maintenanceApi.controllers.openstack === 'none' ? null : `${waits}: there is none yet`
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
 * its data moved away. Hosts whose OSDs are up again are left alone: there it is about to be removed.
 */
async function keepNoout(
  world: ControllerWorld,
  osds: readonly CephOsd[],
  { objects, nodes }: Snapshot,
  signal: AbortSignal,
): Promise<void> {
  const names = nodes.map(node => node.name)
  for (const lock of objects.nodeLocks) {
    if (lock.controller !== 'ceph' || lock.state !== 'inactive') continue
    const bare = osdsOfNode(osds, nodeMeant(lock.nodeName, names) ?? lock.nodeName).filter(osd => !osd.up && !osd.noout)
    const host = bare[0]?.host ?? null
    if (host !== null) await world.ceph.setNoout({ kind: 'host', host }, true, signal)
  }
}

function locksOf(node: string, { objects, nodes }: Snapshot): readonly NodeWorkloadLock[] {
  const names = nodes.map(each => each.name)
  return objects.nodeLocks.filter(lock => lock.controller === 'ceph' && nodeMeant(lock.nodeName, names) === node)
}

function ownLock(node: string, snapshot: Snapshot): NodeWorkloadLock | null {
  return locksOf(node, snapshot)[0] ?? null
}
