import { isReady } from '../rest/evict-pod.ts'
import type { SimulatedCluster } from '../simulated-cluster.ts'
import { numberAt, recordAt, textAt } from '../store/json.ts'
import type { Stored } from '../store/models.ts'
import { type Reconcile, whenChanged } from './control-loop.ts'
import {
  controlledBy,
  createControlled,
  deleteControlled,
  isActive,
  livingObjects,
  podFromTemplate,
  readyCount,
  writeStatus,
} from './controlled.ts'

/** Keeps each ReplicaSet at its number of pods; surplus pods that are not ready go first. */
export function createReplicaSetController(cluster: SimulatedCluster): Reconcile {
  return whenChanged(cluster.store, ['replicasets.apps', 'pods', 'namespaces'], () => {
    for (const set of livingObjects(cluster, 'ReplicaSet')) reconcileSet(cluster, set)
  })
}

function reconcileSet(cluster: SimulatedCluster, set: Stored<'ReplicaSet'>): void {
  const wanted = numberAt(set, 'spec', 'replicas') ?? 1
  const active = controlledBy(cluster, set, 'Pod').filter(isActive)
  const template = podFromTemplate(recordAt(set, 'spec', 'template'))
  for (let missing = wanted - active.length; missing > 0; missing -= 1) {
    const metadata = { ...template.metadata, generateName: `${set.metadata.name}-` }
    createControlled(cluster, set, 'Pod', metadata, { spec: template.spec })
  }
  const surplus = [...active]
    .sort((a, b) => usefulness(a) - usefulness(b))
    .slice(0, Math.max(0, active.length - wanted))
  for (const pod of surplus) deleteControlled(cluster, 'Pod', pod)
  const now = controlledBy(cluster, set, 'Pod').filter(isActive)
  const ready = readyCount(now)
  writeStatus(cluster, 'ReplicaSet', set, {
    replicas: now.length,
    fullyLabeledReplicas: now.length,
    ...(ready > 0 ? { readyReplicas: ready, availableReplicas: ready } : {}),
    observedGeneration: set.metadata.generation ?? 1,
  })
}

function usefulness(pod: Stored<'Pod'>): number {
  if (textAt(pod, 'spec', 'nodeName') === undefined) return 0
  return isReady(pod) ? 2 : 1
}
