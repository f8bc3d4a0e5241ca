import type { SimulatedCluster } from '../simulated-cluster.ts'
import { badRequest, granted, invalidFields, type Outcome, refused } from '../store/api-status.ts'
import type { ApiType } from '../store/api-type.ts'
import type { Release } from '../store/release.ts'
import { includedObject, wantsTable } from '../tables/table.ts'
import type { ApiRequest, WatchRequest } from './api-request.ts'
import { objectFilter } from './object-filter.ts'
import type { ResourcePath } from './resource-path.ts'

/** Ends a watch without `timeoutSeconds`, as the server's `--min-request-timeout` does. */
const DEFAULT_TIMEOUT_MS = 30 * 60_000

export function watchRequest(
  { release, store }: SimulatedCluster,
  type: ApiType,
  path: ResourcePath,
  request: ApiRequest,
): Outcome<WatchRequest> {
  const { query } = request
  const filter = objectFilter(type, path.namespace, path.name, query)
  if (!filter.ok) return filter
  const forbidden = forbiddenMatch(release, query)
  if (forbidden !== null) {
    const problem = { reason: 'FieldValueForbidden', field: 'resourceVersionMatch', message: forbidden } as const
    return refused(invalidFields({ group: 'meta.k8s.io', kind: 'ListOptions' }, '', [problem]))
  }
  const version = query.get('resourceVersion') ?? ''
  const since = version === '' || version === '0' ? null : Number(version)
  if (since !== null && !Number.isInteger(since))
    return refused(badRequest(`Invalid value: "${version}": resourceVersion`))
  const bookmarks = query.get('allowWatchBookmarks') === 'true'
  // A server without this feature ignores the parameter.
  const initial = release.initialEvents ? query.get('sendInitialEvents') : null
  const seconds = Number(query.get('timeoutSeconds') ?? '0') || 0
  return granted({
    type,
    filter: filter.value,
    namespace: path.namespace,
    since: initial === 'true' ? null : initial === 'false' ? (since ?? store.revision()) : since,
    initialEnd: initial === 'true' && bookmarks ? (since ?? 0) : null,
    timeoutMs: seconds > 0 ? seconds * 1000 : DEFAULT_TIMEOUT_MS,
    bookmarks,
    table: wantsTable(request.accept) ? includedObject(query) : null,
  })
}

/** Refuses a resourceVersionMatch that a watch does not allow; null if it is allowed or absent (apimachinery `internalversion/validation`). */
function forbiddenMatch(release: Release, query: URLSearchParams): string | null {
  const match = query.get('resourceVersionMatch') ?? ''
  if (!release.initialEvents) return match === '' ? null : 'Forbidden: resourceVersionMatch is forbidden for watch'
  const asksForEvents = query.has('sendInitialEvents')
  if (asksForEvents && match !== 'NotOlderThan')
    return 'Forbidden: sendInitialEvents requires setting resourceVersionMatch to NotOlderThan'
  if (!asksForEvents && match !== '')
    return 'Forbidden: resourceVersionMatch is forbidden for watch unless sendInitialEvents is provided'
  return null
}
