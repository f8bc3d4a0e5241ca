import { selectorMatches } from '../selectors/label-selector.ts'
import type { SimulatedCluster } from '../simulated-cluster.ts'
import { apiStatus, badRequest, forbidden, granted, notFound, type Outcome, refused } from '../store/api-status.ts'
import { storeKeyOf } from '../store/api-type.ts'
import { at, isJsonObject, type Json, type JsonObject, listAt, numberAt, recordAt, textAt } from '../store/json.ts'
import { isTerminating, type StoredObject } from '../store/kubernetes-object.ts'
import type { Stored } from '../store/models.ts'
import { timestamp } from '../store/timestamp.ts'
import { type DeleteOptions, deleteObject, deleteOptionsOf } from './delete-object.ts'

const MAX_DISRUPTED_PODS = 2000
const REFUSED = "Cannot evict pod as it would violate the pod's disruption budget."
const SUCCESS: JsonObject = { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Success', code: 201 }

/** Evicts a pod (docs/drain.md 5.5; kubernetes `core/pod/storage/eviction.go`): the server spends the budget before it checks the precondition. */
export async function evictPod(
  cluster: SimulatedCluster,
  namespace: string,
  name: string,
  eviction: Json | undefined,
  query: URLSearchParams,
): Promise<Outcome<JsonObject>> {
  const wrong = evictionProblem(cluster, name, eviction)
  if (wrong !== null) return refused(wrong)
  const options = deleteOptionsOf(at(eviction, 'deleteOptions'), query)
  const pod = cluster.store.get('pods', namespace, name)
  if (pod === null) return refused(notFound({ group: '', plural: 'pods' }, name))
  if (ignoresBudgets(pod)) {
    const deleted = removeEvicted(cluster, pod, options)
    const stubborn = !deleted.ok && deleted.status.code === 409 && cluster.timings.evictionConflictMs > 0
    if (!stubborn) return deleted
    await cluster.clock.sleep(cluster.timings.evictionConflictMs)
    return removeEvicted(cluster, pod, options)
  }
  const spent = spendBudget(cluster, pod, options.dryRun)
  return spent.ok ? removeEvicted(cluster, pod, options) : spent
}

function evictionProblem(cluster: SimulatedCluster, name: string, eviction: Json | undefined) {
  if (!isJsonObject(eviction)) return badRequest('an eviction needs a body')
  const version = textAt(eviction, 'apiVersion') ?? ''
  if (!cluster.release.evictions.includes(version) || eviction.kind !== 'Eviction') {
    const short = version.split('/').at(-1)
    const why = `no kind "${String(eviction.kind)}" is registered for version "${version}" in scheme "k8s.io/kubernetes/pkg/api/legacyscheme/scheme.go:30"`
    return badRequest(`Eviction in version "${short}" cannot be handled as a Eviction: ${why}`)
  }
  const named = textAt(eviction, 'metadata', 'name')
  return named === name ? null : badRequest('name in URL does not match name in Eviction object')
}

function ignoresBudgets(pod: Stored<'Pod'>): boolean {
  const phase = textAt(pod, 'status', 'phase') ?? ''
  return isTerminating(pod) || ['Succeeded', 'Failed', 'Pending'].includes(phase)
}

/** Takes one disruption from the pod's budget, or refuses with the reason. */
function spendBudget(cluster: SimulatedCluster, pod: Stored<'Pod'>, dryRun: boolean): Outcome<null> {
  const budgets = cluster.store
    .list('poddisruptionbudgets.policy', pod.metadata.namespace ?? '')
    .filter(budget => budgetSelects(cluster, budget, pod))
  const [budget] = budgets
  if (budget === undefined) return granted(null)
  if (budgets.length > 1) {
    const message = 'This pod has more than one PodDisruptionBudget, which the eviction subresource does not support.'
    return refused(apiStatus(500, undefined, message))
  }
  const status = recordAt(budget, 'status')
  const healthy = numberAt(status, 'currentHealthy') ?? 0
  const desired = numberAt(status, 'desiredHealthy') ?? 0
  const allowed = numberAt(status, 'disruptionsAllowed') ?? 0
  const disrupted = recordAt(status, 'disruptedPods')
  if (!isReady(pod)) {
    if (at(budget, 'spec', 'unhealthyPodEvictionPolicy') === 'AlwaysAllow') return granted(null)
    if (healthy >= desired && desired > 0) return granted(null)
  }
  const name = budget.metadata.name
  if ((numberAt(status, 'observedGeneration') ?? 0) < (budget.metadata.generation ?? 0)) {
    return refused(
      tooMany(
        `The disruption budget ${name} is still being processed by the server.`,
        cluster.release.processedAfterSeconds,
      ),
    )
  }
  const resource = { group: 'policy', plural: 'poddisruptionbudget' }
  if (allowed < 0) return refused(forbidden(resource, name, 'pdb disruptions allowed is negative'))
  if (Object.keys(disrupted).length > MAX_DISRUPTED_PODS) {
    return refused(
      forbidden(resource, name, 'DisruptedPods map too big - too many evictions not confirmed by PDB controller'),
    )
  }
  if (allowed === 0) {
    // Newer servers count only missing pods as needed.
    const sentence =
      cluster.release.budgetConditions && healthy > desired
        ? `The disruption budget ${name} does not allow evicting pods currently`
        : `The disruption budget ${name} needs ${desired} healthy pods and has ${healthy} currently`
    return refused(tooMany(sentence, 0))
  }
  if (dryRun) return granted(null)
  cluster.store.put('poddisruptionbudgets.policy', {
    ...budget,
    status: {
      ...status,
      disruptionsAllowed: allowed - 1,
      disruptedPods: { ...disrupted, [pod.metadata.name]: timestamp(cluster.clock.now()) },
    },
  })
  return granted(null)
}

function removeEvicted(cluster: SimulatedCluster, pod: Stored<'Pod'>, options: DeleteOptions): Outcome<JsonObject> {
  const type = cluster.catalog.builtIn('Pod')
  const key = storeKeyOf(type)
  const namespace = pod.metadata.namespace ?? null
  const current = cluster.store.get(key, namespace, pod.metadata.name)
  const ours = current !== null && (options.uid === undefined || options.uid === current.metadata.uid)
  if (ours && !options.dryRun && cluster.release.marksEvicted) {
    cluster.store.put(key, withDisruptionTarget(current, timestamp(cluster.clock.now())))
  }
  const deleted = deleteObject(cluster, type, namespace, pod.metadata.name, options)
  return deleted.ok ? granted(SUCCESS) : deleted
}

/** Adds the condition that marks a pod removed by the Eviction API. */
function withDisruptionTarget(pod: Stored<'Pod'>, now: string): StoredObject {
  const others = listAt(pod, 'status', 'conditions').filter(condition => at(condition, 'type') !== 'DisruptionTarget')
  const target = {
    type: 'DisruptionTarget',
    status: 'True',
    reason: 'EvictionByEvictionAPI',
    message: 'Eviction API: evicting',
    lastProbeTime: null,
    lastTransitionTime: now,
  }
  return { ...pod, status: { ...recordAt(pod, 'status'), conditions: [...others, target] } }
}

/** Whether a budget's selector selects a pod of its namespace. */
export function budgetSelects(
  { release }: SimulatedCluster,
  budget: Stored<'PodDisruptionBudget'>,
  pod: Stored<'Pod'>,
): boolean {
  const selector = at(budget, 'spec', 'selector')
  if (!release.emptySelectorSelects && !selectsAnything(selector)) return false
  return selectorMatches(selector, pod.metadata.labels ?? {})
}

function selectsAnything(selector: Json | undefined): boolean {
  return Object.keys(recordAt(selector, 'matchLabels')).length + listAt(selector, 'matchExpressions').length > 0
}

export function isReady(pod: Stored<'Pod'>): boolean {
  return listAt(pod, 'status', 'conditions').some(
    condition => at(condition, 'type') === 'Ready' && at(condition, 'status') === 'True',
  )
}

function tooMany(sentence: string, retryAfterSeconds: number) {
  return apiStatus(429, 'TooManyRequests', REFUSED, {
    causes: [{ reason: 'DisruptionBudget', message: sentence }],
    ...(retryAfterSeconds > 0 ? { retryAfterSeconds } : {}),
  })
}
