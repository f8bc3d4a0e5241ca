import {
  type Contract,
  type Envelope,
  type RequestEffect,
  type RequestOutput,
  requests,
} from '../../shared/contract/index.ts'
import { CLOSE_CODES, createListeners, PAGE_PROTOCOL, SILENT_MS, SocketMessage } from '../../shared/contract/socket.ts'
import type { Failure } from '../../shared/domain/failure.ts'
import { type Connection, useConnection } from '../stores/connection.ts'

/** A tab keeps its key here: a reload keeps it, other tabs do not see it. */
const KEPT_AS = 'lockkeeper-key'

/** The contract over one WebSocket to the console that served the page (main/faces/serve/socket-face.ts). */
export interface SocketContract extends Contract {
  /** Calls `again` when events may have been missed and everything must be read again. */
  onResync(again: () => void): () => void
}

/** A request that waits for its answer. */
interface Asked {
  readonly effect: RequestEffect
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

/** Connects and reconnects until the console says that it ends. */
export function openSocketContract(address: string): SocketContract {
  const listeners = createListeners()
  const resyncs = new Set<() => void>()
  const open = new Map<number, Asked>()
  let socket: WebSocket | null = null
  let welcomed = false
  let seen: number | null = null
  let numberedBy = ''
  let ids = 0
  let failures = 0
  let lostAt: string | null = null
  let timer: number | null = null
  let silence: number | undefined
  let receivedAt = new Date().toISOString()
  let shutOut = false

  const show = (connection: Connection) => useConnection.setState({ connection })

  function connect(): void {
    timer = null
    const key = tabKey()
    if (key === null) {
      showOut()
      return
    }
    const from = seen === null ? address : `${address}?seen=${seen}&by=${numberedBy}`
    const opening = new WebSocket(from, [PAGE_PROTOCOL, `key.${key}`])
    socket = opening
    welcomed = false
    const awaitWord = () => {
      window.clearTimeout(silence)
      silence = window.setTimeout(() => {
        socket = null
        opening.close()
        lose(0, '', receivedAt)
      }, SILENT_MS)
    }
    awaitWord()
    opening.addEventListener('message', ({ data }) => {
      if (socket !== opening) return
      receivedAt = new Date().toISOString()
      awaitWord()
      receive(SocketMessage.parse(JSON.parse(String(data))))
    })
    opening.addEventListener('close', ({ code, reason }) => {
      if (socket !== opening) return
      window.clearTimeout(silence)
      socket = null
      lose(code, reason, new Date().toISOString())
    })
  }

  function receive(message: SocketMessage): void {
    if ('id' in message) {
      open.get(message.id)?.answer(message.answer as Envelope<never>)
      open.delete(message.id)
    } else if ('hello' in message) {
      const { n, resumed } = message.hello
      numberedBy = message.hello.numberedBy
      const again = seen !== null && !resumed
      seen = n
      welcomed = true
      failures = 0
      lostAt = null
      show({ kind: 'connected' })
      for (const asked of open.values()) sendNow(asked)
      if (again) for (const each of resyncs) each()
    } else if ('event' in message) {
      seen = message.n
      listeners.publish(message.event, message.payload)
    }
  }

  function lose(code: number, reason: string, since: string): void {
    lostAt ??= since
    for (const [id, asked] of [...open]) {
      // A read is sent again once; a request that was never sent is sent now.
      if (asked.sent < (asked.effect === 'read' ? MOST_ASKED : 1)) continue
      open.delete(id)
      asked.answer({ ok: false, failure: lostFailure(asked.effect) })
    }
    failures += 1
    if (code === CLOSE_CODES.stopped || failures >= GIVE_UP_AFTER) giveUp()
    const delay = Math.min(LONGEST_DELAY_MS, FIRST_DELAY_MS * 2 ** (failures - 1)) * (0.75 + Math.random() / 2)
    // A stopped console may start again on the same port, so the page keeps trying.
    show(
      code === CLOSE_CODES.stopped
        ? { kind: 'ended', since: lostAt, why: reason }
        : { kind: 'lost', since: lostAt, nextTryAt: new Date(Date.now() + delay).toISOString() },
    )
    timer = window.setTimeout(() => void tryAgain(), delay)
  }

  /** Fails all waiting requests: the console does not come back. */
  function giveUp(): void {
    for (const { sent, effect, answer } of open.values()) {
      answer({ ok: false, failure: sent === 0 ? notSent() : lostFailure(effect) })
    }
    open.clear()
  }

  /** Distinguishes a tab without access from a console that does not answer. */
  function notSent(): Failure {
    return shutOut ? SHUT_OUT : NOT_SENT
  }

  function sendNow(asked: Asked): void {
    asked.sent += 1
    socket?.send(asked.text)
  }

  async function tryAgain(): Promise<void> {
    timer = null
    shutOut = false
    if (failures >= ASK_WHY_AFTER && (await isShutOut())) {
      showOut()
      return
    }
    connect()
  }

  function showOut(): void {
    shutOut = true
    giveUp()
    show({ kind: 'not-let-in', why: SHOWN_OUT })
  }

  const hurry = () => {
    // This browser may have got access in another tab.
    if ((timer === null && !shutOut) || document.visibilityState !== 'visible') return
    if (timer !== null) window.clearTimeout(timer)
    void tryAgain()
  }
  document.addEventListener('visibilitychange', hurry)
  window.addEventListener('online', hurry)
  const token = takeToken()
  let entering = token !== null
  if (token === null) connect()
  else {
    void enterWith(token).then(() => {
      entering = false
      connect()
    })
  }

  return {
    ask: (name, input) =>
      new Promise(resolve => {
        if (socket === null && !entering) {
          resolve({ ok: false, failure: notSent() })
          return
        }
        ids += 1
        const asked: Asked = {
          effect: requests[name].effect,
          text: JSON.stringify({ id: ids, ask: name, input }),
          answer: resolve as (given: Envelope<never>) => void,
          sent: 0,
        }
        open.set(ids, asked)
        if (socket !== null && welcomed) sendNow(asked)
      }),
    listen: listeners.listen,
    onResync: again => {
      resyncs.add(again)
      return () => resyncs.delete(again)
    },
  }
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

/** The key of this tab; null if it has no access. */
function tabKey(): string | null {
  return window.sessionStorage.getItem(KEPT_AS)
}

/** Takes the token out of the printed address with which this tab was opened; null if there is none. */
function takeToken(): string | null {
  const { pathname, search, hash } = window.location
  const token = pathname === '/enter' ? new URLSearchParams(search).get('token') : null
  if (pathname === '/enter') window.history.replaceState(null, '', `/${hash}`)
  return token
}

/** Exchanges the token of a printed address for the key of this tab. Without an answer the tab keeps its old key. */
async function enterWith(token: string): Promise<void> {
  try {
    const answer = await fetch('/enter', { method: 'POST', headers: { authorization: `Bearer ${token}` } })
    const given: unknown = answer.ok ? await answer.json() : null
    if (typeof given === 'object' && given !== null && 'key' in given && typeof given.key === 'string') {
      window.sessionStorage.setItem(KEPT_AS, given.key)
    }
  } catch {
    // The console does not answer; the connection reports it.
  }
}

/** Whether the console answers, but not to this tab. */
async function isShutOut(): Promise<boolean> {
  try {
    const headers = { authorization: `Bearer ${tabKey() ?? ''}` }
    const signal = AbortSignal.timeout(SILENT_MS)
    return (await fetch('/session', { headers, cache: 'no-store', signal })).status === 403
  } catch {
    return false
  }
}
