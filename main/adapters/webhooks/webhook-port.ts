import { seconds } from '../../../shared/domain/durations.ts'
import { retryAfterMs } from '../../../shared/domain/retry-after.ts'
import type { Clock } from '../../clock/clock.ts'
import type { WebhookAnswer, WebhookPort } from '../../ports/webhooks.ts'
import { exchange, type HttpOutcome } from '../http/exchange.ts'
import { faultOf } from '../http/faults.ts'
import { openRoutes, type ProxyEnvironment } from '../http/proxies.ts'
import { bodyOf, signatureOf } from './webhook-bodies.ts'

/** For one attempt, all of it. */
const TIMEOUT_MS = seconds(10)

/** Nothing of an answer is needed; a receiver that sends a page is not read to its end. */
const LARGEST_ANSWER = 1024 * 1024

const HINTS = {
  authority: 'Name the authority to Node with NODE_EXTRA_CA_CERTS.',
  serverName: 'Check the host in its address.',
  clientCertificate: 'None is used for webhooks.',
}

/** Sends to webhooks over connections of their own. Redirects are not followed: who is told is who the operator named. */
export function createWebhookPort(options: {
  readonly clock: Clock
  readonly version: string
  readonly environment: ProxyEnvironment
}): WebhookPort {
  const { clock, version, environment } = options
  // Plain http is for this machine alone, and no way to it leads over a proxy.
  const routes = openRoutes(environment, { idleMs: null })
  return {
    send: async ({ form, url: address, key, news }, signal) => {
      const url = new URL(address)
      const body = bodyOf(form, news)
      const outcome = await exchange(
        routes.to(url),
        {
          method: 'POST',
          url,
          headers: {
            'content-type': 'application/json',
            'user-agent': `lockkeeper/${version}`,
            ...(form === 'json' ? { 'lockkeeper-event': news.event, 'lockkeeper-id': news.id } : {}),
            ...(key === null ? {} : { 'lockkeeper-signature': signatureOf(key, body, clock.now()) }),
          },
          body,
          timeoutMs: TIMEOUT_MS,
          largestBytes: LARGEST_ANSWER,
          signal,
        },
        clock,
      )
      return answerOf(outcome, clock)
    },
  }
}

function answerOf(outcome: HttpOutcome, clock: Clock): WebhookAnswer {
  const passing = (why: string, status: number | null = null, retryAfter: number | null = null): WebhookAnswer => ({
    kind: 'passing',
    status,
    why,
    retryAfterMs: retryAfter,
  })
  switch (outcome.kind) {
    case 'answer':
    case 'past': {
      const { status, headers } = outcome
      if (status >= 200 && status < 300) return { kind: 'arrived', status }
      if (status === 429) return passing('It asks for patience.', status, retryAfterMs(headers, clock.now()))
      if (status === 408) return passing('It did not wait for the message.', status)
      if (status >= 500) return passing('It fails on its side.', status, retryAfterMs(headers, clock.now()))
      if (status >= 300 && status < 400) {
        return { kind: 'refused', status, why: 'It points elsewhere, and nothing is sent where nobody named it.' }
      }
      return { kind: 'refused', status, why: REFUSALS.get(status) ?? 'It does not take the message.' }
    }
    case 'broken': {
      const { kind, words } = faultOf(outcome.code, HINTS, outcome.proxy)
      const why = `The receiver ${words}`
      return kind === 'network' || kind === 'silent' ? passing(why) : { kind: 'refused', status: null, why }
    }
    case 'timed-out':
      return passing(`It gave no answer in ${TIMEOUT_MS / 1000} s.`)
    case 'senseless':
      // The status line came: something took the message.
      return passing(`It ${outcome.why}.`)
    case 'aborted':
      return passing('This console ended before an answer came.')
    case 'not-sent':
      return { kind: 'refused', status: null, why: outcome.failure.message }
  }
}

const REFUSALS: ReadonlyMap<number, string> = new Map([
  [401, 'It does not take the signature, or wants a login that it was not given.'],
  [403, 'It is not allowed to post there any more.'],
  [404, 'There is no webhook at its address any more.'],
  [410, 'The webhook was taken away.'],
])
