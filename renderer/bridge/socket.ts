import type { Contract, Envelope, RequestEffect, RequestOutput } from '../../shared/contract/index.ts'
import {
  CLOSE_CODES,
  createListeners,
  PAGE_PROTOCOL,
  SILENT_MS,
  type SocketMessage,
} from '../../shared/contract/socket.ts'
import type { Failure } from '../../shared/domain/failure.ts'
import type { ReportSubject } from '../../shared/domain/report.ts'
import { type Connection, useConnection } from '../stores/connection.ts'
import { enterWith, isShutOut, tabKey, takeToken } from './tab-access.ts'

/** The contract over one WebSocket to the console that served the page (main/faces/serve/socket-face.ts). */
export interface SocketContract extends Contract {
  /** Calls `again` when events may have been missed and everything must be read again. */
  onResync(again: () => void): () => void
}

/** A request that waits for its answer. */
interface Asked {
  readonly name: string
  readonly text: string
  readonly answer: (given: Envelope<never>) => void
  /** How often it was sent. */
  sent: number
}

/** A read is sent twice at most: it may be what breaks the connection. */
const MOST_ASKED = 2
/** After this many failed attempts, waiting requests fail. */
const GIVE_UP_AFTER = 3

const FIRST_DELAY_MS = 300
const LONGEST_DELAY_MS = 10_000
/** After this many failures the page asks its own address why: a WebSocket does not say that the server refuses this browser. */
const ASK_WHY_AFTER = 2

/** The connection of this page: its socket, what it has received, and the requests that wait. */
interface Line {
  readonly address: string
  readonly listeners: ReturnType<typeof createListeners>
  readonly resyncs: Set<() => void>
  /** The requests without an answer, by number. */
  readonly open: Map<number, Asked>
  socket: WebSocket | null
  welcomed: boolean
  /** The last event received, and the console that numbered it. */
  seen: number | null
  numberedBy: string
  /** What each request may do, as the console said. */
  effects: Readonly<Record<string, RequestEffect>>
  /** The number of the last request. */
  ids: number
  /** Failed attempts since the last welcome. */
  failures: number
  lostAt: string | null
  receivedAt: string
  /** The timer of the next attempt; null if none runs. */
  timer: number | null
  /** When a silent console counts as lost. */
  silence: number | undefined
  shutOut: boolean
  /** Whether the tab is exchanging its token for a key. */
  entering: boolean
}

/** Connects and reconnects until the console says that it ends. */
export function openSocketContract(address: string): SocketContract {
  const line: Line = {
    address,
    listeners: createListeners(),
    resyncs: new Set(),
    open: new Map(),
    socket: null,
    welcomed: false,
    seen: null,
    numberedBy: '',
    effects: {},
    ids: 0,
    failures: 0,
    lostAt: null,
    receivedAt: new Date().toISOString(),
    timer: null,
    silence: undefined,
    shutOut: false,
    entering: false,
  }
  const hurry = () => hurryUp(line)
  document.addEventListener('visibilitychange', hurry)
  window.addEventListener('online', hurry)
  const token = takeToken()
  line.entering = token !== null
  if (token === null) connect(line)
  else {
    void enterWith(token).then(() => {
      line.entering = false
      connect(line)
    })
  }
  return {
    ask: (name, input) =>
      new Promise(resolve => {
        if (line.socket === null && !line.entering) {
          resolve({ ok: false, failure: notSent(line) })
          return
        }
        line.ids += 1
        const asked: Asked = {
          name,
          text: JSON.stringify({ id: line.ids, ask: name, input }),
          answer: resolve as (given: Envelope<never>) => void,
          sent: 0,
        }
        line.open.set(line.ids, asked)
        if (line.socket !== null && line.welcomed) sendNow(line, asked)
      }),
    listen: line.listeners.listen,
    onResync: again => {
      line.resyncs.add(again)
      return () => line.resyncs.delete(again)
    },
  }
}

function show(connection: Connection): void {
  useConnection.setState({ connection })
}

function connect(line: Line): void {
  line.timer = null
  const key = tabKey()
  if (key === null) {
    showOut(line)
    return
  }
  const from = line.seen === null ? line.address : `${line.address}?seen=${line.seen}&by=${line.numberedBy}`
  const opening = new WebSocket(from, [PAGE_PROTOCOL, `key.${key}`])
  line.socket = opening
  line.welcomed = false
  awaitWord(line, opening)
  opening.addEventListener('message', ({ data }) => {
    if (line.socket !== opening) return
    line.receivedAt = new Date().toISOString()
    awaitWord(line, opening)
    // The console is of the same build, and validates.
    const message: SocketMessage = JSON.parse(String(data))
    receive(line, message)
  })
  opening.addEventListener('close', ({ code, reason }) => {
    if (line.socket !== opening) return
    window.clearTimeout(line.silence)
    line.socket = null
    lose(line, code, reason, new Date().toISOString())
  })
}

/** Counts a console that stays silent as lost. */
function awaitWord(line: Line, opening: WebSocket): void {
  window.clearTimeout(line.silence)
  line.silence = window.setTimeout(() => {
    line.socket = null
    opening.close()
    lose(line, 0, '', line.receivedAt)
  }, SILENT_MS)
}

function receive(line: Line, message: SocketMessage): void {
  if ('id' in message) {
    line.open.get(message.id)?.answer(message.answer as Envelope<never>)
    line.open.delete(message.id)
  } else if ('hello' in message) {
    const { n, resumed } = message.hello
    line.numberedBy = message.hello.numberedBy
    line.effects = message.hello.effects ?? {}
    const again = line.seen !== null && !resumed
    line.seen = n
    line.welcomed = true
    line.failures = 0
    line.lostAt = null
    show({ kind: 'connected' })
    for (const asked of line.open.values()) sendNow(line, asked)
    if (again) for (const each of line.resyncs) each()
  } else if ('event' in message) {
    line.seen = message.n
    line.listeners.publish(message.event, message.payload)
  }
}

function lose(line: Line, code: number, reason: string, since: string): void {
  line.lostAt ??= since
  for (const [id, asked] of [...line.open]) {
    // A read is sent again once; a request that was never sent is sent now.
    const effect = effectOf(line, asked)
    if (asked.sent < (effect === 'read' ? MOST_ASKED : 1)) continue
    line.open.delete(id)
    asked.answer({ ok: false, failure: lostFailure(effect) })
  }
  line.failures += 1
  if (code === CLOSE_CODES.stopped || line.failures >= GIVE_UP_AFTER) giveUp(line)
  const delay = Math.min(LONGEST_DELAY_MS, FIRST_DELAY_MS * 2 ** (line.failures - 1)) * (0.75 + Math.random() / 2)
  // A stopped console may start again on the same port, so the page keeps trying.
  show(
    code === CLOSE_CODES.stopped
      ? { kind: 'ended', since: line.lostAt, why: reason }
      : { kind: 'lost', since: line.lostAt, nextTryAt: new Date(Date.now() + delay).toISOString() },
  )
  line.timer = window.setTimeout(() => void tryAgain(line), delay)
}

/** Fails all waiting requests: the console does not come back. */
function giveUp(line: Line): void {
  for (const asked of line.open.values()) {
    asked.answer({ ok: false, failure: asked.sent === 0 ? notSent(line) : lostFailure(effectOf(line, asked)) })
  }
  line.open.clear()
}

/** A request that the console did not name may have changed something. */
function effectOf({ effects }: Line, { name }: Asked): RequestEffect {
  return effects[name] ?? 'journaled'
}

/** Distinguishes a tab without access from a console that does not answer. */
function notSent({ shutOut }: Line): Failure {
  return shutOut ? SHUT_OUT : NOT_SENT
}

function sendNow({ socket }: Line, asked: Asked): void {
  asked.sent += 1
  socket?.send(asked.text)
}

async function tryAgain(line: Line): Promise<void> {
  line.timer = null
  line.shutOut = false
  if (line.failures >= ASK_WHY_AFTER && (await isShutOut())) {
    showOut(line)
    return
  }
  connect(line)
}

function showOut(line: Line): void {
  line.shutOut = true
  giveUp(line)
  show({ kind: 'not-let-in', why: SHOWN_OUT })
}

/** Connects at once when the page is seen again or the network is back. */
function hurryUp(line: Line): void {
  // This browser may have got access in another tab.
  if ((line.timer === null && !line.shutOut) || document.visibilityState !== 'visible') return
  if (line.timer !== null) window.clearTimeout(line.timer)
  void tryAgain(line)
}

/**
 * Has the console keep a copy of a dropped file (main/faces/serve/answer-page.ts). The browser sends it; the page never reads its
 * text.
 */
export async function keepDropped(file: File): Promise<Envelope<RequestOutput<'file.keep'>>> {
  try {
    const answer = await fetch(`/dropped?name=${encodeURIComponent(file.name)}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${tabKey() ?? ''}` },
      body: file,
    })
    return answer.ok ? await answer.json() : { ok: false, failure: SHUT_OUT }
  } catch {
    return { ok: false, failure: NOT_SENT }
  }
}

/** Has the console serve a report as a page (main/faces/serve/report-pages.ts); answers with its path. */
export async function servedReport({ kind, id }: ReportSubject, redact: boolean): Promise<Envelope<{ path: string }>> {
  try {
    const query = new URLSearchParams({ kind, id, redact: redact ? 'yes' : 'no' })
    const answer = await fetch(`/report?${query}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${tabKey() ?? ''}` },
    })
    return answer.ok ? await answer.json() : { ok: false, failure: SHUT_OUT }
  } catch {
    return { ok: false, failure: NOT_SENT }
  }
}

/** The failure of a request without an answer, by what it may have done. */
function lostFailure(effect: RequestEffect): Failure {
  switch (effect) {
    case 'read':
      return {
        code: 'unreachable',
        message: 'The connection to the console broke. Lockkeeper connects again automatically.',
        retryable: true,
      }
    case 'write':
      return {
        code: 'unreachable',
        message:
          'The connection broke before the console answered. The change may have happened: look before you try again.',
        retryable: false,
      }
    case 'journaled':
      return {
        code: 'unreachable',
        message:
          'The connection broke before the console answered. The change may have happened: look at the runs, the windows and the node before you try again.',
        retryable: false,
      }
  }
}

const SHOWN_OUT =
  'This tab has no access any more. Press Enter where `lockkeeper serve` runs, then open the new address.'

const SHUT_OUT: Failure = {
  code: 'not-permitted',
  message: 'This tab has no access, so nothing was done. Open a new address in it.',
  retryable: false,
}

const NOT_SENT: Failure = {
  code: 'unreachable',
  message: 'There is no connection to the console, so nothing was done.',
  retryable: true,
}
