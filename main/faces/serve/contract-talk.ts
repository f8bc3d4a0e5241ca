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
  /** Starts with an admitted peer. `seen`: the last event it received from this console; null if none. */
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
/** The console disconnects a peer that does not read; the peer reconnects when it can. The first picture of 100,000 instances is smaller. */
const MOST_UNREAD = 96 * 1024 * 1024
const HEARTBEAT_MS = 20_000
/** How long a peer may take to close its end. */
const GOODBYE_MS = 1000

/** What each request may do: a page repeats only reads. */
const EFFECTS = Object.fromEntries(Object.entries(requests).map(([name, { effect }]) => [name, effect]))

interface Talk {
  readonly parts: TalkParts
  readonly server: WebSocketServer
  readonly ring: ReturnType<typeof createEventRing>
  /** Distinguishes the event numbers of this console from those of an earlier one. */
  readonly numberedBy: string
  /** The peers that sent something since the last heartbeat. */
  readonly alive: WeakSet<WebSocket>
}

export function createContractTalk(parts: TalkParts): ContractTalk {
  const server = new WebSocketServer({
    noServer: true,
    maxPayload: LARGEST_MESSAGE,
    perMessageDeflate: false,
    clientTracking: true,
    autoPong: false,
    // Only the protocol is sent back, not the key beside it.
    handleProtocols: () => parts.protocol,
  })
  const talk: Talk = { parts, server, ring: createEventRing(), numberedBy: randomUUID(), alive: new WeakSet() }
  const stops = (Object.keys(events) as EventName[]).map(name =>
    parts.contract.listen(name, payload => {
      const { text } = talk.ring.add(name, payload)
      for (const socket of server.clients) send(talk, socket, text)
    }),
  )
  const heartbeat = setInterval(() => dropSilentPeers(talk), HEARTBEAT_MS)
  const beat = setInterval(() => {
    for (const socket of server.clients) send(talk, socket, '{"beat":true}')
  }, BEAT_MS)
  return {
    isFull: () => server.clients.size >= parts.mostPeers,
    begin: (request, socket, head, onOpen) => {
      const address = addressOf(request)
      const seen = address?.searchParams.get('seen') ?? null
      const ours = address?.searchParams.get('by') === talk.numberedBy
      server.handleUpgrade(request, socket, head, opened => {
        onOpen(opened)
        welcome(talk, opened, ours && seen !== null && /^\d{1,12}$/.test(seen) ? Number(seen) : null)
      })
    },
    stop: async () => {
      clearInterval(heartbeat)
      clearInterval(beat)
      for (const stop of stops) stop()
      await closeServer(server)
    },
  }
}

/** Drops peers that sent nothing since the last heartbeat or lost their access, and pings the others. */
function dropSilentPeers({ parts: { isStillIn, peer }, server, alive }: Talk): void {
  for (const socket of server.clients) {
    if (!alive.has(socket)) socket.terminate()
    alive.delete(socket)
    if (!isStillIn(socket)) socket.close(CLOSE_CODES.ended, `the access of this ${peer} has ended`)
    if (socket.readyState === socket.OPEN) socket.ping()
  }
}

async function closeServer(server: WebSocketServer): Promise<void> {
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
}

function isKeepingUp({ parts: { log, peer } }: Talk, socket: WebSocket): boolean {
  if (socket.readyState !== socket.OPEN) return false
  if (socket.bufferedAmount <= MOST_UNREAD) return true
  log.warn(`a ${peer} that does not keep up is dropped`, { unread: socket.bufferedAmount })
  socket.close(CLOSE_CODES.tooSlow, `this ${peer} does not keep up`)
  return false
}

function send(talk: Talk, socket: WebSocket, text: string): void {
  if (isKeepingUp(talk, socket)) socket.send(text)
}

function sendRefusal(talk: Talk, socket: WebSocket, id: number, why: Failure): void {
  send(talk, socket, JSON.stringify({ id, answer: { ok: false, failure: why } }))
}

/** One connected peer, and what it still may send. */
interface Peer {
  readonly socket: WebSocket
  /** Counts a frame; returns how many exceed the limit. */
  readonly isSpent: () => number
  /** Requests without an answer. */
  inFlight: number
}

/** Greets a peer with the events that it missed, and takes its frames from then on. */
function welcome(talk: Talk, socket: WebSocket, seen: number | null): void {
  const { ring, numberedBy, alive } = talk
  const { guard, log } = talk.parts
  alive.add(socket)
  const missed = seen === null ? null : ring.after(seen)
  const n = missed === null ? ring.last : seen
  send(talk, socket, JSON.stringify({ hello: { n, resumed: missed !== null, numberedBy, effects: EFFECTS } }))
  for (const { text } of missed ?? []) send(talk, socket, text)
  const peer: Peer = { socket, isSpent: frameBudget(), inFlight: 0 }
  const ended = endOf(socket)
  socket.on(
    'pong',
    guard('pong', ended, () => {
      if (isTaken(talk, peer)) alive.add(socket)
    }),
  )
  socket.on(
    'ping',
    guard('ping', ended, (data: Buffer) => {
      if (!isTaken(talk, peer)) return
      alive.add(socket)
      // A peer that pings but does not read counts as too slow, too.
      if (isKeepingUp(talk, socket)) socket.pong(data)
    }),
  )
  // ws closes the connection after an oversized or broken frame, with its own code.
  socket.on(
    'error',
    guard('error', ended, (error: Error) => log.warn('a connection broke', { why: error.message })),
  )
  socket.on(
    'message',
    guard('message', ended, (data: RawData, isBinary: boolean) => takeMessage(talk, peer, data, isBinary)),
  )
}

/** Ends a connection after an error in its listeners. */
function endOf(socket: WebSocket) {
  return () => ({ destroy: () => socket.terminate() })
}

/** Whether to handle this frame; disconnects a peer that sends too much. */
function isTaken({ parts }: Talk, { socket, isSpent }: Peer): boolean {
  const debt = isSpent()
  if (debt > FRAMES.mostDebt) {
    parts.log.warn(`a ${parts.peer} that sends too much is dropped`)
    socket.close(CLOSE_CODES.tooMuch, `this ${parts.peer} sends too much`)
    setTimeout(() => socket.terminate(), GOODBYE_MS).unref()
  }
  return debt === 0 && socket.readyState === socket.OPEN
}

function takeMessage(talk: Talk, peer: Peer, data: RawData, isBinary: boolean): void {
  const { contract, guard, log } = talk.parts
  const { socket } = peer
  const taken = isTaken(talk, peer)
  if (socket.readyState !== socket.OPEN) return
  talk.alive.add(socket)
  const bytes = sizeOf(data)
  const message = isBinary ? null : readMessage(data)
  if (message === null) {
    log.warn('a message outside the contract was refused', { bytes })
    socket.close(CLOSE_CODES.malformed, 'not a message of the contract')
    return
  }
  const refused = refusalOfMessage(message, bytes, taken && peer.inFlight < MOST_IN_FLIGHT, talk.parts.peer)
  if (refused !== null) {
    sendRefusal(talk, socket, message.id, refused)
    return
  }
  peer.inFlight += 1
  // The router parses the input against the schema of the name and refuses what does not fit. Work that a request starts (a run, a watch) does
  // not belong to the connection.
  outsideConnections(() => contract.ask(message.ask as RequestName, message.input as never)).then(
    guard('answer', endOf(socket), given => {
      peer.inFlight -= 1
      send(talk, socket, JSON.stringify({ id: message.id, answer: given }))
    }),
    guard('answer', endOf(socket), () => {
      peer.inFlight -= 1
      sendRefusal(talk, socket, message.id, refusal('internal', because('OwnBug')))
    }),
  )
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
