import { announcedFinish, finishOf, objectWords } from '../../../shared/domain/application-update.ts'
import type { Cluster } from '../../../shared/domain/cluster.ts'
import type { ClusterMaintenanceRequest } from '../../../shared/domain/maintenance-api.ts'
import { because } from '../../../shared/words/reasons.ts'
import { findingIn } from '../../../shared/words/refusal.ts'
import type { Finding } from '../../../shared/words/steps/coded.ts'
import type { ControllerWorld } from '../../ports/world.ts'
import type { Snapshot } from './application-controller.ts'

/** Seed 003, phase 2: OpenStack is updated before Ceph and the others. Returns why an application waits for it; null if it need not. */
export function waitsForOpenstack(cluster: Cluster, snapshot: Snapshot): Finding | null {
  const locks = snapshot.objects.clusterLocks.filter(lock => lock.controller === 'openstack')
  if (locks.length === 0)
    return cluster.maintenanceApi.controllers.openstack === 'none' ? null : because('OpenStackLockMissing')
  return locks.every(lock => lock.state === 'inactive') ? null : because('OpenStackLockFirst')
}

/** The same for OpenStack and Ceph, for the applications of phase 5. Without a Ceph controller there is no Ceph lock. */
export function waitsForOpenstackAndCeph(cluster: Cluster, snapshot: Snapshot): Finding | null {
  const openstack = waitsForOpenstack(cluster, snapshot)
  if (openstack !== null) return openstack
  const ceph = snapshot.objects.clusterLocks.filter(lock => lock.controller === 'ceph')
  return ceph.every(lock => lock.state === 'inactive') ? null : because('CephLockFirst')
}

/** Why an application counts as not yet updated, by its cluster request; null if it is updated, or unknown. */
export async function notUpdatedYet(
  application: string,
  request: Pick<ClusterMaintenanceRequest, 'annotations'>,
  world: ControllerWorld,
  signal: AbortSignal,
): Promise<Finding | null> {
  const finished = announcedFinish(request.annotations, application)
  if (finished === null || finished.kind === 'lock') return null
  const read = await world.kubernetes.namedObject(finished.object, signal)
  if (!read.ok) return findingIn(read.failure)
  const object = objectWords(finished.object)
  if (read.value === null) return because('ApplicationObjectMissing', { application, object })
  const { isSo, field, value, wanted } = finishOf(finished, read.value.content)
  return isSo ? null : because('ApplicationUpdateAwaited', { application, object, field, value, wanted })
}
