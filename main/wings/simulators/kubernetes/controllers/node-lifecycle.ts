import { createHash } from 'node:crypto'
import type { SimulatedCluster } from '../simulated-cluster.ts'
import { at, isTrueAt, type Json, type JsonObject, listAt, recordAt, textAt } from '../store/json.ts'
import type { Stored } from '../store/models.ts'
import { microTimestamp, timestamp } from '../store/timestamp.ts'
import { type Reconcile, whenChanged } from './control-loop.ts'
import { objectsOf, withCondition } from './controlled.ts'
import { isNodeReady } from './node-fit.ts'
import { recordEvent } from './record-event.ts'

/** The status of a node's Ready condition; `Unknown` means that its kubelet stopped reporting. */
export type ReadyStatus = 'True' | 'False' | 'Unknown'

const LEASES = 'leases.coordination.k8s.io'
const LEASE_NAMESPACE = 'kube-node-lease'
const STATUS_REPORT_MS = 5 * 60_000

/** Registers new nodes and sets the taints for cordon and readiness (kubernetes node lifecycle controller). */
export function createNodeLifecycle(cluster: SimulatedCluster): Reconcile {
  return whenChanged(cluster.store, ['nodes'], () => {
    for (const node of objectsOf(cluster, 'Node')) {
      const known = listAt(node, 'status', 'conditions').some(condition => at(condition, 'type') === 'Ready')
      if (known) keepTaints(cluster, node)
      else register(cluster, node)
    }
  })
}

/** Sets a node's Ready condition. */
export function setReadyCondition(cluster: SimulatedCluster, name: string, status: ReadyStatus): void {
  const node = cluster.store.get('nodes', null, name)
  if (node === null) throw new Error(`The simulated cluster has no node ${name}`)
  const words: Readonly<Record<ReadyStatus, readonly [reason: string, message: string]>> = {
    True: ['KubeletReady', 'kubelet is posting ready status'],
    False: ['KubeletNotReady', 'container runtime network not ready'],
    Unknown: ['NodeStatusUnknown', 'Kubelet stopped posting node status.'],
  }
  const [reason, message] = words[status]
  const conditions = withCondition(cluster, listAt(node, 'status', 'conditions'), {
    type: 'Ready',
    status,
    reason,
    message,
    lastHeartbeatTime: timestamp(cluster.clock.now()),
  })
  const changed = cluster.store.put('nodes', { ...node, status: { ...recordAt(node, 'status'), conditions } })
  const event = status === 'True' ? 'NodeReady' : 'NodeNotReady'
  const text = `Node ${name} status is now: ${event}`
  recordEvent(cluster, changed, { type: 'Normal', reason: event, message: text, component: 'node-controller' })
}

/** Renews the Lease of every ready node, and every 5 minutes the heartbeat times of its conditions, until stopped. */
export async function runHeartbeats(cluster: SimulatedCluster, stopped: AbortSignal): Promise<void> {
  while (!stopped.aborted) {
    for (const node of objectsOf(cluster, 'Node').filter(
      each => isNodeReady(each) && !cluster.silentNodes.has(each.metadata.name),
    )) {
      renewLease(cluster, node)
      reportStatus(cluster, node)
    }
    await cluster.clock.sleep(cluster.timings.heartbeatMs, stopped)
  }
}

function renewLease(cluster: SimulatedCluster, node: Stored<'Node'>): void {
  const { name, uid } = node.metadata
  const now = cluster.clock.now()
  const lease = cluster.store.get(LEASES, LEASE_NAMESPACE, name)
  cluster.store.put(LEASES, {
    apiVersion: 'coordination.k8s.io/v1',
    kind: 'Lease',
    metadata: lease?.metadata ?? {
      name,
      namespace: LEASE_NAMESPACE,
      uid: `lease-${uid}`,
      creationTimestamp: timestamp(now),
      ownerReferences: [{ apiVersion: 'v1', kind: 'Node', name, uid }],
    },
    spec: { holderIdentity: name, leaseDurationSeconds: 40, renewTime: microTimestamp(now) },
  })
}

function reportStatus(cluster: SimulatedCluster, node: Stored<'Node'>): void {
  const now = cluster.clock.now()
  const conditions = listAt(node, 'status', 'conditions')
  const oldest = Math.min(...conditions.map(one => Date.parse(textAt(one, 'lastHeartbeatTime') ?? '')))
  if (now - oldest < STATUS_REPORT_MS) return
  const fresh = conditions.map(one => ({ ...recordAt(one), lastHeartbeatTime: timestamp(now) }))
  cluster.store.put('nodes', { ...node, status: { ...recordAt(node, 'status'), conditions: fresh } })
}

function keepTaints(cluster: SimulatedCluster, node: Stored<'Node'>): void {
  const ready = listAt(node, 'status', 'conditions').find(condition => at(condition, 'type') === 'Ready')
  const status = textAt(ready, 'status')
  const lost = status === 'Unknown' ? 'unreachable' : status === 'False' ? 'not-ready' : null
  const wanted: Json[] = []
  if (isTrueAt(node, 'spec', 'unschedulable')) wanted.push(taint('unschedulable', 'NoSchedule'))
  if (lost !== null) wanted.push(taint(lost, 'NoSchedule'), taint(lost, 'NoExecute'))
  const current = listAt(node, 'spec', 'taints')
  const isOurs = (one: Json): boolean =>
    ['unschedulable', 'unreachable', 'not-ready'].some(key => at(one, 'key') === `node.kubernetes.io/${key}`)
  const same = (a: Json, b: Json): boolean => at(a, 'key') === at(b, 'key') && at(a, 'effect') === at(b, 'effect')
  const ours = current.filter(isOurs)
  if (ours.length === wanted.length && wanted.every(one => ours.some(other => same(one, other)))) return
  const kept = wanted.map(one => ours.find(other => same(one, other)) ?? stamped(cluster, one))
  const taints = [...current.filter(one => !isOurs(one)), ...kept]
  const { taints: _, ...spec } = recordAt(node, 'spec')
  const changed = cluster.store.put('nodes', { ...node, spec: taints.length === 0 ? spec : { ...spec, taints } })
  const wasCordoned = ours.some(one => at(one, 'key') === 'node.kubernetes.io/unschedulable')
  const isCordoned = isTrueAt(node, 'spec', 'unschedulable')
  if (wasCordoned !== isCordoned) {
    const reason = isCordoned ? 'NodeNotSchedulable' : 'NodeSchedulable'
    const message = `Node ${node.metadata.name} status is now: ${reason}`
    recordEvent(cluster, changed, { type: 'Normal', reason, message, component: 'kubelet' })
  }
}

function taint(key: string, effect: string): JsonObject {
  return { key: `node.kubernetes.io/${key}`, effect }
}

function stamped(cluster: SimulatedCluster, one: Json): Json {
  return { ...recordAt(one), timeAdded: timestamp(cluster.clock.now()) }
}

/** Adds the fields that a kubelet would report; values in the seed stay. */
function register(cluster: SimulatedCluster, node: Stored<'Node'>): void {
  const { name } = node.metadata
  const now = timestamp(cluster.clock.now())
  const status = recordAt(node, 'status')
  const healthy = (type: string, reason: string, message: string): Json => ({
    type,
    status: 'False',
    reason,
    message,
    lastHeartbeatTime: now,
    lastTransitionTime: now,
  })
  const digest = createHash('sha256').update(node.metadata.uid).digest()
  const resources = { cpu: '32', memory: '256Gi', 'ephemeral-storage': '500Gi', pods: '110' }
  const changed = cluster.store.put('nodes', {
    ...node,
    metadata: {
      ...node.metadata,
      labels: {
        'kubernetes.io/arch': 'amd64',
        'kubernetes.io/hostname': name,
        'kubernetes.io/os': 'linux',
        ...node.metadata.labels,
      },
    },
    status: {
      capacity: resources,
      allocatable: resources,
      addresses: [
        { type: 'InternalIP', address: `10.0.${(digest[0] ?? 0) % 250}.${((digest[1] ?? 0) % 250) + 2}` },
        { type: 'Hostname', address: name },
      ],
      ...status,
      nodeInfo: {
        machineID: digest.toString('hex').slice(0, 32),
        systemUUID: digest.toString('hex').slice(0, 32),
        bootID: digest.toString('hex').slice(32, 64),
        kernelVersion: '6.8.0-45-generic',
        osImage: 'Ubuntu 24.04.1 LTS',
        containerRuntimeVersion: 'containerd://1.7.22',
        kubeletVersion: cluster.release.version,
        kubeProxyVersion: cluster.release.version,
        operatingSystem: 'linux',
        architecture: 'amd64',
        ...recordAt(status, 'nodeInfo'),
      },
      conditions: [
        healthy('MemoryPressure', 'KubeletHasSufficientMemory', 'kubelet has sufficient memory available'),
        healthy('DiskPressure', 'KubeletHasNoDiskPressure', 'kubelet has no disk pressure'),
        healthy('PIDPressure', 'KubeletHasSufficientPID', 'kubelet has sufficient PID available'),
        ...listAt(status, 'conditions'),
      ],
    },
  })
  setReadyCondition(cluster, changed.metadata.name, 'True')
}
