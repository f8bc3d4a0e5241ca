import { failure } from '../../shared/domain/failure.ts'
import type { InstancePolicy } from '../../shared/domain/instance-policy.ts'
import { HOST_MODE_ANNOTATION, instancePolicy } from '../../shared/domain/instance-policy.ts'
import type { ClusterNode } from '../../shared/domain/kubernetes.ts'
import type { ComputeService, Instance } from '../../shared/domain/openstack.ts'
import { failed, ok, type Result } from '../../shared/domain/result.ts'
import { computeServiceOf } from './compute-host.ts'
import { cloudOf, type MaintenanceContext } from './node-input.ts'

/** An instance with what the maintenance of its host does to it. */
export interface ClassifiedInstance {
  readonly instance: Instance
  readonly policy: InstancePolicy
}

/** What a compute node carries, read afresh. */
export interface ComputeHost {
  readonly node: ClusterNode
  readonly service: ComputeService
  readonly services: readonly ComputeService[]
  readonly instances: readonly ClassifiedInstance[]
  /** What Nova could not tell (a down cell), in words. */
  readonly unreachable: readonly string[]
}

/** Reads node, service and instances of a compute node and classifies every instance (domain.md A.5, A.6). */
export async function readComputeHost(node: string, ctx: MaintenanceContext): Promise<Result<ComputeHost>> {
  const cloud = cloudOf(ctx)
  const [nodeRead, servicesRead] = await Promise.all([
    ctx.world.kubernetes.getNode(node, ctx.signal),
    cloud.computeServices(ctx.signal),
  ])
  if (!nodeRead.ok) return nodeRead
  if (!servicesRead.ok) return servicesRead
  const service = computeServiceOf(nodeRead.value, servicesRead.value)
  if (service === null) {
    return failed(failure('not-found', `Nova has no nova-compute service on ${node}.`, { target: `node/${node}` }))
  }
  const instances = await cloud.instancesOnHost(service.host, ctx.signal)
  if (!instances.ok) return instances
  return ok({
    node: nodeRead.value,
    service,
    services: servicesRead.value,
    instances: instances.value.items
      .map(instance => ({ instance, policy: policyOf(instance, nodeRead.value) }))
      .sort((a, b) => a.instance.name.localeCompare(b.instance.name) || a.instance.id.localeCompare(b.instance.id)),
    unreachable: instances.value.unreachable,
  })
}

/** What the maintenance of its host does to an instance, from its own state and tags and the host's mode. */
export function policyOf(instance: Instance, node: Pick<ClusterNode, 'annotations'>): InstancePolicy {
  return instancePolicy({
    hostMode: node.annotations[HOST_MODE_ANNOTATION] ?? null,
    tags: instance.tags,
    status: instance.status,
    vmState: instance.vmState,
    powerState: instance.powerState,
    taskState: instance.taskState,
  })
}

/** `vm-01 (6f1c…)`: names are not unique in a cloud, ids are. */
export function instanceLabel(instance: Pick<Instance, 'id' | 'name'>): string {
  return `${instance.name} (${instance.id})`
}

/** The subject under which facts about an instance are journaled. */
export function instanceSubject(id: string): string {
  return `server/${id}`
}
