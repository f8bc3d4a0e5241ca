import type { Clock } from '../clock/clock.ts'
import type { HttpHeaders, HttpOutcome, Transport } from './transport.ts'

/** Request ids that are remembered; the one that was heard longest ago is forgotten first. */
const REMEMBERED_IDS = 20_000

/** So far the clocks of several API servers behind one address may be apart. */
const APART_MS = 5_000

/** A header tells whole seconds. */
const WHOLE_SECOND_MS = 1_000

/** A clock that was set back is believed once answers to one question, so far apart, show that it goes on. */
const SEEN_GOING_MS = 5_000

/** So far two looks at one clock may differ: its whole seconds, and the way. */
const SAME_CLOCK_MS = 2 * WHOLE_SECOND_MS

/** Addresses whose Date is doubted; the one doubted longest is forgotten first. */
const DOUBTED = 1_000

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
 *   compared with themselves only, never with ours. One that was set back tells the same question later with a later Date, which no kept answer does.
 */
export function freshAnswers(transport: Transport, clock: Clock): (service: string) => Pick<Transport, 'send'> {
  const ids = new Set<string>()
  /** By service, the highest that the server's clock stood over our monotonic one for certain, and when that was heard. */
  const ahead = new Map<string, { readonly ms: number; readonly heardMs: number }>()

  /** By service and address, how far a Date that is too old stood over our monotonic clock, and when it was heard first. */
  const doubted = new Map<string, { readonly ms: number; readonly heardMs: number }>()

  function isHeardBefore(id: string): boolean {
    const isKnown = ids.delete(id)
    ids.add(id)
    const [oldest] = ids
    if (ids.size > REMEMBERED_IDS && oldest !== undefined) ids.delete(oldest)
    return isKnown
  }

  /** By how long its Date is too old to be of a request sent at `askedMs`; it is remembered unless it is. */
  function tooOldByMs(service: string, url: URL, date: number, askedMs: number, heardMs: number): number {
    const known = ahead.get(service)
    const leastMs = known === undefined ? null : known.ms - (askedMs - known.heardMs) * DRIFT
    const behindMs = leastMs === null ? 0 : leastMs + askedMs - (date + WHOLE_SECOND_MS)
    const ms = date - heardMs
    if (behindMs > APART_MS) {
      if (!wasSetBack(`${service} ${url}`, ms, heardMs)) return behindMs
      ahead.set(service, { ms, heardMs })
      return 0
    }
    doubted.delete(`${service} ${url}`)
    if (leastMs === null || ms > leastMs) ahead.set(service, { ms, heardMs })
    return 0
  }

  /** Whether a Date that is too old was seen to go on with time, with no answer of the old clock to the same question between. */
  function wasSetBack(asked: string, ms: number, heardMs: number): boolean {
    const first = doubted.get(asked)
    if (first !== undefined && Math.abs(ms - first.ms) <= SAME_CLOCK_MS) {
      if (heardMs - first.heardMs < SEEN_GOING_MS) return false
      doubted.clear()
      return true
    }
    doubted.delete(asked)
    doubted.set(asked, { ms, heardMs })
    const [oldest] = doubted.keys()
    if (doubted.size > DOUBTED && oldest !== undefined) doubted.delete(oldest)
    return false
  }

  function whyPast(service: string, url: URL, headers: HttpHeaders, askedMs: number): string | null {
    const heardMs = clock.monotonicMs()
    const id = REQUEST_ID.exec(requestIdOf(headers) ?? '')?.[0]
    if (id !== undefined && isHeardBefore(id)) return `the answer to request ${id} was given before`
    const age = /^\d+$/.test(headers.age ?? '') ? Number(headers.age) : 0
    if (age * 1_000 > heardMs - askedMs) return `it is ${age} s old by its Age`
    const date = Date.parse(headers.date ?? '')
    const oldMs = Number.isNaN(date) ? 0 : tooOldByMs(service, url, date, askedMs, heardMs)
    if (oldMs === 0) return null
    return `its Date is ${Math.round(oldMs / 1_000)} s behind the newest of this service (a clock that was set back is believed once it is seen to go on)`
  }

  return service => ({
    send: async (request): Promise<HttpOutcome> => {
      const askedMs = clock.monotonicMs()
      const outcome = await transport.send({ ...request, headers: { ...request.headers, ...ASK_FRESHLY } })
      if (outcome.kind !== 'answer') return outcome
      const why = whyPast(service, request.url, outcome.headers, askedMs)
      return why === null ? outcome : { ...outcome, kind: 'past', why }
    },
  })
}
