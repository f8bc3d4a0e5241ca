import type { WebSocket } from 'ws'
import { API_SERVER, type MeasuredClock } from '../../../shared/domain/clock-skew.ts'
import type { KubeconfigSource, SessionWarning } from '../../../shared/domain/cluster.ts'
import { seconds } from '../../../shared/domain/durations.ts'
import { type Json, jsonIn } from '../../../shared/domain/json.ts'
import { failed, ok, type Result } from '../../../shared/domain/result.ts'
import { retryAfterMs } from '../../../shared/domain/retry-after.ts'
import { because } from '../../../shared/words/reasons.ts'
import { refusal } from '../../../shared/words/refusal.ts'
import type { Clock } from '../../platform/clock/clock.ts'
import { keptBack, mayBeSent } from '../../platform/clock/sent-while.ts'
import { createServerClocks } from '../../platform/clock/server-clocks.ts'
import type { Logger } from '../../platform/log/logger.ts'
import { createRedactor } from '../../platform/log/redact.ts'
import { type HttpAnswer, type HttpOutcome, type HttpStream, shortText } from '../http/exchange.ts'
import { discard, sendWithRetry } from '../http/retry.ts'
import { scrubbedJson } from '../http/scrubbed.ts'
import { jsonObject, ofThePast, readAnswer, type WholeAnswer } from './answers.ts'
import type { Proof } from './client-node.ts'
import { addressOf, type ConnectionSettings, connectionSettings } from './connection.ts'
import type { KubernetesConversation, KubernetesDial } from './conversation.ts'
import { type Credentials, openCredentials } from './credentials.ts'
import { failureOfAnswer, transportFailure } from './errors.ts'
import type { ExecPluginDescription } from './exec-program.ts'
import { MalformedAnswer, neededText } from './fields.ts'
import { inClusterContext } from './in-cluster.ts'
import { loadKubeconfig, singleContext } from './kubeconfig.ts'
import type { KubeconfigContext } from './kubeconfig-entries.ts'
import { createNewestVersions, type Moment, type NewestVersions } from './newest-versions.ts'
import { createOwnAnswers } from './own-answers.ts'
import { requestWords } from './request-words.ts'
import { readStatus } from './status.ts'
import { createTransport, type Transport, type WireRequest } from './transport.ts'

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

/** Any answer of the API server, including errors, with what this session knows about it. */
export interface KubernetesAnswer extends WholeAnswer {
  /** From the first byte sent to the last one received, over all attempts. */
  readonly tookMs: number
  /** When it was requested, in this session's order of answers. */
  readonly askedAt: Moment
}

/** The connection to one context of one cluster; a later context switch does not affect it (drain.md, client facts 7). */
export interface KubernetesSession {
  readonly host: string
  /** Identifies this API server within the process. */
  readonly address: string
  readonly warnings: readonly SessionWarning[]
  /** The clock of the API server from its recent answers; asks it if there are none. Empty: it sends no time. */
  clocks(signal?: AbortSignal): Promise<readonly MeasuredClock[]>
  readonly newest: NewestVersions
  readonly scrub: (text: string) => string
  /** Succeeds with any HTTP answer; a failure means that there was none. */
  exchange(request: KubernetesRequest): Promise<Result<KubernetesAnswer>>
  /** The body of a 2xx answer; anything else is a failure. */
  request(request: KubernetesRequest): Promise<Result<unknown>>
  stream(request: KubernetesRequest): Promise<Result<HttpStream>>
  /** Succeeds when the server closes the conversation. Never retried: the remote command may have started. */
  converse(conversation: KubernetesConversation): Promise<Result<void>>
  /** A WebSocket once it is open, paused; the caller or the session closes it. */
  dial(request: KubernetesDial): Promise<Result<WebSocket>>
  version(signal?: AbortSignal): Promise<Result<{ readonly gitVersion: string }>>
  close(): void
}

const REQUEST_LIMIT_MS = seconds(15)

/** POST requests that create nothing (authorization.k8s.io, authentication.k8s.io). */
const REVIEWS = /\/selfsubject(access|rules|)reviews$/

/** etcd's default limit is 1.5 MiB per object, and API servers accept at most 3 MiB. */
const LARGEST_ANSWER_BYTES = 8 * 1024 * 1024

/**
 * Opens the session of a cluster: reads the kubeconfig or the pod's ServiceAccount, fixes the context, prepares credentials. Nothing goes over the network, and
 * a command from the kubeconfig runs only after `consent` approved exactly it.
 */
export async function openKubernetesSession(options: {
  readonly source: KubeconfigSource | 'in-cluster'
  readonly consent: (plugin: ExecPluginDescription) => boolean
  readonly clock: Clock
  readonly log: Logger
  /** Receives every secret that a request carried, so that no log line contains one. */
  readonly registerSecret?: ((secret: string) => void) | undefined
  readonly onRequest?: (() => void) | undefined
}): Promise<Result<KubernetesSession>> {
  const { source, consent, clock, log } = options
  const context = await contextOf(source)
  if (!context.ok) return context
  const connection = await connectionSettings(context.value, process.env)
  if (!connection.ok) return connection
  const opened = await openCredentials({ context: context.value, connection: connection.value, consent, clock })
  if (!opened.ok) return opened
  const transport = createTransport(connection.value, clock)
  const { registerSecret, onRequest } = options
  return ok(
    sessionOver({
      connection: connection.value,
      credentials: opened.value,
      transport,
      registerSecret,
      onRequest,
      clock,
      log,
    }),
  )
}

async function contextOf(source: KubeconfigSource | 'in-cluster'): Promise<Result<KubeconfigContext>> {
  if (source === 'in-cluster') return inClusterContext({ environment: process.env })
  const config = await loadKubeconfig(source.paths)
  return config.ok ? singleContext(config.value, source.context) : config
}

/** The session over an existing transport; simulated clusters bring their own. */
export function sessionOver(parts: {
  readonly connection: ConnectionSettings
  readonly credentials: Credentials
  readonly transport: Transport
  readonly registerSecret?: ((secret: string) => void) | undefined
  readonly onRequest?: (() => void) | undefined
  readonly clock: Clock
  readonly log: Logger
}): KubernetesSession {
  const { connection, credentials, transport, clock, log } = parts
  const { host } = connection.server
  const redactor = createRedactor()
  const newest = createNewestVersions()
  const asked = createOwnAnswers(clock)
  const clocks = createServerClocks(clock)

  function wire(request: KubernetesRequest): WireRequest {
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

  let remembered: Proof | null = null
  function remember(proof: Proof): void {
    if (proof === remembered) return
    remembered = proof
    for (const secret of secretsOf(proof)) {
      redactor.registerSecret(secret)
      parts.registerSecret?.(secret)
    }
  }

  async function attempts<A extends HttpAnswer | HttpStream>(
    request: KubernetesRequest,
    send: (wire: WireRequest, proof: Proof) => Promise<HttpOutcome<A>>,
    acts = request.method !== 'GET' && !REVIEWS.test(request.path),
  ): Promise<Result<A>> {
    // A request that changes nothing may be repeated, whatever its verb.
    const isRead = !acts
    const words = requestWords(request.method, request.path, request.query?.watch === true)
    const unasked = wire(request)
    let used: Proof | null = null

    async function once(): Promise<HttpOutcome<A>> {
      const proof = await credentials.proof()
      if (!proof.ok) return { kind: 'not-sent', failure: proof.failure }
      used = proof.value
      remember(used)
      if (acts && !mayBeSent()) return { kind: 'not-sent', failure: keptBack() }
      const { headers, whyPast } = asked(isRead ? 'GET' : request.method, unasked.path)
      const sentAtMs = clock.now()
      parts.onRequest?.()
      const outcome = await send({ ...unasked, headers: { ...unasked.headers, ...headers } }, used)
      const past = outcome.kind === 'answer' ? whyPast(outcome.headers) : null
      // An outdated answer carries an outdated time.
      if (outcome.kind === 'answer' && past === null)
        clocks.received(API_SERVER, { date: outcome.headers.date, sentAtMs })
      log.debug('kubernetes request', {
        what: words.call.message,
        status: 'status' in outcome ? outcome.status : null,
        ms: clock.now() - sentAtMs,
        ...(past === null ? {} : { past: past.code }),
      })
      return past === null ? outcome : { ...(outcome as A), kind: 'past', why: past }
    }
    const again = () =>
      request.retry === false
        ? once()
        : sendWithRetry<A>(once, { isRead, clock, signal: request.signal, askedMs: askedInBody })

    let outcome = await again()
    if (outcome.kind === 'answer' && outcome.status === 401 && used !== null && credentials.renew(used)) {
      discard(outcome)
      outcome = await again()
    }
    if (outcome.kind === 'answer') return ok(outcome)
    discard(outcome)
    return failed(
      outcome.kind === 'past'
        ? ofThePast(words, outcome.status, outcome.why, acts)
        : transportFailure(words, host, outcome),
    )
  }

  /** Servers and proxies quote what they refuse. JSON is scrubbed after parsing, because escapes can hide a secret in its text. */
  function refusedBody(text: string): unknown {
    const body = parsedBody(text)
    return typeof body === 'string' ? redactor.known(body) : scrubbedJson(body as Json, redactor.known)
  }

  async function converse(conversation: KubernetesConversation): Promise<Result<void>> {
    const { path, query, timeoutMs, signal } = conversation
    const wired = { ...conversation, signal, path: `${path}?${query}` }
    const request: KubernetesRequest = { method: 'GET', path, timeoutMs, signal, retry: false }
    const answer = await attempts(
      request,
      ({ headers }, proof) => transport.converse({ ...wired, headers }, proof),
      true,
    )
    if (!answer.ok) return answer
    const { status, body } = answer.value
    if (status === 101) return ok(undefined)
    return failed(failureOfAnswer(requestWords('GET', path), status, refusedBody(body)))
  }

  async function dial({ path, query, ...rest }: KubernetesDial): Promise<Result<WebSocket>> {
    const request: KubernetesRequest = {
      method: 'GET',
      path,
      timeoutMs: rest.timeoutMs,
      signal: rest.signal,
      retry: false,
    }
    const words = requestWords('GET', path)
    let open: WebSocket | null = null
    const onOpen = (socket: WebSocket) => {
      open = socket
    }
    const answer = await attempts(request, ({ headers }, proof) =>
      transport.dial({ ...rest, path: `${path}?${query}`, headers, onOpen }, proof),
    )
    const socket = open as WebSocket | null
    if (answer.ok && answer.value.status === 101 && socket !== null) return ok(socket)
    socket?.terminate()
    if (!answer.ok) return answer
    return failed(failureOfAnswer(words, answer.value.status, refusedBody(answer.value.body)))
  }

  async function exchange(request: KubernetesRequest): Promise<Result<KubernetesAnswer>> {
    const startedAt = clock.monotonicMs()
    const askedAt = newest.moment()
    const answer = await attempts(request, transport.send)
    if (!answer.ok) return answer
    const { status, headers } = answer.value
    const parsed = status < 400 ? parsedBody(answer.value.body) : refusedBody(answer.value.body)
    return ok({
      status,
      body: parsed,
      contentType: redactor.text(headers['content-type'] ?? ''),
      retryAfterMs: retryAfterMs(headers, clock.now()) ?? waitIn(readStatus(parsed)),
      scrub: redactor.text,
      tookMs: clock.monotonicMs() - startedAt,
      askedAt,
    })
  }

  async function request(request: KubernetesRequest): Promise<Result<unknown>> {
    const answer = await exchange(request)
    if (!answer.ok) return answer
    const { status, body } = answer.value
    const words = requestWords(request.method, request.path, request.query?.watch === true)
    if (status < 200 || status > 299) return failed(failureOfAnswer(words, status, body, answer.value.contentType))
    if (typeof body === 'string') {
      return failed(
        refusal('server-fault', because('ApiServerNotJson', { server: host, call: words.call }), {
          retryable: false,
        }),
      )
    }
    return ok(body)
  }

  return {
    host,
    address: addressOf(connection),
    warnings: connection.warnings,
    clocks: signal =>
      clocks.measure({
        [API_SERVER]: () => exchange({ method: 'GET', path: '/version', signal, retry: false }),
      }),
    newest,
    scrub: redactor.text,
    exchange,
    request,
    stream: async request => {
      const answer = await attempts(request, transport.open)
      if (!answer.ok || (answer.value.status >= 200 && answer.value.status <= 299)) return answer
      const words = requestWords(request.method, request.path, request.query?.watch === true)
      const { status, body, headers, cancel } = answer.value
      const read = new AbortController()
      void clock.sleep(request.timeoutMs ?? REQUEST_LIMIT_MS, read.signal).then(cancel)
      const said = refusedBody(await shortText(body))
      read.abort()
      cancel()
      return failed(failureOfAnswer(words, status, said, redactor.text(headers['content-type'] ?? '')))
    },
    converse,
    dial,
    version: async signal => {
      const answer = await exchange({ method: 'GET', path: '/version', signal })
      if (!answer.ok) return answer
      const version = readAnswer(requestWords('GET', '/version'), answer.value, body => {
        const about = jsonObject(body)
        const gitVersion = neededText(about, 'gitVersion')
        // The only answer without a kind.
        if (about.kind !== undefined || !/^v\d+\.\d+/.test(gitVersion))
          throw new MalformedAnswer(because('VersionNotOfKubernetes'))
        return gitVersion
      })
      if (!version.ok) return version
      return ok({ gitVersion: version.value })
    },
    close: transport.close,
  }
}

function queryText(query: KubernetesRequest['query']): string {
  const given = Object.entries(query ?? {}).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, String(value)] as [string, string]],
  )
  return given.length === 0 ? '' : `?${new URLSearchParams(given)}`
}

function parsedBody(text: string): unknown {
  try {
    return jsonIn(text)
  } catch {
    return text
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

/** API servers also send the wait in the details of a Status (docs/drain.md 5.5). */
function askedInBody({ status, body }: HttpAnswer | HttpStream): number | null {
  // Only for errors: a large list is not parsed twice.
  return typeof body === 'string' && status >= 400 ? waitIn(readStatus(body)) : null
}

function waitIn(status: ReturnType<typeof readStatus>): number | null {
  return status?.retryAfterSeconds == null ? null : status.retryAfterSeconds * 1000
}
