import { isReasonOfNova } from '../../../shared/domain/disabled-reason.ts'
import type { ClusterNode } from '../../../shared/domain/kubernetes.ts'
import { namesOfNode, recordsOf } from '../../../shared/domain/machine-names.ts'
import { ROCKOON_DISABLED_REASON } from '../../../shared/domain/maintenance-api.ts'
import type { ComputeService, VolumeService } from '../../../shared/domain/openstack.ts'
import { ok } from '../../../shared/domain/result.ts'
import { openstackRolesOf, rolesOf } from '../../../shared/domain/roles.ts'
import { because } from '../../../shared/words/reasons.ts'
import { type Finding, namesOf } from '../../../shared/words/steps/coded.ts'
import type { OpenStackPort } from '../../ports/openstack.ts'
import type { ControllerWorld, MaintenanceWorld } from '../../ports/world.ts'
import { computeServiceOf, matchComputeService } from '../../procedures/steps/compute/compute-host.ts'
import { judgeRecords } from '../../procedures/steps/compute/compute-records.ts'
import { hardLocks } from '../../procedures/steps/requests/hard-locks.ts'
import { begunNode, heldBackByLimits, limitedNode } from '../../procedures/steps/requests/lock-limits.ts'
import { type ApplicationController, type NodeWork, type Progress, waiting } from './application-controller.ts'
import { agentsMissing, forgetRecordedAgents, recordAgents } from './openstack-agents.ts'
import { componentsWait, isService } from './openstack-health.ts'
import { createInstanceMover, type InstanceMover } from './openstack-instances.ts'

export function openstackController(world: ControllerWorld): ApplicationController {
  const { cluster } = world
  const mover = createInstanceMover()
  let services: readonly ComputeService[] | null = null
  return {
    name: 'openstack',
    concerns: node => openstackRolesOf(node.labels, cluster.roleLabels).length > 0,
    heldBack: (node, started) => {
      const zonesCount = cluster.maintenanceApi.respectZone && world.openstack !== null
      if (zonesCount && services === null) return because('ZoneAwaited', { node: node.name })
      const computes = services ?? []
      const others = started.map(({ name, node: other, lock }) => {
        const labels = other?.labels ?? null
        const zone = matchComputeService([name, labels?.['kubernetes.io/hostname']], computes)?.zone ?? null
        return begunNode(lock, { name, labels }, cluster.roleLabels, zone)
      })
      const itself = limitedNode(node, cluster.roleLabels, computeServiceOf(node, computes)?.zone ?? null)
      const held = heldBackByLimits(itself, others, cluster.maintenanceApi)
      return held === null ? null : because('DeferredByLimits', { node: node.name, held })
    },
    prepare: work => prepareOpenStack(work, mover),
    restore: async work => {
      mover.forget(work.node.name)
      return restoreOpenStack(work)
    },
    clusterWaits: (_world, _snapshot, signal) => componentsWait(world, signal),
    refresh: async (_world, _snapshot, signal) => {
      const read = await world.openstack?.computeServices(signal)
      if (read?.ok) services = read.value
    },
  }
}

/** Restores OpenStack on a node (docs/domain.md A.3; seed 000); nova-compute is enabled last, and only if the disabled reason is still ours. */
async function restoreOpenStack(work: NodeWork): Promise<Progress> {
  const { world, signal } = work
  // A read, because an interrupted watch still shows the node before its reboot.
  const read = await world.kubernetes.getNode(work.node.name, signal)
  if (signal.aborted) return { kind: 'stopped' }
  if (!read.ok) return waiting(because('LockedNodeUnread', { node: work.node.name, cause: read.failure.message }))
  const node = read.value
  if (node.readiness !== 'ready')
    return waiting(because('NodeAwaited', { node: node.name, readiness: node.readinessText }))
  const pods = await world.kubernetes.listPodsOnNode(node.name, signal)
  if (signal.aborted) return { kind: 'stopped' }
  if (!pods.ok) return waiting(because('PodsOnNodeUnread', { node: node.name, cause: pods.failure.message }))
  const unready = pods.value.filter(
    pod => pod.namespace === world.cluster.openstackNamespace && isService(pod) && !pod.ready,
  )
  if (unready.length > 0) return waiting(because('PodsAwaited', { pods: namesOf(unready.map(pod => pod.name)) }))
  if (world.openstack === null) return { kind: 'ready' }
  const back = (await restoreCompute(work, world.openstack)) ?? (await restoreVolumes(work, world.openstack))
  return back ?? (await forgetRecordedAgents(work)) ?? { kind: 'ready' }
}

async function restoreCompute(work: NodeWork, cloud: OpenStackPort): Promise<Progress | null> {
  const { node, world, signal } = work
  const agents = await cloud.networkAgents(null, signal)
  if (signal.aborted) return { kind: 'stopped' }
  if (!agents.ok) return waiting(because('NetworkAgentsUnread', { cause: agents.failure.message }))
  const missing = agentsMissing(work, agents.value)
  if (missing !== null) return waiting(missing)
  const services = await cloud.computeServices(signal)
  if (signal.aborted) return { kind: 'stopped' }
  if (!services.ok) return waiting(because('NovaComputeUnread', { cause: services.failure.message }))
  const doubt = doubtfulRecords(work, services.value)
  if (doubt !== null) return waiting(doubt)
  const service = computeServiceOf(node, services.value, otherNames(node, work.snapshot().nodes))
  if (service === null) {
    const missed = missingService(services.value, node, world)
    return missed === null ? null : waiting(missed)
  }
  if (service.state !== 'up') return waiting(because('NovaComputeAwaited', { host: service.host }))
  if (service.status === 'enabled' || service.disabledReason !== ROCKOON_DISABLED_REASON) return null
  const enabled = await cloud.enableComputeService(service.id, signal)
  if (signal.aborted) return { kind: 'stopped' }
  return enabled.ok ? null : waiting(because('NovaComputeNotEnabled', { cause: enabled.failure.message }))
}

async function restoreVolumes(work: NodeWork, cloud: OpenStackPort): Promise<Progress | null> {
  const { signal } = work
  const volumes = await cloud.volumeServices(signal)
  if (signal.aborted) return { kind: 'stopped' }
  if (!volumes.ok) return waiting(because('CinderVolumeUnread', { cause: volumes.failure.message }))
  for (const service of volumesOf(work, volumes.value)) {
    if (service.status === 'enabled' || service.disabledReason !== ROCKOON_DISABLED_REASON) continue
    const enabled = await cloud.enableVolumeService(service.host, signal)
    if (signal.aborted) return { kind: 'stopped' }
    if (!enabled.ok)
      return waiting(because('CinderVolumeNotEnabled', { host: service.host, cause: enabled.failure.message }))
  }
  return null
}

/** Prepares OpenStack on a node in Rockoon's order (docs/domain.md A.2). Instances move only if the node may reboot (scope os) or is deleted. */
async function prepareOpenStack(work: NodeWork, mover: InstanceMover): Promise<Progress> {
  const { node, world, signal } = work
  // Read in parallel, because owners wait for the node.
  const reading = world.openstack?.volumeServices(signal) ?? Promise.resolve(ok([]))
  const [refusing, services] = await Promise.all([
    hardLocks(node.name, world, signal),
    world.openstack?.computeServices(signal) ?? ok([]),
  ])
  if (signal.aborted) return { kind: 'stopped' }
  if (!refusing.ok) return waiting(because('QuorumServicesUnread', { cause: refusing.failure.message }))
  if (Object.keys(refusing.value).length > 0) return waiting(because('ServicesBlock', { services: refusing.value }))
  // Without Nova it is unknown what would go down with the node, so its lock stays.
  if (world.openstack === null)
    return waiting(because('NoCloudToAsk', { cluster: world.cluster.name, node: node.name }))
  if (!services.ok) return waiting(because('NovaComputeUnread', { cause: services.failure.message }))
  const doubt = doubtfulRecords(work, services.value)
  if (doubt !== null) return waiting(doubt)
  const unnoted = await recordAgents(work, world.openstack)
  if (unnoted !== null) return unnoted
  // By the service, not the label: instances on a host without its label are lost too.
  const service = computeServiceOf(node, services.value, otherNames(node, work.snapshot().nodes))
  if (service !== null && (service.status === 'enabled' || isReasonOfNova(service.disabledReason))) {
    const disabled = await world.openstack.disableComputeService(service.id, ROCKOON_DISABLED_REASON, signal)
    if (signal.aborted) return { kind: 'stopped' }
    if (!disabled.ok) return waiting(because('NovaComputeNotDisabled', { cause: disabled.failure.message }))
  }
  const volumes = await reading
  if (signal.aborted) return { kind: 'stopped' }
  if (!volumes.ok) return waiting(because('CinderVolumeUnread', { cause: volumes.failure.message }))
  for (const volume of volumesOf(work, volumes.value)) {
    if (volume.status === 'disabled') continue
    const disabled = await world.openstack.disableVolumeService(volume.host, ROCKOON_DISABLED_REASON, signal)
    if (signal.aborted) return { kind: 'stopped' }
    if (!disabled.ok)
      return waiting(because('CinderVolumeNotDisabled', { host: volume.host, cause: disabled.failure.message }))
  }
  if (service === null) return withoutService(services.value, work, world.openstack)
  if (work.scope === 'drain') return { kind: 'ready' }
  return mover.empty(work, service.host, world.openstack)
}

/** Why the node's Nova record is ambiguous; null: it is clear, apart from dead leftovers. */
function doubtfulRecords({ node, snapshot }: NodeWork, services: readonly ComputeService[]): Finding | null {
  const [doubt] = judgeRecords(node, snapshot().nodes, services).blockers
  return doubt === undefined ? null : { code: doubt.code, values: doubt.values ?? {}, message: doubt.message }
}

/** A node without nova-compute needs no emptying, but only if Nova lists others, the node's role agrees, and Placement has no such host. */
async function withoutService(
  services: readonly ComputeService[],
  { node, world, signal }: NodeWork,
  cloud: OpenStackPort,
): Promise<Progress> {
  const doubt = missingService(services, node, world)
  if (doubt !== null) return waiting(doubt)
  const held = await cloud.consumersOn([node.name], signal)
  if (signal.aborted) return { kind: 'stopped' }
  // Without access to Placement, Nova's services and the node's role decide.
  if (!held.ok) {
    return held.failure.retryable
      ? waiting(because('PlacementUnread', { cause: held.failure.message }))
      : { kind: 'ready' }
  }
  return held.value === null || held.value.length === 0
    ? { kind: 'ready' }
    : waiting(because('AllocationsWithoutService', { node: node.name, consumers: namesOf(held.value) }))
}

/** Why a list without this node's nova-compute does not prove its absence: an empty or truncated list must not mean "nothing to move" or "nothing to restore". */
function missingService(
  services: readonly ComputeService[],
  node: ClusterNode,
  { cluster }: MaintenanceWorld,
): Finding | null {
  if (services.length === 0) return because('NoNovaComputeAtAll')
  return rolesOf(node.labels, cluster.roleLabels).includes('compute')
    ? because('NovaComputeNotShown', { node: node.name })
    : null
}

/** The cinder-volume services of a node; their host is `host` or `host@backend`. */
function volumesOf({ node, snapshot }: NodeWork, volumes: readonly VolumeService[]): readonly VolumeService[] {
  return recordsOf(
    namesOfNode(node),
    volumes,
    ({ host }) => host.split('@')[0] ?? host,
    otherNames(node, snapshot().nodes),
  )
}

/** The names of all other nodes: a record with one of them is not this node's. */
function otherNames({ name }: ClusterNode, nodes: readonly ClusterNode[]): readonly string[] {
  return nodes.filter(other => other.name !== name).flatMap(namesOfNode)
}
