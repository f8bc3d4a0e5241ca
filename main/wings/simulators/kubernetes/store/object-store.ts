import { isDeepStrictEqual } from 'node:util'
import type { KubernetesObject, StoredObject } from './kubernetes-object.ts'

/** One write, as watches replay it. */
export interface StoreChange {
  readonly revision: number
  readonly kind: 'added' | 'modified' | 'deleted'
  readonly storeKey: string
  /** The object after the write; for a deletion its last state, with the revision of the deletion. */
  readonly object: StoredObject
  /** The object before the write; null for a new one. */
  readonly previous: StoredObject | null
}

/** The simulator's etcd: objects by type, one revision counter, and a bounded history from which watches resume. */
export interface ObjectStore {
  revision(): number
  get(storeKey: string, namespace: string | null, name: string): StoredObject | null
  /** Objects of a type in name order; a null namespace means all of them. */
  list(storeKey: string, namespace: string | null): readonly StoredObject[]
  /** Every object of every type. */
  all(): readonly { readonly storeKey: string; readonly object: StoredObject }[]
  /** Writes an object that already has a name and a UID; a write that changes nothing keeps its revision, as etcd3 storage does. */
  put(storeKey: string, object: UnversionedObject): StoredObject
  remove(storeKey: string, object: StoredObject): StoredObject
  /** Changes after a revision; `expired` when history no longer reaches back so far. */
  changesSince(revision: number): readonly StoreChange[] | 'expired'
  /** The oldest revision a watch may start from. */
  compactedRevision(): number
  /** Forgets all history, so that every older resourceVersion answers 410. */
  compact(): void
  onChange(listener: (change: StoreChange) => void): () => void
}

/** An object on its way into the store. */
export type UnversionedObject = KubernetesObject & {
  readonly metadata: { readonly name: string; readonly uid: string; readonly creationTimestamp: string }
}

const FIRST_REVISION = 1000

/** Makes an empty store that remembers the last `historyLimit` changes. */
export function createObjectStore(historyLimit: number): ObjectStore {
  const types = new Map<string, Map<string, StoredObject>>()
  // Controllers list far more often than anybody writes.
  const lists = new Map<string, Map<string | null, readonly StoredObject[]>>()
  const listeners = new Set<(change: StoreChange) => void>()
  /** How long each object is as text, without its version. */
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
      // What is the same in another order is of the same length.
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
