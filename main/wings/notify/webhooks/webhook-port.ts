import { seconds } from '../../../../shared/domain/durations.ts'
import { retryAfterMs } from '../../../../shared/domain/retry-after.ts'
import { because } from '../../../../shared/words/reasons.ts'
import type { Finding } from '../../../../shared/words/steps/coded.ts'
import { exchange, type HttpOutcome } from '../../../adapters/http/exchange.ts'
import { faultOf } from '../../../adapters/http/faults.ts'
import { openRoutes, type ProxyEnvironment } from '../../../adapters/http/proxies.ts'
import type { Clock } from '../../../platform/clock/clock.ts'
import type { WebhookAnswer, WebhookPort } from '../ports/webhooks.ts'
import { bodyOf, signatureOf } from './webhook-bodies.ts'

/** The time limit of a whole attempt. */
const TIMEOUT_MS = seconds(10)

/** The answer is not needed: a longer one is not read to its end. */
const LARGEST_ANSWER = 1024 * 1024

const HINTS = {
  authority: because('NodeAuthorityHint'),
  serverName: because('HostHint'),
  clientCertificate: because('NoClientCertificateForWebhooks'),
}

/** Sends to webhooks, each over its own connection. It follows no redirects: only the receiver that the operator named gets the message. */
export function createWebhookPort(options: {
  readonly clock: Clock
  readonly version: string
  readonly environment: ProxyEnvironment
}): WebhookPort {
  const { clock, version, environment } = options
  // Plain http is only for this machine, which needs no proxy.
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
  switch (outcome.kind) {
    case 'answer':
    case 'past': {
      const { status, headers } = outcome
      if (status >= 200 && status < 300) return { kind: 'arrived', status }
      const asked = retryAfterMs(headers, clock.now())
      if (status === 429) return passing(because('ReceiverBusy'), status, asked)
      if (status === 408) return passing(because('ReceiverDidNotWait'), status)
      if (status >= 500) return passing(because('ReceiverFails'), status, asked)
      if (status >= 300 && status < 400) return refused(because('ReceiverPointsElsewhere'), status)
      return refused(because(REFUSALS.get(status) ?? 'ReceiverRefuses'), status)
    }
    case 'broken': {
      const { kind, fault } = faultOf(outcome.code, HINTS, outcome.proxy)
      const why = because('ReceiverConnectFailed', { fault })
      return kind === 'network' || kind === 'silent' ? passing(why) : refused(why)
    }
    case 'timed-out':
      return passing(because('ReceiverSilent', { seconds: TIMEOUT_MS / 1000 }))
    case 'senseless':
      // The status line arrived: something took the message.
      return passing(because('ReceiverAnswersNonsense', { wrong: outcome.wrong }))
    case 'aborted':
      return passing(because('ConsoleEndedBeforeAnswer'))
    case 'not-sent': {
      const { message, reason, values } = outcome.failure
      const coded = reason === undefined ? {} : { code: reason, values: values ?? {} }
      return { kind: 'refused', status: null, why: message, ...coded }
    }
  }
}

function passing({ code, values, message }: Finding, status: number | null = null, retryAfter: number | null = null) {
  return { kind: 'passing', status, why: message, code, values, retryAfterMs: retryAfter } as const
}

function refused({ code, values, message }: Finding, status: number | null = null) {
  return { kind: 'refused', status, why: message, code, values } as const
}

const REFUSALS: ReadonlyMap<
  number,
  'ReceiverRefusesSignature' | 'ReceiverForbids' | 'NoWebhookAtAddress' | 'WebhookTakenAway'
> = new Map([
  [401, 'ReceiverRefusesSignature'],
  [403, 'ReceiverForbids'],
  [404, 'NoWebhookAtAddress'],
  [410, 'WebhookTakenAway'],
])
