import type { Json } from '../../../shared/domain/json.ts'
import type { Clock } from '../../platform/clock/clock.ts'
import { keptBack, mayBeSent } from '../../platform/clock/sent-while.ts'
import { createServerClocks, type ServerClocks } from '../../platform/clock/server-clocks.ts'
import type { Logger } from '../../platform/log/logger.ts'
import type { Redactor } from '../../platform/log/redact.ts'
import type { HttpAnswer, HttpOutcome } from '../http/exchange.ts'
import { sendWithRetry } from '../http/retry.ts'
import { freshAnswers, requestIdOf } from './fresh-answers.ts'
import type { ServiceRequest } from './openstack-session.ts'
import { SERVICES, type ServiceType } from './services.ts'
import type { Transport } from './transport.ts'

interface WireRequest {
  readonly method: ServiceRequest['method']
  readonly url: URL
  readonly headers: Readonly<Record<string, string>>
  readonly body: Json | null
  readonly isRead: boolean
  readonly signal?: AbortSignal | undefined
  readonly timeoutMs: number
}

export interface SessionWire {
  readonly clocks: ServerClocks
  readonly counts: ReadonlyMap<ServiceType, number>
  readonly send: (service: ServiceType, request: WireRequest) => Promise<HttpOutcome>
}

interface WireParts {
  readonly clock: Clock
  readonly log: Logger
  readonly redactor: Redactor
  readonly onRequest?: (() => void) | undefined
}

interface WireState extends WireParts {
  readonly clocks: ServerClocks
  readonly counts: Map<ServiceType, number>
  readonly fresh: ReturnType<typeof freshAnswers>
}

export function createSessionWire(parts: WireParts, transport: Transport): SessionWire {
  const { clock, log, redactor, onRequest } = parts
  const [clocks, counts] = [createServerClocks(clock), new Map<ServiceType, number>()]
  const state: WireState = { clock, log, redactor, onRequest, clocks, counts, fresh: freshAnswers(transport, clock) }
  return {
    clocks,
    counts,
    send: (service, request) =>
      sendWithRetry<HttpAnswer>(attempt => sendOnce(state, service, request, attempt), {
        isRead: request.isRead,
        clock,
        signal: request.signal,
      }),
  }
}

async function sendOnce(
  state: WireState,
  service: ServiceType,
  { isRead, signal, ...request }: WireRequest,
  attempt: number,
): Promise<HttpOutcome> {
  const { clock } = state
  if (!isRead && !mayBeSent()) return { kind: 'not-sent', failure: keptBack() }
  const sentAtMs = clock.now()
  const outcome = await state.fresh(service).send({
    ...request,
    headers: {
      accept: 'application/json',
      'user-agent': 'lockkeeper',
      ...(request.body === null ? {} : { 'content-type': 'application/json' }),
      ...request.headers,
    },
    body: request.body === null ? null : JSON.stringify(request.body),
    signal,
  })
  // A run needs both clocks: for the token's lifetime, and for the times of Nova's actions. An outdated answer carries an outdated time.
  if (outcome.kind === 'answer' && (service === 'identity' || service === 'compute')) {
    state.clocks.received(SERVICES[service].name, { date: outcome.headers.date, sentAtMs })
  }
  state.counts.set(service, (state.counts.get(service) ?? 0) + 1)
  state.onRequest?.()
  logRequest(state, service, request, outcome, { attempt, tookMs: clock.now() - sentAtMs })
  return outcome
}

function logRequest(
  { log, redactor }: WireState,
  service: ServiceType,
  { method, url }: Pick<WireRequest, 'method' | 'url'>,
  outcome: HttpOutcome,
  { attempt, tookMs }: { readonly attempt: number; readonly tookMs: number },
): void {
  log.debug('openstack request', {
    service,
    method,
    path: redactor.text(`${url.pathname}${url.search}`),
    attempt,
    outcome: outcome.kind === 'answer' ? outcome.status : outcome.kind,
    ...(outcome.kind === 'broken' ? { code: outcome.code } : {}),
    requestId: 'headers' in outcome ? requestIdOf(outcome.headers) : null,
    tookMs,
  })
}
