import { isDeepStrictEqual } from 'node:util'
import type { SimulatedCluster } from '../simulated-cluster.ts'
import {
  badRequest,
  conflict,
  granted,
  invalid,
  invalidFields,
  notFound,
  type Outcome,
  refused,
} from '../store/api-status.ts'
import { type ApiType, storeKeyOf } from '../store/api-type.ts'
import { isJsonObject, type JsonObject, listAt, recordAt } from '../store/json.ts'
import { isTerminating, type KubernetesObject, type StoredObject } from '../store/kubernetes-object.ts'
import type { UnversionedObject } from '../store/object-store.ts'
import { timestamp } from '../store/timestamp.ts'
import { prunedObject, ruleProblems, schemaProblems } from './custom-schema.ts'
import { establishedDefinition } from './defaults.ts'
import { knownFields } from './known-fields.ts'
import { dropsManagedFields, managedFields, OWN_MANAGER, type Writer } from './managed-fields.ts'

interface UpdateRequest {
  readonly type: ApiType
  readonly namespace: string | null
  readonly name: string
  readonly object: KubernetesObject
  readonly dryRun: boolean
  /** `status` changes only the status, null everything else. */
  readonly subresource: 'status' | null
  /** A patch of a custom resource may omit the resourceVersion. */
  readonly patched: boolean
  readonly manager?: string
}

const STALE = 'the object has been modified; please apply your changes to the latest version and try again'

/** Replaces an object as `PUT` does (apiserver `registry/rest/update.go`): optimistic concurrency, immutable identity, generation. */
export function updateObject(cluster: SimulatedCluster, request: UpdateRequest): Outcome<StoredObject> {
  const { type, namespace, name, object } = request
  const current = cluster.store.get(storeKeyOf(type), namespace, name)
  if (current === null) return refused(notFound(type, name))
  const meta = object.metadata
  if (meta.name !== undefined && meta.name !== name) {
    return refused(badRequest('the name of the object does not match the name on the URL'))
  }
  if (meta.resourceVersion === undefined || meta.resourceVersion === '') {
    if (type.custom && !request.patched) {
      const why = 'Invalid value: 0x0: must be specified for an update'
      return refused(invalid(type, name, 'metadata.resourceVersion', why))
    }
  } else if (meta.resourceVersion !== current.metadata.resourceVersion) return refused(conflict(type, name, STALE))
  if (meta.uid !== undefined && meta.uid !== '' && meta.uid !== current.metadata.uid) {
    if (request.patched) {
      return refused(invalid(type, name, 'metadata.uid', `Invalid value: "${meta.uid}": field is immutable`))
    }
    const why = `Precondition failed: UID in precondition: ${meta.uid}, UID in object meta: ${current.metadata.uid}`
    return refused(conflict(type, name, why))
  }
  const next = composed(cluster, request, current)
  const added = addedFinalizers(current, next)
  if (added.length > 0) {
    const list = added.map(one => JSON.stringify(one)).join(', ')
    const why = `Forbidden: no new finalizers can be added if the object is being deleted, found new finalizers []string{${list}}`
    return refused(invalid(type, name, 'metadata.finalizers', why, 'FieldValueForbidden'))
  }
  const problems = type.schema === null ? [] : schemaProblems(type.schema, next, cluster.release)
  if (problems.length === 0 && type.schema !== null && cluster.release.schemaRules) {
    const broken = ruleProblems(type.schema, current, next)
    if (broken.length > 0) return refused(invalidFields(type, name, broken))
  }
  if (problems.length > 0) return refused(invalidFields(type, name, problems))
  const why = type.kind === 'Pod' && !type.custom && request.subresource === null ? podSpecProblem(current, next) : null
  if (why !== null) return refused(invalid(type, name, 'spec', why))
  if (request.dryRun) {
    return granted({ ...next, metadata: { ...next.metadata, resourceVersion: current.metadata.resourceVersion } })
  }
  return granted(
    isFinished(next) ? cluster.store.remove(storeKeyOf(type), current) : cluster.store.put(storeKeyOf(type), next),
  )
}

/** Whether a terminating object has no finalizer and no grace period left. */
function isFinished(object: KubernetesObject): boolean {
  const waits = (object.metadata.finalizers ?? []).length > 0 || (object.metadata.deletionGracePeriodSeconds ?? 0) > 0
  return isTerminating(object) && !waits && object.kind !== 'Namespace'
}

/** Lists finalizers that a write would add to a terminating object; the server only lets it remove them (apimachinery `ValidateFinalizersUpdate`). */
function addedFinalizers(current: StoredObject, next: KubernetesObject): readonly string[] {
  const before = current.metadata.finalizers ?? []
  return isTerminating(current) ? (next.metadata.finalizers ?? []).filter(one => !before.includes(one)) : []
}

function composed(cluster: SimulatedCluster, request: UpdateRequest, current: StoredObject): UnversionedObject {
  const { type, subresource } = request
  const sent = knownFields(cluster.release, type, JSON.parse(JSON.stringify(request.object)) as KubernetesObject)
  const { apiVersion, kind, metadata } = sent
  const body = type.schema === null ? sent : { ...prunedObject(type.schema, sent), apiVersion, kind, metadata }
  const given = subresource === 'status' && type.custom ? current.metadata : body.metadata
  const kept = current.metadata
  const base: JsonObject = subresource === 'status' ? { ...current, status: body.status } : body
  const status = type.subresources.includes('status') && subresource === null ? { status: current.status } : {}
  const whole: UnversionedObject = {
    ...base,
    ...status,
    apiVersion: current.apiVersion,
    kind: current.kind,
    metadata: {
      name: kept.name,
      ...(kept.generateName === undefined ? {} : { generateName: kept.generateName }),
      ...(kept.namespace === undefined ? {} : { namespace: kept.namespace }),
      uid: kept.uid,
      creationTimestamp: kept.creationTimestamp,
      ...(kept.generation === undefined ? {} : { generation: kept.generation }),
      ...(kept.deletionTimestamp === undefined ? {} : { deletionTimestamp: kept.deletionTimestamp }),
      ...(kept.deletionGracePeriodSeconds === undefined
        ? {}
        : { deletionGracePeriodSeconds: kept.deletionGracePeriodSeconds }),
      ...(given.labels === undefined ? {} : { labels: given.labels }),
      ...(given.annotations === undefined ? {} : { annotations: given.annotations }),
      ...(given.ownerReferences === undefined ? {} : { ownerReferences: given.ownerReferences }),
      ...(given.finalizers === undefined ? {} : { finalizers: given.finalizers }),
    },
  }
  const writer: Writer = {
    manager: request.manager ?? OWN_MANAGER,
    subresource,
    at: timestamp(cluster.clock.now()),
  }
  const counted = type.counted && !isDeepStrictEqual(desired(whole), desired(current))
  const next: UnversionedObject = {
    ...whole,
    metadata: {
      ...whole.metadata,
      ...(counted ? { generation: (kept.generation ?? 0) + 1 } : {}),
      ...(dropsManagedFields(sent) ? {} : managedFields(type, whole, current, writer)),
    },
  }
  if (type.kind !== 'CustomResourceDefinition' || subresource !== null) return next
  const definition = establishedDefinition(next, timestamp(cluster.clock.now()))
  return { ...definition, metadata: next.metadata }
}

function desired(object: KubernetesObject): JsonObject {
  const { metadata: _, status: __, ...rest } = object
  return JSON.parse(JSON.stringify(rest))
}

/** Pods are immutable except images, tolerations and deadlines (kubernetes `ValidatePodUpdate`). */
function podSpecProblem(current: KubernetesObject, next: KubernetesObject): string | null {
  return isDeepStrictEqual(immutablePart(current), immutablePart(next))
    ? null
    : 'Forbidden: pod updates may not change fields other than `spec.containers[*].image`, `spec.initContainers[*].image`, `spec.activeDeadlineSeconds`, `spec.terminationGracePeriodSeconds` (allow it to be set to 1 if it was previously negative) or `spec.tolerations` (only additions to existing tolerations)'
}

function immutablePart(pod: KubernetesObject): JsonObject {
  const { tolerations: _, activeDeadlineSeconds: __, ...spec } = recordAt(pod, 'spec')
  const unpinned = (field: string) =>
    listAt(spec, field).map(container => (isJsonObject(container) ? { ...container, image: '' } : container))
  return { ...spec, containers: unpinned('containers'), initContainers: unpinned('initContainers') }
}
