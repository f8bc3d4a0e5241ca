import { randomUUID } from 'node:crypto'
import type { SimulatedCluster } from '../simulated-cluster.ts'
import { listAt, numberAt, recordAt, textAt } from '../store/json.ts'
import type { StoredObject } from '../store/kubernetes-object.ts'
import { timestamp } from '../store/timestamp.ts'
import type { Reconcile } from './control-loop.ts'
import { objectsOf } from './controlled.ts'
import { setReadyCondition } from './node-lifecycle.ts'
import { isOneOff } from './one-off-pod.ts'

/** On a node of a demo cloud: reboots it. The machine's own power button is out of reach of `kubectl`, this stands in for it. */
export const REBOOT_ANNOTATION = 'demo.lockkeeper.dev/reboot'
/** On a node of a demo cloud, before its reboot: the kubelet version it comes back with. */
export const NEXT_KUBELET_ANNOTATION = 'demo.lockkeeper.dev/next-kubelet-version'

/** Reboots one machine; settles when its kubelet reports again. */
export type RebootNode = (name: string) => Promise<void>

/**
 * Makes reboots: the kubelet falls silent, and `rebootMs` later reports Ready with a new boot id, the kubelet version that the node's
 * annotation asks for, and every container started once more. A node that reboots already is waited for.
 */
export function createReboots(cluster: SimulatedCluster, stopped: AbortSignal): RebootNode {
  const underWay = new Map<string, Promise<void>>()
  const reboot = async (name: string) => {
    setReadyCondition(cluster, name, 'Unknown')
    await cluster.clock.sleep(cluster.timings.rebootMs, stopped)
    if (stopped.aborted || cluster.store.get('nodes', null, name) === null) return
    comeBack(cluster, name)
    setReadyCondition(cluster, name, 'True')
  }
  return name => {
    const known = underWay.get(name)
    if (known !== undefined) return known
    const fresh = reboot(name).finally(() => underWay.delete(name))
    underWay.set(name, fresh)
    return fresh
  }
}

/** Reboots the nodes whose annotation asks for it. */
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
  node: StoredObject,
  change: Readonly<Record<string, string | undefined>>,
): void {
  const annotations = Object.fromEntries(
    Object.entries({ ...node.metadata.annotations, ...change }).flatMap(([key, text]) =>
      text === undefined ? [] : [[key, text]],
    ),
  )
  cluster.store.put('nodes', { ...node, metadata: { ...node.metadata, annotations } })
}

function comeBack(cluster: SimulatedCluster, name: string): void {
  const node = cluster.store.get('nodes', null, name)
  if (node === null) return
  const next = node.metadata.annotations?.[NEXT_KUBELET_ANNOTATION]
  const versions = next === undefined ? {} : { kubeletVersion: next, kubeProxyVersion: next }
  const nodeInfo = { ...recordAt(node, 'status', 'nodeInfo'), bootID: randomUUID(), ...versions }
  putAnnotations(
    cluster,
    { ...node, status: { ...recordAt(node, 'status'), nodeInfo } },
    { [NEXT_KUBELET_ANNOTATION]: undefined },
  )
  const now = timestamp(cluster.clock.now())
  for (const pod of objectsOf(cluster, 'Pod')) {
    if (textAt(pod, 'spec', 'nodeName') !== name || textAt(pod, 'status', 'phase') !== 'Running' || isOneOff(pod))
      continue
    const containerStatuses = listAt(pod, 'status', 'containerStatuses').map(one => ({
      ...recordAt(one),
      restartCount: (numberAt(one, 'restartCount') ?? 0) + 1,
      state: { running: { startedAt: now } },
    }))
    cluster.store.put('pods', { ...pod, status: { ...recordAt(pod, 'status'), containerStatuses } })
  }
}
