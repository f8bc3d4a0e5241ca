import { API_SERVER } from '../../../shared/domain/clock-skew.ts'
import { seconds } from '../../../shared/domain/durations.ts'
import { type Json, jsonIn } from '../../../shared/domain/json.ts'
import { failed, ok, type Result } from '../../../shared/domain/result.ts'
import type { Clock } from '../../platform/clock/clock.ts'
import { keptBack, mayBeSent } from '../../platform/clock/sent-while.ts'
import { createServerClocks, type ServerClocks } from '../../platform/clock/server-clocks.ts'
import type { Logger } from '../../platform/log/logger.ts'
import { createRedactor, type Redactor } from '../../platform/log/redact.ts'
import type { HttpAnswer, HttpOutcome, HttpStream } from '../http/exchange.ts'
import { discard, sendWithRetry } from '../http/retry.ts'
import { scrubbedJson } from '../http/scrubbed.ts'
import { outdatedFailure } from './answers.ts'
import type { Proof } from './client-node.ts'
import type { ConnectionSettings } from './connection.ts'
import type { Credentials } from './credentials.ts'
import { transportFailure } from './errors.ts'
import { createOwnAnswers } from './own-answers.ts'
import { type RequestWords, requestWords } from './request-words.ts'
import { readStatus } from './status.ts'
import type { Transport, WireRequest } from './transport.ts'

export interface KubernetesRequest {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE'
  readonly path: string
  readonly query?: Readonly<Record<string, string | number | boolean | undefined>> | undefined
  readonly body?: unknown
  /** Required for patches; default JSON. */
  readonly contentType?: string | undefined
  readonly timeoutMs?: number | undefined
  readonly signal?: AbortSignal | undefined
  /** The largest answer; default 8 MiB. */
  readonly largestBytes?: number | undefined
  readonly retry?: boolean | undefined
}

export const REQUEST_LIMIT_MS = seconds(15)

/** POST requests that create nothing (authorization.k8s.io, authentication.k8s.io). */
const REVIEWS = /\/selfsubject(access|rules|)reviews$/

/** etcd's default limit is 1.5 MiB per object, and API servers accept at most 3 MiB. */
const LARGEST_ANSWER_BYTES = 8 * 1024 * 1024

export interface SessionParts {
  readonly connection: ConnectionSettings
  readonly credentials: Credentials
  readonly transport: Transport
  /** Receives every secret that a request carried, so that no log line contains one. */
  readonly registerSecret?: ((secret: string) => void) | undefined
  readonly onRequest?: (() => void) | undefined
  readonly clock: Clock
  readonly log: Logger
}

/** The parts of a session, with what it learns from its requests. */
export interface RequestSender extends SessionParts {
  readonly redactor: Redactor
  readonly clocks: ServerClocks
  readonly ownAnswers: ReturnType<typeof createOwnAnswers>
  /** The last credentials whose secrets were registered. */
  registered: Proof | null
}

export function createRequestSender(parts: SessionParts): RequestSender {
  const { clock } = parts
  return {
    ...parts,
    redactor: createRedactor(),
    clocks: createServerClocks(clock),
    ownAnswers: createOwnAnswers(clock),
    registered: null,
  }
}

/** Sends a request with credentials, repeats it where that is safe, and renews refused credentials once. Succeeds with any HTTP answer. */
export async function sendRequest<A extends HttpAnswer | HttpStream>(
  sender: RequestSender,
  request: KubernetesRequest,
  send: (wire: WireRequest, proof: Proof) => Promise<HttpOutcome<A>>,
  acts = request.method !== 'GET' && !REVIEWS.test(request.path),
): Promise<Result<A>> {
  const { credentials, clock } = sender
  const words = wordsOf(request)
  const attempt: Attempt<A> = { request, wire: wireRequest(request), words, acts, send, used: null }
  const once = () => sendOnce(sender, attempt)
  const again = () =>
    request.retry === false
      ? once()
      : // A request that changes nothing may be repeated, whatever its verb.
        sendWithRetry<A>(once, { isRead: !acts, clock, signal: request.signal, askedMs: askedInBody })

  let outcome = await again()
  if (outcome.kind === 'answer' && outcome.status === 401 && attempt.used !== null && credentials.renew(attempt.used)) {
    discard(outcome)
    outcome = await again()
  }
  if (outcome.kind === 'answer') return ok(outcome)
  discard(outcome)
  return failed(
    outcome.kind === 'past'
      ? outdatedFailure(words, outcome.status, outcome.why, acts)
      : transportFailure(words, sender.connection.server.host, outcome),
  )
}

interface Attempt<A extends HttpAnswer | HttpStream> {
  readonly request: KubernetesRequest
  readonly wire: WireRequest
  readonly words: RequestWords
  /** Whether it changes the cluster. */
  readonly acts: boolean
  readonly send: (wire: WireRequest, proof: Proof) => Promise<HttpOutcome<A>>
  used: Proof | null
}

async function sendOnce<A extends HttpAnswer | HttpStream>(
  sender: RequestSender,
  attempt: Attempt<A>,
): Promise<HttpOutcome<A>> {
  const { credentials, clocks, clock, log } = sender
  const { request, wire, words, acts, send } = attempt
  const proof = await credentials.proof()
  if (!proof.ok) return { kind: 'not-sent', failure: proof.failure }
  attempt.used = proof.value
  registerSecrets(sender, proof.value)
  if (acts && !mayBeSent()) return { kind: 'not-sent', failure: keptBack() }
  const { headers, whyPast } = sender.ownAnswers(acts ? request.method : 'GET', wire.path)
  const sentAtMs = clock.now()
  sender.onRequest?.()
  const outcome = await send({ ...wire, headers: { ...wire.headers, ...headers } }, proof.value)
  const past = outcome.kind === 'answer' ? whyPast(outcome.headers) : null
  // An outdated answer carries an outdated time.
  if (outcome.kind === 'answer' && past === null) clocks.received(API_SERVER, { date: outcome.headers.date, sentAtMs })
  log.debug('kubernetes request', {
    what: words.call.message,
    status: 'status' in outcome ? outcome.status : null,
    ms: clock.now() - sentAtMs,
    ...(past === null ? {} : { past: past.code }),
  })
  return past === null ? outcome : { ...(outcome as A), kind: 'past', why: past }
}

export function wordsOf({ method, path, query }: KubernetesRequest): RequestWords {
  return requestWords(method, path, query?.watch === true)
}

/** Servers and proxies quote what they refuse. JSON is scrubbed after parsing, because escapes can hide a secret in its text. */
export function refusedBody({ redactor }: RequestSender, text: string): unknown {
  const body = parsedBody(text)
  return typeof body === 'string' ? redactor.known(body) : scrubbedJson(body as Json, redactor.known)
}

/** The JSON of an answer; its text if it is not JSON. */
export function parsedBody(text: string): unknown {
  try {
    return jsonIn(text)
  } catch {
    return text
  }
}

/** The wait that a Status asks for; API servers send it there too (docs/drain.md 5.5). */
export function waitIn(status: ReturnType<typeof readStatus>): number | null {
  return status?.retryAfterSeconds == null ? null : status.retryAfterSeconds * 1000
}

function askedInBody({ status, body }: HttpAnswer | HttpStream): number | null {
  // Only for errors: a large list is not parsed twice.
  return typeof body === 'string' && status >= 400 ? waitIn(readStatus(body)) : null
}

function wireRequest(request: KubernetesRequest): WireRequest {
  return {
    method: request.method,
    path: request.path + queryText(request.query),
    headers: {
      Accept: 'application/json',
      'User-Agent': 'lockkeeper',
      ...(request.body === undefined ? {} : { 'Content-Type': request.contentType ?? 'application/json' }),
    },
    body: request.body === undefined ? null : JSON.stringify(request.body),
    timeoutMs: request.timeoutMs ?? REQUEST_LIMIT_MS,
    largestBytes: request.largestBytes ?? LARGEST_ANSWER_BYTES,
    signal: request.signal,
  }
}

function queryText(query: KubernetesRequest['query']): string {
  const given = Object.entries(query ?? {}).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, String(value)] as [string, string]],
  )
  return given.length === 0 ? '' : `?${new URLSearchParams(given)}`
}

function registerSecrets(sender: RequestSender, proof: Proof): void {
  if (proof === sender.registered) return
  sender.registered = proof
  for (const secret of secretsOf(proof)) {
    sender.redactor.registerSecret(secret)
    sender.registerSecret?.(secret)
  }
}

/** The credentials of a request, to be removed from the server's texts (style G11, G39). */
function secretsOf({ headers, certificate }: Proof): readonly string[] {
  const header = headers.Authorization
  const credentials = typeof header === 'string' ? header.replace(/^\w+ /, '') : ''
  const password = /^Basic /.test(String(header))
    ? Buffer.from(credentials, 'base64').toString().replace(/^.*?:/, '')
    : ''
  return [credentials, password, certificate?.key ?? '']
}
