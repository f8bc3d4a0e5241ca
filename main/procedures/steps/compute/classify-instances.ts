import {
  type ChosenPolicy,
  chosenPolicy,
  type MovingChoices,
  NO_CHOICES,
} from '../../../../shared/domain/chosen-policy.ts'
import { type Cluster, strategyOf } from '../../../../shared/domain/cluster.ts'
import type { InstancePolicy, InstancePolicyInput } from '../../../../shared/domain/instance-policy.ts'
import { HOST_MODE_ANNOTATION, instancePolicy } from '../../../../shared/domain/instance-policy.ts'
import type { ClusterNode } from '../../../../shared/domain/kubernetes.ts'
import type { ComputeService, Instance } from '../../../../shared/domain/openstack.ts'
import type { InstanceEffect } from '../../../../shared/domain/plan-effects.ts'
import { failed, ok, type Result } from '../../../../shared/domain/result.ts'
import { watcherPolicy } from '../../../../shared/domain/watcher-policy.ts'
import { type WordedPolicy, wordedPolicy } from '../../../../shared/words/instance-policies.ts'
import { wordedWatcherPolicy } from '../../../../shared/words/watcher-policies.ts'
import { cloudOf, type MaintenanceContext } from '../../node-input.ts'
import { readMachine } from '../general/machine-outside.ts'
import { computeServiceOf } from './compute-host.ts'
import { noComputeService } from './compute-service.ts'

/** An instance, and what happens to it during the maintenance of its host. */
export interface ClassifiedInstance {
  readonly instance: Instance
  readonly policy: WordedPolicy<ChosenPolicy>
}

export interface ComputeHost {
  readonly node: ClusterNode
  readonly service: ComputeService
  readonly services: readonly ComputeService[]
  readonly instances: readonly ClassifiedInstance[]
  /** One message for each cell that Nova could not read. */
  readonly unreachable: readonly string[]
}

/** Reads a compute node and classifies each of its instances (docs/domain.md A.5, A.6). */
export async function readComputeHost(node: string, ctx: MaintenanceContext): Promise<Result<ComputeHost>> {
  const cloud = cloudOf(ctx)
  const [nodeRead, servicesRead] = await Promise.all([
    readMachine(node, ctx.world, ctx.signal),
    cloud.computeServices(ctx.signal),
  ])
  if (!nodeRead.ok) return nodeRead
  if (!servicesRead.ok) return servicesRead
  const service = computeServiceOf(nodeRead.value, servicesRead.value)
  if (service === null) return failed(noComputeService(node, servicesRead.value))
  const instances = await cloud.instancesOnHost(service.host, ctx.signal)
  if (!instances.ok) return instances
  return ok({
    node: nodeRead.value,
    service,
    services: servicesRead.value,
    instances: instances.value.items
      .map(instance => ({ instance, policy: movePolicyOf(instance, nodeRead.value, ctx) }))
      .sort((a, b) => a.instance.name.localeCompare(b.instance.name) || a.instance.id.localeCompare(b.instance.id)),
    unreachable: instances.value.unreachable,
  })
}

/** An instance's policy by its own state and tags and the host's mode. */
export function policyOf(instance: Instance, node: Pick<ClusterNode, 'annotations'>): WordedPolicy<InstancePolicy> {
  return wordedPolicy(instancePolicy(inputOf(instance, node)))
}

/** The policy by default: Watcher's rules where Watcher empties hosts (seed 004), else tags and the host's mode (MOSK). */
export function usualPolicyOf(
  instance: Instance,
  node: Pick<ClusterNode, 'annotations'>,
  cluster: Pick<Cluster, 'flavour' | 'roleMaintenance'>,
): Pick<WordedPolicy<InstancePolicy>, 'action' | 'reason' | 'remedy' | 'warnings'> & {
  readonly source: InstancePolicy['source'] | 'watcher'
} {
  return strategyOf(cluster) === 'watcher' ? wordedWatcherPolicy(watcherPolicy(instance)) : policyOf(instance, node)
}

/** What keeps an instance on a node that should be empty. Tags and the host's mode count only where Watcher does not empty it (seed 004). */
export function fateOf(
  instance: Instance,
  node: Pick<ClusterNode, 'annotations'>,
  cluster: Pick<Cluster, 'flavour' | 'roleMaintenance'>,
): InstancePolicy['action'] {
  const { action } = policyOf(instance, node)
  const isOwners = action === 'poweroff' || action === 'notify'
  return isOwners && strategyOf(cluster) === 'watcher' ? 'live_migrate' : action
}

/** The policy with the operator's choices of how instances move. */
export function movePolicyOf(
  instance: Instance,
  node: Pick<ClusterNode, 'annotations'>,
  ctx: MaintenanceContext,
): WordedPolicy<ChosenPolicy> {
  return wordedPolicy(chosenPolicy(inputOf(instance, node), choicesOf(ctx)))
}

/** The choices count where Lockkeeper moves instances: Watcher gets them itself, and on `mosk` the OpenStack Controller moves. */
function choicesOf({ options, world }: MaintenanceContext): MovingChoices {
  const strategy = options.strategy ?? strategyOf(world.cluster)
  return strategy === 'nova' && world.cluster.flavour !== 'mosk' ? options : NO_CHOICES
}

function inputOf(instance: Instance, node: Pick<ClusterNode, 'annotations'>): InstancePolicyInput {
  return {
    hostMode: node.annotations[HOST_MODE_ANNOTATION] ?? null,
    tags: instance.tags,
    status: instance.status,
    vmState: instance.vmState,
    powerState: instance.powerState,
    taskState: instance.taskState,
  }
}

export function leavesNow({ action }: Pick<ChosenPolicy, 'action'>): boolean {
  return movesAway({ action }) || action === 'stop'
}

export function movesAway({ action }: Pick<ChosenPolicy, 'action'>): boolean {
  return action === 'live_migrate' || action === 'cold_migrate'
}

export function instanceEffect({ instance, policy }: ClassifiedInstance): InstanceEffect {
  return {
    kind: 'instance',
    id: instance.id,
    name: instance.name,
    status: instance.status,
    projectId: instance.projectId,
    powerState: instance.powerState,
    action: policy.action,
    source: policy.source,
    reason: policy.reason,
    warnings: [...policy.warnings],
  }
}

export function instanceSubject(id: string): string {
  return `server/${id}`
}
