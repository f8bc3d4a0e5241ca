import { seconds } from '../../../shared/domain/durations.ts'
import type { FailureCode, FailureMore } from '../../../shared/domain/failure.ts'
import { jsonOf } from '../../../shared/domain/json.ts'
import { failed, ok, type Result } from '../../../shared/domain/result.ts'
import { retryAfterMs } from '../../../shared/domain/retry-after.ts'
import { because } from '../../../shared/words/reasons.ts'
import { refusal } from '../../../shared/words/refusal.ts'
import type { Finding } from '../../../shared/words/steps/coded.ts'
import type { Clock } from '../../platform/clock/clock.ts'
import { exchange, type HttpAnswer, type HttpOutcome, openConnections } from './exchange.ts'
import { type FaultHints, faultOf } from './faults.ts'
import { isExempt, type ProxyEnvironment, proxiesOf } from './proxies.ts'
import { sendWithRetry } from './retry.ts'

export interface EndpointAccess {
  readonly system: string
  readonly url: string
  /** Secret: the whole header; null if none is sent. */
  readonly authorization: string | null
  readonly ca: string | null
}

interface EndpointQuestion {
  readonly method: 'GET' | 'POST' | 'DELETE'
  readonly path: string
  readonly query?: Readonly<Record<string, string>>
  readonly body?: unknown
  readonly as?: 'form'
  readonly signal?: AbortSignal | undefined
}

interface EndpointAnswer {
  readonly status: number
  readonly json: unknown
}

interface Endpoint {
  request(question: EndpointQuestion): Promise<Result<EndpointAnswer>>
  readonly name: string
}

const TIMEOUT_MS = seconds(10)
const LARGEST_BYTES = 8 * 1024 * 1024

const HINTS: FaultHints = {
  authority: because('CaFileHint'),
  serverName: because('HostHint'),
  clientCertificate: because('NoClientCertificateHint'),
}

type ExplainedStatus = (status: number) => boolean

export function createEndpoint(
  access: EndpointAccess,
  {
    clock,
    environment,
    isExplained = () => false,
  }: { readonly clock: Clock; readonly environment: ProxyEnvironment; readonly isExplained?: ExplainedStatus },
): Endpoint {
  const base = new URL(access.url)
  const isPlain = base.protocol === 'http:'
  const agent = openConnections(isPlain ? 'http:' : 'https:', {
    idleMs: null,
    ...(isPlain || isExempt(base, environment) ? {} : proxiesOf(environment)),
    ...(access.ca === null ? {} : { ca: access.ca }),
  })
  const name = `${access.system} at ${base.host}`
  return {
    name,
    request: async ({ method, path, query = {}, body, as, signal }) => {
      const url = new URL(`${base.pathname.replace(/\/+$/, '')}${path}`, base)
      const form = new URLSearchParams(query).toString()
      if (as !== 'form') url.search = form
      const text = as === 'form' ? form : body === undefined ? null : JSON.stringify(body)
      const outcome = await sendWithRetry<HttpAnswer>(
        () =>
          exchange(
            agent,
            {
              method,
              url,
              headers: {
                accept: 'application/json',
                ...(access.authorization === null ? {} : { authorization: access.authorization }),
                ...(text === null
                  ? {}
                  : { 'content-type': as === 'form' ? 'application/x-www-form-urlencoded' : 'application/json' }),
              },
              body: text,
              timeoutMs: TIMEOUT_MS,
              largestBytes: LARGEST_BYTES,
              signal,
            },
            clock,
          ),
        { isRead: method === 'GET' || as === 'form', clock, signal },
      )
      return answerOf(outcome, name, isExplained, clock)
    },
  }
}

function answerOf(
  outcome: HttpOutcome,
  server: string,
  isExplained: ExplainedStatus,
  clock: Clock,
): Result<EndpointAnswer> {
  const refuse = (code: FailureCode, reason: Finding, more: FailureMore = {}) => failed(refusal(code, reason, more))
  switch (outcome.kind) {
    case 'answer':
    case 'past': {
      const { status, body, headers } = outcome
      const json = jsonOf(body)
      if ((status >= 200 && status < 300) || isExplained(status)) return ok({ status, json })
      const detail = body.slice(0, 300)
      if (status === 401) return refuse('unauthenticated', because('ServerRefusesLogin', { server }))
      if (status === 403) return refuse('not-permitted', because('ServerForbids', { server }))
      if (status === 404) return refuse('not-found', because('ServerHasNot', { server }), { detail })
      const retryAfter = retryAfterMs(headers, clock.now())
      if (status === 429) return refuse('throttled', because('ServerBusy', { server }), { retryAfterMs: retryAfter })
      if (status >= 500) return refuse('server-fault', because('ServerFails', { server, status }), { detail })
      if (status >= 300 && status < 400) {
        return refuse('bad-input', because('ServerPointsElsewhere', { server, status }))
      }
      return refuse('bad-input', because('ServerRefuses', { server, status }), { detail })
    }
    case 'broken': {
      const { kind, fault } = faultOf(outcome.code, HINTS, outcome.proxy)
      return refuse(
        kind === 'silent' ? 'timed-out' : 'unreachable',
        because('ServerConnectFailed', { server, fault }),
        {
          retryable: kind === 'network' || kind === 'silent',
        },
      )
    }
    case 'timed-out':
      return refuse('timed-out', because('ServerSilent', { server, seconds: TIMEOUT_MS / 1000 }))
    case 'senseless':
      return refuse('unreadable', because('ServerAnswersNonsense', { server, wrong: outcome.wrong }))
    case 'aborted':
      return refuse('aborted', because('StoppedBeforeServer', { server }))
    case 'not-sent':
      return failed(outcome.failure)
  }
}
