import { randomUUID } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import { type RawData, type WebSocket, WebSocketServer } from 'ws'
import { type Contract, type EventName, events, type RequestName, requests } from '../../../shared/contract/index.ts'
import { BEAT_MS, CLOSE_CODES } from '../../../shared/contract/socket.ts'
import type { Failure } from '../../../shared/domain/failure.ts'
import { because } from '../../../shared/words/reasons.ts'
import { refusal } from '../../../shared/words/refusal.ts'
import { outsideConnections } from '../../platform/log/crash.ts'
import type { Logger } from '../../platform/log/logger.ts'
import { createEventRing } from './event-ring.ts'
import type { Guard } from './guard.ts'
import { addressOf } from './sender.ts'

interface TalkParts {
  readonly contract: Contract
  readonly log: Logger
  readonly guard: Guard
  /** The other end in refusals: `tab`, `program`. */
  readonly peer: string
  readonly protocol: string
  readonly mostPeers: number
  /** Whether an admitted peer still has access. */
  readonly isStillIn: (socket: WebSocket) => boolean
}

/** The contract over one WebSocket per peer: requests with answers, and numbered events to every peer. */
interface ContractTalk {
  readonly isFull: () => boolean
  /** Starts with an admitted peer. `seen`: the last event it received from this console; null if there is none. */
  begin(request: IncomingMessage, socket: Duplex, head: Buffer, onOpen: (socket: WebSocket) => void): void
  /** Tells every peer that the console ends, and closes the connections. */
  stop(): Promise<void>
}

/** The largest request is a report to verify, with all its entries. */
const LARGEST_MESSAGE = 64 * 1024 * 1024
/** Limit of all other requests, in bytes; an update of a thousand nodes needs a twentieth of it. */
const LARGEST_OTHER_MESSAGE = 1024 * 1024
const MOST_IN_FLIGHT = 256
/** Frames (requests, pings, pongs) that a peer may send in a row and per second; the console disconnects a peer beyond `mostDebt`. */
const FRAMES = { atOnce: 600, aSecond: 100, mostDebt: 2000 } as const
/** The console disconnects a peer that does not read; the peer reconnects when it can. */
const MOST_UNREAD = 32 * 1024 * 1024
const HEARTBEAT_MS = 20_000
/** How long a peer may take to close its end. */
const GOODBYE_MS = 1000

export function createContractTalk(parts: TalkParts): ContractTalk {
  const { contract, log, guard, peer, protocol, mostPeers, isStillIn } = parts
  const server = new WebSocketServer({
    noServer: true,
    maxPayload: LARGEST_MESSAGE,
    perMessageDeflate: false,
    clientTracking: true,
    autoPong: false,
    // Only the protocol is sent back, not the key beside it.
    handleProtocols: () => protocol,
  })
  const ring = createEventRing()
  // Distinguishes the event numbers of this console from an earlier console's numbers.
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
      if (!isStillIn(socket)) socket.close(CLOSE_CODES.ended, `the access of this ${peer} has ended`)
      if (socket.readyState === socket.OPEN) socket.ping()
    }
  }, HEARTBEAT_MS)
  const beat = setInterval(() => {
    for (const socket of server.clients) send(socket, '{"beat":true}')
  }, BEAT_MS)

  function isKeepingUp(socket: WebSocket): boolean {
    if (socket.readyState !== socket.OPEN) return false
    if (socket.bufferedAmount <= MOST_UNREAD) return true
    log.warn(`a ${peer} that does not keep up is dropped`, { unread: socket.bufferedAmount })
    socket.close(CLOSE_CODES.tooSlow, `this ${peer} does not keep up`)
    return false
  }

  function send(socket: WebSocket, text: string): void {
    if (isKeepingUp(socket)) socket.send(text)
  }

  function welcome(socket: WebSocket, seen: number | null): void {
    alive.add(socket)
    const missed = seen === null ? null : ring.after(seen)
    const n = missed === null ? ring.last : seen
    send(socket, JSON.stringify({ hello: { n, resumed: missed !== null, numberedBy } }))
    for (const { text } of missed ?? []) send(socket, text)
    let inFlight = 0
    const isSpent = frameBudget()
    const ended = () => ({ destroy: () => socket.terminate() })
    /** Whether to handle this frame; disconnects a peer that sends too much. */
    const isTaken = (): boolean => {
      const debt = isSpent()
      if (debt > FRAMES.mostDebt) {
        log.warn(`a ${peer} that sends too much is dropped`)
        socket.close(CLOSE_CODES.tooMuch, `this ${peer} sends too much`)
        setTimeout(() => socket.terminate(), GOODBYE_MS).unref()
      }
      return debt === 0 && socket.readyState === socket.OPEN
    }
    socket.on(
      'pong',
      guard('pong', ended, () => {
        if (isTaken()) alive.add(socket)
      }),
    )
    socket.on(
      'ping',
      guard('ping', ended, (data: Buffer) => {
        if (!isTaken()) return
        alive.add(socket)
        // A peer that pings but does not read counts as too slow, too.
        if (isKeepingUp(socket)) socket.pong(data)
      }),
    )
    // ws closes the connection after an oversized or broken frame, with its own code.
    socket.on(
      'error',
      guard('error', ended, (error: Error) => log.warn('a connection broke', { why: error.message })),
    )
    socket.on('message', guard('message', ended, take))

    function take(data: RawData, isBinary: boolean): void {
      const taken = isTaken()
      if (socket.readyState !== socket.OPEN) return
      alive.add(socket)
      const bytes = sizeOf(data)
      const message = isBinary ? null : readMessage(data)
      if (message === null) {
        log.warn('a message outside the contract was refused', { bytes })
        socket.close(CLOSE_CODES.malformed, 'not a message of the contract')
        return
      }
      const refused = refusalOfMessage(message, bytes, taken && inFlight < MOST_IN_FLIGHT, peer)
      if (refused !== null) {
        answer(socket, message.id, refused)
        return
      }
      inFlight += 1
      // The router parses the input against the schema of the name and refuses what does not fit. Work that a request starts (a run, a watch) does
      // not belong to the connection.
      outsideConnections(() => contract.ask(message.ask as RequestName, message.input as never)).then(
        guard('answer', ended, given => {
          inFlight -= 1
          send(socket, JSON.stringify({ id: message.id, answer: given }))
        }),
        guard('answer', ended, () => {
          inFlight -= 1
          answer(socket, message.id, refusal('internal', because('OwnBug')))
        }),
      )
    }
  }

  function answer(socket: WebSocket, id: number, why: Failure): void {
    send(socket, JSON.stringify({ id, answer: { ok: false, failure: why } }))
  }

  return {
    isFull: () => server.clients.size >= mostPeers,
    begin: (request, socket, head, onOpen) => {
      const address = addressOf(request)
      const seen = address?.searchParams.get('seen') ?? null
      const ours = address?.searchParams.get('by') === numberedBy
      server.handleUpgrade(request, socket, head, opened => {
        onOpen(opened)
        welcome(opened, ours && seen !== null && /^\d{1,12}$/.test(seen) ? Number(seen) : null)
      })
    },
    stop: async () => {
      clearInterval(heartbeat)
      clearInterval(beat)
      for (const stop of stops) stop()
      for (const socket of server.clients) socket.close(CLOSE_CODES.stopped, 'the console stopped')
      await new Promise<void>(resolve => {
        const patience = setTimeout(() => {
          for (const socket of server.clients) socket.terminate()
        }, GOODBYE_MS)
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

/** Why a message is refused; null if it is valid. */
function refusalOfMessage({ ask }: Message, bytes: number, hasRoom: boolean, peer: string): Failure | null {
  if (!hasRoom) return refusal('throttled', because('PeerAsksTooMuch', { peer }))
  if (!Object.hasOwn(requests, ask))
    return refusal('bad-input', because('RequestUnknown', { request: ask.slice(0, 60) }))
  if (bytes > LARGEST_OTHER_MESSAGE && ask !== 'report.verify') {
    return refusal('bad-input', because('RequestTooLarge', { request: ask, bytes, most: LARGEST_OTHER_MESSAGE }))
  }
  return null
}

/** Counts the frames of one connection; returns how many exceed the limit, 0 if none. */
function frameBudget(): () => number {
  let spent = 0
  let at = performance.now()
  return () => {
    const now = performance.now()
    spent = Math.max(0, spent - ((now - at) / 1000) * FRAMES.aSecond) + 1
    at = now
    return Math.max(0, spent - FRAMES.atOnce)
  }
}

/** A valid message of the peer, or null. */
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
