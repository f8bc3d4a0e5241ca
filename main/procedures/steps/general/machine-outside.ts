import { crushHostsBeside, osdsOfNode } from '../../../../shared/domain/ceph-safety.ts'
import { cephAccessOf } from '../../../../shared/domain/cluster.ts'
import type { ClusterNode } from '../../../../shared/domain/kubernetes.ts'
import type { NodeRunKind } from '../../../../shared/domain/plan.ts'
import { failed, ok, type Result } from '../../../../shared/domain/result.ts'
import { fault } from '../../../../shared/words/step-texts.ts'
import type { MaintenanceWorld } from '../../../ports/world.ts'
import { refusal } from '../../answers.ts'
import { computeServiceOf, matchComputeService } from '../compute/compute-host.ts'
import { unitOnNode } from './juju-units.ts'

/** Juju's name of the application whose charm operates MicroCeph. */
export const MICROCEPH = 'microceph'

/** A machine of a Sunbeam cloud outside of Kubernetes: what it is as a node, and what it does by Nova, Juju and Ceph. */
interface MachineOutside {
  readonly machine: ClusterNode
  readonly roles: readonly ('compute' | 'storage')[]
}

/**
 * The machine of this name where Nova has a nova-compute of exactly this name, or Juju a microceph unit on a machine of exactly this hostname and Ceph
 * OSDs on it (seed 004, roles: compute-only, storage-only and both); null: neither. That Kubernetes has no such node the caller has asked. An enter
 * needs a nova-compute that is up, else nobody could send its instances away; on the way back it is waited for, and OSDs may have gone. A silent
 * Nova or Juju is a failure: what it would have said is not known.
 */
export async function findMachineOutside(
  name: string,
  kind: NodeRunKind,
  { cluster, openstack, juju, ceph }: Pick<MaintenanceWorld, 'cluster' | 'openstack' | 'juju' | 'ceph'>,
  signal?: AbortSignal,
): Promise<Result<MachineOutside | null>> {
  if (cluster.flavour !== 'sunbeam' || openstack === null) return ok(null)
  const services = await openstack.computeServices(signal)
  if (!services.ok) return services
  const service = matchComputeService([name], services.value)
  // Under another name than Nova's it would be emptied of nothing.
  if (service !== null && (service.host !== name || (kind !== 'leave' && service.state !== 'up'))) return ok(null)
  const stores = await hasStorage(name, kind, { cluster, juju, ceph }, signal)
  // Whether it has OSDs too, its own check asks again (steps/general/machine-found.ts): it does not go on without an answer.
  if (!stores.ok && service === null) return stores
  const roles = [
    ...(service === null ? [] : ['compute' as const]),
    ...(stores.ok && stores.value ? ['storage' as const] : []),
  ]
  return ok(roles.length === 0 ? null : { machine: machineOutside(name), roles })
}

async function hasStorage(
  name: string,
  kind: NodeRunKind,
  { cluster, juju, ceph }: Pick<MaintenanceWorld, 'cluster' | 'juju' | 'ceph'>,
  signal?: AbortSignal,
): Promise<Result<boolean>> {
  if (juju === null || cephAccessOf(cluster) === 'none') return ok(false)
  const status = await juju.status(signal)
  if (!status.ok) return status
  if (unitOnNode(status.value, MICROCEPH, name)?.hostname !== name) return ok(false)
  if (kind === 'leave') return ok(true)
  const osds = await ceph.osds(signal)
  return osds.ok ? ok(osdsOfNode(osds.value, name).length > 0) : osds
}

/**
 * The machines of Sunbeam outside of Kubernetes that have OSDs, beside these nodes: the CRUSH hosts that none of them carries, each with the
 * annotations of its Lease. Fails where Ceph or a Lease cannot be asked.
 */
export async function listStoringMachines(
  nodes: readonly ClusterNode[],
  { cluster, kubernetes, ceph }: Pick<MaintenanceWorld, 'cluster' | 'kubernetes' | 'ceph'>,
  signal?: AbortSignal,
): Promise<Result<readonly ClusterNode[]>> {
  if (cluster.flavour !== 'sunbeam' || cephAccessOf(cluster) === 'none') return ok([])
  const osds = await ceph.osds(signal)
  if (!osds.ok) return osds.failure.code === 'not-found' ? ok([]) : osds
  const machines: ClusterNode[] = []
  for (const host of crushHostsBeside(nodes, osds.value)) {
    const annotations = await kubernetes.getLeaseAnnotations(host, signal)
    if (!annotations.ok) return annotations
    machines.push({ ...machineOutside(host), annotations: annotations.value })
  }
  return ok(machines)
}

/** As what steps read of a node: it has no labels and no notes, and what Kubernetes would know of it nobody knows. */
function machineOutside(name: string): ClusterNode {
  return {
    name,
    uid: '',
    resourceVersion: '',
    labels: {},
    annotations: {},
    unschedulable: false,
    cordonedBy: [],
    readiness: 'unknown',
    readinessText: 'a machine outside of Kubernetes',
    taints: [],
    readinessSince: null,
    bootId: '',
    kubeletVersion: '',
    osImage: '',
    internalIp: null,
    createdAt: '',
  }
}

/**
 * The node of this name, read afresh; on Sunbeam also a machine outside of Kubernetes whose nova-compute has exactly this name, or which stores. That
 * Kubernetes has no such node has to be its own answer: one that cannot be read makes nothing a machine outside.
 */
export async function readMachine(
  name: string,
  world: Pick<MaintenanceWorld, 'cluster' | 'kubernetes' | 'openstack' | 'juju' | 'ceph'>,
  signal?: AbortSignal,
): Promise<Result<ClusterNode>> {
  const { cluster, kubernetes, openstack } = world
  const node = await kubernetes.getNode(name, signal)
  if (node.ok || node.failure.code !== 'not-found' || cluster.flavour !== 'sunbeam' || openstack === null) return node
  const services = await openstack.computeServices(signal)
  if (!services.ok) return services
  if (!services.value.some(({ host }) => host === name)) {
    const found = await findMachineOutside(name, 'leave', world, signal)
    if (!found.ok) return found
    if (found.value === null) return node
  }
  // One answer that a node is not there does not make a machine of it: its list has to say so too.
  const nodes = await kubernetes.listNodes(signal)
  if (!nodes.ok) return nodes
  const isNode = nodes.value.some(each => each.name === name || computeServiceOf(each, services.value)?.host === name)
  if (!isNode) return ok(machineOutside(name))
  return failed(refusal('unreadable', fault('NodeListContradicts', { node: name })))
}
