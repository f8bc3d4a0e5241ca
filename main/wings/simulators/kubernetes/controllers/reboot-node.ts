import { randomUUID } from 'node:crypto'
import type { SimulatedCluster } from '../simulated-cluster.ts'
import { type JsonObject, listAt, numberAt, recordAt, textAt } from '../store/json.ts'
import type { Stored } from '../store/models.ts'
import { timestamp } from '../store/timestamp.ts'
import type { Reconcile } from './control-loop.ts'
import { objectsOf, withCondition } from './controlled.ts'
import { setReadyCondition } from './node-lifecycle.ts'
import { isOneOff } from './one-off-pod.ts'

/** Set this on a node of a demo cloud to reboot it; `kubectl` cannot press the machine's power button. */
export const REBOOT_ANNOTATION = 'demo.lockkeeper.dev/reboot'
/** The kubelet version that a node of a demo cloud has after its next reboot. */
export const NEXT_KUBELET_ANNOTATION = 'demo.lockkeeper.dev/next-kubelet-version'

/** Reboots one machine; resolves when its kubelet is Ready again, before its pods are. */
export type RebootNode = (name: string) => Promise<void>

/** Reboots nodes as a machine does: silent, Unknown, Ready with another boot id, then restarted pods. A second call waits for the same reboot. */
export function createReboots(cluster: SimulatedCluster, stopped: AbortSignal): RebootNode {
  const underWay = new Map<string, Promise<void>>()
  const { clock, timings, silentNodes } = cluster
  const passes = async (name: string, ms: number) => {
    await clock.sleep(ms, stopped)
    return !stopped.aborted && cluster.store.get('nodes', null, name) !== null
  }
  const reboot = async (name: string) => {
    const graceMs = Math.min(timings.nodeGraceMs, timings.rebootMs)
    silentNodes.set(name, clock.now())
    if (!(await passes(name, graceMs))) return
    if (timings.rebootMs > graceMs) setReadyCondition(cluster, name, 'Unknown')
    if (!(await passes(name, timings.rebootMs - graceMs))) return
    const lost = setNewBootId(cluster, name)
    silentNodes.delete(name)
    setReadyCondition(cluster, name, 'False')
    if (!(await passes(name, timings.kubeletReadyMs))) return
    setReadyCondition(cluster, name, 'True')
    void restartPods(name, lost)
  }
  const restartPods = async (name: string, pods: readonly string[]) => {
    for (const uid of pods) {
      if (!(await passes(name, timings.podRestartMs)) || silentNodes.has(name)) return
      restartContainers(cluster, uid)
    }
  }
  return name => {
    const known = underWay.get(name)
    if (known !== undefined) return known
    const fresh = reboot(name).finally(() => underWay.delete(name))
    underWay.set(name, fresh)
    return fresh
  }
}

/** Reboots the nodes that have the reboot annotation. */
export function createRebootsOnRequest(cluster: SimulatedCluster, reboot: RebootNode): Reconcile {
  return () => {
    for (const node of objectsOf(cluster, 'Node')) {
      if (node.metadata.annotations?.[REBOOT_ANNOTATION] === undefined) continue
      putAnnotations(cluster, node, { [REBOOT_ANNOTATION]: undefined })
      void reboot(node.metadata.name)
    }
  }
}

/** Sets annotations of a node; undefined removes one. */
export function putAnnotations(
  cluster: SimulatedCluster,
  node: Stored<'Node'>,
  change: Readonly<Record<string, string | undefined>>,
): void {
  const annotations = Object.fromEntries(
    Object.entries({ ...node.metadata.annotations, ...change }).flatMap(([key, text]) =>
      text === undefined ? [] : [[key, text]],
    ),
  )
  cluster.store.put('nodes', { ...node, metadata: { ...node.metadata, annotations } })
}

/** Gives the node its new boot id; returns the pods whose containers must be restarted. */
function setNewBootId(cluster: SimulatedCluster, name: string): readonly string[] {
  const node = cluster.store.get('nodes', null, name)
  if (node === null) return []
  const next = node.metadata.annotations?.[NEXT_KUBELET_ANNOTATION]
  const versions = next === undefined ? {} : { kubeletVersion: next, kubeProxyVersion: next }
  const nodeInfo = { ...recordAt(node, 'status', 'nodeInfo'), bootID: randomUUID(), ...versions }
  putAnnotations(
    cluster,
    { ...node, status: { ...recordAt(node, 'status'), nodeInfo } },
    { [NEXT_KUBELET_ANNOTATION]: undefined },
  )
  const lost = objectsOf(cluster, 'Pod').filter(
    pod => textAt(pod, 'spec', 'nodeName') === name && textAt(pod, 'status', 'phase') === 'Running' && !isOneOff(pod),
  )
  for (const pod of lost) {
    const containerStatuses = listAt(pod, 'status', 'containerStatuses').map(one => ({
      ...recordAt(one),
      ready: false,
      started: false,
      state: { waiting: { reason: 'ContainerCreating' } },
      lastState: { terminated: { exitCode: 255, reason: 'Unknown' } },
    }))
    putReadiness(cluster, pod, containerStatuses, { status: 'False', reason: 'ContainersNotReady' })
  }
  return lost.map(pod => pod.metadata.uid)
}

function restartContainers(cluster: SimulatedCluster, uid: string): void {
  const pod = objectsOf(cluster, 'Pod').find(one => one.metadata.uid === uid)
  if (pod === undefined) return
  const containerStatuses = listAt(pod, 'status', 'containerStatuses').map(one => ({
    ...recordAt(one),
    ready: true,
    started: true,
    restartCount: (numberAt(one, 'restartCount') ?? 0) + 1,
    state: { running: { startedAt: timestamp(cluster.clock.now()) } },
  }))
  // The kubelet applies readiness gates at its next pass.
  putReadiness(cluster, pod, containerStatuses, { status: 'True' })
}

function putReadiness(
  cluster: SimulatedCluster,
  pod: Stored<'Pod'>,
  containerStatuses: readonly JsonObject[],
  state: { readonly status: 'True' | 'False'; readonly reason?: string },
): void {
  let conditions = listAt(pod, 'status', 'conditions')
  for (const type of ['ContainersReady', 'Ready']) {
    conditions = withCondition(cluster, conditions, { type, ...state, lastProbeTime: null })
  }
  cluster.store.put('pods', { ...pod, status: { ...recordAt(pod, 'status'), conditions, containerStatuses } })
}
