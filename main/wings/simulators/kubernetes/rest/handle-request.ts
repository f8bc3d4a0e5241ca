import type { AccessAttributes, FaultTable } from '../faults.ts'
import type { SimulatedCluster } from '../simulated-cluster.ts'
import { type ApiStatus, apiStatus } from '../store/api-status.ts'
import { isJsonObject, type Json } from '../store/json.ts'
import { accessRefusal, accessResource, answerReview, isAllowed, verbOf } from './access.ts'
import type { ApiAnswer, ApiRequest, PlainAnswer } from './api-request.ts'
import { discoveryDocument, openApiDocument, openApiRoot } from './discovery.ts'
import { handleResource } from './handle-resource.ts'
import { parseResourcePath } from './resource-path.ts'

/** Paths that anonymous users may read (the `system:public-info-viewer` role). */
const PUBLIC: ReadonlySet<string> = new Set(['/healthz', '/livez', '/readyz', '/version'])

/** Answers one request to the simulated API server, after authentication and authorization. */
export async function handleRequest(
  cluster: SimulatedCluster,
  table: FaultTable,
  request: ApiRequest,
): Promise<ApiAnswer> {
  const { path, user } = request
  if (user === null && !PUBLIC.has(path)) return refusal(apiStatus(401, 'Unauthorized', 'Unauthorized'))
  if (/^\/(healthz|livez|readyz)(\/|$)/.test(path)) return plain(200, { text: 'ok' })
  if (request.method === 'GET') {
    const document =
      path === '/openapi/v3'
        ? openApiRoot(cluster)
        : path.startsWith('/openapi/v3/')
          ? openApiDocument(cluster, path.slice('/openapi/v3/'.length))
          : discoveryDocument(cluster, path)
    if (document !== null) return plain(200, document)
  }
  const resource = parseResourcePath(path)
  if (resource === null || user === null) return plain(404, { text: '404 page not found\n' })
  const type = cluster.catalog.find(resource.group, resource.version, resource.plural)
  if (type === null) {
    const known = cluster.catalog
      .types()
      .some(other => other.group === resource.group && other.version === resource.version)
    return known ? refusal(missingResource()) : plain(404, { text: '404 page not found\n' })
  }
  const isWatch = ['true', '1'].includes(request.query.get('watch') ?? '')
  const attributes: AccessAttributes = {
    user,
    verb: verbOf(request.method, resource, isWatch),
    group: resource.group,
    resource: accessResource(resource),
    namespace: resource.namespace,
  }
  if (!isAllowed(table, attributes)) return refusal(accessRefusal(resource, attributes))
  if (type.verbs.length === 1 && resource.name === null && request.method === 'POST' && isJsonObject(request.body)) {
    return plain(201, answerReview(table, user, type.kind, request.body))
  }
  const supported = resource.subresource === null || type.subresources.some(one => one === resource.subresource)
  if (!supported || (type.namespaced && resource.namespace === null && resource.name !== null)) {
    return refusal(missingResource())
  }
  return handleResource(cluster, type, resource, request, isWatch)
}

export function refusal(status: ApiStatus): PlainAnswer {
  return { kind: 'plain', code: status.code, body: status }
}

function plain(code: number, body: Json | { readonly text: string }): PlainAnswer {
  return { kind: 'plain', code, body }
}

function missingResource(): ApiStatus {
  return apiStatus(404, 'NotFound', 'the server could not find the requested resource', {})
}
