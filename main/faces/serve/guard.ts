import { type IncomingMessage, type Server, type ServerResponse, STATUS_CODES } from 'node:http'
import type { Duplex } from 'node:stream'
import { CONTENT_SECURITY_POLICY } from '../../api/page-files.ts'
import { confineFaults } from '../../platform/log/crash.ts'
import type { Logger } from '../../platform/log/logger.ts'

/** Anything that can be ended: a response, a socket, a WebSocket. */
interface Ended {
  destroy(): unknown
}

/** Makes a listener of one connection's event harmless: a fault in it is logged and ends that connection, nothing else. */
export type Guard = <A extends readonly unknown[]>(
  event: string,
  connection: (...args: NoInfer<A>) => Ended,
  listener: (...args: A) => unknown,
) => (...args: A) => void

/** The one place where faults of connections end (every listener of HTTP and WebSocket events of the serve face goes through it). */
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

/** Connections that have said nothing yet, or only asked for files. A browser opens six; the oldest makes room for one more. */
const MOST_CONNECTIONS = 200
/** Hangs up on a client that has its answer and neither reads nor hangs up. */
const LINGER_MS = 2000

/** Limits of the HTTP server: as much as a browser of this machine needs, and little more. */
export const HTTP_LIMITS = {
  headersTimeout: 10_000,
  requestTimeout: 15_000,
  keepAliveTimeout: 5_000,
  connectionsCheckingInterval: 2_000,
  maxHeaderSize: 16 * 1024,
} as const

/** The listeners of the server's events. */
interface Listeners {
  readonly request: (request: IncomingMessage, response: ServerResponse) => unknown
  readonly upgrade: (request: IncomingMessage, socket: Duplex, head: Buffer) => unknown
}

/** Attaches the listeners, guarded; a client that is silent, slow, or speaks no HTTP gets one line and is hung up on. */
export function listenGuarded(http: Server, guard: Guard, { request, upgrade }: Listeners): void {
  const waiting = new Set<Duplex>()
  http.timeout = HTTP_LIMITS.requestTimeout
  http.on(
    'connection',
    guard('connection', same, (socket: Duplex) => {
      // Unheard, the error of a peer that hangs up would end the console.
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

/** Answers a connection that is no (or not yet a) WebSocket with a status alone, and ends it. */
export function hangUp(socket: Duplex, status: number): void {
  if (!socket.writable) {
    socket.destroy()
    return
  }
  const patience = setTimeout(() => socket.destroy(), LINGER_MS)
  socket.once('close', () => clearTimeout(patience))
  // Bytes that still come are thrown away: closing over unread ones would take the answer with them.
  socket.resume()
  socket.end(
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\nConnection: close\r\nContent-Length: 0\r\nContent-Security-Policy: ${CONTENT_SECURITY_POLICY}\r\nX-Content-Type-Options: nosniff\r\n\r\n`,
  )
}

function same(socket: Duplex): Duplex {
  return socket
}
