import type { AgentOptions, ClientRequest, Agent as HttpAgent, RequestOptions } from 'node:http'
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https'
import type { SecureContextOptions } from 'node:tls'
import { failure } from '../../../shared/domain/failure.ts'
import { failed, ok, type Result } from '../../../shared/domain/result.ts'
import type { Clock } from '../../clock/clock.ts'
import { readNamedFile } from '../../files/named-file.ts'
import type { ResolvedCloud } from './resolved-cloud.ts'

// Not imported: importing node:http as a module reads all its exports, one of which loads all of undici (25 ms at every start).
const http = process.getBuiltinModule('node:http')

/** One HTTP request, complete. */
export interface HttpRequest {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  readonly url: URL
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | null
  /** For the whole exchange: connecting, sending, waiting and reading. */
  readonly timeoutMs: number
  readonly signal?: AbortSignal | undefined
}

/** What came of it. `sent` is false only when it is certain that no byte of the request reached the server. */
export type HttpOutcome =
  | { readonly kind: 'answer'; readonly status: number; readonly headers: HttpHeaders; readonly body: string }
  /** An answer that was given before we asked: something on the way keeps answers. `why` tells by what it shows. */
  | {
      readonly kind: 'past'
      readonly status: number
      readonly headers: HttpHeaders
      readonly body: string
      readonly why: string
    }
  | { readonly kind: 'broken'; readonly sent: boolean; readonly code: string; readonly text: string }
  | { readonly kind: 'timed-out' }
  | { readonly kind: 'aborted' }

/** Lower-case names; repeated ones joined. */
export type HttpHeaders = Readonly<Record<string, string>>

/** Sends requests of one session over connections that are kept and bounded. */
export interface Transport {
  send(request: HttpRequest): Promise<HttpOutcome>
  close(): void
}

/** Connections at once to one server: Keystone and Nova of small clouds have few workers. */
const MOST_CONNECTIONS = 8
/** An idle connection is kept this long, unless the server's Keep-Alive says less. */
const IDLE_MS = 4_000
/** No answer we read is larger; a server that sends more is not what it should be. */
const MOST_BODY_BYTES = 64 * 1024 * 1024

/** The proxy settings that operators have in their environment; both spellings count, as everywhere. */
export type ProxyEnvironment = Readonly<Record<string, string | undefined>>

/**
 * Opens the connections of a session: certificates, client certificate and proxies as the cloud and the environment say. On
 * node:https, not undici: it does all that is needed here and costs a start of the CLI 7 ms instead of 65.
 */
export async function openTransport(
  cloud: Pick<ResolvedCloud, 'name' | 'caCertPath' | 'insecure' | 'clientCert'>,
  clock: Clock,
  environment: ProxyEnvironment,
): Promise<Result<Transport>> {
  const [ca, cert, key] = await Promise.all([
    readPem(cloud.caCertPath, 'cacert', cloud.name),
    readPem(cloud.clientCert?.certPath ?? null, 'cert', cloud.name),
    readPem(cloud.clientCert?.keyPath ?? cloud.clientCert?.certPath ?? null, 'key', cloud.name),
  ])
  if (!ca.ok) return ca
  if (!cert.ok) return cert
  if (!key.ok) return key
  const shared: AgentOptions = { maxSockets: MOST_CONNECTIONS, ...proxies(environment) }
  const secure: AgentOptions & SecureContextOptions & { readonly rejectUnauthorized: boolean } = {
    ...shared,
    rejectUnauthorized: !cloud.insecure,
    ...(ca.value === null ? {} : { ca: ca.value }),
    ...(cert.value === null ? {} : { cert: cert.value }),
    ...(key.value === null ? {} : { key: key.value }),
  }
  const kept = { keepAlive: true, maxFreeSockets: MOST_CONNECTIONS, timeout: IDLE_MS }
  const reads = { http: new http.Agent({ ...shared, ...kept }), https: new HttpsAgent({ ...secure, ...kept }) }
  // A change goes over a connection of its own: one that was kept may be closed by the server just then, and nobody could tell
  // whether the change was received.
  const changes = { http: new http.Agent(shared), https: new HttpsAgent(secure) }
  return ok({
    send: request => exchange(request, request.method === 'GET' ? reads : changes, clock),
    close: () => {
      for (const agent of [reads.http, reads.https, changes.http, changes.https]) agent.destroy()
    },
  })
}

async function readPem(path: string | null, setting: string, cloud: string): Promise<Result<string | null>> {
  if (path === null) return ok(null)
  const read = await readNamedFile(path)
  if (read.kind === 'read') return ok(read.content.toString('utf8'))
  return failed(
    failure(
      'bad-input',
      `Cannot read ${path}, which cloud ${cloud} names as its ${setting}. Correct clouds.yaml or the file.`,
      { detail: read.kind === 'absent' ? 'it does not exist' : read.why, target: path },
    ),
  )
}

function proxies(environment: ProxyEnvironment): AgentOptions {
  const pick = (name: string) => environment[name] ?? environment[name.toUpperCase()]
  const settings = { HTTP_PROXY: pick('http_proxy'), HTTPS_PROXY: pick('https_proxy'), NO_PROXY: pick('no_proxy') }
  return settings.HTTP_PROXY === undefined && settings.HTTPS_PROXY === undefined ? {} : { proxyEnv: settings }
}

async function exchange(
  request: HttpRequest,
  agents: { readonly http: HttpAgent; readonly https: HttpsAgent },
  clock: Clock,
): Promise<HttpOutcome> {
  if (request.signal?.aborted) return { kind: 'aborted' }
  const options: RequestOptions = {
    method: request.method,
    headers: {
      ...request.headers,
      ...(request.body === null ? {} : { 'content-length': String(Buffer.byteLength(request.body)) }),
    },
  }
  const open =
    request.url.protocol === 'https:'
      ? httpsRequest(request.url, { ...options, agent: agents.https })
      : http.request(request.url, { ...options, agent: agents.http })
  const answered = answerOf(open)
  open.end(request.body ?? undefined)
  const settled = new AbortController()
  const late = clock.sleep(request.timeoutMs, settled.signal).then((): HttpOutcome => ({ kind: 'timed-out' }))
  const aborted = new Promise<HttpOutcome>(resolve => {
    request.signal?.addEventListener('abort', () => resolve({ kind: 'aborted' }), { signal: settled.signal })
  })
  const outcome = await Promise.race([answered, late, aborted])
  settled.abort()
  // Ends the connection of a request that was given up; one that was answered keeps its connection for the next.
  if (outcome.kind !== 'answer') open.destroy()
  return outcome
}

function answerOf(open: ClientRequest): Promise<HttpOutcome> {
  return new Promise(resolve => {
    const broken = (error: Error) =>
      resolve({ kind: 'broken', sent: !isConnecting(error), code: codeOf(error), text: error.message })
    open.on('error', broken)
    open.on('response', response => {
      const chunks: Buffer[] = []
      let size = 0
      response.on('data', (chunk: Buffer) => {
        size += chunk.length
        if (size > MOST_BODY_BYTES) response.destroy(new Error(`answer larger than ${MOST_BODY_BYTES} bytes`))
        else chunks.push(chunk)
      })
      response.on('error', broken)
      response.on('end', () =>
        resolve({
          kind: 'answer',
          status: response.statusCode ?? 0,
          headers: flatten(response.headers),
          body: Buffer.concat(chunks).toString('utf8'),
        }),
      )
    })
  })
}

/** Whether it broke while the address was looked up or the connection was made, so that nothing was sent for certain. */
function isConnecting(error: Error): boolean {
  // Several addresses of one name were tried (localhost: ::1 and 127.0.0.1).
  if (error instanceof AggregateError) return error.errors.every(each => each instanceof Error && isConnecting(each))
  return 'syscall' in error && (error.syscall === 'connect' || error.syscall === 'getaddrinfo')
}

function flatten(headers: NodeJS.Dict<string | string[]>): HttpHeaders {
  return Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, typeof value === 'string' ? value : value.join(', ')]],
    ),
  )
}

/** The code of a system, TLS or HTTP parser error: all that is told of it besides its scrubbed text. */
function codeOf(error: unknown): string {
  if (typeof error === 'object' && error !== null && 'code' in error && typeof error.code === 'string')
    return error.code
  return error instanceof Error ? error.name : 'unknown'
}
