import { crushHostsBeside, osdsOfNode } from '../../../../shared/domain/ceph-safety.ts'
import { cephAccessOf } from '../../../../shared/domain/cluster.ts'
import { unitOnNode } from '../../../../shared/domain/juju-units.ts'
import type { ClusterNode } from '../../../../shared/domain/kubernetes.ts'
import type { NodeRunKind } from '../../../../shared/domain/plan.ts'
import { failed, ok, type Result } from '../../../../shared/domain/result.ts'
import { fault } from '../../../../shared/words/step-texts.ts'
import type { MaintenanceWorld } from '../../../ports/world.ts'
import { refusal } from '../../answers.ts'
import { computeServiceOf, matchComputeService } from '../compute/compute-host.ts'

export const MICROCEPH = 'microceph'

/** A machine of a Sunbeam cloud outside Kubernetes, in the form of a node. */
interface MachineOutside {
  readonly machine: ClusterNode
  readonly roles: readonly ('compute' | 'storage')[]
}

/** Finds it by Nova's compute of exactly this name, or Juju's microceph unit with OSDs (seed 004); null means neither. Silence is a failure. */
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
  // Under another name than Nova's, no instance would move.
  if (service !== null && (service.host !== name || (kind !== 'leave' && service.state !== 'up'))) return ok(null)
  const stores = await hasStorage(name, kind, { cluster, juju, ceph }, signal)
  // Its own check (steps/general/machine-found.ts) asks again for OSDs and requires an answer.
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
  if (unitOnNode(status.value.units, MICROCEPH, name)?.hostname !== name) return ok(false)
  if (kind === 'leave') return ok(true)
  const osds = await ceph.osds(signal)
  return osds.ok ? ok(osdsOfNode(osds.value, name).length > 0) : osds
}

/** CRUSH hosts other than these nodes, each with its Lease's annotations. An unreadable Ceph or Lease is a failure. */
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

/** A node without labels and annotations; Kubernetes knows no state of it. */
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

/** The node, or on Sunbeam a machine outside Kubernetes. Kubernetes itself must say that it has no such node. */
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
  // One not-found answer proves nothing: the list of nodes must agree.
  const nodes = await kubernetes.listNodes(signal)
  if (!nodes.ok) return nodes
  const isNode = nodes.value.some(each => each.name === name || computeServiceOf(each, services.value)?.host === name)
  if (!isNode) return ok(machineOutside(name))
  return failed(refusal('unreadable', fault('NodeListContradicts', { node: name })))
}
