import { applyPatch } from '../patch/apply-patch.ts'
import { selectorText } from '../selectors/label-selector.ts'
import type { SimulatedCluster } from '../simulated-cluster.ts'
import { type ApiStatus, apiStatus, badRequest, granted, notFound, type Outcome, refused } from '../store/api-status.ts'
import { type ApiType, groupVersionOf, storeKeyOf } from '../store/api-type.ts'
import { at, isJsonObject, type Json, type JsonObject, numberAt, recordAt } from '../store/json.ts'
import type { KubernetesObject, StoredObject } from '../store/kubernetes-object.ts'
import { includedObject, table, wantsTable } from '../tables/table.ts'
import type { ApiAnswer, ApiRequest, PlainAnswer } from './api-request.ts'
import { createObject, notAnObject } from './create-object.ts'
import { unknownFields } from './custom-schema.ts'
import { type DeleteOptions, deleteObject, deleteOptionsOf } from './delete-object.ts'
import { evictPod } from './evict-pod.ts'
import { listPage } from './list-page.ts'
import { managerOf } from './managed-fields.ts'
import { objectFilter } from './object-filter.ts'
import type { ResourcePath } from './resource-path.ts'
import { updateObject } from './update-object.ts'
import { watchRequest } from './watch-request.ts'

interface Scope {
  readonly cluster: SimulatedCluster
  readonly type: ApiType
  readonly path: ResourcePath
  readonly request: ApiRequest
}

/** Answers an authorized request on an existing resource. */
export async function handleResource(
  cluster: SimulatedCluster,
  type: ApiType,
  path: ResourcePath,
  request: ApiRequest,
  isWatch: boolean,
): Promise<ApiAnswer> {
  const scope: Scope = { cluster, type, path, request }
  switch (request.method) {
    case 'GET':
      if (isWatch) return watch(scope)
      return path.name === null ? list(scope) : read(scope, path.name)
    case 'POST':
      return path.name === null ? create(scope) : evict(scope, path.name)
    case 'PUT':
    case 'PATCH':
      return path.name === null ? answerWith(notAllowed()) : write(scope, path.name)
    case 'DELETE':
      return path.name === null ? removeAll(scope) : remove(scope, path.name)
    default:
      return answerWith(notAllowed())
  }
}

function watch({ cluster, type, path, request }: Scope): ApiAnswer {
  const outcome = watchRequest(cluster, type, path, request)
  return outcome.ok ? { kind: 'watch', watch: outcome.value } : answerWith(outcome.status)
}

async function list({ cluster, type, path, request }: Scope): Promise<ApiAnswer> {
  const filter = objectFilter(type, path.namespace, null, request.query)
  if (!filter.ok) return answerWith(filter.status)
  const fresh = await waitUntilFresh(cluster, request.query)
  if (!fresh.ok) return answerWith(fresh.status)
  const objects = cluster.store.list(storeKeyOf(type), path.namespace).filter(filter.value)
  const page = listPage(cluster.store, objects, request.query)
  if (!page.ok) return answerWith(page.status)
  const { items, resourceVersion, next, remaining } = page.value
  const metadata = { resourceVersion, ...(next === null ? {} : { continue: next, remainingItemCount: remaining }) }
  if (wantsTable(request.accept)) {
    const now = cluster.clock.now()
    const included = includedObject(request.query)
    return answer(
      200,
      table(
        type,
        items.map(item => inRequestedVersion(type, item)),
        { now, included, metadata, withColumns: true },
      ),
    )
  }
  return answer(200, {
    kind: `${type.kind}List`,
    apiVersion: groupVersionOf(type),
    metadata,
    items: items.map(item => inRequestedVersion(type, item)),
  })
}

function read(scope: Scope, name: string): ApiAnswer {
  const { cluster, type, path, request } = scope
  const object = cluster.store.get(storeKeyOf(type), path.namespace, name)
  if (object === null) return answerWith(notFound(type, name))
  if (path.subresource === 'log') return { kind: 'plain', code: 200, body: { text: '' } }
  if (path.subresource === 'scale') return answer(200, scaleOf(object))
  if (path.subresource === 'exec') return answerWith(badRequest('Upgrade request required'))
  if (path.subresource === 'eviction') return answerWith(notAllowed())
  if (wantsTable(request.accept)) {
    const metadata = { resourceVersion: object.metadata.resourceVersion }
    const more = { now: cluster.clock.now(), included: includedObject(request.query), metadata, withColumns: true }
    return answer(200, table(type, [inRequestedVersion(type, object)], more))
  }
  return answer(200, inRequestedVersion(type, object))
}

function create({ cluster, type, path, request }: Scope): ApiAnswer {
  if (type.namespaced && path.namespace === null) return answerWith(notAllowed())
  const object = objectIn(request.body, type)
  if (object === null) return answerWith(notAnObject())
  const strict = strictRefusal(type, request, object)
  if (strict !== null) return answerWith(strict)
  const created = createObject(cluster, {
    type,
    namespace: path.namespace,
    object,
    dryRun: isDryRun(request),
    manager: managerOf(request),
  })
  return answerObject(type, created, 201)
}

async function evict({ cluster, path, request }: Scope, name: string): Promise<ApiAnswer> {
  if (path.subresource !== 'eviction' || path.namespace === null) return answerWith(notAllowed())
  const outcome = await evictPod(cluster, path.namespace, name, request.body, request.query)
  return outcome.ok ? answer(201, outcome.value) : answerWith(outcome.status)
}

function write(scope: Scope, name: string): ApiAnswer {
  const { cluster, type, path, request } = scope
  const current = cluster.store.get(storeKeyOf(type), path.namespace, name)
  if (current === null) return answerWith(notFound(type, name))
  const wanted = path.subresource === 'scale' ? scaled(scope, current) : replaced(scope, current)
  if (!wanted.ok) return answerWith(wanted.status)
  const strict = strictRefusal(type, request, wanted.value)
  if (strict !== null) return answerWith(strict)
  if (path.subresource !== null && !['status', 'scale', 'finalize'].includes(path.subresource)) {
    return answerWith(notAllowed())
  }
  const updated = updateObject(cluster, {
    type,
    namespace: path.namespace,
    name,
    object: wanted.value,
    dryRun: isDryRun(request),
    subresource: path.subresource === 'status' ? 'status' : null,
    patched: request.method === 'PATCH',
    manager: managerOf(request),
  })
  if (updated.ok && path.subresource === 'scale') return answer(200, scaleOf(updated.value))
  return answerObject(type, updated, 200)
}

function replaced({ type, request }: Scope, current: StoredObject): Outcome<KubernetesObject> {
  const body =
    request.method === 'PUT'
      ? { ok: true as const, value: request.body }
      : applyPatch(type, inRequestedVersion(type, current), request.contentType, request.body ?? null)
  if (!body.ok) return body
  const object = objectIn(body.value, type)
  return object === null ? { ok: false, status: notAnObject() } : { ok: true, value: object }
}

/** Refuses a write with unknown fields under `fieldValidation=Strict`, which kubectl requests; otherwise the server drops them. */
function strictRefusal(type: ApiType, request: ApiRequest, object: KubernetesObject): ApiStatus | null {
  if (type.schema === null || request.query.get('fieldValidation') !== 'Strict') return null
  const unknown = unknownFields(type.schema, object)
  if (unknown.length === 0) return null
  const fields = unknown.map(field => `unknown field "${field}"`).join(', ')
  const sent = `${type.kind} in version "${type.version}" cannot be handled as a ${type.kind}`
  return badRequest(`${sent}: strict decoding error: ${fields}`)
}

function scaled({ type, request }: Scope, current: StoredObject): Outcome<KubernetesObject> {
  if (request.method === 'PUT') return withScale(current, request.body)
  const patched = applyPatch(type, scaleOf(current), request.contentType, request.body ?? null)
  return patched.ok ? withScale(current, patched.value) : patched
}

function remove({ cluster, type, path, request }: Scope, name: string): ApiAnswer {
  if (path.subresource !== null) return answerWith(notAllowed())
  const options = deleteOptionsOf(request.body, request.query)
  const deleted = deleteObject(cluster, type, path.namespace, name, options)
  if (!deleted.ok) return answerWith(deleted.status)
  const { object, gone } = deleted.value
  if (!gone || type.kind === 'Pod') return answer(200, inRequestedVersion(type, object))
  return answer(200, success(type, object))
}

function removeAll({ cluster, type, path, request }: Scope): ApiAnswer {
  if (type.namespaced && path.namespace === null) return answerWith(notAllowed())
  const filter = objectFilter(type, path.namespace, null, request.query)
  if (!filter.ok) return answerWith(filter.status)
  const options: DeleteOptions = deleteOptionsOf(request.body, request.query)
  const doomed = cluster.store.list(storeKeyOf(type), path.namespace).filter(filter.value)
  for (const object of doomed) deleteObject(cluster, type, path.namespace, object.metadata.name, options)
  return answer(200, {
    kind: `${type.kind}List`,
    apiVersion: groupVersionOf(type),
    metadata: { resourceVersion: String(cluster.store.revision()) },
    items: doomed.map(object => inRequestedVersion(type, object)),
  })
}

/** Returns an object in the requested API version. */
export function inRequestedVersion(type: ApiType, object: StoredObject): StoredObject {
  return { ...object, apiVersion: groupVersionOf(type), kind: type.kind }
}

function objectIn(body: Json | undefined, type: ApiType): KubernetesObject | null {
  if (!isJsonObject(body) || !isJsonObject(body.metadata ?? {})) return null
  const { apiVersion = groupVersionOf(type), kind = type.kind, metadata = {} } = body
  if (typeof apiVersion !== 'string' || typeof kind !== 'string' || !isJsonObject(metadata)) return null
  return { ...body, apiVersion, kind, metadata }
}

function isDryRun(request: ApiRequest): boolean {
  return request.query.getAll('dryRun').includes('All')
}

function success(type: ApiType, object: StoredObject): JsonObject {
  return {
    kind: 'Status',
    apiVersion: 'v1',
    metadata: {},
    status: 'Success',
    details: {
      name: object.metadata.name,
      ...(type.group === '' ? {} : { group: type.group }),
      kind: type.plural,
      uid: object.metadata.uid,
    },
  }
}

function answer(code: number, body: Json): PlainAnswer {
  return { kind: 'plain', code, body }
}

function answerObject(type: ApiType, outcome: Outcome<StoredObject>, code: number): PlainAnswer {
  return outcome.ok ? answer(code, inRequestedVersion(type, outcome.value)) : answerWith(outcome.status)
}

function answerWith(status: ApiStatus): PlainAnswer {
  return { kind: 'plain', code: status.code, body: status }
}

function notAllowed(): ApiStatus {
  return apiStatus(405, 'MethodNotAllowed', 'the server does not allow this method on the requested resource', {})
}

export function unreadableBody(contentType: string): ApiStatus {
  if (contentType.includes('json') || contentType === '') return badRequest('the body of the request is not JSON')
  const message = `the demo cloud reads JSON, and protobuf of a few kinds, but not this ${contentType}: write it to a file and use kubectl apply`
  return apiStatus(415, 'UnsupportedMediaType', message, {})
}

/** Returns a workload's `autoscaling/v1` Scale, for `kubectl scale`. */
function scaleOf(object: StoredObject): JsonObject {
  const { name, namespace, uid, resourceVersion, creationTimestamp } = object.metadata
  return {
    kind: 'Scale',
    apiVersion: 'autoscaling/v1',
    metadata: { name, namespace, uid, resourceVersion, creationTimestamp },
    spec: { replicas: numberAt(object, 'spec', 'replicas') ?? 0 },
    status: {
      replicas: numberAt(object, 'status', 'replicas') ?? 0,
      selector: selectorText(at(object, 'spec', 'selector')),
    },
  }
}

function withScale(object: StoredObject, scale: Json | undefined): Outcome<KubernetesObject> {
  const replicas = numberAt(scale, 'spec', 'replicas')
  if (replicas === undefined || replicas < 0) return refused(badRequest('a Scale needs spec.replicas'))
  return granted({ ...object, spec: { ...recordAt(object, 'spec'), replicas } })
}

/** How long a request waits for a newer version (apiserver `cacher/watch_cache.go`, blockTimeout). */
const PATIENCE_MS = 3000

/** Waits until the store is as new as a list requires; refuses when the version does not arrive (apiserver `storage/errors.go`). */
async function waitUntilFresh(
  { clock, store }: Pick<SimulatedCluster, 'clock' | 'store'>,
  query: URLSearchParams,
): Promise<Outcome<null>> {
  const wanted = Number(query.get('resourceVersion') ?? '')
  // A continue token contains its own version.
  if (!Number.isInteger(wanted) || store.revision() >= wanted || query.has('continue')) return granted(null)
  const reached = new AbortController()
  const stop = store.onChange(({ revision }) => {
    if (revision >= wanted) reached.abort()
  })
  await clock.sleep(PATIENCE_MS, reached.signal)
  stop()
  if (store.revision() >= wanted) return granted(null)
  const message = `Timeout: Too large resource version: ${wanted}, current: ${store.revision()}`
  const causes = [{ reason: 'ResourceVersionTooLarge', message: 'Too large resource version' }]
  return refused(apiStatus(504, 'Timeout', message, { causes, retryAfterSeconds: 1 }))
}
