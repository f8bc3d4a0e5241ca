import { isReady } from '../rest/evict-pod.ts'
import type { SimulatedCluster } from '../simulated-cluster.ts'
import { listAt, numberAt, recordAt, textAt } from '../store/json.ts'
import { isTerminating, type StoredObject } from '../store/kubernetes-object.ts'
import type { Stored } from '../store/models.ts'
import type { Reconcile } from './control-loop.ts'
import {
  controlledBy,
  createControlled,
  deleteControlled,
  isFinished,
  livingObjects,
  podFromTemplate,
  templateHash,
  writeStatus,
} from './controlled.ts'

/** Keeps pods NAME-0 … NAME-n of each StatefulSet, one after another; a pod is replaced only after the old one is gone. */
export function createStatefulSetController(cluster: SimulatedCluster): Reconcile {
  return () => {
    for (const set of livingObjects(cluster, 'StatefulSet')) reconcileSet(cluster, set)
  }
}

function reconcileSet(cluster: SimulatedCluster, set: Stored<'StatefulSet'>): void {
  const wanted = numberAt(set, 'spec', 'replicas') ?? 1
  const revision = `${set.metadata.name}-${templateHash(recordAt(set, 'spec', 'template'))}`
  const isParallel = textAt(set, 'spec', 'podManagementPolicy') === 'Parallel'
  const pods = new Map(controlledBy(cluster, set, 'Pod').map(pod => [ordinalOf(set, pod), pod]))
  createMissing(cluster, set, pods, wanted, revision, isParallel)
  const surplus = [...pods].filter(([ordinal]) => ordinal >= wanted).sort(([a], [b]) => b - a)
  for (const [, pod] of isParallel ? surplus : surplus.slice(0, 1)) {
    if (!isTerminating(pod)) deleteControlled(cluster, 'Pod', pod)
  }
  if (surplus.length === 0) updateOne(cluster, set, pods, wanted, revision)
  reportStatus(cluster, set, revision)
}

function createMissing(
  cluster: SimulatedCluster,
  set: Stored<'StatefulSet'>,
  pods: ReadonlyMap<number, StoredObject>,
  wanted: number,
  revision: string,
  isParallel: boolean,
): void {
  for (let ordinal = 0; ordinal < wanted; ordinal += 1) {
    const pod = pods.get(ordinal)
    if (pod === undefined) createPod(cluster, set, ordinal, revision)
    else if (isFinished(pod) && !isTerminating(pod)) deleteControlled(cluster, 'Pod', pod)
    const serves = pod !== undefined && !isTerminating(pod) && isReady(pod)
    if (!serves && !isParallel) return
  }
}

function createPod(cluster: SimulatedCluster, set: Stored<'StatefulSet'>, ordinal: number, revision: string): void {
  const name = `${set.metadata.name}-${ordinal}`
  const template = podFromTemplate(recordAt(set, 'spec', 'template'))
  const claims = listAt(set, 'spec', 'volumeClaimTemplates').map(claim => {
    const claimName = `${textAt(claim, 'metadata', 'name') ?? 'data'}-${name}`
    if (cluster.store.get('persistentvolumeclaims', set.metadata.namespace ?? null, claimName) === null) {
      // A claim has no owner, so it outlives its pod and its set.
      cluster.store.put('persistentvolumeclaims', {
        apiVersion: 'v1',
        kind: 'PersistentVolumeClaim',
        metadata: {
          name: claimName,
          namespace: set.metadata.namespace ?? 'default',
          uid: `pvc-${set.metadata.uid}-${claimName}`,
          creationTimestamp: set.metadata.creationTimestamp,
        },
        spec: { ...recordAt(claim, 'spec'), volumeName: `pvc-${claimName}` },
        status: { phase: 'Bound' },
      })
    }
    return { name: textAt(claim, 'metadata', 'name') ?? 'data', persistentVolumeClaim: { claimName } }
  })
  const volumes = [...listAt(template.spec, 'volumes'), ...claims]
  createControlled(
    cluster,
    set,
    'Pod',
    {
      ...template.metadata,
      name,
      generateName: `${set.metadata.name}-`,
      labels: {
        ...template.metadata.labels,
        'apps.kubernetes.io/pod-index': String(ordinal),
        'controller-revision-hash': revision,
        'statefulset.kubernetes.io/pod-name': name,
      },
    },
    {
      spec: {
        ...template.spec,
        hostname: name,
        subdomain: textAt(set, 'spec', 'serviceName') ?? '',
        ...(volumes.length === 0 ? {} : { volumes }),
      },
    },
  )
}

/** Replaces the outdated pod with the highest number once all pods are ready. */
function updateOne(
  cluster: SimulatedCluster,
  set: Stored<'StatefulSet'>,
  pods: ReadonlyMap<number, StoredObject>,
  wanted: number,
  revision: string,
): void {
  if (textAt(set, 'spec', 'updateStrategy', 'type') === 'OnDelete') return
  const partition = numberAt(set, 'spec', 'updateStrategy', 'rollingUpdate', 'partition') ?? 0
  for (let ordinal = wanted - 1; ordinal >= partition; ordinal -= 1) {
    const pod = pods.get(ordinal)
    if (pod === undefined || isTerminating(pod)) return
    if (pod.metadata.labels?.['controller-revision-hash'] !== revision) {
      deleteControlled(cluster, 'Pod', pod)
      return
    }
    if (!isReady(pod)) return
  }
}

function reportStatus(cluster: SimulatedCluster, set: Stored<'StatefulSet'>, revision: string): void {
  const pods = controlledBy(cluster, set, 'Pod').filter(pod => !isFinished(pod))
  const living = pods.filter(pod => !isTerminating(pod))
  const ready = living.filter(isReady).length
  const updated = living.filter(pod => pod.metadata.labels?.['controller-revision-hash'] === revision).length
  const isSettled = updated === living.length && living.length === (numberAt(set, 'spec', 'replicas') ?? 1)
  writeStatus(cluster, 'StatefulSet', set, {
    observedGeneration: set.metadata.generation ?? 1,
    replicas: pods.length,
    readyReplicas: ready,
    availableReplicas: ready,
    currentReplicas: isSettled ? updated : living.length - updated,
    updatedReplicas: updated,
    currentRevision: isSettled ? revision : (textAt(set, 'status', 'currentRevision') ?? revision),
    updateRevision: revision,
    collisionCount: 0,
  })
}

function ordinalOf(set: Stored<'StatefulSet'>, pod: Stored<'Pod'>): number {
  const ordinal = Number(pod.metadata.name.slice(set.metadata.name.length + 1))
  return Number.isInteger(ordinal) ? ordinal : -1
}
