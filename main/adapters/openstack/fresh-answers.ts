import type { Clock } from '../../platform/clock/clock.ts'
import { ASK_FRESHLY, createFreshAnswers } from '../../platform/clock/fresh-answers.ts'
import type { HttpHeaders, HttpOutcome } from '../http/exchange.ts'
import type { Transport } from './transport.ts'

/** The form in which OpenStack makes ids of requests (oslo.middleware, request_id.py); whatever has another proves nothing. */
const REQUEST_ID = /req-[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/

/** The id under which the service itself handled the request; null when none is told. Nova told it by its own name first. */
export function requestIdOf(headers: HttpHeaders): string | null {
  return headers['x-openstack-request-id'] ?? headers['x-compute-request-id'] ?? null
}

/**
 * Sends the requests of one session so that each answer is one of now. Every request asks for no kept answer. An answer that shows itself to have been
 * given before we asked (main/platform/clock/fresh-answers.ts) becomes the outcome `past`. oslo.middleware puts the id of a request on every answer; proxies may drop it.
 */
export function freshAnswers(transport: Transport, clock: Clock): (service: string) => Pick<Transport, 'send'> {
  const fresh = createFreshAnswers(clock)
  return service => ({
    send: async (request): Promise<HttpOutcome> => {
      const askedMs = clock.monotonicMs()
      const outcome = await transport.send({ ...request, headers: { ...request.headers, ...ASK_FRESHLY } })
      if (outcome.kind !== 'answer') return outcome
      const { headers } = outcome
      const id = REQUEST_ID.exec(requestIdOf(headers) ?? '')?.[0] ?? null
      const { age, date } = headers
      const why = fresh.whyPast({ service, question: String(request.url), id, age, date, askedMs })
      return why === null ? outcome : { ...outcome, kind: 'past', why }
    },
  })
}
