import type { ServerResponse } from 'node:http'
import type { WatchRequest } from '../rest/api-request.ts'
import { inRequestedVersion } from '../rest/handle-resource.ts'
import type { SimulatedCluster } from '../simulated-cluster.ts'
import { expired } from '../store/api-status.ts'
import { groupVersionOf, storeKeyOf } from '../store/api-type.ts'
import type { Json } from '../store/json.ts'
import type { StoredObject } from '../store/kubernetes-object.ts'
import type { StoreChange } from '../store/object-store.ts'
import { table } from '../tables/table.ts'

/** Marks the bookmark after the last existing object (apimachinery `meta/v1` InitialEventsAnnotationKey). */
const INITIAL_EVENTS_END = 'k8s.io/initial-events-end'

export type WatchSink = Pick<ServerResponse, 'flushHeaders' | 'destroy'> & {
  once(event: 'close', gone: () => void): unknown
  writeHead(status: number, headers: Readonly<Record<string, string>>): unknown
  write(line: string): unknown
  end(): unknown
}

/**
 * Streams a watch as lines of JSON until it ends. An object that starts or stops matching the selectors appears as
 * ADDED or DELETED (apiserver `cacher.go`).
 * A resourceVersion older than the history gets an ERROR event with a 410, not HTTP 410; a future one gets no event
 * until the store reaches it.
 */
export async function streamWatch(
  cluster: SimulatedCluster,
  watch: WatchRequest,
  response: WatchSink,
  cut: AbortSignal,
): Promise<void> {
  const { store, clock, timings } = cluster
  const key = storeKeyOf(watch.type)
  const ended = new AbortController()
  const end = (): void => ended.abort()
  response.once('close', end)
  cut.addEventListener('abort', end, { once: true })
  response.writeHead(200, { 'content-type': 'application/json', 'cache-control': 'no-cache, private' })
  response.flushHeaders()
  let columnsSent = false
  const write = (type: string, object: Json): void => {
    if (!ended.signal.aborted) response.write(`${JSON.stringify({ type, object })}\n`)
  }
  const show = (type: string, object: StoredObject): void => {
    const shown = inRequestedVersion(watch.type, object)
    if (watch.table === null) {
      write(type, shown)
      return
    }
    const metadata = { resourceVersion: object.metadata.resourceVersion }
    write(
      type,
      table(watch.type, [shown], { now: clock.now(), included: watch.table, metadata, withColumns: !columnsSent }),
    )
    columnsSent = true
  }
  const from = watch.since ?? 0
  const follow = (change: StoreChange): void => {
    const event = change.storeKey === key && change.revision > from ? eventFor(watch, change) : null
    if (event !== null) show(event, change.object)
  }

  if (watch.since === null) {
    for (const object of store.list(key, watch.namespace).filter(watch.filter)) show('ADDED', object)
  } else {
    const missed = store.changesSince(watch.since)
    if (missed === 'expired') {
      write('ERROR', expired(`too old resource version: ${watch.since} (${store.compactedRevision()})`))
      response.end()
      return
    }
    for (const change of missed) follow(change)
  }
  /** Set until the bookmark after the existing objects has been sent. */
  let initialEnd = watch.initialEnd
  const bookmark = (): void => {
    if (!watch.bookmarks || watch.table !== null || store.revision() < (initialEnd ?? from)) return
    const annotations = initialEnd === null ? {} : { annotations: { [INITIAL_EVENTS_END]: 'true' } }
    initialEnd = null
    const metadata = { resourceVersion: String(store.revision()), creationTimestamp: null, ...annotations }
    write('BOOKMARK', { kind: watch.type.kind, apiVersion: groupVersionOf(watch.type), metadata })
  }
  if (initialEnd !== null) bookmark()
  const stop = store.onChange(change => {
    follow(change)
    if (initialEnd !== null) bookmark()
  })
  const deadline = clock.now() + watch.timeoutMs
  while (!ended.signal.aborted && clock.now() < deadline) {
    await clock.sleep(Math.min(timings.bookmarkMs, deadline - clock.now()), ended.signal)
    bookmark()
  }
  stop()
  cut.removeEventListener('abort', end)
  if (cut.aborted) response.destroy()
  else response.end()
}

function eventFor(watch: WatchRequest, change: StoreChange): 'ADDED' | 'MODIFIED' | 'DELETED' | null {
  const before = change.previous !== null && watch.filter(change.previous)
  const after = change.kind !== 'deleted' && watch.filter(change.object)
  if (after) return before ? 'MODIFIED' : 'ADDED'
  return before ? 'DELETED' : null
}
