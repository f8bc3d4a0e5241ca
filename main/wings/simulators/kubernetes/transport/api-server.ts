import { createHash, timingSafeEqual } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import type { Duplex } from 'node:stream'
import { TLSSocket } from 'node:tls'
import type { FaultTable, LyingAnswer } from '../faults.ts'
import { ADMIN, VIEWER } from '../rest/access.ts'
import type { SimulatedCluster } from '../simulated-cluster.ts'
import { createApiFront, reportedOf, scriptedStatus } from './api-front.ts'
import type { Certificates } from './certificates.ts'
import { createExecServer, type PodCommands, refuse } from './exec-stream.ts'
import { type BackedPort, createForwardServer } from './forward-stream.ts'
import { podSocketOf } from './pod-sockets.ts'
import type { RequestLog } from './request-log.ts'
import { streamWatch } from './watch-stream.ts'

export interface ApiServer {
  readonly url: string
  dropWatches(): void
  /** Cuts every forwarded port. */
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

/** Serves the API on 127.0.0.1 over TLS; a client authenticates with a certificate or a bearer token. */
export async function startApiServer(parts: ApiServerParts): Promise<ApiServer> {
  const { cluster, table, log, certificates } = parts
  const stopping = new AbortController()
  let watches = new AbortController()

  const front = createApiFront({ cluster, table, log, stopped: stopping.signal })

  async function answer(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const served = await front.serve({
      method: incoming.method ?? 'GET',
      target: incoming.url ?? '/',
      accept: incoming.headers.accept ?? '',
      contentType: incoming.headers['content-type'] ?? '',
      userAgent: incoming.headers['user-agent'] ?? '',
      user: userOf(incoming, parts.tokens),
      body: await readBody(incoming),
    })
    const asked = incoming.headers['audit-id']
    const reported = reportedOf(cluster.clock, cluster.release, typeof asked === 'string' ? asked : undefined)
    for (const [name, value] of Object.entries(reported)) {
      response.setHeader(name, value)
    }
    if (served.kind === 'cut') incoming.socket.destroy()
    else if (served.kind === 'lie') sendLie(response, served.reported)
    else if (served.kind === 'watch') await streamWatch(cluster, served.watch, response, watches.signal)
    else {
      response.writeHead(served.code, served.headers)
      response.end(served.text)
    }
  }

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
      answer(incoming, response).catch((problem: unknown) => {
        if (response.headersSent) response.destroy()
        else response.writeHead(500).end(problem instanceof Error ? problem.message : String(problem))
      })
    },
  )
  const execs = createExecServer(cluster, table, parts.commands)
  const forwards = createForwardServer(cluster, table, parts.ports)
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
      const isForward = podSocketOf(new URL(target, 'https://127.0.0.1')) === 'portforward'
      record((isForward ? forwards : execs).upgrade(incoming, socket, head, user))
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
    cutForwards: forwards.cut,
    async stop() {
      stopping.abort()
      watches.abort()
      execs.stop()
      forwards.stop()
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

function sendLie(response: ServerResponse, reported: LyingAnswer): void {
  const bytes = Buffer.from(reported.text)
  response.writeHead(reported.code, { 'content-type': reported.contentType, 'content-length': bytes.length })
  if (reported.cutAfterBytes === undefined) response.end(bytes)
  else response.write(bytes.subarray(0, reported.cutAfterBytes), () => response.destroy())
}
