import { createHash, timingSafeEqual } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import type { Duplex } from 'node:stream'
import { TLSSocket } from 'node:tls'
import type { Clock } from '../../../clock/clock.ts'
import type { FaultTable, MetFaults } from '../faults.ts'
import type { LyingAnswer } from '../lies.ts'
import { ADMIN, VIEWER } from '../rest/access.ts'
import type { ApiRequest, PlainAnswer } from '../rest/api-request.ts'
import { handleRequest, refusal } from '../rest/handle-request.ts'
import { unreadableBody } from '../rest/handle-resource.ts'
import type { SimulatedCluster } from '../simulated-cluster.ts'
import { type ApiStatus, apiStatus } from '../store/api-status.ts'
import { isJsonObject, type Json, listAt, numberAt } from '../store/json.ts'
import type { Certificates } from './certificates.ts'
import { createExecServer, type PodCommands, refuse } from './exec-stream.ts'
import { decodeProtobufObject, PROTOBUF_TYPE } from './protobuf-objects.ts'
import type { RequestLog } from './request-log.ts'
import { streamWatch } from './watch-stream.ts'

/** The HTTPS server of a simulated cluster. */
export interface ApiServer {
  readonly url: string
  dropWatches(): void
  stop(): Promise<void>
}

/** What the server needs besides the cluster itself. */
export interface ApiServerParts {
  readonly cluster: SimulatedCluster
  readonly table: FaultTable
  readonly log: RequestLog
  readonly certificates: Certificates
  readonly tokens: { readonly admin: string; readonly viewer: string }
  readonly port: number
  /** What runs in containers; may grow while the server runs. */
  readonly commands: readonly PodCommands[]
}

const MAX_BODY_BYTES = 3 * 1024 * 1024

/** Serves the API on 127.0.0.1 over TLS; a client proves itself by certificate or bearer token. */
export async function startApiServer(parts: ApiServerParts): Promise<ApiServer> {
  const { cluster, table, log, certificates } = parts
  const stopping = new AbortController()
  let watches = new AbortController()

  async function answer(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const method = incoming.method ?? 'GET'
    const target = incoming.url ?? '/'
    const user = userOf(incoming, parts.tokens)
    const contentType = (incoming.headers['content-type'] ?? '').split(';')[0]?.trim() ?? ''
    const parsed = parseBody(await readBody(incoming), contentType)
    const url = new URL(target, 'https://127.0.0.1')
    const dryRun = url.searchParams.getAll('dryRun').includes('All') || asksForDryRun(parsed)
    const record = (status: number): void =>
      log.add({ at: new Date(cluster.clock.now()).toISOString(), method, path: target, status, dryRun, user })

    const met = table.meet(method, target)
    if (met.delayMs > 0) await cluster.clock.sleep(met.delayMs, stopping.signal)
    if (stopping.signal.aborted) return
    if (met.drop === 'before') {
      record(0)
      incoming.socket.destroy()
      return
    }
    if (met.failure !== null) {
      record(met.failure.status)
      send(response, scripted(met.failure))
      return
    }
    if (parsed === 'unreadable') {
      const status = unreadableBody(contentType)
      record(status.code)
      send(response, refusal(status))
      return
    }
    const request: ApiRequest = {
      method,
      path: url.pathname.length > 1 ? url.pathname.replace(/\/+$/, '') : url.pathname,
      query: url.searchParams,
      accept: incoming.headers.accept ?? '',
      contentType,
      body: parsed,
      user,
    }
    if (met.lie?.carriedOut === false) {
      const told = met.lie.tell({ method, path: target, code: 200, body: null })
      if (told !== null) {
        record(told.code)
        await sendLie(response, told, cluster.clock, stopping.signal)
        return
      }
    }
    const outcome = await handleRequest(cluster, table, request)
    if (met.drop === 'after') {
      record(0)
      incoming.socket.destroy()
      return
    }
    if (met.lie?.carriedOut === true) {
      const truth = outcome.kind === 'watch' ? { code: 200, body: null } : outcome
      const told = met.lie.tell({ method, path: target, code: truth.code, body: truth.body })
      if (told !== null) {
        record(told.code)
        await sendLie(response, told, cluster.clock, stopping.signal)
        return
      }
    }
    record(outcome.kind === 'watch' ? 200 : outcome.code)
    if (outcome.kind === 'watch') await streamWatch(cluster, outcome.watch, response, watches.signal)
    else send(response, outcome)
  }

  const server = createServer(
    {
      key: certificates.server.key,
      cert: certificates.server.certificate,
      ca: certificates.authority,
      requestCert: true,
      // A bearer token will do too, so the handshake must not fail without a certificate.
      rejectUnauthorized: false,
      // Node's default of 5 s closes connections that a polling client is about to use again.
      keepAliveTimeout: 90_000,
    },
    (incoming, response) => {
      answer(incoming, response).catch((problem: unknown) => {
        const why = problem instanceof Error ? problem.message : String(problem)
        if (response.headersSent) response.destroy()
        else send(response, refusal(apiStatus(500, 'InternalError', `Internal error occurred: ${why}`)))
      })
    },
  )
  const execs = createExecServer(cluster, table, parts.commands)
  server.on('upgrade', (incoming, socket, head) => {
    socket.on('error', () => socket.destroy())
    void upgrade(incoming, socket, head)
  })
  async function upgrade(incoming: IncomingMessage, socket: Duplex, head: Buffer): Promise<void> {
    const method = incoming.method ?? 'GET'
    const target = incoming.url ?? '/'
    const user = userOf(incoming, parts.tokens)
    const record = (status: number): void =>
      log.add({ at: new Date(cluster.clock.now()).toISOString(), method, path: target, status, dryRun: false, user })
    const met = table.meet(method, target)
    if (met.delayMs > 0) await cluster.clock.sleep(met.delayMs, stopping.signal)
    if (stopping.signal.aborted || met.drop !== null) {
      record(0)
      socket.destroy()
    } else if (met.failure !== null) {
      record(met.failure.status)
      refuse(socket, scriptedStatus(met.failure))
    } else {
      record(execs.upgrade(incoming, socket, head, user))
    }
  }
  server.on('tlsClientError', () => {})
  server.on('clientError', (_, socket) => socket.destroy())
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(parts.port, '127.0.0.1', () => resolve())
  })
  const { port } = server.address() as AddressInfo
  return {
    url: `https://127.0.0.1:${port}`,
    dropWatches() {
      watches.abort()
      watches = new AbortController()
    },
    async stop() {
      stopping.abort()
      watches.abort()
      execs.stop()
      const closed = new Promise<void>(resolve => server.close(() => resolve()))
      server.closeAllConnections()
      await closed
    },
  }
}

function userOf(incoming: IncomingMessage, tokens: ApiServerParts['tokens']): string | null {
  const { socket } = incoming
  if (socket instanceof TLSSocket && socket.authorized) return ADMIN
  const token = /^Bearer (.+)$/.exec(incoming.headers.authorization ?? '')?.[1]
  if (token === undefined) return null
  if (isSame(token, tokens.admin)) return ADMIN
  return isSame(token, tokens.viewer) ? VIEWER : null
}

function isSame(a: string, b: string): boolean {
  const digest = (text: string): Buffer => createHash('sha256').update(text).digest()
  return timingSafeEqual(digest(a), digest(b))
}

async function readBody(incoming: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of incoming) {
    const bytes = Buffer.from(chunk)
    size += bytes.length
    if (size > MAX_BODY_BYTES) throw new Error('the request is too large')
    chunks.push(bytes)
  }
  return Buffer.concat(chunks)
}

function parseBody(body: Buffer, contentType: string): Json | undefined {
  if (body.length === 0) return undefined
  if (contentType === PROTOBUF_TYPE) return decodeProtobufObject(body) ?? 'unreadable'
  try {
    return JSON.parse(body.toString()) as Json
  } catch {
    return 'unreadable'
  }
}

function asksForDryRun(body: Json | undefined): boolean {
  return listAt(body, 'dryRun').includes('All') || listAt(body, 'deleteOptions', 'dryRun').includes('All')
}

function scripted(failure: NonNullable<MetFaults['failure']>): PlainAnswer {
  return refusal(scriptedStatus(failure))
}

function scriptedStatus(failure: NonNullable<MetFaults['failure']>): ApiStatus {
  const reasons: Readonly<Record<number, string>> = {
    401: 'Unauthorized',
    403: 'Forbidden',
    404: 'NotFound',
    409: 'Conflict',
    429: 'TooManyRequests',
    500: 'InternalError',
    503: 'ServiceUnavailable',
    504: 'Timeout',
  }
  const details = failure.retryAfterSeconds > 0 ? { retryAfterSeconds: failure.retryAfterSeconds } : {}
  return apiStatus(failure.status, reasons[failure.status], failure.message, details)
}

async function sendLie(response: ServerResponse, told: LyingAnswer, clock: Clock, until: AbortSignal): Promise<void> {
  const bytes = Buffer.from(told.text)
  response.writeHead(told.code, { 'content-type': told.contentType, 'content-length': bytes.length })
  if (told.cutAfterBytes !== undefined) {
    response.write(bytes.subarray(0, told.cutAfterBytes), () => response.destroy())
    return
  }
  if (told.dripMs !== undefined) {
    for (const byte of bytes) {
      if (until.aborted || response.destroyed) return
      response.write(Buffer.of(byte))
      await clock.sleep(told.dripMs, until)
    }
  }
  response.end(told.dripMs === undefined ? bytes : undefined)
}

function send(response: ServerResponse, answer: PlainAnswer): void {
  const { body, code } = answer
  const isText = isJsonObject(body) && typeof body.text === 'string' && Object.keys(body).length === 1
  const text = isText ? String(body.text) : `${JSON.stringify(body)}\n`
  const retryAfter = numberAt(isText ? undefined : body, 'details', 'retryAfterSeconds') ?? 0
  response.writeHead(code, {
    'content-type': isText ? 'text/plain; charset=utf-8' : 'application/json',
    'cache-control': 'no-cache, private',
    'content-length': Buffer.byteLength(text),
    ...(retryAfter > 0 ? { 'retry-after': String(retryAfter) } : {}),
  })
  response.end(text)
}
