import { type IncomingMessage, type Server, type ServerResponse, STATUS_CODES } from 'node:http'
import type { Duplex } from 'node:stream'
import { CONTENT_SECURITY_POLICY } from '../../api/page-files.ts'
import { confineFaults } from '../../platform/log/crash.ts'
import type { Logger } from '../../platform/log/logger.ts'

interface Ended {
  destroy(): unknown
}

/** Wraps a listener of a connection: an error in it is logged and ends that connection, nothing else. */
export type Guard = <A extends readonly unknown[]>(
  event: string,
  connection: (...args: NoInfer<A>) => Ended,
  listener: (...args: A) => unknown,
) => (...args: A) => void

/** All listeners of HTTP and WebSocket events of the serve face go through this. */
export function createGuard(log: Logger): Guard {
  return (event, connection, listener) =>
    (...args) =>
      confineFaults(
        fault => {
          log.error('a fault ended one connection', { event, error: fault })
          connection(...args).destroy()
        },
        () => listener(...args),
      )
}

/** Connections without a request, or with requests for files only. A browser opens six; beyond the limit the oldest is closed. */
const MOST_CONNECTIONS = 200
/** Closes the connection of a client that has its answer but neither reads nor closes. */
const LINGER_MS = 2000

/** A little more than a browser on this machine needs. */
export const HTTP_LIMITS = {
  headersTimeout: 10_000,
  requestTimeout: 15_000,
  keepAliveTimeout: 5_000,
  connectionsCheckingInterval: 2_000,
  maxHeaderSize: 16 * 1024,
} as const

interface Listeners {
  readonly request: (request: IncomingMessage, response: ServerResponse) => unknown
  readonly upgrade: (request: IncomingMessage, socket: Duplex, head: Buffer) => unknown
}

/** Attaches the guarded listeners; a client that is silent, slow or does not speak HTTP gets one line and is disconnected. */
export function listenGuarded(http: Server, guard: Guard, { request, upgrade }: Listeners): void {
  const waiting = new Set<Duplex>()
  http.timeout = HTTP_LIMITS.requestTimeout
  http.on(
    'connection',
    guard('connection', same, (socket: Duplex) => {
      // Without a listener, the error of a disconnecting peer would end the process.
      socket.on('error', () => socket.destroy())
      socket.once('close', () => waiting.delete(socket))
      waiting.add(socket)
      const [oldest] = waiting
      if (waiting.size > MOST_CONNECTIONS) oldest?.destroy()
    }),
  )
  http.on(
    'request',
    guard('request', (_request: IncomingMessage, response: ServerResponse) => response, request),
  )
  http.on(
    'upgrade',
    guard(
      'upgrade',
      (_asked: IncomingMessage, socket: Duplex, _head: Buffer) => socket,
      (asked: IncomingMessage, socket: Duplex, head: Buffer) => {
        waiting.delete(socket)
        return upgrade(asked, socket, head)
      },
    ),
  )
  http.on(
    'clientError',
    guard(
      'clientError',
      (_error: Error, socket: Duplex) => socket,
      (error: NodeJS.ErrnoException, socket: Duplex) =>
        hangUp(
          socket,
          error.code === 'HPE_HEADER_OVERFLOW' ? 431 : error.code === 'ERR_HTTP_REQUEST_TIMEOUT' ? 408 : 400,
        ),
    ),
  )
}

/** Answers a connection that is not a WebSocket (yet) with a status only, and ends it. */
export function hangUp(socket: Duplex, status: number): void {
  if (!socket.writable) {
    socket.destroy()
    return
  }
  const patience = setTimeout(() => socket.destroy(), LINGER_MS)
  socket.once('close', () => clearTimeout(patience))
  // Discards bytes that still arrive: closing with unread bytes would lose the answer.
  socket.resume()
  socket.end(
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\nConnection: close\r\nContent-Length: 0\r\nContent-Security-Policy: ${CONTENT_SECURITY_POLICY}\r\nX-Content-Type-Options: nosniff\r\n\r\n`,
  )
}

function same(socket: Duplex): Duplex {
  return socket
}
