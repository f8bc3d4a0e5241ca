import type { Pod } from '../../../shared/domain/kubernetes.ts'
import { fitsSelector } from '../../../shared/domain/label-selector.ts'
import { type NodeWorkloadLock, nodeMeant } from '../../../shared/domain/maintenance-api.ts'
import type { Result } from '../../../shared/domain/result.ts'
import { ok } from '../../../shared/domain/result.ts'
import { because } from '../../../shared/words/reasons.ts'
import { findingIn } from '../../../shared/words/refusal.ts'
import { itemsOf } from '../../../shared/words/steps/coded.ts'
import type { Clock } from '../../platform/clock/clock.ts'
import type { ControllerWorld } from '../../ports/world.ts'
import type { ApplicationController, NodeWork, Progress, Snapshot } from './application-controller.ts'
import { waitsForOpenstackAndCeph } from './application-order.ts'
import { MADE_IN_DOUBT_ANNOTATION } from './decide-node.ts'

/** Older pod lists no longer prove that a node has no vRouter. */
const STALE_MS = 60_000

/** An annotation on a node's lock: the UID of the ClusterMaintenanceRequest of its last maintenance. */
const UPDATED_ANNOTATION = 'lockkeeper.dev/updated-under'

/** One node at a time (docs/domain.md A.9, A.4): a lock is released only while all containers of the node's vRouter pod are ready, and active only when they are again. */
export function tungstenFabricController(world: ControllerWorld, clock: Clock): ApplicationController {
  /** Nodes with a vRouter, and the monotonic time of the list; null until pods were listed. */
  let received: { readonly nodes: ReadonlySet<string>; readonly atMs: number } | null = null
  const nodesNow = () => (received === null || clock.monotonicMs() - received.atMs > STALE_MS ? null : received.nodes)
  return {
    name: 'tungstenfabric',
    concerns: (node, snapshot) => nodesNow()?.has(node.name) ?? (lockOf(node.name, snapshot) === null ? null : true),
    heldBack: (node, started) => {
      const [other] = started
      if (other === undefined) return null
      return because('DeferredForFabric', { node: node.name, other: other.name })
    },
    prepare: async work => {
      // A node that is deleted may be broken: its vRouter does not block.
      if (work.scope === 'delete') return { kind: 'ready' }
      const progress = await vrouterReady(work)
      return progress.kind === 'ready' ? recordUpdated(work) : progress
    },
    restore: vrouterReady,
    clusterWaits: async (world, snapshot, signal) => {
      const first = waitsForOpenstackAndCeph(world.cluster, snapshot)
      if (first !== null) return first
      const pods = await vrouterPods(world, signal)
      if (!pods.ok) return findingIn(pods.failure)
      const unready = pods.value.filter(pod => !isReady(pod))
      if (unready.length === 0) return null
      const named = unready.map(({ name: pod, nodeName: on }) => ({ pod, node: on }))
      return because('VRouterPodsAwaited', { unready: itemsOf(named), all: pods.value.length })
    },
    clusterProgress: snapshot => (received === null ? null : progressOf(snapshot, received.nodes)),
    refresh: async (_world, _snapshot, signal) => {
      const atMs = clock.monotonicMs()
      const pods = await vrouterPods(world, signal)
      if (pods.ok) received = { nodes: new Set(pods.value.flatMap(pod => pod.nodeName ?? [])), atMs }
    },
  }
}

async function vrouterPods(world: ControllerWorld, signal: AbortSignal): Promise<Result<readonly Pod[]>> {
  const { tungstenFabricNamespace, vrouterPods: selector } = world.cluster.maintenanceApi
  const pods = await world.kubernetes.listPods(tungstenFabricNamespace, signal)
  return pods.ok ? ok(pods.value.filter(pod => fitsSelector(pod.labels, selector))) : pods
}

/** A pod's Ready condition covers all its containers. */
function isReady(pod: Pod): boolean {
  return pod.ready && pod.deletionAt === null
}

async function vrouterReady({ node, snapshot, world, signal }: NodeWork): Promise<Progress> {
  const pods = await vrouterPods(world, signal)
  if (!pods.ok) {
    return pods.failure.code === 'aborted' ? { kind: 'stopped' } : { kind: 'waiting', why: findingIn(pods.failure) }
  }
  const here = pods.value.filter(pod => pod.nodeName === node.name)
  const lock = lockOf(node.name, snapshot())
  const inDoubt = lock?.annotations[MADE_IN_DOUBT_ANNOTATION] === 'true'
  // Once seen, the vRouter is required from then on, even while its pod is recreated.
  if (lock !== null && inDoubt && here.length > 0) {
    const settled = await world.locks.annotateLock(
      { kind: 'NodeWorkloadLock', name: lock.name, uid: lock.uid },
      { [MADE_IN_DOUBT_ANNOTATION]: 'false' },
      signal,
    )
    if (!settled.ok && settled.failure.code === 'aborted') return { kind: 'stopped' }
    if (!settled.ok) return { kind: 'waiting', why: findingIn(settled.failure) }
  }
  if (here.length > 0 && here.every(isReady)) return { kind: 'ready' }
  // A lock created before pods could be listed, for a node without vRouter while others have one: it does not block.
  if (inDoubt && here.length === 0 && pods.value.length > 0) return { kind: 'ready' }
  const unready = here.find(pod => !isReady(pod))
  const why =
    unready === undefined
      ? because('NoVRouterPod', { node: node.name })
      : because('VRouterPodAwaited', { pod: unready.name, node: node.name })
  return { kind: 'waiting', why }
}

/** Records the progress, so that it survives the node's restore and our restart. */
async function recordUpdated({ node, snapshot, world, signal }: NodeWork): Promise<Progress> {
  const request = snapshot().objects.clusterRequests.find(each => each.deletingSince === null)
  const lock = lockOf(node.name, snapshot())
  if (request === undefined || lock === null || lock.annotations[UPDATED_ANNOTATION] === request.uid) {
    return { kind: 'ready' }
  }
  const noted = await world.locks.annotateLock(
    { kind: 'NodeWorkloadLock', name: lock.name, uid: lock.uid },
    { [UPDATED_ANNOTATION]: request.uid },
    signal,
  )
  if (noted.ok) return { kind: 'ready' }
  return noted.failure.code === 'aborted' ? { kind: 'stopped' } : { kind: 'waiting', why: findingIn(noted.failure) }
}

/** `1 out of 5 nodes updated`, as the original controller writes it (docs/domain.md A.1). */
function progressOf(snapshot: Snapshot, nodes: ReadonlySet<string>) {
  const request = snapshot.objects.clusterRequests.find(each => each.deletingSince === null)
  if (request === undefined || nodes.size === 0) return null
  const names = snapshot.nodes.map(node => node.name)
  const updated = new Set(
    snapshot.objects.nodeLocks
      .filter(lock => lock.controller === 'tungstenfabric')
      .filter(lock => lock.state === 'inactive' || lock.annotations[UPDATED_ANNOTATION] === request.uid)
      .flatMap(lock => nodeMeant(lock.nodeName, names) ?? [])
      .filter(name => nodes.has(name)),
  ).size
  const percentage = Math.floor((100 * updated) / nodes.size)
  return { percentage, description: because('NodesUpdated', { updated, nodes: nodes.size }).message }
}

function lockOf(node: string, { objects, nodes }: Snapshot): NodeWorkloadLock | null {
  const names = nodes.map(each => each.name)
  const found = objects.nodeLocks.find(
    lock => lock.controller === 'tungstenfabric' && nodeMeant(lock.nodeName, names) === node,
  )
  return found ?? null
}
