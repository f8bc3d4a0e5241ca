import type {
  V1DaemonSet,
  V1Deployment,
  V1LabelSelector,
  V1PodDisruptionBudget,
  V1ReplicaSet,
  V1StatefulSet,
} from '@kubernetes/client-node'
import type {
  DisruptionBudget,
  DrainOptions,
  DrainPlan,
  EvictionAnswer,
  LabelSelector,
  Pod,
  PodDecision,
  Workload,
} from '../../../shared/domain/kubernetes.ts'
import { ok, type Result } from '../../../shared/domain/result.ts'
import { because } from '../../../shared/words/reasons.ts'
import { causeOf } from '../../../shared/words/refusal.ts'
import { type Clock, isoNow } from '../../platform/clock/clock.ts'
import type { DrainReads } from '../../ports/kubernetes.ts'
import type { KubernetesObject } from './answers.ts'
import { getNode } from './cordon.ts'
import { type DaemonSetAnswer, daemonSetKey, decideDrain, groupedBlockers } from './drain-filters.ts'
import { discoverEviction, type EvictionVersion, evictionForPlan, removePod } from './eviction.ts'
import {
  MalformedAnswer,
  numberIn,
  objectIn,
  objectOrNullIn,
  objectsIn,
  textIn,
  textMapIn,
  textOrNullIn,
  textsIn,
} from './fields.ts'
import { createInFlight, type InFlight } from './in-flight.ts'
import { listRead } from './list.ts'
import type { Fields } from './model-fields.ts'
import { findObject } from './objects.ts'
import { readMetadata } from './read-metadata.ts'
import { podOn, readPod } from './read-pod.ts'
import { BUDGETS, DAEMON_SETS, DEPLOYMENTS, OLD_BUDGETS, PODS, REPLICA_SETS, STATEFUL_SETS } from './resource-types.ts'
import type { KubernetesSession } from './session.ts'

/** Parallel requests of one drain, where kubectl relies on its client's rate limiter (docs/drain.md V7). */
export const DRAIN_REQUESTS_AT_ONCE = 20

export function listPodsOnNode(
  session: KubernetesSession,
  node: string,
  signal?: AbortSignal,
): Promise<Result<readonly Pod[]>> {
  return listRead(session, PODS, podOn(node), { query: { fieldSelector: `spec.nodeName=${node}` }, signal })
}

export async function listBudgets(
  session: KubernetesSession,
  signal?: AbortSignal,
): Promise<Result<readonly DisruptionBudget[]>> {
  const read = (type: typeof BUDGETS) =>
    listRead(session, type, object => readBudget(object, type.apiVersion), { signal })
  const current = await read(BUDGETS)
  return current.ok || current.failure.code !== 'not-found' ? current : read(OLD_BUDGETS)
}

function listWorkloadsOf(
  session: KubernetesSession,
  kind: Workload['kind'],
  signal: AbortSignal | undefined,
): Promise<Result<readonly Workload[]>> {
  switch (kind) {
    case 'DaemonSet':
      return listRead(session, DAEMON_SETS, readDaemonSet, { signal })
    case 'Deployment':
      return listRead(session, DEPLOYMENTS, item => readReplicated(kind, item), { signal })
    case 'StatefulSet':
      return listRead(session, STATEFUL_SETS, item => readReplicated(kind, item), { signal })
    case 'ReplicaSet':
      return listRead(session, REPLICA_SETS, item => readReplicated(kind, item), { signal })
  }
}

export async function listWorkloads(
  session: KubernetesSession,
  kinds: readonly Workload['kind'][],
  signal?: AbortSignal,
): Promise<Result<readonly Workload[]>> {
  const lists = await Promise.all(kinds.map(kind => listWorkloadsOf(session, kind, signal)))
  const workloads: Workload[] = []
  for (const list of lists) {
    if (!list.ok) return list
    workloads.push(...list.value)
  }
  return ok(workloads)
}

export async function findPod(
  session: KubernetesSession,
  pod: { readonly namespace: string; readonly name: string },
  signal?: AbortSignal,
): Promise<Result<Pod | null>> {
  return findObject(session, { type: PODS, namespace: pod.namespace, name: pod.name }, readPod, signal)
}

/** What a drain would do now, read-only (docs/drain.md 5.2, 5.3). `dryRun`: one dry-run removal per pod that leaves (V9). */
export async function planDrain(
  session: KubernetesSession,
  clock: Clock,
  node: string,
  options: DrainOptions,
  more: {
    readonly dryRun: boolean
    readonly withBudgets: boolean
    readonly signal?: AbortSignal | undefined
    readonly reads?: DrainReads | undefined
  },
): Promise<Result<DrainPlan>> {
  const { signal, reads } = more
  const evictionVersion = () =>
    more.dryRun ? evictionForPlan(session, clock, signal) : discoverEviction(session, signal)
  const [found, pods, version, budgets] = await Promise.all([
    reads?.getNode(node, signal) ?? getNode(session, node, signal),
    reads?.listPodsOnNode(node, signal) ?? listPodsOnNode(session, node, signal),
    options.disableEviction ? ok<EvictionVersion>(null) : evictionVersion(),
    more.withBudgets ? (reads?.listBudgets(signal) ?? listBudgets(session, signal)) : ok([]),
  ])
  if (!found.ok) return found
  if (!pods.ok) return pods
  if (!version.ok) return version
  if (!budgets.ok) return budgets
  const readAt = isoNow(clock)
  const places = createInFlight(DRAIN_REQUESTS_AT_ONCE)
  const decisions = decideDrain(pods.value, {
    options,
    now: clock.now(),
    daemonSets: await askForDaemonSets(session, pods.value, { places, reads, signal }),
    leaveBy: version.value === null ? 'delete' : 'evict',
    budgets: budgets.value,
  })
  return ok({
    node,
    evictionVersion: version.value,
    decisions: more.dryRun ? await withDryRuns(session, decisions, version.value, options, places, signal) : decisions,
    blockers: groupedBlockers(decisions),
    readAt,
  })
}

/** Whether the DaemonSets that control these pods exist (docs/drain.md 5.2 rule 2). Uses a shared list where there is one, and reads each that the list lacks. */
async function askForDaemonSets(
  session: KubernetesSession,
  pods: readonly Pod[],
  {
    places,
    reads,
    signal,
  }: {
    readonly places: InFlight
    readonly reads: DrainReads | undefined
    readonly signal: AbortSignal | undefined
  },
): Promise<ReadonlyMap<string, DaemonSetAnswer>> {
  const keys = [...new Set(pods.map(daemonSetKey).filter(key => key !== null))]
  const listed = keys.length > 1 ? ((await reads?.listWorkloads(['DaemonSet'], signal)) ?? null) : null
  const there = new Set(listed?.ok ? listed.value.map(({ namespace, name }) => `${namespace}/${name}`) : [])
  const findByKey = (key: string): Promise<DaemonSetAnswer> =>
    there.has(key) ? Promise.resolve({ kind: 'exists' }) : places.run(() => askForDaemonSet(session, key, signal))
  return new Map(await Promise.all(keys.map(async key => [key, await findByKey(key)] as const)))
}

async function askForDaemonSet(
  session: KubernetesSession,
  key: string,
  signal: AbortSignal | undefined,
): Promise<DaemonSetAnswer> {
  const [namespace = '', name = ''] = key.split('/')
  const found = await findObject(session, { type: DAEMON_SETS, namespace, name }, () => true, signal)
  if (!found.ok) return { kind: 'unknown', why: causeOf(found.failure) }
  // The server's own message, which operators can search for.
  return found.value === null
    ? { kind: 'missing', why: because('DaemonSetMissing', { daemonSet: name }) }
    : { kind: 'exists' }
}

async function withDryRuns(
  session: KubernetesSession,
  decisions: readonly PodDecision[],
  version: EvictionVersion,
  options: DrainOptions,
  places: InFlight,
  signal: AbortSignal | undefined,
): Promise<readonly PodDecision[]> {
  const tried = (pod: Pod): Promise<EvictionAnswer> =>
    places.run(() =>
      removePod(session, { pod, version, gracePeriodSeconds: options.gracePeriodSeconds, dryRun: true, signal }),
    )
  return Promise.all(
    decisions.map(async decision =>
      decision.fate === 'evict' || decision.fate === 'delete'
        ? { ...decision, dryRun: await tried(decision.pod) }
        : decision,
    ),
  )
}

/** Reads a PodDisruptionBudget; list items omit apiVersion, so the caller gives the list's. */
export function readBudget(object: KubernetesObject<V1PodDisruptionBudget>, apiVersion: string): DisruptionBudget {
  const { namespace, name, uid } = readMetadata(object)
  const spec = objectIn(object, 'spec')
  const status = objectIn(object, 'status')
  return {
    apiVersion: textIn(object, 'apiVersion') || apiVersion,
    namespace,
    name,
    uid,
    selector: readSelector(objectOrNullIn(spec, 'selector')),
    minAvailable: numberOrPercent(spec.minAvailable),
    maxUnavailable: numberOrPercent(spec.maxUnavailable),
    unhealthyPodEvictionPolicy: textOrNullIn(spec, 'unhealthyPodEvictionPolicy'),
    generation: numberIn(object.metadata, 'generation'),
    observedGeneration: numberIn(status, 'observedGeneration'),
    disruptionsAllowed: numberIn(status, 'disruptionsAllowed'),
    currentHealthy: numberIn(status, 'currentHealthy'),
    desiredHealthy: numberIn(status, 'desiredHealthy'),
    expectedPods: numberIn(status, 'expectedPods'),
  }
}

function readSelector(selector: Fields<V1LabelSelector> | null): LabelSelector | null {
  if (selector === null) return null
  return {
    ...(selector.matchLabels === undefined ? {} : { matchLabels: textMapIn(selector, 'matchLabels') }),
    ...(selector.matchExpressions === undefined
      ? {}
      : {
          matchExpressions: objectsIn(selector, 'matchExpressions').map(expression => ({
            key: textIn(expression, 'key'),
            operator: textIn(expression, 'operator'),
            values: textsIn(expression, 'values'),
          })),
        }),
  }
}

function numberOrPercent(value: unknown): string | number | null {
  if (value === undefined || value === null) return null
  if (typeof value === 'string' || typeof value === 'number') return value
  throw new MalformedAnswer(because('BudgetNumberUnreadable'))
}

/** Reads a DaemonSet. It has no replica count: it wants one pod per matching node. */
export function readDaemonSet(object: KubernetesObject<V1DaemonSet>): Workload {
  const status = objectIn(object, 'status')
  return {
    ...identityOf('DaemonSet', object),
    replicas: numberIn(status, 'desiredNumberScheduled'),
    readyReplicas: numberIn(status, 'numberReady'),
  }
}

export function readReplicated(
  kind: Exclude<Workload['kind'], 'DaemonSet'>,
  object: KubernetesObject<V1Deployment | V1StatefulSet | V1ReplicaSet>,
): Workload {
  return {
    ...identityOf(kind, object),
    replicas: numberIn(objectIn(object, 'spec'), 'replicas', 1),
    readyReplicas: numberIn(objectIn(object, 'status'), 'readyReplicas'),
  }
}

function identityOf(kind: Workload['kind'], object: Pick<KubernetesObject, 'metadata'>) {
  const { namespace, name, uid, controller } = readMetadata(object)
  return { apiVersion: 'apps/v1', kind, namespace, name, uid, controller } as const
}
