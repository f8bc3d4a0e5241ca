import { budgetSelects, isReady } from '../rest/evict-pod.ts'
import type { SimulatedCluster } from '../simulated-cluster.ts'
import { at, listAt, numberAt, recordAt, textsAt } from '../store/json.ts'
import { controllerOf, isTerminating, type StoredObject } from '../store/kubernetes-object.ts'
import type { Stored } from '../store/models.ts'
import type { Reconcile } from './control-loop.ts'
import { livingObjects, objectsOf, scaledValue, withCondition, writeStatus } from './controlled.ts'

/** An eviction without a deletion stops counting after this time (kubernetes `DeletionTimeout`). */
const DISRUPTION_TIMEOUT_MS = 2 * 60_000

/** Computes how many disruptions each PodDisruptionBudget allows (kubernetes `pkg/controller/disruption/disruption.go`). */
export function createDisruptionBudgetController(cluster: SimulatedCluster): Reconcile {
  return () => {
    const budgets = livingObjects(cluster, 'PodDisruptionBudget')
    if (budgets.length === 0) return
    const pods = objectsOf(cluster, 'Pod')
    for (const budget of budgets) reconcileBudget(cluster, budget, pods)
  }
}

function reconcileBudget(
  cluster: SimulatedCluster,
  budget: Stored<'PodDisruptionBudget'>,
  all: readonly Stored<'Pod'>[],
): void {
  const pods = all.filter(
    pod => pod.metadata.namespace === budget.metadata.namespace && budgetSelects(cluster, budget, pod),
  )
  const disrupted = stillDisrupted(cluster, budget, pods)
  const healthy = pods.filter(
    pod => !isTerminating(pod) && disrupted[pod.metadata.name] === undefined && isReady(pod),
  ).length
  const counted = expectation(cluster, budget, pods)
  if (counted === null) {
    failSafe(cluster, budget)
    return
  }
  const { expected, desired } = counted
  const allowed = expected <= 0 ? 0 : Math.max(0, healthy - desired)
  const conditions = withCondition(cluster, listAt(budget, 'status', 'conditions'), {
    type: 'DisruptionAllowed',
    status: allowed > 0 ? 'True' : 'False',
    reason: allowed > 0 ? 'SufficientPods' : 'InsufficientPods',
    message: '',
    observedGeneration: budget.metadata.generation ?? 1,
  })
  writeStatus(cluster, 'PodDisruptionBudget', budget, {
    ...(cluster.release.budgetConditions ? { conditions } : {}),
    currentHealthy: healthy,
    desiredHealthy: desired,
    disruptionsAllowed: allowed,
    ...(Object.keys(disrupted).length === 0 ? {} : { disruptedPods: disrupted }),
    expectedPods: expected,
    observedGeneration: budget.metadata.generation ?? 1,
  })
}

/** Returns the granted evictions whose deletion is not visible yet. */
function stillDisrupted(
  cluster: SimulatedCluster,
  budget: Stored<'PodDisruptionBudget'>,
  pods: readonly Stored<'Pod'>[],
): Readonly<Record<string, string>> {
  const now = cluster.clock.now()
  return Object.fromEntries(
    Object.entries(textsAt(budget, 'status', 'disruptedPods')).filter(([name, time]) => {
      const pod = pods.find(one => one.metadata.name === name)
      return pod !== undefined && !isTerminating(pod) && Date.parse(time) + DISRUPTION_TIMEOUT_MS > now
    }),
  )
}

/** Allows no disruption for a budget that cannot be computed (disruption.go `failSafe`). */
function failSafe(cluster: SimulatedCluster, budget: Stored<'PodDisruptionBudget'>): void {
  const status = recordAt(budget, 'status')
  const conditions = withCondition(cluster, listAt(status, 'conditions'), {
    type: 'DisruptionAllowed',
    status: 'False',
    reason: 'SyncFailed',
    message: 'a controller of its pods does not implement the scale subresource',
  })
  writeStatus(cluster, 'PodDisruptionBudget', budget, {
    currentHealthy: 0,
    desiredHealthy: 0,
    expectedPods: 0,
    ...status,
    ...(cluster.release.budgetConditions ? { conditions } : {}),
    disruptionsAllowed: 0,
  })
}

/** Computes the expected pods and the minimum that must stay healthy; null if a controller has no scale. */
function expectation(
  cluster: SimulatedCluster,
  budget: Stored<'PodDisruptionBudget'>,
  pods: readonly Stored<'Pod'>[],
): { readonly expected: number; readonly desired: number } | null {
  const maxUnavailable = at(budget, 'spec', 'maxUnavailable')
  if (maxUnavailable !== undefined && maxUnavailable !== null) {
    const expected = expectedScale(cluster, pods)
    if (expected === null) return null
    return { expected, desired: Math.max(0, expected - (scaledValue(maxUnavailable, expected, 'up') ?? 0)) }
  }
  const minAvailable = at(budget, 'spec', 'minAvailable') ?? 0
  if (typeof minAvailable === 'number') return { expected: pods.length, desired: minAvailable }
  const expected = expectedScale(cluster, pods)
  return expected === null ? null : { expected, desired: scaledValue(minAvailable, expected, 'up') ?? 0 }
}

/** Sums `replicas` over the pods' controllers, or their Deployments; null if a controller has no scale, such as a DaemonSet. Pods without a controller do not count. */
function expectedScale(cluster: SimulatedCluster, pods: readonly Stored<'Pod'>[]): number | null {
  const scales = new Map<string, number>()
  for (const pod of pods) {
    const reference = controllerOf(pod)
    if (reference === null) continue
    if (!SCALABLE.includes(reference.kind)) return null
    const owner = scaledOwner(cluster, pod)
    if (owner !== null) scales.set(owner.metadata.uid, numberAt(owner, 'spec', 'replicas') ?? 0)
  }
  return [...scales.values()].reduce((sum, replicas) => sum + replicas, 0)
}

const SCALABLE: readonly string[] = ['ReplicaSet', 'StatefulSet', 'Deployment']

function scaledOwner(cluster: SimulatedCluster, object: StoredObject): StoredObject | null {
  const reference = controllerOf(object)
  if (reference === null || !SCALABLE.includes(reference.kind)) return null
  const owner = objectsOf(cluster, reference.kind).find(one => one.metadata.uid === reference.uid)
  if (owner === undefined) return null
  return owner.kind === 'ReplicaSet' ? (scaledOwner(cluster, owner) ?? owner) : owner
}
