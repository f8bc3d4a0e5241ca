import { createHash } from 'node:crypto'
import type { SimulatedCluster } from '../simulated-cluster.ts'
import { type Json, type JsonObject, listAt, numberAt, recordAt, textAt } from '../store/json.ts'
import { isTerminating } from '../store/kubernetes-object.ts'
import type { Stored } from '../store/models.ts'
import { timestamp } from '../store/timestamp.ts'
import type { Reconcile } from './control-loop.ts'
import { containersOf, isFinished, objectsOf, withCondition } from './controlled.ts'
import { isNodeReady } from './node-fit.ts'
import { endPod, isOneOff, oneOffRunOf } from './one-off-pod.ts'
import { putAnnotations, REBOOT_ANNOTATION } from './reboot-node.ts'
import { recordEvent } from './record-event.ts'

interface KubeletParts {
  readonly wake: () => void
  /** True while the cluster is being set up: all delays are 0. */
  readonly isInstant: () => boolean
  readonly stopped: AbortSignal
}

/** Runs the kubelets: pods start after `podStartMs` and stop after `podStopMs` or their grace period. Unready and frozen nodes do nothing. */
export function createHollowKubelet(cluster: SimulatedCluster, parts: KubeletParts): Reconcile {
  const due = new Map<string, number>()

  /** Whether a delay has ended; if not, plans a pass for its end. */
  function isDue(key: string, delayMs: number): boolean {
    const now = cluster.clock.now()
    const known = due.get(key)
    const time = Math.min(known ?? Number.POSITIVE_INFINITY, now + (parts.isInstant() ? 0 : delayMs))
    if (time <= now) {
      due.delete(key)
      return true
    }
    if (time === known) return false
    due.set(key, time)
    void wakeAt(key, time)
    return false
  }

  async function wakeAt(key: string, time: number): Promise<void> {
    while (!parts.stopped.aborted && due.get(key) === time && cluster.clock.now() < time) {
      await cluster.clock.sleep(time - cluster.clock.now(), parts.stopped)
    }
    if (!parts.stopped.aborted) parts.wake()
  }

  return () => {
    const nodes = new Map(objectsOf(cluster, 'Node').map(node => [node.metadata.name, node]))
    const seen = new Set<string>()
    for (const pod of objectsOf(cluster, 'Pod')) {
      const node = nodes.get(textAt(pod, 'spec', 'nodeName') ?? '')
      if (node === undefined || isSetByHand(pod)) continue
      const { uid } = pod.metadata
      seen.add(`start/${uid}`).add(`stop/${uid}`).add(`run/${uid}`)
      const { name } = node.metadata
      const works = isNodeReady(node) && !cluster.frozenNodes.has(name) && !cluster.silentNodes.has(name)
      if (!isNodeReady(node)) loseReadiness(cluster, pod)
      if (!works) continue
      if (isTerminating(pod)) {
        const grace = (pod.metadata.deletionGracePeriodSeconds ?? 30) * 1000
        if (isDue(`stop/${uid}`, Math.min(grace, cluster.timings.podStopMs))) finishDeletion(cluster, pod)
      } else if (textAt(pod, 'status', 'phase') === 'Pending' && isDue(`start/${uid}`, cluster.timings.podStartMs)) {
        start(cluster, pod, node)
      } else if (textAt(pod, 'status', 'phase') === 'Running') {
        const course = isOneOff(pod) ? oneOffRunOf(pod, cluster.timings.jobRunMs) : null
        if (course === null) restoreReadiness(cluster, pod)
        else if (isDue(`run/${uid}`, course.ms)) {
          endPod(cluster, pod, course.exitCode)
          if (course.reboots && course.exitCode === 0) putAnnotations(cluster, node, { [REBOOT_ANNOTATION]: 'job' })
        }
      }
    }
    for (const key of due.keys()) if (!seen.has(key)) due.delete(key)
  }
}

/** The reason on a pod whose node is lost. The kubelet does not restart a Succeeded or Failed pod. */
const NODE_LOST = 'NodeNotReady'
/** The reason while the containers are ready and a readiness gate is not. */
const GATES_CLOSED = 'ReadinessGatesNotReady'

function loseReadiness(cluster: SimulatedCluster, pod: Stored<'Pod'>): void {
  if (readyCondition(pod) !== 'True') return
  setReady(cluster, pod, 'False', NODE_LOST)
}

/** Restores the readiness that a pod lost with its node, once its readiness gates pass. Readiness that a test set stays. */
function restoreReadiness(cluster: SimulatedCluster, pod: Stored<'Pod'>): void {
  if (isFinished(pod)) return
  const reason = textAt(conditionOf(pod, 'Ready'), 'reason')
  const held = waitsForGates(pod)
  if (held && (reason === NODE_LOST || readyCondition(pod) === 'True')) setReady(cluster, pod, 'False', GATES_CLOSED)
  if (!held && (reason === NODE_LOST || reason === GATES_CLOSED)) setReady(cluster, pod, 'True', null)
}

/** Whether a readiness gate of the pod is not True (kubernetes `pkg/kubelet/status/generate.go`). */
function waitsForGates(pod: Stored<'Pod'>): boolean {
  return listAt(pod, 'spec', 'readinessGates').some(
    gate => textAt(conditionOf(pod, textAt(gate, 'conditionType') ?? ''), 'status') !== 'True',
  )
}

function setReady(
  cluster: SimulatedCluster,
  pod: Stored<'Pod'>,
  status: 'True' | 'False',
  reason: string | null,
): void {
  const conditions = withCondition(cluster, listAt(pod, 'status', 'conditions'), {
    type: 'Ready',
    status,
    lastProbeTime: null,
    ...(reason === null ? {} : { reason }),
  })
  cluster.store.put('pods', { ...pod, status: { ...recordAt(pod, 'status'), conditions } })
}

function readyCondition(pod: Stored<'Pod'>): string | undefined {
  return textAt(conditionOf(pod, 'Ready'), 'status')
}

function conditionOf(pod: Stored<'Pod'>, type: string): Json | undefined {
  return listAt(pod, 'status', 'conditions').find(one => textAt(one, 'type') === type)
}

/** Whether a test set the pod's phase and gave it no containers; the kubelet leaves such a pod alone. */
function isSetByHand(pod: Stored<'Pod'>): boolean {
  return containersOf(pod).length === 0 && !isTerminating(pod)
}

function finishDeletion(cluster: SimulatedCluster, pod: Stored<'Pod'>): void {
  if ((pod.metadata.finalizers ?? []).length === 0) {
    cluster.store.remove('pods', pod)
    return
  }
  // The kubelet has finished; the object stays until its finalizers are removed.
  if (pod.metadata.deletionGracePeriodSeconds !== 0) {
    cluster.store.put('pods', { ...pod, metadata: { ...pod.metadata, deletionGracePeriodSeconds: 0 } })
  }
}

function start(cluster: SimulatedCluster, pod: Stored<'Pod'>, node: Stored<'Node'>): void {
  const now = timestamp(cluster.clock.now())
  const podIp = addressOf(pod.metadata.uid)
  const hostIp = textAt(listAt(node, 'status', 'addresses')[0], 'address') ?? '127.0.0.1'
  let conditions = listAt(pod, 'status', 'conditions')
  for (const type of ['PodReadyToStartContainers', 'Initialized', 'Ready', 'ContainersReady', 'PodScheduled']) {
    const held = type === 'Ready' && waitsForGates(pod)
    const state = held ? ({ status: 'False', reason: GATES_CLOSED } as const) : ({ status: 'True' } as const)
    conditions = withCondition(cluster, conditions, { type, ...state, lastProbeTime: null })
  }
  const running = cluster.store.put('pods', {
    ...pod,
    status: {
      ...recordAt(pod, 'status'),
      phase: 'Running',
      conditions,
      hostIP: hostIp,
      podIP: podIp,
      podIPs: [{ ip: podIp }],
      startTime: now,
      containerStatuses: containersOf(pod).map(container => containerStatus(container, pod.metadata.uid, now)),
    },
  })
  recordEvent(cluster, running, {
    type: 'Normal',
    reason: 'Started',
    message: 'Started containers',
    component: 'kubelet',
  })
}

function containerStatus(container: Json, uid: string, now: string): JsonObject {
  const image = textAt(container, 'image') ?? ''
  const name = textAt(container, 'name') ?? ''
  return {
    name,
    image,
    imageID: image,
    containerID: `demo://${createHash('sha256').update(`${uid}/${name}`).digest('hex')}`,
    ready: true,
    started: true,
    restartCount: numberAt(container, 'restartCount') ?? 0,
    state: { running: { startedAt: now } },
    lastState: {},
  }
}

function addressOf(uid: string): string {
  const digest = createHash('sha256').update(uid).digest()
  return `10.244.${digest[0]}.${((digest[1] ?? 0) % 254) + 1}`
}
