import type { SimulatedCluster } from '../simulated-cluster.ts'
import { apiStatus, granted, notFound, type Outcome, refused } from '../store/api-status.ts'
import { type ApiType, storeKeyOf } from '../store/api-type.ts'
import { isJsonObject, type Json, listAt, numberAt, textAt } from '../store/json.ts'
import { isTerminating, type StoredObject } from '../store/kubernetes-object.ts'
import type { Stored } from '../store/models.ts'
import { timestamp } from '../store/timestamp.ts'

/** meta/v1 DeleteOptions. */
export interface DeleteOptions {
  readonly dryRun: boolean
  /** Undefined uses the pod's own grace period. */
  readonly gracePeriodSeconds: number | undefined
  readonly propagation: 'Background' | 'Foreground' | 'Orphan'
  readonly uid: string | undefined
  readonly resourceVersion: string | undefined
}

/** Deletes in the background, with the pod's own grace period. */
export const PLAIN_DELETION: DeleteOptions = {
  dryRun: false,
  gracePeriodSeconds: undefined,
  propagation: 'Background',
  uid: undefined,
  resourceVersion: undefined,
}

interface Deletion {
  readonly object: StoredObject
  readonly gone: boolean
}

/** Reads DeleteOptions from the body and the query, as the API server does. */
export function deleteOptionsOf(body: Json | undefined, query: URLSearchParams): DeleteOptions {
  const grace = query.get('gracePeriodSeconds')
  const propagation = textAt(body, 'propagationPolicy') ?? query.get('propagationPolicy')
  const orphan = query.get('orphanDependents') === 'true' || (isJsonObject(body) && body.orphanDependents === true)
  return {
    dryRun: listAt(body, 'dryRun').includes('All') || query.getAll('dryRun').includes('All'),
    gracePeriodSeconds: numberAt(body, 'gracePeriodSeconds') ?? (grace === null ? undefined : Number(grace)),
    propagation:
      propagation === 'Foreground' ? 'Foreground' : propagation === 'Orphan' || orphan ? 'Orphan' : 'Background',
    uid: textAt(body, 'preconditions', 'uid'),
    resourceVersion: textAt(body, 'preconditions', 'resourceVersion'),
  }
}

/** Deletes an object as `DELETE` does (apiserver `registry/rest/delete.go`), with preconditions, finalizers, propagation and the grace period of running pods. */
export function deleteObject(
  cluster: SimulatedCluster,
  type: ApiType,
  namespace: string | null,
  name: string,
  options: DeleteOptions,
): Outcome<Deletion> {
  const key = storeKeyOf(type)
  const current = cluster.store.get(key, namespace, name)
  if (current === null) return refused(notFound(type, name))
  const broken = brokenPrecondition(type, current, options)
  if (broken !== null) return broken
  const grace = type.kind === 'Pod' && !type.custom ? podGrace(current, options.gracePeriodSeconds) : 0
  const finalizers = finalizersFor(current, options)
  if (grace === 0 && finalizers.length === 0 && type.kind !== 'Namespace') {
    return granted({ object: options.dryRun ? current : cluster.store.remove(key, current), gone: true })
  }
  const before = current.metadata.deletionGracePeriodSeconds
  // A second deletion may only shorten the grace period.
  if (isTerminating(current) && (before ?? 0) <= grace) return granted({ object: current, gone: false })
  const terminating: StoredObject = {
    ...current,
    ...(type.kind === 'Namespace' ? { status: { phase: 'Terminating' } } : {}),
    metadata: {
      ...current.metadata,
      deletionTimestamp: timestamp(cluster.clock.now() + grace * 1000),
      deletionGracePeriodSeconds: grace,
      ...(type.counted ? { generation: (current.metadata.generation ?? 0) + 1 } : {}),
      ...(finalizers.length === 0 ? {} : { finalizers }),
    },
  }
  return granted({ object: options.dryRun ? terminating : cluster.store.put(key, terminating), gone: false })
}

function podGrace(pod: Stored<'Pod'>, asked: number | undefined): number {
  const phase = textAt(pod, 'status', 'phase')
  // No kubelet runs the pod (kubernetes pod strategy CheckGracefulDelete).
  if (textAt(pod, 'spec', 'nodeName') === undefined || phase === 'Succeeded' || phase === 'Failed') return 0
  return asked !== undefined && asked >= 0 ? asked : (numberAt(pod, 'spec', 'terminationGracePeriodSeconds') ?? 30)
}

function finalizersFor(object: StoredObject, options: DeleteOptions): readonly string[] {
  const own = object.metadata.finalizers ?? []
  const added =
    options.propagation === 'Foreground' ? 'foregroundDeletion' : options.propagation === 'Orphan' ? 'orphan' : null
  return added === null || own.includes(added) ? own : [...own, added]
}

function brokenPrecondition(type: ApiType, current: StoredObject, options: DeleteOptions): Outcome<never> | null {
  const refuse = (field: string, asked: string, found: string, hint: string) => {
    const why = `the ${field} in the precondition (${asked}) does not match the ${field} in record (${found}). ${hint}`
    const { name } = current.metadata
    const subject = `${type.group === '' ? type.kind : `${type.kind}.${type.group}`} "${name}"`
    const details = { name, ...(type.group === '' ? {} : { group: type.group }), kind: type.kind }
    return refused(apiStatus(409, 'Conflict', `Operation cannot be fulfilled on ${subject}: ${why}`, details))
  }
  const { uid, resourceVersion } = current.metadata
  if (options.uid !== undefined && options.uid !== uid) {
    return refuse('UID', options.uid, uid, 'The object might have been deleted and then recreated')
  }
  if (options.resourceVersion !== undefined && options.resourceVersion !== resourceVersion) {
    return refuse('ResourceVersion', options.resourceVersion, resourceVersion, 'The object might have been modified')
  }
  return null
}
