import { randomInt, randomUUID } from 'node:crypto'
import type { SimulatedCluster } from '../simulated-cluster.ts'
import {
  alreadyExists,
  apiStatus,
  badRequest,
  forbidden,
  granted,
  invalid,
  invalidFields,
  notFound,
  type Outcome,
  refused,
} from '../store/api-status.ts'
import { type ApiType, groupVersionOf, storeKeyOf } from '../store/api-type.ts'
import { at, type JsonObject, listAt, recordAt, textAt } from '../store/json.ts'
import { isTerminating, type KubernetesObject, type StoredObject } from '../store/kubernetes-object.ts'
import type { UnversionedObject } from '../store/object-store.ts'
import { timestamp } from '../store/timestamp.ts'
import { prunedObject, schemaProblems, unsupportedRulesOf } from './custom-schema.ts'
import { withDefaults } from './defaults.ts'
import { knownFields } from './known-fields.ts'
import { managedFields, OWN_MANAGER, type Writer } from './managed-fields.ts'

interface CreateRequest {
  readonly type: ApiType
  readonly namespace: string | null
  readonly object: KubernetesObject
  readonly dryRun: boolean
  /** True for the seed, whose status and creation time are kept; other requests lose their status. */
  readonly seeded?: boolean
  /** The manager for managedFields; the default is `kube-controller-manager`. */
  readonly manager?: string
}

const LETTERS = 'bcdfghjklmnpqrstvwxz2456789'
const NAME = /^[a-z0-9](?:[-a-z0-9.:]*[a-z0-9])?$/

/** Creates an object as `POST` does (apiserver `registry/rest/create.go`): names it, completes it, stores it. */
export function createObject(cluster: SimulatedCluster, request: CreateRequest): Outcome<StoredObject> {
  const { type, namespace, object } = request
  const meta = object.metadata
  if (meta.resourceVersion !== undefined && meta.resourceVersion !== '' && request.seeded !== true) {
    return refused(badRequest('resourceVersion should not be set on objects to be created'))
  }
  if (type.custom && object.kind !== type.kind) {
    const why = `Invalid value: "${object.kind}": must be ${type.kind}`
    return refused(invalid({ group: type.group, kind: object.kind }, meta.name ?? '', 'kind', why))
  }
  if (object.kind !== type.kind || object.apiVersion !== groupVersionOf(type)) {
    const sent = `${object.kind} in version "${object.apiVersion}"`
    return refused(badRequest(`${sent} cannot be handled as a ${type.kind} of ${groupVersionOf(type)}`))
  }
  if (namespace !== null && meta.namespace !== undefined && meta.namespace !== '' && meta.namespace !== namespace) {
    return refused(badRequest('the namespace of the provided object does not match the namespace sent on the request'))
  }
  const name = nameFor(cluster, request)
  if (name === null) {
    return refused(
      invalid(type, '', 'metadata.name', 'Required value: name or generateName is required', 'FieldValueRequired'),
    )
  }
  if (!NAME.test(name) || name.length > 253) {
    const why = `Invalid value: "${name}": a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.'`
    return refused(invalid(type, name, 'metadata.name', why))
  }
  const problem = namespaceProblem(cluster, request, name)
  if (problem !== null) return problem
  // Real clusters have objects that are older than their definition, and the server does not validate those again.
  const sent = knownFields(cluster.release, type, request.seeded === true ? object : storedContent(type, object))
  const problems =
    request.seeded === true || type.schema === null ? [] : schemaProblems(type.schema, sent, cluster.release)
  if (problems.length > 0) return refused(invalidFields(type, name, problems))
  if (cluster.store.get(storeKeyOf(type), namespace, name) !== null) return refused(alreadyExists(type, name))
  const rules = type.kind === 'CustomResourceDefinition' && cluster.release.schemaRules ? unsupportedRules(object) : []
  if (rules.length > 0) return refused(badRequest(`this embedded server cannot evaluate the rule ${rules.join(', ')}`))
  const missing = missingField(type, object)
  if (missing !== null) return refused(invalid(type, name, missing, 'Required value', 'FieldValueRequired'))

  const now = timestamp(cluster.clock.now())
  const { resourceVersion: _, managedFields: __, namespace: ___, ...given } = meta
  const named: KubernetesObject = {
    ...sent,
    metadata: { ...given, name, ...(namespace === null ? {} : { namespace }) },
  }
  const kept = request.seeded === true ? named : withoutStatus(type, named)
  const complete = withDefaults(kept, now)
  const metadata = {
    ...complete.metadata,
    name,
    uid: (request.seeded === true ? meta.uid : undefined) ?? randomUUID(),
    creationTimestamp: (request.seeded === true ? meta.creationTimestamp : undefined) ?? now,
    ...(type.counted ? { generation: 1 } : {}),
  }
  const writer: Writer = { manager: request.manager ?? OWN_MANAGER, subresource: null, at: now }
  const whole = { ...complete, ...initialStatus(complete), metadata }
  const created: UnversionedObject = {
    ...whole,
    metadata: { ...metadata, ...managedFields(type, whole, null, writer) },
  }
  return granted(
    request.dryRun
      ? { ...created, metadata: { ...created.metadata, resourceVersion: '' } }
      : cluster.store.put(storeKeyOf(type), created),
  )
}

function nameFor(cluster: SimulatedCluster, { type, namespace, object }: CreateRequest): string | null {
  if (object.metadata.name !== undefined && object.metadata.name !== '') return object.metadata.name
  const prefix = object.metadata.generateName
  if (prefix === undefined || prefix === '') return null
  for (;;) {
    const suffix = Array.from({ length: 5 }, () => LETTERS[randomInt(LETTERS.length)]).join('')
    if (cluster.store.get(storeKeyOf(type), namespace, prefix + suffix) === null) return prefix + suffix
  }
}

function namespaceProblem(
  cluster: SimulatedCluster,
  { type, namespace, seeded }: CreateRequest,
  name: string,
): Outcome<never> | null {
  if (namespace === null) return null
  const home = cluster.store.get('namespaces', null, namespace)
  if (home === null) return seeded === true ? null : refused(notFound({ group: '', plural: 'namespaces' }, namespace))
  if (!isTerminating(home)) return null
  const why = `unable to create new content in namespace ${namespace} because it is being terminated`
  const cause = {
    reason: 'NamespaceTerminating',
    message: `namespace ${namespace} is being terminated`,
    field: 'metadata.namespace',
  }
  return refused(forbidden(type, name, why, [cause]))
}

/** Lists the CEL rules of a definition that the simulator cannot evaluate. */
function unsupportedRules(definition: KubernetesObject): readonly string[] {
  return listAt(definition, 'spec', 'versions').flatMap(version =>
    unsupportedRulesOf(recordAt(version, 'schema', 'openAPIV3Schema')),
  )
}

/** Returns a missing required field, for the few fields that clients are likely to test. */
function missingField(type: ApiType, object: KubernetesObject): string | null {
  if (type.kind === 'Pod' && at(object, 'spec', 'containers') === undefined) return 'spec.containers'
  const workload = ['Deployment', 'ReplicaSet', 'StatefulSet', 'DaemonSet'].includes(type.kind) && !type.custom
  if (workload && at(object, 'spec', 'selector') === undefined) return 'spec.selector'
  if (workload && at(object, 'spec', 'template') === undefined) return 'spec.template'
  return null
}

/** Drops the status (only the subresource writes it) and the fields that the schema does not have. */
function storedContent(type: ApiType, object: KubernetesObject): KubernetesObject {
  const open = withoutStatus(type, object)
  return type.schema === null ? open : { ...prunedObject(type.schema, open), ...headOf(object) }
}

function headOf({ apiVersion, kind, metadata }: KubernetesObject): KubernetesObject {
  return { apiVersion, kind, metadata }
}

function withoutStatus(type: ApiType, object: KubernetesObject): KubernetesObject {
  // Nodes register with their status; other kinds with a status subresource start without one.
  if (type.kind === 'Node' || !type.subresources.includes('status')) return object
  return { ...object, status: undefined }
}

function initialStatus(object: KubernetesObject): JsonObject {
  if (object.kind !== 'Pod') return {}
  return {
    status: {
      phase: 'Pending',
      qosClass: 'BestEffort',
      ...(textAt(object, 'status', 'phase') === undefined ? {} : recordStatus(object)),
    },
  }
}

function recordStatus(object: KubernetesObject): JsonObject {
  const status = at(object, 'status')
  return typeof status === 'object' && status !== null && !Array.isArray(status) ? (status as JsonObject) : {}
}

export function notAnObject() {
  return apiStatus(400, 'BadRequest', 'the body is not a Kubernetes object: it needs apiVersion, kind and metadata')
}
