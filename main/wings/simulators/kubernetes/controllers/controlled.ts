import { createHash } from 'node:crypto'
import { isSameJson } from '../../../../../shared/domain/is-same-json.ts'
import { createObject } from '../rest/create-object.ts'
import { deleteObject, PLAIN_DELETION } from '../rest/delete-object.ts'
import { isReady } from '../rest/evict-pod.ts'
import type { SimulatedCluster } from '../simulated-cluster.ts'
import { groupVersionOf, storeKeyOf } from '../store/api-type.ts'
import { isJsonList, isJsonObject, type Json, type JsonObject, listAt, recordAt, textAt } from '../store/json.ts'
import { controllerOf, isTerminating, type ObjectMeta, ownedBy, type StoredObject } from '../store/kubernetes-object.ts'
import type { PartOf, Stored } from '../store/models.ts'
import { timestamp } from '../store/timestamp.ts'

/** Lists the objects of a built-in kind that are not being deleted. */
export function livingObjects<K extends string>(cluster: SimulatedCluster, kind: K): readonly Stored<K>[] {
  return objectsOf(cluster, kind).filter(object => !isTerminating(object))
}

/** Lists all objects of a built-in kind. */
export function objectsOf<K extends string>(cluster: SimulatedCluster, kind: K): readonly Stored<K>[] {
  return cluster.store.list(storeKeyOf(cluster.catalog.builtIn(kind)), null)
}

/** Lists the objects of a kind that an owner controls. */
export function controlledBy<K extends string>(
  cluster: SimulatedCluster,
  owner: StoredObject,
  kind: K,
): readonly Stored<K>[] {
  const type = cluster.catalog.builtIn(kind)
  return cluster.store
    .list(storeKeyOf(type), owner.metadata.namespace ?? null)
    .filter(object => controllerOf(object)?.uid === owner.metadata.uid)
}

/** Creates an object for an owner. After a refusal (a terminating namespace) the next pass tries again. */
export function createControlled<K extends string>(
  cluster: SimulatedCluster,
  owner: StoredObject,
  kind: K,
  metadata: ObjectMeta,
  content: { readonly spec: PartOf<K, 'spec'> },
): void {
  const type = cluster.catalog.builtIn(kind)
  createObject(cluster, {
    type,
    namespace: owner.metadata.namespace ?? null,
    dryRun: false,
    object: {
      ...content,
      apiVersion: groupVersionOf(type),
      kind,
      metadata: { ...metadata, ownerReferences: [ownedBy(owner)] },
    },
  })
}

/** Deletes an object gracefully if its UID is unchanged. */
export function deleteControlled(cluster: SimulatedCluster, kind: string, object: StoredObject): void {
  const type = cluster.catalog.builtIn(kind)
  const { namespace, name, uid } = object.metadata
  deleteObject(cluster, type, namespace ?? null, name, { ...PLAIN_DELETION, uid })
}

/** Writes the status of an object that still exists, into its current version. */
export function writeStatus<K extends string>(
  cluster: SimulatedCluster,
  kind: K,
  object: StoredObject,
  status: PartOf<K, 'status'>,
): void {
  const key = storeKeyOf(cluster.catalog.builtIn(kind))
  const current = cluster.store.get(key, object.metadata.namespace ?? null, object.metadata.name)
  if (current === null || current.metadata.uid !== object.metadata.uid) return
  // Most passes change nothing, and an object with a template is long.
  if (isSameJson(current.status, status)) return
  cluster.store.put(key, { ...current, status })
}

/** Sets one condition; `lastTransitionTime` changes only with its status. */
export function withCondition<C extends Json>(
  cluster: SimulatedCluster,
  conditions: readonly C[],
  condition: { readonly type: string; readonly status: 'True' | 'False' | 'Unknown'; readonly [field: string]: Json },
): readonly (C | JsonObject)[] {
  const before = conditions.find(one => textAt(one, 'type') === condition.type)
  const since = textAt(before, 'status') === condition.status ? textAt(before, 'lastTransitionTime') : undefined
  const next = { ...condition, lastTransitionTime: since ?? timestamp(cluster.clock.now()) }
  return before === undefined ? [...conditions, next] : conditions.map(one => (one === before ? next : one))
}

/** Whether a pod counts for its owner: neither finished nor terminating. */
export function isActive(pod: Stored<'Pod'>): boolean {
  return !isTerminating(pod) && !isFinished(pod)
}

export function isFinished(pod: Stored<'Pod'>): boolean {
  return ['Succeeded', 'Failed'].includes(textAt(pod, 'status', 'phase') ?? '')
}

export function readyCount(pods: readonly Stored<'Pod'>[]): number {
  return pods.filter(pod => !isTerminating(pod) && isReady(pod)).length
}

export function podFromTemplate(template: JsonObject): { readonly metadata: ObjectMeta; readonly spec: JsonObject } {
  const metadata = recordAt(template, 'metadata')
  return {
    metadata: {
      ...('labels' in metadata ? { labels: labelsOf(metadata) } : {}),
      ...('annotations' in metadata ? { annotations: textsOf(recordAt(metadata, 'annotations')) } : {}),
    },
    spec: recordAt(template, 'spec'),
  }
}

export function labelsOf(metadata: JsonObject): Readonly<Record<string, string>> {
  return textsOf(recordAt(metadata, 'labels'))
}

function textsOf(record: JsonObject): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(record).map(([key, value]) => [key, String(value)]))
}

/** Stored objects are immutable, and controllers need the same hash at every pass. */
const hashes = new WeakMap<object, string>()

/** Hashes a template; the order of its fields does not matter. */
export function templateHash(template: Json): string {
  if (!isJsonObject(template)) return hashOf(template)
  const known = hashes.get(template)
  if (known !== undefined) return known
  const hash = hashOf(template)
  hashes.set(template, hash)
  return hash
}

function hashOf(template: Json): string {
  const letters = 'bcdfghjklmnpqrstvwxz2456789'
  const digest = createHash('sha256').update(canonical(template)).digest()
  return [...digest.subarray(0, 10)].map(byte => letters[byte % letters.length]).join('')
}

function canonical(value: Json): string {
  if (isJsonList(value)) return `[${value.map(canonical).join(',')}]`
  if (!isJsonObject(value)) return JSON.stringify(value)
  const fields = Object.entries(value).flatMap(([key, field]) =>
    field === undefined ? [] : [`${JSON.stringify(key)}:${canonical(field)}`],
  )
  return `{${fields.sort().join(',')}}`
}

/** Resolves a number or a percentage of a total, rounded as requested (apimachinery intstr). */
export function scaledValue(value: Json | undefined, total: number, round: 'up' | 'down'): number | undefined {
  if (typeof value === 'number') return value
  const percent = typeof value === 'string' ? /^(\d+)%$/.exec(value)?.[1] : undefined
  if (percent === undefined) return undefined
  const exact = (Number(percent) * total) / 100
  return round === 'up' ? Math.ceil(exact) : Math.floor(exact)
}

export function containersOf(pod: Stored<'Pod'>): readonly Json[] {
  return listAt(pod, 'spec', 'containers')
}
