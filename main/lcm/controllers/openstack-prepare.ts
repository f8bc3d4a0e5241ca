import type { ClusterNode } from '../../../shared/domain/kubernetes.ts'
import { ROCKOON_DISABLED_REASON } from '../../../shared/domain/maintenance-api.ts'
import type { ComputeService } from '../../../shared/domain/openstack.ts'
import { ok } from '../../../shared/domain/result.ts'
import { rolesOf } from '../../../shared/domain/roles.ts'
import { someOf } from '../../../shared/grammar/counts.ts'
import type { MaintenanceWorld } from '../../ports/world.ts'
import { computeServiceOf } from '../../procedures/steps/compute/compute-host.ts'
import { hardLocks } from '../../procedures/steps/requests/hard-locks.ts'
import type { NodeWork, Progress } from './application-controller.ts'
import { blockedByText } from './lock-texts.ts'
import type { InstanceMover } from './openstack-instances.ts'

/**
 * Prepares OpenStack on a node in Rockoon's order (docs/domain.md A.2): hard locks of quorum services, nova-compute and cinder-volume out of
 * scheduling with the exact reason, and instances away only where the node may reboot (scope os) or is given up.
 */
export async function prepareOpenStack(work: NodeWork, mover: InstanceMover): Promise<Progress> {
  const { node, world, signal } = work
  // Read side by side: each second here is one the node's owners wait.
  const reading = world.openstack?.volumeServices(signal) ?? Promise.resolve(ok([]))
  const [refusing, services] = await Promise.all([
    hardLocks(node.name, world, signal),
    world.openstack?.computeServices(signal) ?? ok([]),
  ])
  if (signal.aborted) return { kind: 'stopped' }
  if (!refusing.ok) return waiting(`The quorum services could not be read: ${refusing.failure.message}`)
  if (Object.keys(refusing.value).length > 0) return waiting(blockedByText(refusing.value))
  if (world.openstack === null) return { kind: 'ready' }
  if (!services.ok) return waiting(`nova-compute could not be read: ${services.failure.message}`)
  // By the service, not by the label: what runs on a host that lost its label is lost with it all the same.
  const service = computeServiceOf(node, services.value)
  if (service !== null && service.status === 'enabled') {
    const disabled = await world.openstack.disableComputeService(service.id, ROCKOON_DISABLED_REASON, signal)
    if (signal.aborted) return { kind: 'stopped' }
    if (!disabled.ok) return waiting(`nova-compute could not be disabled: ${disabled.failure.message}`)
  }
  const volumes = await reading
  if (signal.aborted) return { kind: 'stopped' }
  if (!volumes.ok) return waiting(`cinder-volume could not be read: ${volumes.failure.message}`)
  for (const volume of volumes.value) {
    if (!isOfNode(volume.host, node.name) || volume.status === 'disabled') continue
    const disabled = await world.openstack.disableVolumeService(volume.host, ROCKOON_DISABLED_REASON, signal)
    if (signal.aborted) return { kind: 'stopped' }
    if (!disabled.ok)
      return waiting(`cinder-volume on ${volume.host} could not be disabled: ${disabled.failure.message}`)
  }
  if (service === null) return withoutService(services.value, work)
  if (work.scope === 'drain') return { kind: 'ready' }
  return mover.empty(work, service.host)
}

/** A node without nova-compute has nothing to be emptied of: but only where Nova shows others, its role says so, and Placement knows no such host. */
async function withoutService(
  services: readonly ComputeService[],
  { node, world, signal }: NodeWork,
): Promise<Progress> {
  const doubt = missingService(services, node, world)
  if (doubt !== null) return waiting(doubt)
  const held = (await world.openstack?.consumersOn([node.name], signal)) ?? ok(null)
  if (signal.aborted) return { kind: 'stopped' }
  // Who may not read Placement has Nova's services and the node's role.
  if (!held.ok) {
    return held.failure.retryable ? waiting(`Placement could not be read: ${held.failure.message}`) : { kind: 'ready' }
  }
  return held.value === null || held.value.length === 0
    ? { kind: 'ready' }
    : waiting(
        `Nova shows no nova-compute service on ${node.name}, but Placement has allocations there: ${someOf(held.value)}`,
      )
}

/**
 * Why a list without a nova-compute service of this node does not prove that it has none, in words; null: nothing speaks against it. Both ways ask it:
 * an emptied or shortened list must not say that there is nothing to move, nor that there is nothing to bring back.
 */
export function missingService(
  services: readonly ComputeService[],
  node: ClusterNode,
  { cluster }: MaintenanceWorld,
): string | null {
  if (services.length === 0) return 'Nova shows no nova-compute service at all: nothing is known of its hosts'
  return rolesOf(node.labels, cluster.roleLabels).includes('compute')
    ? `Nova shows no nova-compute service on ${node.name}, though the node has the role compute`
    : null
}

/** A cinder-volume host is `host` or `host@backend`; the host is the node's name or its first label. */
export function isOfNode(serviceHost: string, node: string): boolean {
  const host = serviceHost.split('@')[0] ?? serviceHost
  return host === node || host === (node.split('.')[0] ?? node)
}

function waiting(message: string): Progress {
  return { kind: 'waiting', message }
}
