import type { SimulatedCluster } from '../simulated-cluster.ts'
import { at, isTrueAt, type Json, listAt, numberAt, recordAt, textAt } from '../store/json.ts'
import { controllerOf, isTerminating } from '../store/kubernetes-object.ts'
import type { Stored } from '../store/models.ts'
import type { Reconcile } from './control-loop.ts'
import { isFinished, objectsOf, withCondition, writeStatus } from './controlled.ts'
import { provisionVolumes, reachesVolumes } from './local-volumes.ts'
import { antiAffinityHits, isNodeReady, selectsNode, toleratesNode } from './node-fit.ts'
import { recordEvent } from './record-event.ts'

/** A small kube-scheduler: affinity, taints and required anti-affinity decide; preferred anti-affinity and an even spread weigh. */
export function createScheduler(cluster: SimulatedCluster): Reconcile {
  return () => {
    const waiting = objectsOf(cluster, 'Pod').filter(
      pod => textAt(pod, 'spec', 'nodeName') === undefined && !isTerminating(pod) && !isFinished(pod),
    )
    if (waiting.length === 0) return
    const nodes = new Map(objectsOf(cluster, 'Node').map(node => [node.metadata.name, node]))
    for (const pod of waiting) {
      const placed = objectsOf(cluster, 'Pod').filter(
        one => at(one, 'spec', 'nodeName') !== undefined && !isFinished(one),
      )
      const { node, why } = choose(cluster, pod, nodes, placed)
      if (node === null) explain(cluster, pod, why)
      else bind(cluster, pod, node)
    }
  }
}

function choose(
  cluster: SimulatedCluster,
  pod: Stored<'Pod'>,
  nodes: ReadonlyMap<string, Stored<'Node'>>,
  placed: readonly Stored<'Pod'>[],
): { readonly node: Stored<'Node'> | null; readonly why: string } {
  const reasons = new Map<string, number>()
  const scores: { readonly node: Stored<'Node'>; readonly score: number }[] = []
  for (const node of nodes.values()) {
    const obstacle = reachesVolumes(cluster, pod, node)
      ? obstacleOn(pod, node, nodes, placed)
      : 'node(s) had volume node affinity conflict'
    if (obstacle === null) scores.push({ node, score: scoreOf(pod, node, nodes, placed) })
    else reasons.set(obstacle, (reasons.get(obstacle) ?? 0) + 1)
  }
  const [best] = scores.sort((a, b) => b.score - a.score || (a.node.metadata.name < b.node.metadata.name ? -1 : 1))
  const counts = [...reasons].map(([reason, count]) => `${count} ${reason}`).sort()
  return { node: best?.node ?? null, why: `0/${nodes.size} nodes are available: ${counts.join(', ')}.` }
}

function obstacleOn(
  pod: Stored<'Pod'>,
  node: Stored<'Node'>,
  nodes: ReadonlyMap<string, Stored<'Node'>>,
  placed: readonly Stored<'Pod'>[],
): string | null {
  const spec = recordAt(pod, 'spec')
  if (isTrueAt(node, 'spec', 'unschedulable') && !toleratesCordon(pod)) return 'node(s) were unschedulable'
  if (!selectsNode(spec, node)) return "node(s) didn't match Pod's node affinity/selector"
  if (!isNodeReady(node)) return 'node(s) were not ready'
  const taints = listAt(node, 'spec', 'taints').filter(taint => at(taint, 'key') !== 'node.kubernetes.io/unschedulable')
  const relevant = { ...node, spec: { ...recordAt(node, 'spec'), taints } }
  if (!toleratesNode(spec, relevant, ['NoSchedule', 'NoExecute'])) return 'node(s) had untolerated taint'
  const terms = listAt(spec, 'affinity', 'podAntiAffinity', 'requiredDuringSchedulingIgnoredDuringExecution')
  const hit = terms.some(term => antiAffinityHits(term, pod.metadata.namespace ?? '', node, nodes, placed) > 0)
  return hit ? "node(s) didn't match pod anti-affinity rules" : null
}

function toleratesCordon(pod: Stored<'Pod'>): boolean {
  return listAt(pod, 'spec', 'tolerations').some(
    one =>
      at(one, 'operator') === 'Exists' &&
      [undefined, 'node.kubernetes.io/unschedulable'].includes(textAt(one, 'key')) &&
      [undefined, 'NoSchedule'].includes(textAt(one, 'effect')),
  )
}

function scoreOf(
  pod: Stored<'Pod'>,
  node: Stored<'Node'>,
  nodes: ReadonlyMap<string, Stored<'Node'>>,
  placed: readonly Stored<'Pod'>[],
): number {
  const namespace = pod.metadata.namespace ?? ''
  const here = placed.filter(one => textAt(one, 'spec', 'nodeName') === node.metadata.name)
  const owner = controllerOf(pod)?.uid
  const siblings = owner === undefined ? 0 : here.filter(one => controllerOf(one)?.uid === owner).length
  const preferred = listAt(
    pod,
    'spec',
    'affinity',
    'podAntiAffinity',
    'preferredDuringSchedulingIgnoredDuringExecution',
  )
  const unwanted = preferred.reduce<number>((sum, wish: Json) => {
    const hits = antiAffinityHits(recordAt(wish, 'podAffinityTerm'), namespace, node, nodes, placed)
    return sum + hits * (numberAt(wish, 'weight') ?? 1)
  }, 0)
  return -(unwanted * 1000 + siblings * 100 + here.length)
}

function bind(cluster: SimulatedCluster, pod: Stored<'Pod'>, node: Stored<'Node'>): void {
  const conditions = withCondition(cluster, listAt(pod, 'status', 'conditions'), {
    type: 'PodScheduled',
    status: 'True',
    lastProbeTime: null,
  })
  const bound = cluster.store.put('pods', {
    ...pod,
    spec: { ...recordAt(pod, 'spec'), nodeName: node.metadata.name },
    status: { ...recordAt(pod, 'status'), conditions: conditions.map(withoutReason) },
  })
  provisionVolumes(cluster, pod, node)
  const message = `Successfully assigned ${pod.metadata.namespace}/${pod.metadata.name} to ${node.metadata.name}`
  recordEvent(cluster, bound, { type: 'Normal', reason: 'Scheduled', message, component: 'default-scheduler' })
}

function withoutReason(condition: Json): Json {
  if (at(condition, 'type') !== 'PodScheduled') return condition
  const { reason: _, message: __, ...rest } = recordAt(condition)
  return rest
}

function explain(cluster: SimulatedCluster, pod: Stored<'Pod'>, why: string): void {
  const status = recordAt(pod, 'status')
  const before = listAt(status, 'conditions').find(one => at(one, 'type') === 'PodScheduled')
  if (textAt(before, 'message') === why) return
  const conditions = withCondition(cluster, listAt(status, 'conditions'), {
    type: 'PodScheduled',
    status: 'False',
    reason: 'Unschedulable',
    message: why,
    lastProbeTime: null,
  })
  writeStatus(cluster, 'Pod', pod, { ...status, conditions })
  recordEvent(cluster, pod, {
    type: 'Warning',
    reason: 'FailedScheduling',
    message: why,
    component: 'default-scheduler',
  })
}
