import type { Clock } from '../../platform/clock/clock.ts'
import { ASK_FRESHLY, createFreshAnswers } from '../../platform/clock/fresh-answers.ts'
import type { HttpHeaders, HttpOutcome } from '../http/exchange.ts'
import type { Transport } from './transport.ts'

/** OpenStack's form of request ids (oslo.middleware, request_id.py); any other id proves nothing. */
const REQUEST_ID = /req-[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/

/** The service's own request id; null: none. Nova uses an older header first. */
export function requestIdOf(headers: HttpHeaders): string | null {
  return headers['x-openstack-request-id'] ?? headers['x-compute-request-id'] ?? null
}

/** Makes sure that each answer of a session is current: one created before its request has the outcome `past`. Proxies may drop the request id of oslo.middleware. */
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
