import { isReady } from '../rest/evict-pod.ts'
import type { SimulatedCluster } from '../simulated-cluster.ts'
import { type Json, type JsonObject, listAt, recordAt, textAt } from '../store/json.ts'
import { isTerminating } from '../store/kubernetes-object.ts'
import type { Stored } from '../store/models.ts'
import { type Reconcile, whenChanged } from './control-loop.ts'
import {
  controlledBy,
  createControlled,
  deleteControlled,
  isFinished,
  livingObjects,
  objectsOf,
  podFromTemplate,
  templateHash,
  writeStatus,
} from './controlled.ts'
import { selectsNode, toleratesNode } from './node-fit.ts'

/** Runs one pod of each DaemonSet on every node that it selects and tolerates, cordoned nodes included. */
export function createDaemonSetController(cluster: SimulatedCluster): Reconcile {
  return whenChanged(cluster.store, ['daemonsets.apps', 'pods', 'nodes', 'namespaces'], () => {
    const nodes = objectsOf(cluster, 'Node')
    for (const set of livingObjects(cluster, 'DaemonSet')) reconcileSet(cluster, set, nodes)
  })
}

/** The tolerations that the controller adds to its pods (daemon/util AddOrUpdateDaemonPodTolerations). */
const ADDED_TOLERATIONS: readonly Json[] = [
  ['not-ready', 'NoExecute'],
  ['unreachable', 'NoExecute'],
  ['disk-pressure', 'NoSchedule'],
  ['memory-pressure', 'NoSchedule'],
  ['pid-pressure', 'NoSchedule'],
  ['unschedulable', 'NoSchedule'],
].map(([key = '', effect = '']) => ({ key: `node.kubernetes.io/${key}`, operator: 'Exists', effect }))

function reconcileSet(cluster: SimulatedCluster, set: Stored<'DaemonSet'>, nodes: readonly Stored<'Node'>[]): void {
  const template = podFromTemplate(recordAt(set, 'spec', 'template'))
  const hash = templateHash(recordAt(set, 'spec', 'template'))
  const tolerations = [...listAt(template.spec, 'tolerations'), ...ADDED_TOLERATIONS]
  const spec: JsonObject = { ...template.spec, tolerations }
  const eligible = nodes.filter(node => fits(spec, node))
  const pods = controlledBy(cluster, set, 'Pod')
  for (const node of eligible) {
    const here = pods.filter(pod => nodeOf(pod) === node.metadata.name)
    for (const pod of here) if (isFinished(pod) && !isTerminating(pod)) deleteControlled(cluster, 'Pod', pod)
    if (here.length > 0) continue
    createControlled(
      cluster,
      set,
      'Pod',
      {
        ...template.metadata,
        generateName: `${set.metadata.name}-`,
        labels: { ...template.metadata.labels, 'controller-revision-hash': hash, 'pod-template-generation': '1' },
      },
      { spec: { ...spec, nodeName: node.metadata.name } },
    )
  }
  for (const pod of pods) {
    const home = nodes.find(node => node.metadata.name === nodeOf(pod))
    if ((home === undefined || !mayStay(spec, home)) && !isTerminating(pod)) deleteControlled(cluster, 'Pod', pod)
  }
  updateOne(cluster, set, hash)
  reportStatus(cluster, set, eligible.length, hash)
}

/** Whether a DaemonSet runs on a node. It tolerates unready and cordoned nodes, whatever the template says. */
function fits(spec: JsonObject, node: Stored<'Node'>): boolean {
  return selectsNode(spec, node) && toleratesNode(spec, node, ['NoSchedule', 'NoExecute'])
}

/** Whether an existing pod may stay on a node that would not get a new one (daemon_controller.go `nodeShouldRunDaemonPod`). */
function mayStay(spec: JsonObject, node: Stored<'Node'>): boolean {
  return selectsNode(spec, node) && toleratesNode(spec, node, ['NoExecute'])
}

/** Replaces one outdated pod if all other pods are ready. */
function updateOne(cluster: SimulatedCluster, set: Stored<'DaemonSet'>, hash: string): void {
  if (textAt(set, 'spec', 'updateStrategy', 'type') === 'OnDelete') return
  const pods = controlledBy(cluster, set, 'Pod')
  const outdated = pods.find(pod => pod.metadata.labels?.['controller-revision-hash'] !== hash && !isTerminating(pod))
  if (outdated === undefined) return
  if (pods.every(pod => pod === outdated || (isReady(pod) && !isTerminating(pod)))) {
    deleteControlled(cluster, 'Pod', outdated)
  }
}

function reportStatus(cluster: SimulatedCluster, set: Stored<'DaemonSet'>, desired: number, hash: string): void {
  const pods = controlledBy(cluster, set, 'Pod').filter(pod => !isTerminating(pod))
  const ready = pods.filter(isReady).length
  const updated = pods.filter(pod => pod.metadata.labels?.['controller-revision-hash'] === hash).length
  writeStatus(cluster, 'DaemonSet', set, {
    currentNumberScheduled: pods.length,
    numberMisscheduled: 0,
    desiredNumberScheduled: desired,
    numberReady: ready,
    observedGeneration: set.metadata.generation ?? 1,
    updatedNumberScheduled: updated,
    numberAvailable: ready,
    ...(desired > ready ? { numberUnavailable: desired - ready } : {}),
  })
}

function nodeOf(pod: Stored<'Pod'>): string | undefined {
  return textAt(pod, 'spec', 'nodeName')
}
