import { type ClusterNode, DRAIN_DEFAULTS, type Pod, type Workload } from '../../../shared/domain/kubernetes.ts'
import { type NodeWorkloadLock, nodeMeant } from '../../../shared/domain/maintenance-api.ts'
import type { Result } from '../../../shared/domain/result.ts'
import { because } from '../../../shared/words/reasons.ts'
import { findingIn } from '../../../shared/words/refusal.ts'
import { type Finding, itemsOf } from '../../../shared/words/steps/coded.ts'
import type { Clock } from '../../platform/clock/clock.ts'
import type { ControllerWorld } from '../../ports/world.ts'
import type { ApplicationController, NodeWork, Progress, Snapshot } from './application-controller.ts'
import { waitsForOpenstackAndCeph } from './applications-first.ts'

/** Older pod lists no longer prove that a node has no StackLight. */
const STALE_MS = 60_000
const STACKLIGHT_LABEL = 'stacklight'

/**
 * Seed 003 gives no rules for StackLight's locks, so the rules of a drain apply (docs/domain.md A.9): one node at a time, while each StatefulSet keeps a ready
 * replica elsewhere and the budgets allow the evictions.
 */
export function stacklightController(world: ControllerWorld, clock: Clock): ApplicationController {
  /** Nodes with StackLight pods, and the monotonic time of the list; null until pods were listed. */
  let received: { readonly nodes: ReadonlySet<string>; readonly atMs: number } | null = null
  const nodesNow = () => (received === null || clock.monotonicMs() - received.atMs > STALE_MS ? null : received.nodes)
  return {
    name: 'stacklight',
    concerns: (node, snapshot) => {
      if (isReservedForStackLight(node)) return true
      return nodesNow()?.has(node.name) ?? (hasLock(node.name, snapshot) ? true : null)
    },
    provesAbsent: async ({ node, world, signal }) => {
      const pods = await podsOf(world, signal)
      return (
        pods.ok &&
        !isReservedForStackLight(node) &&
        !pods.value.some(pod => pod.nodeName === node.name && isMovable(pod))
      )
    },
    heldBack: (node, started) => {
      const [other] = started
      if (other === undefined) return null
      return because('DeferredForStackLight', { node: node.name, other: other.name })
    },
    prepare: async work => (work.scope === 'delete' ? { kind: 'ready' } : mayLose(work)),
    restore: isBack,
    clusterWaits: async (world, snapshot, signal) => {
      const first = waitsForOpenstackAndCeph(world.cluster, snapshot)
      if (first !== null) return first
      const pods = await podsOf(world, signal)
      if (!pods.ok) return findingIn(pods.failure)
      return whyUnready(pods.value.filter(isServing))
    },
    refresh: async (_world, _snapshot, signal) => {
      const atMs = clock.monotonicMs()
      const pods = await podsOf(world, signal)
      if (!pods.ok) return
      received = { nodes: new Set(pods.value.filter(isMovable).flatMap(pod => pod.nodeName ?? [])), atMs }
    },
  }
}

function podsOf(world: ControllerWorld, signal: AbortSignal): Promise<Result<readonly Pod[]>> {
  return world.kubernetes.listPods(world.cluster.maintenanceApi.stacklightNamespace, signal)
}

/** Whether the node is reserved for StackLight, even without pods. */
function isReservedForStackLight({ labels }: ClusterNode): boolean {
  return labels[STACKLIGHT_LABEL] === 'enabled'
}

/** Pods of Jobs end on their own: neither their end nor their absence is a fault. */
function isServing({ phase, controller }: Pod): boolean {
  return phase !== 'Succeeded' && phase !== 'Failed' && controller?.kind !== 'Job'
}

/** A drain removes it; DaemonSet pods stay. */
function isMovable(pod: Pod): boolean {
  return isServing(pod) && !pod.mirror && pod.controller?.kind !== 'DaemonSet'
}

function isReady({ ready, deletionAt }: Pod): boolean {
  return ready && deletionAt === null
}

async function mayLose({ node, world, signal }: NodeWork): Promise<Progress> {
  const [pods, sets, drain] = await Promise.all([
    podsOf(world, signal),
    world.kubernetes.listWorkloads(['StatefulSet'], signal),
    world.kubernetes.planDrain(node.name, DRAIN_DEFAULTS, { dryRun: false, signal }),
  ])
  if (signal.aborted) return { kind: 'stopped' }
  if (!pods.ok) return { kind: 'waiting', why: findingIn(pods.failure) }
  if (!sets.ok) return { kind: 'waiting', why: findingIn(sets.failure) }
  if (!drain.ok) return { kind: 'waiting', why: findingIn(drain.failure) }
  const { stacklightNamespace } = world.cluster.maintenanceApi
  const alone = lastReplicas(
    node.name,
    pods.value,
    sets.value.filter(({ namespace }) => namespace === stacklightNamespace),
  )
  if (alone.length > 0) {
    return { kind: 'waiting', why: because('StackLightReplicaAwaited', { node: node.name, sets: alone }) }
  }
  const leaving = drain.value.decisions.filter(
    ({ pod, fate }) => pod.namespace === stacklightNamespace && fate !== 'keep',
  )
  for (const { pod, budgets } of leaving) {
    const shut = budgets.find(({ status }) => status === 'refuses' || status === 'behind')
    if (shut === undefined) continue
    const why = because('StackLightBudgetAwaited', { budget: shut.name, pod: pod.name, node: node.name })
    return { kind: 'waiting', why }
  }
  return { kind: 'ready' }
}

/** StatefulSets with several replicas that would keep no ready one: a replica without a pod counts as not ready. A single replica moves with its pod. */
function lastReplicas(node: string, pods: readonly Pod[], sets: readonly Workload[]): readonly string[] {
  return sets.flatMap(({ name, replicas }) => {
    const own = pods.filter(
      pod => isMovable(pod) && pod.controller?.kind === 'StatefulSet' && pod.controller.name === name,
    )
    const leaves = own.some(pod => pod.nodeName === node)
    const stays = own.some(pod => pod.nodeName !== node && pod.nodeName !== null && isReady(pod))
    return leaves && replicas > 1 && !stays ? [name] : []
  })
}

/** Back once its pods are ready, and no replica is unscheduled. */
async function isBack({ node, world, signal }: NodeWork): Promise<Progress> {
  const pods = await podsOf(world, signal)
  if (!pods.ok) {
    return pods.failure.code === 'aborted' ? { kind: 'stopped' } : { kind: 'waiting', why: findingIn(pods.failure) }
  }
  const here = pods.value.filter(pod => isServing(pod) && (pod.nodeName === node.name || pod.nodeName === null))
  const why = whyUnready(here)
  return why === null ? { kind: 'ready' } : { kind: 'waiting', why }
}

function whyUnready(pods: readonly Pod[]): Finding | null {
  const unready = pods.filter(pod => !isReady(pod))
  if (unready.length === 0) return null
  const named = unready.map(({ name: pod, nodeName: node }) => ({ pod, node }))
  return because('StackLightPodsAwaited', { unready: itemsOf(named) })
}

function hasLock(node: string, { objects, nodes }: Snapshot): boolean {
  const names = nodes.map(each => each.name)
  const isOurs = (lock: NodeWorkloadLock) =>
    lock.controller === 'stacklight' && nodeMeant(lock.nodeName, names) === node
  return objects.nodeLocks.some(isOurs)
}
