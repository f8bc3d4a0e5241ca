import { randomUUID } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import { type RawData, type WebSocket, WebSocketServer } from 'ws'
import { type Contract, type EventName, events, type RequestName, requests } from '../../shared/contract/index.ts'
import { type Failure, failure } from '../../shared/domain/failure.ts'
import { CONTENT_SECURITY_POLICY } from '../api/page-files.ts'
import type { Logger } from '../log/logger.ts'
import type { Door } from './door.ts'
import { createEventRing } from './event-ring.ts'
import { type Refusal, refusalOf } from './sender.ts'

/** Closing codes of ours; the page knows what to do with each (renderer/bridge/socket.ts). */
export const CLOSE_CODES = { stopped: 4000, tooSlow: 4001, malformed: 4002 } as const

export interface SocketParts {
  readonly contract: Contract
  readonly door: Door
  readonly hosts: ReadonlySet<string>
  readonly log: Logger
  readonly onRefused: (refusal: Refusal) => void
}

/** The contract over one WebSocket a tab: requests with answers, and numbered events to every tab. */
export interface SocketFace {
  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void
  /** Tells every tab that the console ends, and closes. */
  stop(): Promise<void>
}

/** The largest request is a report that is checked, with all it was made from; whatever is larger is not one. */
const LARGEST_MESSAGE = 64 * 1024 * 1024
const MOST_IN_FLIGHT = 256
/** A tab that does not read what it is sent is dropped, and begins anew when it can. */
const MOST_UNREAD = 32 * 1024 * 1024
const HEARTBEAT_MS = 20_000

export function createSocketFace({ contract, door, hosts, log, onRefused }: SocketParts): SocketFace {
  const server = new WebSocketServer({
    noServer: true,
    maxPayload: LARGEST_MESSAGE,
    perMessageDeflate: false,
    clientTracking: true,
  })
  const ring = createEventRing()
  // Numbers of a console that ran here before are none of ours, although they may look alike.
  const numberedBy = randomUUID()
  const alive = new WeakSet<WebSocket>()

  const stops = (Object.keys(events) as EventName[]).map(name =>
    contract.listen(name, payload => {
      const { text } = ring.add(name, payload)
      for (const socket of server.clients) send(socket, text)
    }),
  )
  const heartbeat = setInterval(() => {
    for (const socket of server.clients) {
      if (!alive.has(socket)) socket.terminate()
      alive.delete(socket)
      socket.ping()
    }
  }, HEARTBEAT_MS)

  function send(socket: WebSocket, text: string): void {
    if (socket.readyState !== socket.OPEN) return
    if (socket.bufferedAmount > MOST_UNREAD) {
      log.warn('a tab that does not keep up is dropped', { unread: socket.bufferedAmount })
      socket.close(CLOSE_CODES.tooSlow, 'this tab does not keep up')
      return
    }
    socket.send(text)
  }

  function welcome(socket: WebSocket, seen: number | null): void {
    alive.add(socket)
    const missed = seen === null ? null : ring.after(seen)
    const n = missed === null ? ring.last : seen
    send(socket, JSON.stringify({ hello: { n, resumed: missed !== null, numberedBy } }))
    for (const { text } of missed ?? []) send(socket, text)
    let inFlight = 0
    socket.on('pong', () => alive.add(socket))
    // An oversized or broken frame: ws closes the connection by itself, with its code.
    socket.on('error', error => log.warn('a connection broke', { why: error.message }))
    socket.on('message', (data, isBinary) => {
      alive.add(socket)
      const message = isBinary ? null : readMessage(data)
      if (message === null) {
        log.warn('a message that is none of the contract was refused', { bytes: sizeOf(data) })
        socket.close(CLOSE_CODES.malformed, 'not a message of the contract')
        return
      }
      if (inFlight >= MOST_IN_FLIGHT) {
        answer(
          socket,
          message.id,
          failure('throttled', 'Too many requests of this tab wait for their answers already.'),
        )
        return
      }
      if (!Object.hasOwn(requests, message.ask)) {
        answer(socket, message.id, failure('bad-input', `There is no request named ${message.ask.slice(0, 60)}.`))
        return
      }
      inFlight += 1
      // What crossed is unknown until the router has parsed it against the name's schema; it refuses what does not fit.
      contract.ask(message.ask as RequestName, message.input as never).then(
        given => {
          inFlight -= 1
          send(socket, JSON.stringify({ id: message.id, answer: given }))
        },
        () => {
          inFlight -= 1
          answer(socket, message.id, failure('internal', 'Lockkeeper failed on its own side; the log has the details.'))
        },
      )
    })
  }

  function answer(socket: WebSocket, id: number, why: Failure): void {
    send(socket, JSON.stringify({ id, answer: { ok: false, failure: why } }))
  }

  return {
    upgrade: (request, socket, head) => {
      const refusal = refusalOf(request, hosts, true) ?? (door.knows(request.headers.cookie) ? null : 'not-entered')
      const address = new URL(`http://console${request.url ?? '/'}`)
      if (refusal !== null || address.pathname !== '/socket') {
        if (refusal !== null) onRefused(refusal)
        // Who is refused may hang up first; unheard, that error would end the console.
        socket.on('error', () => socket.destroy())
        socket.end(
          `HTTP/1.1 ${refusal === null ? '404 Not Found' : '403 Forbidden'}\r\nConnection: close\r\nContent-Security-Policy: ${CONTENT_SECURITY_POLICY}\r\nX-Content-Type-Options: nosniff\r\n\r\n`,
        )
        return
      }
      const seen = address.searchParams.get('seen')
      const ours = address.searchParams.get('by') === numberedBy
      server.handleUpgrade(request, socket, head, opened =>
        welcome(opened, ours && seen !== null && /^\d{1,12}$/.test(seen) ? Number(seen) : null),
      )
    },
    stop: async () => {
      clearInterval(heartbeat)
      for (const stop of stops) stop()
      for (const socket of server.clients) socket.close(CLOSE_CODES.stopped, 'the console was stopped')
      await new Promise<void>(resolve => {
        const patience = setTimeout(() => {
          for (const socket of server.clients) socket.terminate()
        }, 1000)
        server.close(() => {
          clearTimeout(patience)
          resolve()
        })
      })
    },
  }
}

interface Message {
  readonly id: number
  readonly ask: string
  readonly input: unknown
}

/** A message of the page; null for anything else. */
function readMessage(data: RawData): Message | null {
  try {
    const message: unknown = JSON.parse(String(data))
    if (typeof message !== 'object' || message === null) return null
    const { id, ask, input } = message as Readonly<Record<string, unknown>>
    return typeof id === 'number' && Number.isSafeInteger(id) && typeof ask === 'string' ? { id, ask, input } : null
  } catch {
    return null
  }
}

function sizeOf(data: RawData): number {
  return Array.isArray(data) ? data.reduce((sum, part) => sum + part.length, 0) : data.byteLength
}
