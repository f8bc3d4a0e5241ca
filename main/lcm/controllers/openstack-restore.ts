import { ROCKOON_DISABLED_REASON } from '../../../shared/domain/maintenance-api.ts'
import { computeServiceOf } from '../../procedures/steps/compute/compute-host.ts'
import type { NodeWork, Progress } from './application-controller.ts'
import { isService, named } from './openstack-health.ts'
import { isOfNode, missingService } from './openstack-prepare.ts'

/**
 * Brings OpenStack back on a node (docs/domain.md A.3; seed 000): the node Ready, the pods of the OpenStack namespace on it ready, network
 * agents alive, nova-compute up, and only then enabled, where the reason is still ours.
 */
export async function restoreOpenStack(work: NodeWork): Promise<Progress> {
  const { world, signal } = work
  // Asked afresh: a watch that is cut off still shows the node as it was before its reboot.
  const read = await world.kubernetes.getNode(work.node.name, signal)
  if (signal.aborted) return { kind: 'stopped' }
  if (!read.ok) return waiting(`${work.node.name} could not be read: ${read.failure.message}`)
  const node = read.value
  if (node.readiness !== 'ready') return waiting(`Waiting for node ${node.name} to become Ready: ${node.readinessText}`)
  const pods = await world.kubernetes.listPodsOnNode(node.name, signal)
  if (signal.aborted) return { kind: 'stopped' }
  if (!pods.ok) return waiting(`The pods on ${node.name} could not be read: ${pods.failure.message}`)
  const unready = pods.value.filter(
    pod => pod.namespace === world.cluster.openstackNamespace && isService(pod) && !pod.ready,
  )
  if (unready.length > 0) return waiting(`Waiting for pods to become ready: ${named(unready.map(pod => pod.name))}`)
  if (world.openstack === null) return { kind: 'ready' }
  const back = await restoreCompute(work)
  return back ?? restoreVolumes(work)
}

async function restoreCompute({ node, world, signal }: NodeWork): Promise<Progress | null> {
  if (world.openstack === null) return null
  const host = node.name.split('.')[0] ?? node.name
  const agents = await world.openstack.networkAgents(null, signal)
  if (signal.aborted) return { kind: 'stopped' }
  if (!agents.ok) return waiting(`The network agents could not be read: ${agents.failure.message}`)
  const dead = agents.value.filter(
    agent => (agent.host === node.name || agent.host === host) && agent.adminStateUp && !agent.alive,
  )
  if (dead.length > 0) return waiting(`Waiting for network agents: ${named(dead.map(agent => agent.binary))}`)
  const services = await world.openstack.computeServices(signal)
  if (signal.aborted) return { kind: 'stopped' }
  if (!services.ok) return waiting(`nova-compute could not be read: ${services.failure.message}`)
  const service = computeServiceOf(node, services.value)
  if (service === null) {
    const doubt = missingService(services.value, node, world)
    return doubt === null ? null : waiting(doubt)
  }
  if (service.state !== 'up') return waiting(`Waiting for nova-compute on ${service.host} to report`)
  if (service.status === 'enabled' || service.disabledReason !== ROCKOON_DISABLED_REASON) return null
  const enabled = await world.openstack.enableComputeService(service.id, signal)
  if (signal.aborted) return { kind: 'stopped' }
  return enabled.ok ? null : waiting(`nova-compute could not be enabled: ${enabled.failure.message}`)
}

async function restoreVolumes({ node, world, signal }: NodeWork): Promise<Progress> {
  if (world.openstack === null) return { kind: 'ready' }
  const volumes = await world.openstack.volumeServices(signal)
  if (signal.aborted) return { kind: 'stopped' }
  if (!volumes.ok) return waiting(`cinder-volume could not be read: ${volumes.failure.message}`)
  for (const service of volumes.value) {
    if (!isOfNode(service.host, node.name) || service.disabledReason !== ROCKOON_DISABLED_REASON) continue
    if (service.status === 'enabled') continue
    const enabled = await world.openstack.enableVolumeService(service.host, signal)
    if (signal.aborted) return { kind: 'stopped' }
    if (!enabled.ok) return waiting(`cinder-volume on ${service.host} could not be enabled: ${enabled.failure.message}`)
  }
  return { kind: 'ready' }
}

function waiting(message: string): Progress {
  return { kind: 'waiting', message }
}
