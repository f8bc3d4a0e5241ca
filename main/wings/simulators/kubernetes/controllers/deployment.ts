import type { SimulatedCluster } from '../simulated-cluster.ts'
import { at, listAt, numberAt, recordAt, textAt } from '../store/json.ts'
import type { Stored } from '../store/models.ts'
import { type Reconcile, whenChanged } from './control-loop.ts'
import {
  controlledBy,
  createControlled,
  labelsOf,
  livingObjects,
  scaledValue,
  templateHash,
  withCondition,
  writeStatus,
} from './controlled.ts'

const REVISION = 'deployment.kubernetes.io/revision'

/** Keeps one ReplicaSet per template and moves replicas to the newest within maxSurge and maxUnavailable. */
export function createDeploymentController(cluster: SimulatedCluster): Reconcile {
  return whenChanged(cluster.store, ['deployments.apps', 'replicasets.apps', 'namespaces'], () => {
    for (const deployment of livingObjects(cluster, 'Deployment')) reconcileDeployment(cluster, deployment)
  })
}

function reconcileDeployment(cluster: SimulatedCluster, deployment: Stored<'Deployment'>): void {
  const hash = templateHash(recordAt(deployment, 'spec', 'template'))
  const sets = controlledBy(cluster, deployment, 'ReplicaSet')
  const current = sets.find(set => set.metadata.labels?.['pod-template-hash'] === hash)
  const old = sets.filter(set => set !== current)
  if (current === undefined) createSet(cluster, deployment, hash, old)
  else roll(cluster, deployment, current, old)
  reportStatus(cluster, deployment, hash)
}

function createSet(
  cluster: SimulatedCluster,
  deployment: Stored<'Deployment'>,
  hash: string,
  old: readonly Stored<'ReplicaSet'>[],
): void {
  const template = recordAt(deployment, 'spec', 'template')
  const selector = recordAt(deployment, 'spec', 'selector')
  const labels = { ...labelsOf(recordAt(template, 'metadata')), 'pod-template-hash': hash }
  const revision = Math.max(0, ...old.map(set => Number(set.metadata.annotations?.[REVISION] ?? 0))) + 1
  const wanted = replicasOf(deployment)
  createControlled(
    cluster,
    deployment,
    'ReplicaSet',
    {
      name: `${deployment.metadata.name}-${hash}`,
      labels,
      annotations: {
        'deployment.kubernetes.io/desired-replicas': String(wanted),
        [REVISION]: String(revision),
      },
    },
    {
      spec: {
        replicas: old.length === 0 ? wanted : 0,
        selector: { ...selector, matchLabels: { ...recordAt(selector, 'matchLabels'), 'pod-template-hash': hash } },
        template: { ...template, metadata: { ...recordAt(template, 'metadata'), labels } },
      },
    },
  )
}

function roll(
  cluster: SimulatedCluster,
  deployment: Stored<'Deployment'>,
  current: Stored<'ReplicaSet'>,
  old: readonly Stored<'ReplicaSet'>[],
): void {
  const wanted = replicasOf(deployment)
  const others = old.filter(set => replicasOf(set) > 0)
  if (textAt(deployment, 'spec', 'strategy', 'type') === 'Recreate') {
    for (const set of others) resize(cluster, set, 0)
    if (old.every(set => (numberAt(set, 'status', 'replicas') ?? 0) === 0)) resize(cluster, current, wanted)
    return
  }
  if (others.length === 0) {
    resize(cluster, current, wanted)
    return
  }
  const rolling = recordAt(deployment, 'spec', 'strategy', 'rollingUpdate')
  const surge = scaledValue(at(rolling, 'maxSurge'), wanted, 'up') ?? 1
  const unavailable = scaledValue(at(rolling, 'maxUnavailable'), wanted, 'down') ?? 1
  const total = [current, ...others].reduce((sum, set) => sum + replicasOf(set), 0)
  const room = wanted + surge - total
  if (replicasOf(current) < wanted && room > 0) {
    resize(cluster, current, Math.min(wanted, replicasOf(current) + room))
    return
  }
  // Without surge and unavailability no pod could be replaced (deployment util ResolveFenceposts).
  const minAvailable = wanted - (surge === 0 && unavailable === 0 ? 1 : unavailable)
  const newUnavailable = replicasOf(current) - available(current)
  let removable = total - minAvailable - newUnavailable
  for (const set of others) {
    if (removable <= 0) break
    const taken = Math.min(removable, replicasOf(set))
    removable -= taken
    resize(cluster, set, replicasOf(set) - taken)
  }
}

function resize(cluster: SimulatedCluster, set: Stored<'ReplicaSet'>, replicas: number): void {
  if (replicasOf(set) === replicas) return
  const generation = (set.metadata.generation ?? 1) + 1
  cluster.store.put('replicasets.apps', {
    ...set,
    metadata: { ...set.metadata, generation },
    spec: { ...recordAt(set, 'spec'), replicas },
  })
}

function reportStatus(cluster: SimulatedCluster, deployment: Stored<'Deployment'>, hash: string): void {
  const sets = controlledBy(cluster, deployment, 'ReplicaSet')
  const current = sets.find(set => set.metadata.labels?.['pod-template-hash'] === hash)
  const sum = (field: 'replicas' | 'readyReplicas' | 'availableReplicas'): number =>
    sets.reduce((total, set) => total + (numberAt(set, 'status', field) ?? 0), 0)
  const wanted = replicasOf(deployment)
  const availableNow = sum('availableReplicas')
  const updated = numberAt(current, 'status', 'replicas') ?? 0
  const enough =
    availableNow >=
    wanted - (scaledValue(at(deployment, 'spec', 'strategy', 'rollingUpdate', 'maxUnavailable'), wanted, 'down') ?? 0)
  const isComplete = updated === wanted && sum('replicas') === wanted && availableNow === wanted
  const progress = isComplete
    ? {
        reason: 'NewReplicaSetAvailable',
        message: `ReplicaSet "${current?.metadata.name}" has successfully progressed.`,
      }
    : { reason: 'ReplicaSetUpdated', message: `ReplicaSet "${current?.metadata.name}" is progressing.` }
  const availability = enough
    ? { reason: 'MinimumReplicasAvailable', message: 'Deployment has minimum availability.' }
    : { reason: 'MinimumReplicasUnavailable', message: 'Deployment does not have minimum availability.' }
  let conditions = listAt(deployment, 'status', 'conditions')
  conditions = withCondition(cluster, conditions, {
    type: 'Available',
    status: enough ? 'True' : 'False',
    ...availability,
  })
  conditions = withCondition(cluster, conditions, { type: 'Progressing', status: 'True', ...progress })
  writeStatus(cluster, 'Deployment', deployment, {
    observedGeneration: deployment.metadata.generation ?? 1,
    replicas: sum('replicas'),
    updatedReplicas: updated,
    readyReplicas: sum('readyReplicas'),
    availableReplicas: availableNow,
    unavailableReplicas: Math.max(0, Math.max(wanted, sum('replicas')) - availableNow),
    conditions,
  })
}

function replicasOf(object: Stored<'Deployment'> | Stored<'ReplicaSet'>): number {
  return numberAt(object, 'spec', 'replicas') ?? 1
}

function available(set: Stored<'ReplicaSet'>): number {
  return numberAt(set, 'status', 'availableReplicas') ?? 0
}
