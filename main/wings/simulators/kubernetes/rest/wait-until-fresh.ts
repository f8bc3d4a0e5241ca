import type { SimulatedCluster } from '../simulated-cluster.ts'
import { apiStatus, granted, type Outcome, refused } from '../store/api-status.ts'

/** How long a request waits for a newer version (apiserver `cacher/watch_cache.go`, blockTimeout). */
const PATIENCE_MS = 3000

/** Waits until the store is as new as a list requires; refuses when the version does not arrive (apiserver `storage/errors.go`). */
export async function waitUntilFresh(
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
