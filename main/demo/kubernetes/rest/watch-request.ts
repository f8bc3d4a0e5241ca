import { apiStatus, badRequest, granted, type Outcome, refused } from '../store/api-status.ts'
import type { ApiType } from '../store/api-type.ts'
import { includedObject, wantsTable } from '../tables/table.ts'
import type { ApiRequest, WatchRequest } from './api-request.ts'
import { objectFilter } from './object-filter.ts'
import type { ResourcePath } from './resource-path.ts'

/** Ends a watch whose client set no `timeoutSeconds`, as the server's `--min-request-timeout` does. */
const DEFAULT_TIMEOUT_MS = 30 * 60_000

/** Reads a watch from its request. */
export function watchRequest(type: ApiType, path: ResourcePath, request: ApiRequest): Outcome<WatchRequest> {
  const { query } = request
  const filter = objectFilter(type, path.namespace, path.name, query)
  if (!filter.ok) return filter
  if (query.get('sendInitialEvents') === 'true') {
    // As a server without the WatchList feature: the client falls back to list and watch.
    return refused(
      apiStatus(
        422,
        'Invalid',
        'ListOptions.meta.k8s.io "" is invalid: sendInitialEvents: Forbidden: sendInitialEvents is forbidden for watch unless the WatchList feature gate is enabled',
      ),
    )
  }
  const version = query.get('resourceVersion') ?? ''
  const since = version === '' || version === '0' ? null : Number(version)
  if (since !== null && !Number.isInteger(since))
    return refused(badRequest(`Invalid value: "${version}": resourceVersion`))
  const seconds = Number(query.get('timeoutSeconds') ?? '0') || 0
  return granted({
    type,
    filter: filter.value,
    namespace: path.namespace,
    since,
    timeoutMs: seconds > 0 ? seconds * 1000 : DEFAULT_TIMEOUT_MS,
    bookmarks: query.get('allowWatchBookmarks') === 'true',
    table: wantsTable(request.accept) ? includedObject(query) : null,
  })
}
