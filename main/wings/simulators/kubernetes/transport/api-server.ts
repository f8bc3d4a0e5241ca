import { createHash, timingSafeEqual } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { createServer, type Server } from 'node:https'
import type { AddressInfo } from 'node:net'
import type { Duplex } from 'node:stream'
import { TLSSocket } from 'node:tls'
import type { FaultTable, LyingAnswer } from '../faults.ts'
import { ADMIN, VIEWER } from '../rest/access.ts'
import type { SimulatedCluster } from '../simulated-cluster.ts'
import { type ApiFront, answerHeaders, createApiFront, scriptedStatus } from './api-front.ts'
import type { Certificates } from './certificates.ts'
import { createExecServer, type PodCommands, refuse } from './exec-stream.ts'
import { type BackedPort, createForwardServer } from './forward-stream.ts'
import { podSocketOf } from './pod-sockets.ts'
import type { RequestLog } from './request-log.ts'
import { streamWatch } from './watch-stream.ts'

export interface ApiServer {
  readonly url: string
  dropWatches(): void
  cutForwards(): void
  stop(): Promise<void>
}

interface ApiServerParts {
  readonly cluster: SimulatedCluster
  readonly table: FaultTable
  readonly log: RequestLog
  readonly certificates: Certificates
  readonly tokens: { readonly admin: string; readonly viewer: string }
  readonly port: number
  /** Handlers of commands in containers; the list may grow while the server runs. */
  readonly commands: readonly PodCommands[]
  /** Ports in pods; the list may grow too. */
  readonly ports: readonly BackedPort[]
}

const MAX_BODY_BYTES = 3 * 1024 * 1024

interface ServerState extends ApiServerParts {
  readonly front: ApiFront
  readonly execs: ReturnType<typeof createExecServer>
  readonly forwards: ReturnType<typeof createForwardServer>
  readonly stopping: AbortController
  /** Cuts the watches that are open now. */
  watches: AbortController
}

/** Serves the API on 127.0.0.1 over TLS; a client authenticates with a certificate or a bearer token. */
export async function startApiServer(parts: ApiServerParts): Promise<ApiServer> {
  const { cluster, table, log } = parts
  const stopping = new AbortController()
  const state: ServerState = {
    ...parts,
    front: createApiFront({ cluster, table, log, stopped: stopping.signal }),
    execs: createExecServer(cluster, table, parts.commands),
    forwards: createForwardServer(cluster, table, parts.ports),
    stopping,
    watches: new AbortController(),
  }
  const server = createHttpsServer(state)
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(parts.port, '127.0.0.1', () => resolve())
  })
  const { port } = server.address() as AddressInfo
  return {
    url: `https://127.0.0.1:${port}`,
    dropWatches() {
      state.watches.abort()
      state.watches = new AbortController()
    },
    cutForwards: state.forwards.cut,
    async stop() {
      stopping.abort()
      state.watches.abort()
      state.execs.stop()
      state.forwards.stop()
      const closed = new Promise<void>(resolve => server.close(() => resolve()))
      server.closeAllConnections()
      await closed
    },
  }
}

function createHttpsServer(state: ServerState): Server {
  const { certificates } = state
  const server = createServer(
    {
      key: certificates.server.key,
      cert: certificates.server.certificate,
      ca: certificates.authority,
      requestCert: true,
      // A bearer token is enough, so a handshake without a certificate must succeed.
      rejectUnauthorized: false,
      // Node's default of 5 s closes connections that a polling client is about to reuse.
      keepAliveTimeout: 90_000,
    },
    (incoming, response) => {
      answerRequest(state, incoming, response).catch((problem: unknown) => {
        if (response.headersSent) response.destroy()
        else response.writeHead(500).end(problem instanceof Error ? problem.message : String(problem))
      })
    },
  )
  server.on('upgrade', (incoming, socket, head) => {
    socket.on('error', () => socket.destroy())
    void upgradeToSocket(state, incoming, socket, head)
  })
  server.on('tlsClientError', () => {})
  server.on('clientError', (_, socket) => socket.destroy())
  return server
}

async function answerRequest(state: ServerState, incoming: IncomingMessage, response: ServerResponse): Promise<void> {
  const { cluster } = state
  const served = await state.front.serve({
    method: incoming.method ?? 'GET',
    target: incoming.url ?? '/',
    accept: incoming.headers.accept ?? '',
    contentType: incoming.headers['content-type'] ?? '',
    userAgent: incoming.headers['user-agent'] ?? '',
    user: userOf(incoming, state.tokens),
    body: await readBody(incoming),
  })
  const auditId = incoming.headers['audit-id']
  const headers = answerHeaders(cluster.clock, cluster.release, typeof auditId === 'string' ? auditId : undefined)
  for (const [name, value] of Object.entries(headers)) response.setHeader(name, value)
  if (served.kind === 'cut') incoming.socket.destroy()
  else if (served.kind === 'lie') sendLie(response, served.reported)
  else if (served.kind === 'watch') await streamWatch(cluster, served.watch, response, state.watches.signal)
  else {
    response.writeHead(served.code, served.headers)
    response.end(served.text)
  }
}

/** Opens a socket to a pod (exec or portforward) after the faults, and logs the request. */
async function upgradeToSocket(
  state: ServerState,
  incoming: IncomingMessage,
  socket: Duplex,
  head: Buffer,
): Promise<void> {
  const { cluster, table, log, execs, forwards } = state
  const method = incoming.method ?? 'GET'
  const target = incoming.url ?? '/'
  const user = userOf(incoming, state.tokens)
  const record = (status: number): void =>
    log.add({ at: new Date(cluster.clock.now()).toISOString(), method, path: target, status, dryRun: false, user })
  const met = table.meet(method, target)
  if (met.delayMs > 0) await cluster.clock.sleep(met.delayMs, state.stopping.signal)
  if (state.stopping.signal.aborted || met.drop !== null) {
    record(0)
    socket.destroy()
  } else if (met.failure !== null) {
    record(met.failure.status)
    refuse(socket, scriptedStatus(met.failure))
  } else {
    const isForward = podSocketOf(new URL(target, 'https://127.0.0.1')) === 'portforward'
    record((isForward ? forwards : execs).upgrade(incoming, socket, head, user))
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

function sendLie(response: ServerResponse, reported: LyingAnswer): void {
  const bytes = Buffer.from(reported.text)
  response.writeHead(reported.code, { 'content-type': reported.contentType, 'content-length': bytes.length })
  if (reported.cutAfterBytes === undefined) response.end(bytes)
  else response.write(bytes.subarray(0, reported.cutAfterBytes), () => response.destroy())
}
