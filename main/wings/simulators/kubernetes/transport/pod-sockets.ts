import type { FaultTable } from '../faults.ts'
import { accessRefusal, accessResource, isAllowed } from '../rest/access.ts'
import { parseResourcePath, type ResourcePath } from '../rest/resource-path.ts'
import type { SimulatedCluster } from '../simulated-cluster.ts'
import { type ApiStatus, apiStatus, badRequest, notFound } from '../store/api-status.ts'
import { textAt } from '../store/json.ts'
import type { Stored } from '../store/models.ts'

const PODS = { group: '', plural: 'pods' } as const

type PodSocket = 'exec' | 'portforward'

/** Finds the pod of a WebSocket request, or refuses. */
export function podOfSocket(
  cluster: SimulatedCluster,
  table: FaultTable,
  asked: { readonly url: URL; readonly user: string | null; readonly subresource: PodSocket },
): { readonly pod: Stored<'Pod'> } | { readonly status: ApiStatus } {
  const { url, user, subresource } = asked
  if (user === null) return { status: apiStatus(401, 'Unauthorized', 'Unauthorized') }
  const path = parseResourcePath(url.pathname)
  if (!isOfPod(path, subresource))
    return { status: apiStatus(404, 'NotFound', 'the server could not find the requested resource', {}) }
  const { namespace, name } = path
  for (const verb of cluster.release.socketsNeedCreate ? ['get', 'create'] : ['get']) {
    const attributes = { user, verb, group: '', resource: accessResource(path), namespace }
    if (!isAllowed(table, attributes)) return { status: accessRefusal(path, attributes) }
  }
  const pod = cluster.store.get('pods', namespace, name)
  if (pod === null) return { status: notFound(PODS, name) }
  if (textAt(pod, 'status', 'phase') !== 'Running') {
    return { status: badRequest(`cannot exec into a container in a completed or pending pod: ${name}`) }
  }
  return { pod }
}

/** Returns the kind of socket that a path names; null for another path. */
export function podSocketOf(url: URL): PodSocket | null {
  const path = parseResourcePath(url.pathname)
  return isOfPod(path, 'portforward') ? 'portforward' : isOfPod(path, 'exec') ? 'exec' : null
}

function isOfPod(
  path: ResourcePath | null,
  subresource: PodSocket,
): path is ResourcePath & { readonly namespace: string; readonly name: string } {
  return path?.plural === 'pods' && path.subresource === subresource && path.namespace !== null && path.name !== null
}
