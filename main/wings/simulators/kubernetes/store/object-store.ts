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
  compactedRevision(): number
  compact(): void
  onChange(listener: (change: StoreChange) => void): () => void
}

/** An object before the store gives it a version. */
export type UnversionedObject = KubernetesObject & {
  readonly metadata: { readonly name: string; readonly uid: string; readonly creationTimestamp: string }
}

const FIRST_REVISION = 1000

interface StoreState {
  readonly historyLimit: number
  readonly types: Map<string, Map<string, StoredObject>>
  /** Controllers list far more often than objects change, so lists are cached. */
  readonly lists: Map<string, Map<string | null, readonly StoredObject[]>>
  /** The length of each object's JSON text, without its version. */
  readonly texts: WeakMap<StoredObject, number>
  readonly listeners: Set<(change: StoreChange) => void>
  history: StoreChange[]
  revision: number
  compacted: number
}

/** Makes an empty store that keeps the last `historyLimit` changes. */
export function createObjectStore(historyLimit: number): ObjectStore {
  const state: StoreState = {
    historyLimit,
    types: new Map(),
    lists: new Map(),
    texts: new WeakMap(),
    listeners: new Set(),
    history: [],
    revision: FIRST_REVISION,
    compacted: FIRST_REVISION,
  }
  return {
    revision: () => state.revision,
    compactedRevision: () => state.compacted,
    get: (storeKey, namespace, name) => state.types.get(storeKey)?.get(keyOf(namespace, name)) ?? null,
    list: (storeKey, namespace) => listObjects(state, storeKey, namespace),
    all: () =>
      [...state.types].flatMap(([storeKey, objects]) => [...objects.values()].map(object => ({ storeKey, object }))),
    put: (storeKey, object) => putObject(state, storeKey, object),
    remove: (storeKey, object) => removeObject(state, storeKey, object),
    changesSince: since =>
      since < state.compacted ? 'expired' : state.history.filter(change => change.revision > since),
    compact() {
      state.history = []
      state.compacted = state.revision
    },
    onChange(listener) {
      state.listeners.add(listener)
      return () => state.listeners.delete(listener)
    },
  }
}

function objectsOf({ types }: StoreState, storeKey: string): Map<string, StoredObject> {
  const known = types.get(storeKey)
  if (known !== undefined) return known
  const fresh = new Map<string, StoredObject>()
  types.set(storeKey, fresh)
  return fresh
}

function listObjects(state: StoreState, storeKey: string, namespace: string | null): readonly StoredObject[] {
  const cached = state.lists.get(storeKey) ?? new Map<string | null, readonly StoredObject[]>()
  state.lists.set(storeKey, cached)
  const known = cached.get(namespace)
  if (known !== undefined) return known
  const fresh =
    namespace === null
      ? [...(state.types.get(storeKey)?.entries() ?? [])]
          .sort(([a], [b]) => (a < b ? -1 : 1))
          .map(([, object]) => object)
      : listObjects(state, storeKey, null).filter(object => object.metadata.namespace === namespace)
  cached.set(namespace, fresh)
  return fresh
}

function putObject(state: StoreState, storeKey: string, object: UnversionedObject): StoredObject {
  const objects = objectsOf(state, storeKey)
  const key = keyOf(object.metadata.namespace ?? null, object.metadata.name)
  const previous = objects.get(key) ?? null
  // A round trip through JSON drops undefined fields and shares nothing with the caller.
  const text = JSON.stringify(unversioned(object))
  const plain: UnversionedObject = JSON.parse(text)
  // Equal objects have texts of equal length, whatever the order of their fields.
  const mayBeSame = previous !== null && state.texts.get(previous) === text.length
  if (mayBeSame && isDeepStrictEqual(unversioned(previous), plain)) return previous
  state.revision += 1
  const stored: StoredObject = { ...plain, metadata: { ...plain.metadata, resourceVersion: String(state.revision) } }
  state.texts.set(stored, text.length)
  objects.set(key, stored)
  state.lists.delete(storeKey)
  const kind = previous === null ? 'added' : 'modified'
  recordChange(state, { revision: state.revision, kind, storeKey, object: stored, previous })
  return stored
}

function removeObject(state: StoreState, storeKey: string, object: StoredObject): StoredObject {
  const key = keyOf(object.metadata.namespace ?? null, object.metadata.name)
  const objects = objectsOf(state, storeKey)
  const previous = objects.get(key)
  if (previous === undefined) return object
  objects.delete(key)
  state.lists.delete(storeKey)
  state.revision += 1
  const last = { ...previous, metadata: { ...previous.metadata, resourceVersion: String(state.revision) } }
  recordChange(state, { revision: state.revision, kind: 'deleted', storeKey, object: last, previous })
  return last
}

function recordChange(state: StoreState, change: StoreChange): void {
  const { historyLimit } = state
  state.history.push(change)
  if (state.history.length > historyLimit * 2) {
    state.history = state.history.slice(-historyLimit)
    state.compacted = (state.history[0]?.revision ?? state.revision) - 1
  }
  for (const listener of [...state.listeners]) listener(change)
}

function keyOf(namespace: string | null, name: string): string {
  return namespace === null ? name : `${namespace}/${name}`
}

function unversioned(object: KubernetesObject): KubernetesObject {
  const { resourceVersion: _, ...metadata } = object.metadata
  return { ...object, metadata }
}
