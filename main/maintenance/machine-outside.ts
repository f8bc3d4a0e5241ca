import { failure } from '../../shared/domain/failure.ts'
import type { ClusterNode } from '../../shared/domain/kubernetes.ts'
import type { ComputeService } from '../../shared/domain/openstack.ts'
import { failed, ok, type Result } from '../../shared/domain/result.ts'
import type { MaintenanceWorld } from '../ports/world.ts'
import { computeServiceOf } from './compute-host.ts'

/**
 * A machine of a Sunbeam cloud that is no node of Kubernetes, such as a compute-only one (seed 004, roles): Nova alone knows it, by its nova-compute.
 * As what steps read of a node: it has no labels and no notes, and what Kubernetes would know of it nobody knows.
 */
export function machineOutside({ host }: Pick<ComputeService, 'host'>): ClusterNode {
  return {
    name: host,
    uid: '',
    resourceVersion: '',
    labels: {},
    annotations: {},
    unschedulable: false,
    readiness: 'unknown',
    readinessText: 'a machine outside of Kubernetes',
    readinessSince: null,
    bootId: '',
    kubeletVersion: '',
    osImage: '',
    internalIp: null,
    createdAt: '',
  }
}

/**
 * The node of this name, read afresh; on Sunbeam also a machine outside of Kubernetes whose nova-compute has exactly this name. That Kubernetes has no
 * such node has to be its own answer: one that cannot be read makes nothing a machine outside.
 */
export async function readMachine(
  name: string,
  { cluster, kubernetes, openstack }: Pick<MaintenanceWorld, 'cluster' | 'kubernetes' | 'openstack'>,
  signal?: AbortSignal,
): Promise<Result<ClusterNode>> {
  const node = await kubernetes.getNode(name, signal)
  if (node.ok || node.failure.code !== 'not-found' || cluster.flavour !== 'sunbeam' || openstack === null) return node
  const services = await openstack.computeServices(signal)
  if (!services.ok) return services
  const service = services.value.find(({ host }) => host === name)
  if (service === undefined) return node
  // One answer that a node is not there does not make a machine of it: its list has to say so too.
  const nodes = await kubernetes.listNodes(signal)
  if (!nodes.ok) return nodes
  const isNode = nodes.value.some(each => each.name === name || computeServiceOf(each, [service]) !== null)
  if (!isNode) return ok(machineOutside(service))
  return failed(
    failure('unreadable', `The API server said that it has no node ${name}, and its list of nodes has it.`, {
      retryable: true,
    }),
  )
}
