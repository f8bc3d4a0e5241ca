import type { Clock } from '../clock/clock.ts'
import type { HttpHeaders, HttpOutcome, Transport } from './transport.ts'

/** Request ids that are remembered; the one that was heard longest ago is forgotten first. */
const REMEMBERED_IDS = 20_000

/** So far the clocks of several API servers behind one address may be apart. */
const APART_MS = 5_000

/** A header tells whole seconds. */
const WHOLE_SECOND_MS = 1_000

/** How much faster than a server's clock ours may run: a part of the time that passed since its Date was heard. */
const DRIFT = 0.001

/** What asks everything on the way, and whatever keeps answers, for the service's own answer of now. */
const ASK_FRESHLY = { 'cache-control': 'no-cache', pragma: 'no-cache' } as const

/** The form in which OpenStack makes ids of requests (oslo.middleware, request_id.py); whatever has another proves nothing. */
const REQUEST_ID = /req-[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/

/** The id under which the service itself handled the request; null when none is told. Nova told it by its own name first. */
export function requestIdOf(headers: HttpHeaders): string | null {
  return headers['x-openstack-request-id'] ?? headers['x-compute-request-id'] ?? null
}

/**
 * Sends the requests of one session so that each answer is one of now. Every request asks for no kept answer. An answer that shows itself to have been
 * given before we asked becomes the outcome `past`, whatever its status, because a refusal of the past is as untrue as a list of the past:
 * - its request id was heard already: a service makes one for each request, for those it refuses too (oslo.middleware; proxies may drop it);
 * - its Age is more than the time since we asked (RFC 9111, 5.1);
 * - its Date goes back against the newest Date of this service, by more than clocks of its API servers are apart. Clocks of other machines are
 *   compared with themselves only, never with ours.
 */
export function freshAnswers(transport: Transport, clock: Clock): (service: string) => Pick<Transport, 'send'> {
  const ids = new Set<string>()
  /** By service, the highest that the server's clock stood over our monotonic one for certain, and when that was heard. */
  const ahead = new Map<string, { readonly ms: number; readonly heardMs: number }>()

  function isHeardBefore(id: string): boolean {
    const isKnown = ids.delete(id)
    ids.add(id)
    const [oldest] = ids
    if (ids.size > REMEMBERED_IDS && oldest !== undefined) ids.delete(oldest)
    return isKnown
  }

  /** By how long its Date is too old to be of a request sent at `askedMs`; it is remembered unless it is. */
  function tooOldByMs(service: string, date: number, askedMs: number, heardMs: number): number {
    const known = ahead.get(service)
    const leastMs = known === undefined ? null : known.ms - (askedMs - known.heardMs) * DRIFT
    const behindMs = leastMs === null ? 0 : leastMs + askedMs - (date + WHOLE_SECOND_MS)
    if (behindMs > APART_MS) return behindMs
    if (leastMs === null || date - heardMs > leastMs) ahead.set(service, { ms: date - heardMs, heardMs })
    return 0
  }

  function whyPast(service: string, headers: HttpHeaders, askedMs: number): string | null {
    const heardMs = clock.monotonicMs()
    const id = REQUEST_ID.exec(requestIdOf(headers) ?? '')?.[0]
    if (id !== undefined && isHeardBefore(id)) return `the answer to request ${id} was given before`
    const age = /^\d+$/.test(headers.age ?? '') ? Number(headers.age) : 0
    if (age * 1_000 > heardMs - askedMs) return `it is ${age} s old by its Age`
    const date = Date.parse(headers.date ?? '')
    const oldMs = Number.isNaN(date) ? 0 : tooOldByMs(service, date, askedMs, heardMs)
    if (oldMs === 0) return null
    return `its Date is ${Math.round(oldMs / 1_000)} s behind the newest of this service (was a clock set back? Then start Lockkeeper again)`
  }

  return service => ({
    send: async (request): Promise<HttpOutcome> => {
      const askedMs = clock.monotonicMs()
      const outcome = await transport.send({ ...request, headers: { ...request.headers, ...ASK_FRESHLY } })
      if (outcome.kind !== 'answer') return outcome
      const why = whyPast(service, outcome.headers, askedMs)
      return why === null ? outcome : { ...outcome, kind: 'past', why }
    },
  })
}
