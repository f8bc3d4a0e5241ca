import type { Agent, AgentOptions, ClientRequest, IncomingMessage, OutgoingHttpHeaders } from 'node:http'
import https from 'node:https'
import { isIP } from 'node:net'
import { type ConnectionOptions as AgentTlsOptions, checkServerIdentity, type SecureContextOptions } from 'node:tls'
import type { Failure } from '../../../shared/domain/failure.ts'
import { because } from '../../../shared/words/reasons.ts'
import type { Finding } from '../../../shared/words/steps/coded.ts'
import type { Clock } from '../../platform/clock/clock.ts'
import { trustThisMachine } from './system-trust.ts'

// Not imported: importing node:http as a module reads all its exports, one of which loads all of undici (25 ms at every start).
const http = process.getBuiltinModule('node:http')

/** One HTTP request, complete. */
export interface HttpRequest {
  readonly method: string
  readonly url: URL
  readonly headers: Readonly<Record<string, string | readonly string[]>>
  readonly body: string | null
  /** For the whole exchange: connecting, sending, waiting and reading. Of an answer that is read as it comes: until its headers. */
  readonly timeoutMs: number
  /** A longer body is no answer; {@link LARGEST_BODY_BYTES} unless told. */
  readonly largestBytes?: number
  readonly signal?: AbortSignal | undefined
}

/** Lower-case names; repeated ones joined. */
export type HttpHeaders = Readonly<Record<string, string>>

/** A whole answer, whatever its status. */
export interface HttpAnswer {
  readonly kind: 'answer'
  readonly status: number
  readonly headers: HttpHeaders
  readonly body: string
}

/** An answer whose body still comes: a watch. */
export interface HttpStream extends Omit<HttpAnswer, 'body'> {
  readonly body: IncomingMessage
  readonly cancel: () => void
}

/** An answer that was given before we asked: something on the way keeps answers. `why` tells by what it shows. */
type PastAnswer<A = HttpAnswer> = Omit<A, 'kind'> & { readonly kind: 'past'; readonly why: Finding }

/** No answer came. */
export type NoAnswer =
  /**
   * `sent` is false only when it is certain that no byte reached the server. `code` as Node names it; empty: none. `proxy`: the one that the
   * request was to go through, without its password.
   */
  | {
      readonly kind: 'broken'
      readonly sent: boolean
      readonly code: string
      readonly text: string
      readonly proxy?: string
    }
  | { readonly kind: 'timed-out' }
  | { readonly kind: 'aborted' }
  /** What came cannot be an answer: too long, or no text. The text of `wrong` comes after "it". */
  | { readonly kind: 'senseless'; readonly wrong: Finding }
  /** Nothing was sent: there are no credentials, or it was kept back. */
  | { readonly kind: 'not-sent'; readonly failure: Failure }

/** What came of a request. */
export type HttpOutcome<A extends HttpAnswer | HttpStream = HttpAnswer> = A | PastAnswer<A> | NoAnswer

/** No answer that is read whole is larger, unless its request says so. */
const LARGEST_BODY_BYTES = 64 * 1024 * 1024

/** How connections to one server are opened and kept. */
export interface ConnectionOptions extends SecureContextOptions {
  readonly rejectUnauthorized?: boolean
  /** The name that its certificate is for, where that is not the address. */
  readonly servername?: string
  /** How long an idle connection is kept; null: each request opens its own. */
  readonly idleMs: number | null
  /** Connections at once. */
  readonly most?: number
  /** Node's own CONNECT support. */
  readonly proxyEnv?: AgentOptions['proxyEnv']
}

/** Opens the connections of a session to servers of one protocol; nothing goes over the network before the first request. */
export function openConnections(protocol: 'http:' | 'https:', options: ConnectionOptions): Agent {
  const { idleMs, most, proxyEnv, ...tls } = certifiedAs(options)
  const kept: AgentOptions = {
    ...(idleMs === null ? {} : { keepAlive: true, timeout: idleMs }),
    ...(most === undefined ? {} : { maxSockets: most, maxFreeSockets: most }),
    ...(proxyEnv === undefined ? {} : { proxyEnv }),
  }
  const agent = protocol === 'http:' ? new http.Agent(kept) : new https.Agent({ ...kept, ...trusting(tls) })
  if (proxyEnv !== undefined) PROXIES.set(agent, proxyEnv)
  return agent
}

/** An address is no name that could be asked for (RFC 6066): the certificate has to be for it all the same. */
function certifiedAs(options: ConnectionOptions): ConnectionOptions & Pick<AgentTlsOptions, 'checkServerIdentity'> {
  const { servername } = options
  if (servername === undefined || isIP(servername) === 0) return options
  return {
    ...options,
    servername: '',
    checkServerIdentity: (_, certificate) => checkServerIdentity(servername, certificate),
  }
}

/** The proxies that agents were opened with: Node does not tell them. */
const PROXIES = new WeakMap<Agent, NonNullable<ConnectionOptions['proxyEnv']>>()

/**
 * As in Go: what is named as an authority is trusted as it is, an intermediate or the server's own certificate too; else this machine's are. A file that is
 * named and empty names nobody: Node would take an empty text for none, and trust every authority of this machine.
 */
function trusting<Options extends SecureContextOptions>(
  tls: Options,
): Options & Pick<SecureContextOptions, 'allowPartialTrustChain'> {
  if (tls.ca !== undefined) return { ...tls, ca: [tls.ca].flat(), allowPartialTrustChain: true }
  trustThisMachine()
  return tls
}

/**
 * Sends a request once and reads the whole answer. On node:https, not undici: it does all that is needed here and costs a start of the
 * CLI 7 ms instead of 65. Never rejects.
 */
export function exchange(agent: Agent, request: HttpRequest, clock: Clock): Promise<HttpOutcome> {
  return sendOnce<HttpAnswer>(agent, request, clock, response => wholeAnswer(response, request.largestBytes))
}

/** Sends a request once and answers as soon as the headers came. A stop of the request goes on to end the body. Never rejects. */
export function openStream(agent: Agent, request: HttpRequest, clock: Clock): Promise<HttpOutcome<HttpStream>> {
  return sendOnce<HttpStream>(agent, request, clock, async (response, sent) => {
    const cancel = () => void sent.destroy()
    request.signal?.addEventListener('abort', cancel, { once: true })
    response.on('close', () => request.signal?.removeEventListener('abort', cancel))
    // Whoever reads it hears of it; where nobody does any more, nobody has to.
    response.on('error', () => {})
    return {
      kind: 'answer',
      status: response.statusCode ?? 0,
      headers: flatten(response.headers),
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
    // A certificate, key or header that is none.
    return { ...brokenBy(error), sent: false }
  }
  const answered = new Promise<A | NoAnswer>(resolve => {
    const broken = (error: unknown) => resolve(brokenBy(error))
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
  // Ends the connection of a request that was given up; one that was answered keeps its connection for the next.
  if (outcome.kind !== 'answer') sent.destroy()
  const proxy = proxyOf(agent, url)
  return outcome.kind === 'broken' && proxy !== null ? { ...outcome, proxy } : outcome
}

/** The proxy that requests of an agent go through, as host and port; null: there is none. */
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
      return senseless(because('AnswerTooLarge', { mebibytes: largestBytes / 1024 / 1024 }))
    }
    chunks.push(chunk)
  }
  // A body that is shorter than its headers promised.
  if (!response.complete)
    return { kind: 'broken', sent: true, code: 'ECONNRESET', text: because('AnswerCutShort').message }
  const status = response.statusCode ?? 0
  try {
    // A refusal may explain itself in any writing: a proxy's page does.
    const body = new TextDecoder('utf-8', { fatal: status < 400 }).decode(Buffer.concat(chunks))
    return { kind: 'answer', status, headers: flatten(response.headers), body }
  } catch {
    return senseless(because('AnswerNotText'))
  }
}

function senseless(wrong: Finding): NoAnswer {
  return { kind: 'senseless', wrong }
}

/** Headers as Node reads them, in one form. */
export function flatten(headers: NodeJS.Dict<string | string[]>): HttpHeaders {
  return Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, typeof value === 'string' ? value : value.join(', ')]],
    ),
  )
}

/** The first words of a body that is not read to its end; what the status line told stands without it. */
export async function shortText(body: IncomingMessage): Promise<string> {
  let text = ''
  try {
    for await (const chunk of body as AsyncIterable<Buffer>) {
      text += chunk.toString('utf8')
      if (text.length > 65_536) break
    }
  } catch {
    // The status line already says what happened.
  }
  return text
}

/** What a thrown error means for its request, whatever library threw it. Only its code may be told: its text has to be freed of secrets first. */
export function brokenBy(error: unknown): Extract<NoAnswer, { readonly kind: 'broken' }> {
  const text = error instanceof Error ? error.message : String(error)
  return { kind: 'broken', sent: !isConnecting(error), code: codeOf(error), text }
}

/** Whether it broke while the address was looked up or the connection was made, so that nothing was sent for certain. */
function isConnecting(error: unknown): boolean {
  // Several addresses of one name were tried (localhost: ::1 and 127.0.0.1).
  if (error instanceof AggregateError) return error.errors.every(isConnecting)
  return error instanceof Error && 'syscall' in error && ['connect', 'getaddrinfo'].includes(String(error.syscall))
}

/** The code of a system, TLS or parser error, or of what caused it; libraries wrap theirs. Empty: it has none. */
function codeOf(error: unknown, depth = 0): string {
  if (typeof error !== 'object' || error === null) return ''
  const { code, cause, error: inner, errors } = error as Readonly<Record<string, unknown>>
  if (typeof code === 'string' && /^[A-Z][A-Z0-9_]{2,60}$/.test(code)) return code
  return depth > 3 ? '' : codeOf(cause ?? inner ?? (Array.isArray(errors) ? errors[0] : undefined), depth + 1)
}
