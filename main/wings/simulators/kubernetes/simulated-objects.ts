import { createObject } from './rest/create-object.ts'
import { type DeleteOptions, deleteObject, PLAIN_DELETION } from './rest/delete-object.ts'
import type { SimulatedCluster } from './simulated-cluster.ts'
import type { Outcome } from './store/api-status.ts'
import { type ApiType, storeKeyOf } from './store/api-type.ts'
import { listAt, textAt } from './store/json.ts'
import { isTerminating, type KubernetesObject, type StoredObject } from './store/kubernetes-object.ts'
import type { Stored } from './store/models.ts'

/** Reads and changes the objects of a simulated cluster without HTTP, for tests and scenarios. */
export interface SimulatedObjects {
  /** In name order; without a namespace, objects of all namespaces. */
  list<K extends string>(kind: K, namespace?: string): readonly Stored<K>[]
  /** The namespace is null for cluster-scoped kinds; the answer is null if the object does not exist. */
  get<K extends string>(kind: K, namespace: string | null, name: string): Stored<K> | null
  /** Creates an object as the API would, but keeps its status. */
  create(object: KubernetesObject): StoredObject
  /** Replaces an object with its status, without the API's validation; its identity stays. */
  change<K extends string>(
    kind: K,
    namespace: string | null,
    name: string,
    change: (object: Stored<K>) => KubernetesObject,
  ): StoredObject
  remove(kind: string, namespace: string | null, name: string, options?: Partial<DeleteOptions>): void
  revision(): number
}

export function createSimulatedObjects(cluster: SimulatedCluster): SimulatedObjects {
  const typeOf = (kind: string): ApiType => {
    const found = cluster.catalog.types().find(type => type.kind === kind)
    if (found === undefined) throw new Error(`The simulated cluster has no kind ${kind}`)
    return found
  }
  const get = (kind: string, namespace: string | null, name: string): StoredObject | null =>
    cluster.store.get(storeKeyOf(typeOf(kind)), namespace, name)
  return {
    get,
    list: (kind, namespace) => cluster.store.list(storeKeyOf(typeOf(kind)), namespace ?? null),
    create: object => createSeeded(cluster, object),
    change(kind, namespace, name, change) {
      const current = get(kind, namespace, name)
      if (current === null) throw new Error(`The simulated cluster has no ${kind} ${name}`)
      const changed = change(current)
      const { uid, creationTimestamp } = current.metadata
      return cluster.store.put(storeKeyOf(typeOf(kind)), {
        ...changed,
        metadata: { ...changed.metadata, name, uid, creationTimestamp },
      })
    },
    remove(kind, namespace, name, options = {}) {
      must(deleteObject(cluster, typeOf(kind), namespace, name, { ...PLAIN_DELETION, ...options }))
    },
    revision: () => cluster.store.revision(),
  }
}

const STANDARD_NAMESPACES = ['default', 'kube-node-lease', 'kube-public', 'kube-system']

/** Writes a seed into an empty cluster: first namespaces and definitions, with namespaces that the seed uses but does not define. */
export function seedObjects(cluster: SimulatedCluster, seed: readonly KubernetesObject[]): void {
  const first = seed.filter(object => ['Namespace', 'CustomResourceDefinition'].includes(object.kind))
  for (const object of first) createSeeded(cluster, object)
  const needed = seed.flatMap(object => object.metadata.namespace ?? [])
  for (const name of new Set([...STANDARD_NAMESPACES, ...needed])) {
    if (cluster.store.get('namespaces', null, name) !== null) continue
    createSeeded(cluster, { apiVersion: 'v1', kind: 'Namespace', metadata: { name } })
  }
  for (const object of seed) if (!first.includes(object)) createSeeded(cluster, object)
}

function createSeeded(cluster: SimulatedCluster, written: KubernetesObject): StoredObject {
  // Scenarios serve every release, so they write budgets in one version.
  const object =
    written.apiVersion === 'policy/v1' ? { ...written, apiVersion: `policy/${cluster.release.policy}` } : written
  const type = cluster.catalog.ofObject(object.apiVersion, object.kind)
  if (type === null) throw new Error(`The simulated cluster does not know ${object.apiVersion} ${object.kind}`)
  const namespace = type.namespaced ? (object.metadata.namespace ?? 'default') : null
  return must(createObject(cluster, { type, namespace, object, dryRun: false, seeded: true }))
}

function must<T>(outcome: Outcome<T>): T {
  if (outcome.ok) return outcome.value
  throw new Error(`The simulated cluster refuses: ${outcome.status.message}`)
}

/** Whether a node or pod is Ready and not being deleted. */
export function isServing(object: Stored<'Node'> | Stored<'Pod'>): boolean {
  const ready = listAt(object, 'status', 'conditions').find(each => textAt(each, 'type') === 'Ready')
  return textAt(ready, 'status') === 'True' && !isTerminating(object)
}
