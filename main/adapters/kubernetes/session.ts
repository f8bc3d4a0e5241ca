import type { WebSocket } from 'ws'
import { API_SERVER, type MeasuredClock } from '../../../shared/domain/clock-skew.ts'
import type { KubeconfigSource, SessionWarning } from '../../../shared/domain/cluster.ts'
import { failed, ok, type Result } from '../../../shared/domain/result.ts'
import { retryAfterMs } from '../../../shared/domain/retry-after.ts'
import { because } from '../../../shared/words/reasons.ts'
import { refusal } from '../../../shared/words/refusal.ts'
import type { Clock } from '../../platform/clock/clock.ts'
import type { Logger } from '../../platform/log/logger.ts'
import { type HttpStream, shortText } from '../http/exchange.ts'
import { jsonObject, readAnswer, type WholeAnswer } from './answers.ts'
import { addressOf, connectionSettings } from './connection.ts'
import type { KubernetesConversation, KubernetesDial } from './conversation.ts'
import { openCredentials } from './credentials.ts'
import { failureOfAnswer } from './errors.ts'
import type { ExecPluginDescription } from './exec-program.ts'
import { MalformedAnswer, neededText } from './fields.ts'
import { inClusterContext } from './in-cluster.ts'
import { loadKubeconfig, singleContext } from './kubeconfig.ts'
import type { KubeconfigContext } from './kubeconfig-entries.ts'
import { createNewestVersions, type Moment, type NewestVersions } from './newest-versions.ts'
import { requestWords } from './request-words.ts'
import {
  createRequestSender,
  type KubernetesRequest,
  parsedBody,
  REQUEST_LIMIT_MS,
  type RequestSender,
  refusedBody,
  type SessionParts,
  sendRequest,
  waitIn,
  wordsOf,
} from './send-request.ts'
import { readStatus } from './status.ts'
import { createTransport } from './transport.ts'

export interface KubernetesAnswer extends WholeAnswer {
  readonly tookMs: number
  readonly askedAt: Moment
}

/** The connection to one context of one cluster; a later context switch does not affect it (drain.md, client facts 7). */
export interface KubernetesSession {
  readonly host: string
  readonly address: string
  readonly warnings: readonly SessionWarning[]
  /** The clock of the API server from its recent answers; asks it if there are none. Empty if it sends no time. */
  clocks(signal?: AbortSignal): Promise<readonly MeasuredClock[]>
  readonly newest: NewestVersions
  readonly scrub: (text: string) => string
  /** Succeeds with any HTTP answer; a failure means that there was none. */
  exchange(request: KubernetesRequest): Promise<Result<KubernetesAnswer>>
  request(request: KubernetesRequest): Promise<Result<unknown>>
  stream(request: KubernetesRequest): Promise<Result<HttpStream>>
  /** Succeeds when the server closes the conversation. Never retried: the remote command may have started. */
  converse(conversation: KubernetesConversation): Promise<Result<void>>
  dial(request: KubernetesDial): Promise<Result<WebSocket>>
  version(signal?: AbortSignal): Promise<Result<{ readonly gitVersion: string }>>
  close(): void
}

/** Opens the session of a cluster. Nothing goes over the network, and a command from the kubeconfig runs only after `consent` approved exactly it. */
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
  const { registerSecret, onRequest } = options
  return ok(
    createKubernetesSession({
      connection: connection.value,
      credentials: opened.value,
      transport: createTransport(connection.value, clock),
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

export function createKubernetesSession(parts: SessionParts): KubernetesSession {
  const { connection, transport } = parts
  const sender = createRequestSender(parts)
  const newest = createNewestVersions(parts.clock)
  const send = (request: KubernetesRequest) => exchange(sender, newest, request)
  return {
    host: connection.server.host,
    address: addressOf(connection),
    warnings: connection.warnings,
    clocks: signal =>
      sender.clocks.measure({ [API_SERVER]: () => send({ method: 'GET', path: '/version', signal, retry: false }) }),
    newest,
    scrub: sender.redactor.text,
    exchange: send,
    request: async request => {
      const answer = await send(request)
      return answer.ok ? bodyOfSuccess(sender, request, answer.value) : answer
    },
    stream: request => openStream(sender, request),
    converse: conversation => converse(sender, conversation),
    dial: request => dial(sender, request),
    version: async signal => {
      const answer = await send({ method: 'GET', path: '/version', signal })
      return answer.ok ? versionIn(answer.value) : answer
    },
    close: transport.close,
  }
}

async function exchange(
  sender: RequestSender,
  newest: NewestVersions,
  request: KubernetesRequest,
): Promise<Result<KubernetesAnswer>> {
  const { clock, redactor, transport } = sender
  const startedAt = clock.monotonicMs()
  const askedAt = newest.moment()
  const answer = await sendRequest(sender, request, transport.send)
  if (!answer.ok) return answer
  const { status, headers } = answer.value
  const parsed = status < 400 ? parsedBody(answer.value.body) : refusedBody(sender, answer.value.body)
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

function bodyOfSuccess(
  { connection }: RequestSender,
  request: KubernetesRequest,
  { status, body, contentType }: KubernetesAnswer,
): Result<unknown> {
  const words = wordsOf(request)
  if (status < 200 || status > 299) return failed(failureOfAnswer(words, status, body, contentType))
  if (typeof body !== 'string') return ok(body)
  const notJson = because('ApiServerNotJson', { server: connection.server.host, call: words.call })
  return failed(refusal('server-fault', notJson, { retryable: false }))
}

async function openStream(sender: RequestSender, request: KubernetesRequest): Promise<Result<HttpStream>> {
  const { transport, clock, redactor } = sender
  const answer = await sendRequest(sender, request, transport.open)
  if (!answer.ok || (answer.value.status >= 200 && answer.value.status <= 299)) return answer
  const { status, body, headers, cancel } = answer.value
  const read = new AbortController()
  void clock.sleep(request.timeoutMs ?? REQUEST_LIMIT_MS, read.signal).then(cancel)
  const said = refusedBody(sender, await shortText(body))
  read.abort()
  cancel()
  return failed(failureOfAnswer(wordsOf(request), status, said, redactor.text(headers['content-type'] ?? '')))
}

async function converse(sender: RequestSender, conversation: KubernetesConversation): Promise<Result<void>> {
  const { path, query, timeoutMs, signal } = conversation
  const wired = { ...conversation, signal, path: `${path}?${query}` }
  const request: KubernetesRequest = { method: 'GET', path, timeoutMs, signal, retry: false }
  const answer = await sendRequest(
    sender,
    request,
    ({ headers }, proof) => sender.transport.converse({ ...wired, headers }, proof),
    true,
  )
  if (!answer.ok) return answer
  const { status, body } = answer.value
  return status === 101 ? ok(undefined) : failed(failureOfAnswer(wordsOf(request), status, refusedBody(sender, body)))
}

async function dial(sender: RequestSender, { path, query, ...rest }: KubernetesDial): Promise<Result<WebSocket>> {
  const { timeoutMs, signal } = rest
  const request: KubernetesRequest = { method: 'GET', path, timeoutMs, signal, retry: false }
  let open: WebSocket | null = null
  const onOpen = (socket: WebSocket) => {
    open = socket
  }
  const answer = await sendRequest(sender, request, ({ headers }, proof) =>
    sender.transport.dial({ ...rest, path: `${path}?${query}`, headers, onOpen }, proof),
  )
  const socket = open as WebSocket | null
  if (answer.ok && answer.value.status === 101 && socket !== null) return ok(socket)
  socket?.terminate()
  if (!answer.ok) return answer
  return failed(failureOfAnswer(wordsOf(request), answer.value.status, refusedBody(sender, answer.value.body)))
}

function versionIn(answer: KubernetesAnswer): Result<{ readonly gitVersion: string }> {
  return readAnswer(requestWords('GET', '/version'), answer, body => {
    const about = jsonObject(body)
    const gitVersion = neededText(about, 'gitVersion')
    // The only answer without a kind.
    if (about.kind !== undefined || !/^v\d+\.\d+/.test(gitVersion))
      throw new MalformedAnswer(because('VersionNotOfKubernetes'))
    return { gitVersion }
  })
}
