import type { Agent, AgentOptions, ClientRequest, IncomingMessage, OutgoingHttpHeaders } from 'node:http'
import https from 'node:https'
import { isIP } from 'node:net'
import { type ConnectionOptions as AgentTlsOptions, checkServerIdentity, type SecureContextOptions } from 'node:tls'
import type { Failure } from '../../../shared/domain/failure.ts'
import { because } from '../../../shared/words/reasons.ts'
import type { Finding } from '../../../shared/words/steps/coded.ts'
import type { Clock } from '../../platform/clock/clock.ts'
import { trustThisMachine } from './system-trust.ts'

// Not an import: importing node:http as a module reads all its exports, one of which loads undici (25 ms at every start).
const http = process.getBuiltinModule('node:http')

export interface HttpRequest {
  readonly method: string
  readonly url: URL
  readonly headers: Readonly<Record<string, string | readonly string[]>>
  readonly body: string | null
  /** Limits the whole exchange: connect, send, wait and read. For a stream, it ends when the headers arrive. */
  readonly timeoutMs: number
  /** A longer body is an error; default {@link LARGEST_BODY_BYTES}. */
  readonly largestBytes?: number
  readonly signal?: AbortSignal | undefined
}

export type HttpHeaders = Readonly<Record<string, string>>

export interface HttpAnswer {
  readonly kind: 'answer'
  readonly status: number
  readonly headers: HttpHeaders
  readonly body: string
}

export interface HttpStream extends Omit<HttpAnswer, 'body'> {
  readonly body: IncomingMessage
  readonly cancel: () => void
}

/** An answer created before the request: a cache on the way returned it. `why` names the evidence. */
type OutdatedAnswer<A = HttpAnswer> = Omit<A, 'kind'> & { readonly kind: 'past'; readonly why: Finding }

export type NoAnswer =
  /** `sent` is false only if certainly no byte reached the server. `code` is Node's error code, or empty. `proxy` has no password. */
  | {
      readonly kind: 'broken'
      readonly sent: boolean
      readonly code: string
      readonly text: string
      readonly proxy?: string
    }
  | { readonly kind: 'timed-out' }
  | { readonly kind: 'aborted' }
  /** The answer is invalid: too long, or not text. The text of `wrong` follows "it". */
  | { readonly kind: 'senseless'; readonly wrong: Finding }
  /** Nothing was sent: credentials are missing, or the request was withheld. */
  | { readonly kind: 'not-sent'; readonly failure: Failure }

export type HttpOutcome<A extends HttpAnswer | HttpStream = HttpAnswer> = A | OutdatedAnswer<A> | NoAnswer

const LARGEST_BODY_BYTES = 64 * 1024 * 1024

export interface ConnectionOptions extends SecureContextOptions {
  readonly rejectUnauthorized?: boolean
  /** The name in its certificate if it differs from the address. */
  readonly servername?: string
  /** How long an idle connection is kept; null if each request opens a new one. */
  readonly idleMs: number | null
  readonly most?: number
  readonly proxyEnv?: AgentOptions['proxyEnv']
}

export function openConnections(protocol: 'http:' | 'https:', options: ConnectionOptions): Agent {
  const { idleMs, most, proxyEnv, ...tls } = withCertificateName(options)
  const kept: AgentOptions = {
    ...(idleMs === null ? {} : { keepAlive: true, timeout: idleMs }),
    ...(most === undefined ? {} : { maxSockets: most, maxFreeSockets: most }),
    ...(proxyEnv === undefined ? {} : { proxyEnv }),
  }
  const agent = protocol === 'http:' ? new http.Agent(kept) : new https.Agent({ ...kept, ...withAuthorities(tls) })
  if (proxyEnv !== undefined) PROXIES.set(agent, proxyEnv)
  return agent
}

/** An IP address cannot be sent as SNI (RFC 6066), but the certificate must still match it. */
function withCertificateName(
  options: ConnectionOptions,
): ConnectionOptions & Pick<AgentTlsOptions, 'checkServerIdentity'> {
  const { servername } = options
  if (servername === undefined || isIP(servername) === 0) return options
  return {
    ...options,
    servername: '',
    checkServerIdentity: (_, certificate) => checkServerIdentity(servername, certificate),
  }
}

const PROXIES = new WeakMap<Agent, NonNullable<ConnectionOptions['proxyEnv']>>()

/** As in Go, a named authority is trusted as it is, even an intermediate one. An empty CA file trusts nobody; Node would then trust this machine's authorities. */
function withAuthorities<Options extends SecureContextOptions>(
  tls: Options,
): Options & Pick<SecureContextOptions, 'allowPartialTrustChain'> {
  if (tls.ca !== undefined) return { ...tls, ca: [tls.ca].flat(), allowPartialTrustChain: true }
  trustThisMachine()
  return tls
}

/** Sends a request once and reads the whole answer. Uses node:https, not undici: it suffices and adds 7 ms instead of 65 to a CLI start. Never rejects. */
export function exchange(agent: Agent, request: HttpRequest, clock: Clock): Promise<HttpOutcome> {
  return sendOnce<HttpAnswer>(agent, request, clock, response => wholeAnswer(response, request.largestBytes))
}

/** Sends a request once and resolves when the headers arrive. Aborting the request also ends the body. Never rejects. */
export function openStream(agent: Agent, request: HttpRequest, clock: Clock): Promise<HttpOutcome<HttpStream>> {
  return sendOnce<HttpStream>(agent, request, clock, async (response, sent) => {
    const cancel = () => void sent.destroy()
    request.signal?.addEventListener('abort', cancel, { once: true })
    response.on('close', () => request.signal?.removeEventListener('abort', cancel))
    // The reader receives the error; without a listener the process would end.
    response.on('error', () => {})
    return {
      kind: 'answer',
      status: response.statusCode ?? 0,
      headers: joinedHeaders(response.headers),
      body: response,
      cancel,
    }
  })
}

async function sendOnce<A extends HttpAnswer | HttpStream>(
  agent: Agent,
  request: HttpRequest,
  clock: Clock,
  read: (response: IncomingMessage, sent: ClientRequest) => Promise<A | NoAnswer>,
): Promise<HttpOutcome<A>> {
  const { url, method, body, signal } = request
  if (signal?.aborted) return { kind: 'aborted' }
  const headers: OutgoingHttpHeaders = {
    ...(request.headers as OutgoingHttpHeaders),
    ...(body === null ? {} : { 'content-length': String(Buffer.byteLength(body)) }),
  }
  let sent: ClientRequest
  try {
    sent = (url.protocol === 'https:' ? https : http).request(url, { agent, method, headers })
  } catch (error) {
    // An invalid certificate, key or header.
    return { ...brokenOutcome(error), sent: false }
  }
  const answered = new Promise<A | NoAnswer>(resolve => {
    const broken = (error: unknown) => resolve(brokenOutcome(error))
    sent.on('error', broken)
    sent.on('response', response => void read(response, sent).then(resolve, broken))
  })
  sent.end(body ?? undefined)
  const settled = new AbortController()
  const late = clock.sleep(request.timeoutMs, settled.signal).then((): NoAnswer => ({ kind: 'timed-out' }))
  const aborted = new Promise<NoAnswer>(resolve => {
    signal?.addEventListener('abort', () => resolve({ kind: 'aborted' }), { signal: settled.signal })
  })
  const outcome = await Promise.race([answered, late, aborted])
  settled.abort()
  // Closes the connection of an abandoned request; an answered request keeps its connection.
  if (outcome.kind !== 'answer') sent.destroy()
  const proxy = proxyOf(agent, url)
  return outcome.kind === 'broken' && proxy !== null ? { ...outcome, proxy } : outcome
}

function proxyOf(agent: Agent, { protocol }: URL): string | null {
  const written = PROXIES.get(agent)?.[protocol === 'https:' ? 'HTTPS_PROXY' : 'HTTP_PROXY']
  if (written === undefined || written === '') return null
  const proxy = written.includes('://') ? written : `http://${written}`
  return URL.canParse(proxy) ? new URL(proxy).host : null
}

async function wholeAnswer(
  response: IncomingMessage,
  largestBytes = LARGEST_BODY_BYTES,
): Promise<HttpAnswer | NoAnswer> {
  const chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of response as AsyncIterable<Buffer>) {
    bytes += chunk.length
    if (bytes > largestBytes) {
      return invalidAnswer(because('AnswerTooLarge', { mebibytes: largestBytes / 1024 / 1024 }))
    }
    chunks.push(chunk)
  }
  // The body is shorter than its headers promised.
  if (!response.complete)
    return { kind: 'broken', sent: true, code: 'ECONNRESET', text: because('AnswerCutShort').message }
  const status = response.statusCode ?? 0
  try {
    // An error page may use any encoding, such as a proxy's.
    const body = new TextDecoder('utf-8', { fatal: status < 400 }).decode(Buffer.concat(chunks))
    return { kind: 'answer', status, headers: joinedHeaders(response.headers), body }
  } catch {
    return invalidAnswer(because('AnswerNotText'))
  }
}

function invalidAnswer(wrong: Finding): NoAnswer {
  return { kind: 'senseless', wrong }
}

export function joinedHeaders(headers: NodeJS.Dict<string | string[]>): HttpHeaders {
  return Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, typeof value === 'string' ? value : value.join(', ')]],
    ),
  )
}

/** The first words of a body that is not read completely; the status line alone suffices. */
export async function shortText(body: IncomingMessage): Promise<string> {
  let text = ''
  try {
    for await (const chunk of body as AsyncIterable<Buffer>) {
      text += chunk.toString('utf8')
      if (text.length > 65_536) break
    }
  } catch {
    // The connection broke: what arrived is enough.
  }
  return text
}

/** The meaning of an error thrown by any library. Only its code is safe to show; its text may contain secrets. */
export function brokenOutcome(error: unknown): Extract<NoAnswer, { readonly kind: 'broken' }> {
  const text = error instanceof Error ? error.message : String(error)
  return { kind: 'broken', sent: !isConnecting(error), code: codeOf(error), text }
}

/** Whether it failed during name lookup or connecting, so that certainly nothing was sent. */
function isConnecting(error: unknown): boolean {
  // Node tried several addresses of one name (localhost: ::1 and 127.0.0.1).
  if (error instanceof AggregateError) return error.errors.every(isConnecting)
  return error instanceof Error && 'syscall' in error && ['connect', 'getaddrinfo'].includes(String(error.syscall))
}

/** The code of a system, TLS or parser error, or of its cause, because libraries wrap errors. Empty if it has none. */
function codeOf(error: unknown, depth = 0): string {
  if (typeof error !== 'object' || error === null) return ''
  const { code, cause, error: inner, errors } = error as Readonly<Record<string, unknown>>
  if (typeof code === 'string' && /^[A-Z][A-Z0-9_]{2,60}$/.test(code)) return code
  return depth > 3 ? '' : codeOf(cause ?? inner ?? (Array.isArray(errors) ? errors[0] : undefined), depth + 1)
}
