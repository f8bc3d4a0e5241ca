import { isDeepStrictEqual } from 'node:util'
import type { KubernetesObject, StoredObject } from './kubernetes-object.ts'

/** One write, as watches replay it. */
export interface StoreChange {
  readonly revision: number
  readonly kind: 'added' | 'modified' | 'deleted'
  readonly storeKey: string
  /** The object after the write; for a deletion, its last state with the revision of the deletion. */
  readonly object: StoredObject
  /** The object before the write; null for a new one. */
  readonly previous: StoredObject | null
}

/** The simulator's etcd: objects by type, one revision counter, and a limited history for watches. */
export interface ObjectStore {
  revision(): number
  get(storeKey: string, namespace: string | null, name: string): StoredObject | null
  /** Lists a type in name order; a null namespace means all namespaces. */
  list(storeKey: string, namespace: string | null): readonly StoredObject[]
  all(): readonly { readonly storeKey: string; readonly object: StoredObject }[]
  /** Writes an object that has a name and a UID. A write without a change keeps the revision, as etcd3 storage does. */
  put(storeKey: string, object: UnversionedObject): StoredObject
  remove(storeKey: string, object: StoredObject): StoredObject
  /** Returns the changes after a revision, or `expired` if the history starts later. */
  changesSince(revision: number): readonly StoreChange[] | 'expired'
  /** The oldest revision from which a watch may start. */
  compactedRevision(): number
  /** Drops the history, so that every older resourceVersion gets 410. */
  compact(): void
  onChange(listener: (change: StoreChange) => void): () => void
}

/** An object before the store gives it a version. */
export type UnversionedObject = KubernetesObject & {
  readonly metadata: { readonly name: string; readonly uid: string; readonly creationTimestamp: string }
}

const FIRST_REVISION = 1000

/** Makes an empty store that keeps the last `historyLimit` changes. */
export function createObjectStore(historyLimit: number): ObjectStore {
  const types = new Map<string, Map<string, StoredObject>>()
  // Controllers list far more often than objects change, so lists are cached.
  const lists = new Map<string, Map<string | null, readonly StoredObject[]>>()
  const listeners = new Set<(change: StoreChange) => void>()
  /** The length of each object's JSON text, without its version. */
  const texts = new WeakMap<StoredObject, number>()
  let history: StoreChange[] = []
  let revision = FIRST_REVISION
  let compacted = FIRST_REVISION

  function objectsOf(storeKey: string): Map<string, StoredObject> {
    const known = types.get(storeKey)
    if (known !== undefined) return known
    const fresh = new Map<string, StoredObject>()
    types.set(storeKey, fresh)
    return fresh
  }

  function listOf(storeKey: string, namespace: string | null): readonly StoredObject[] {
    const cached = lists.get(storeKey) ?? new Map<string | null, readonly StoredObject[]>()
    lists.set(storeKey, cached)
    const known = cached.get(namespace)
    if (known !== undefined) return known
    const fresh =
      namespace === null
        ? [...(types.get(storeKey)?.entries() ?? [])].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, object]) => object)
        : listOf(storeKey, null).filter(object => object.metadata.namespace === namespace)
    cached.set(namespace, fresh)
    return fresh
  }

  function record(change: StoreChange): void {
    history.push(change)
    if (history.length > historyLimit * 2) {
      history = history.slice(-historyLimit)
      compacted = (history[0]?.revision ?? revision) - 1
    }
    for (const listener of [...listeners]) listener(change)
  }

  return {
    revision: () => revision,
    compactedRevision: () => compacted,
    get: (storeKey, namespace, name) => types.get(storeKey)?.get(keyOf(namespace, name)) ?? null,
    list: listOf,
    all: () => [...types].flatMap(([storeKey, objects]) => [...objects.values()].map(object => ({ storeKey, object }))),
    put(storeKey, object) {
      const objects = objectsOf(storeKey)
      const key = keyOf(object.metadata.namespace ?? null, object.metadata.name)
      const previous = objects.get(key) ?? null
      // A round trip through JSON drops undefined fields and shares nothing with the caller.
      const text = JSON.stringify(unversioned(object))
      const plain: UnversionedObject = JSON.parse(text)
      // Equal objects have texts of equal length, whatever the order of their fields.
      const mayBeSame = previous !== null && texts.get(previous) === text.length
      if (mayBeSame && isDeepStrictEqual(unversioned(previous), plain)) return previous
      revision += 1
      const stored: StoredObject = { ...plain, metadata: { ...plain.metadata, resourceVersion: String(revision) } }
      texts.set(stored, text.length)
      objects.set(key, stored)
      lists.delete(storeKey)
      record({ revision, kind: previous === null ? 'added' : 'modified', storeKey, object: stored, previous })
      return stored
    },
    remove(storeKey, object) {
      const key = keyOf(object.metadata.namespace ?? null, object.metadata.name)
      const previous = objectsOf(storeKey).get(key)
      if (previous === undefined) return object
      objectsOf(storeKey).delete(key)
      lists.delete(storeKey)
      revision += 1
      const last = { ...previous, metadata: { ...previous.metadata, resourceVersion: String(revision) } }
      record({ revision, kind: 'deleted', storeKey, object: last, previous })
      return last
    },
    changesSince: since => (since < compacted ? 'expired' : history.filter(change => change.revision > since)),
    compact() {
      history = []
      compacted = revision
    },
    onChange(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
}

function keyOf(namespace: string | null, name: string): string {
  return namespace === null ? name : `${namespace}/${name}`
}

function unversioned(object: KubernetesObject): KubernetesObject {
  const { resourceVersion: _, ...metadata } = object.metadata
  return { ...object, metadata }
}
