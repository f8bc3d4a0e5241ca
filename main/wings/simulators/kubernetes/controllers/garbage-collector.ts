import { deleteObject, PLAIN_DELETION } from '../rest/delete-object.ts'
import { updateObject } from '../rest/update-object.ts'
import type { SimulatedCluster } from '../simulated-cluster.ts'
import { DEFINITIONS_KEY, storeKeyOfDefinition } from '../store/api-catalog.ts'
import { type ApiType, storeKeyOf } from '../store/api-type.ts'
import { isTerminating, type StoredObject } from '../store/kubernetes-object.ts'
import type { Reconcile } from './control-loop.ts'

interface Kept {
  readonly type: ApiType
  readonly object: StoredObject
}

/** Removes objects without owners, namespaces' content and custom objects without a definition; serves the finalizers `foregroundDeletion` and `orphan`. */
export function createGarbageCollector(cluster: SimulatedCluster): Reconcile {
  return () => {
    dropUndefined(cluster)
    const kept = everything(cluster)
    const living = new Set(kept.map(({ object }) => object.metadata.uid))
    for (const { type, object } of kept) {
      const owners = object.metadata.ownerReferences ?? []
      const ownerless = owners.length > 0 && owners.every(owner => !living.has(owner.uid))
      if (ownerless && !isTerminating(object)) remove(cluster, type, object)
    }
    for (const { type, object } of kept) if (isTerminating(object)) finalize(cluster, type, object, kept)
    emptyNamespaces(cluster)
  }
}

function everything(cluster: SimulatedCluster): readonly Kept[] {
  const types = new Map(cluster.catalog.types().map(type => [storeKeyOf(type), type]))
  return cluster.store.all().flatMap(({ storeKey, object }) => {
    const type = types.get(storeKey)
    return type === undefined ? [] : [{ type, object }]
  })
}

function remove(cluster: SimulatedCluster, type: ApiType, object: StoredObject): void {
  const { namespace, name, uid } = object.metadata
  deleteObject(cluster, type, namespace ?? null, name, { ...PLAIN_DELETION, uid })
}

function finalize(cluster: SimulatedCluster, type: ApiType, object: StoredObject, kept: readonly Kept[]): void {
  const finalizers = object.metadata.finalizers ?? []
  const isForeground = finalizers.includes('foregroundDeletion')
  if (!isForeground && !finalizers.includes('orphan')) return
  const dependents = kept.filter(one =>
    (one.object.metadata.ownerReferences ?? []).some(owner => owner.uid === object.metadata.uid),
  )
  if (isForeground) {
    for (const one of dependents) if (!isTerminating(one.object)) remove(cluster, one.type, one.object)
    if (dependents.length > 0) return
  } else {
    for (const one of dependents) {
      const left = (one.object.metadata.ownerReferences ?? []).filter(owner => owner.uid !== object.metadata.uid)
      cluster.store.put(storeKeyOf(one.type), {
        ...one.object,
        metadata: { ...one.object.metadata, ownerReferences: left },
      })
    }
  }
  const { name, namespace, resourceVersion: _, ...metadata } = object.metadata
  const rest = finalizers.filter(one => one !== 'foregroundDeletion' && one !== 'orphan')
  updateObject(cluster, {
    type,
    namespace: namespace ?? null,
    name,
    object: { ...object, metadata: { ...metadata, name, finalizers: rest } },
    dryRun: false,
    subresource: null,
    patched: true,
  })
}

function dropUndefined(cluster: SimulatedCluster): void {
  const known = new Set([
    ...cluster.catalog.types().map(storeKeyOf),
    ...cluster.store.list(DEFINITIONS_KEY, null).map(storeKeyOfDefinition),
  ])
  for (const { storeKey, object } of cluster.store.all()) {
    if (!known.has(storeKey)) cluster.store.remove(storeKey, object)
  }
}

function emptyNamespaces(cluster: SimulatedCluster): void {
  for (const namespace of cluster.store.list('namespaces', null)) {
    if (!isTerminating(namespace)) continue
    const content = everything(cluster).filter(({ object }) => object.metadata.namespace === namespace.metadata.name)
    for (const { type, object } of content) if (!isTerminating(object)) remove(cluster, type, object)
    if (content.length === 0) cluster.store.remove('namespaces', namespace)
  }
}
