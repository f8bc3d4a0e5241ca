import type { ApiAnswer, ApiRequest } from './http.ts'
import { secondsTime } from './times.ts'
import type { WatcherEngine } from './watcher-engine.ts'
import type { StrategySpec } from './watcher-goals.ts'
import type { WatcherRecords } from './watcher-records.ts'

/** A request to Watcher after its token and microversion were read. */
export interface WatcherCall {
  readonly request: ApiRequest
  readonly minor: number
  readonly params: Readonly<Record<string, string>>
  readonly now: number
  readonly records: WatcherRecords
  readonly engine: WatcherEngine
  readonly strategies: readonly StrategySpec[]
}

export interface WatcherRoute {
  /** Its oslo.policy name, such as `audit:get_all`. */
  readonly rule: string
  readonly answer: (call: WatcherCall) => ApiAnswer
}

/** Since this minor version actions can be skipped, and records have a reason for their state. */
export const SKIP_MINOR = 5

export const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i

/** Returns a refusal in Watcher's form: JSON text within JSON, as Python writes it. */
export function watcherError(status: number, text: string): ApiAnswer {
  const message = `{"faultcode": "${status < 500 ? 'Client' : 'Server'}", "faultstring": ${JSON.stringify(text)}, "debuginfo": null}`
  return { status, json: { error_message: message } }
}

/** Returns Watcher's 404. */
export function notFound(kind: string, name: string): ApiAnswer {
  return watcherError(404, `${kind} ${name} could not be found`)
}

/** Writes Watcher's timestamps. */
export function watcherTime(at: number | null): string | null {
  return at === null ? null : secondsTime(at).replace('Z', '+00:00')
}

export function linksOf({ request }: WatcherCall, kind: string, uuid: string) {
  return [
    { href: `${request.base}/v1/${kind}/${uuid}`, rel: 'self' },
    { href: `${request.base}/${kind}/${uuid}`, rel: 'bookmark' },
  ]
}

const MOST_ROWS = 1000

/** Returns a page of a list by `limit` and `marker`, with the link to the next. */
export function page<T extends { readonly uuid: string }>(
  call: WatcherCall,
  kind: string,
  rows: readonly T[],
  view: (row: T) => unknown,
): ApiAnswer {
  const { query, base, path } = call.request
  const asked = Number(query.get('limit') ?? MOST_ROWS)
  if (!Number.isInteger(asked) || asked < 0) return watcherError(400, 'Limit must be positive')
  const limit = asked === 0 ? MOST_ROWS : Math.min(asked, MOST_ROWS)
  const marker = query.get('marker')
  const after = marker === null ? 0 : rows.findIndex(row => row.uuid === marker) + 1
  if (marker !== null && after === 0) return notFound('Marker', marker)
  const shown = rows.slice(after, after + limit)
  const next = new URLSearchParams(query)
  next.set('limit', String(limit))
  next.set('marker', shown.at(-1)?.uuid ?? '')
  const more = rows.length > after + shown.length ? { next: `${base}${path}?${next}` } : {}
  return { status: 200, json: { [kind]: shown.map(view), ...more } }
}

/** Reads a JSON patch that replaces the state, with its message; null for any other patch. */
export function patchedState(body: unknown): { readonly state: string; readonly message: string | null } | null {
  if (!Array.isArray(body)) return null
  const values = new Map<string, unknown>()
  for (const entry of body as readonly unknown[]) {
    const { op, path, value } = (typeof entry === 'object' && entry !== null ? entry : {}) as {
      readonly op?: unknown
      readonly path?: unknown
      readonly value?: unknown
    }
    if ((op !== 'replace' && op !== 'add') || (path !== '/state' && path !== '/status_message')) return null
    values.set(path, value)
  }
  const state = values.get('/state')
  const message = values.get('/status_message')
  return typeof state === 'string' ? { state, message: typeof message === 'string' ? message : null } : null
}

/** Returns the refusal of a change that Watcher does not allow. */
export function patchError(call: WatcherCall, reason: string): ApiAnswer {
  return watcherError(400, `Couldn't apply patch '${JSON.stringify(call.request.body)}'. Reason: ${reason}`)
}
