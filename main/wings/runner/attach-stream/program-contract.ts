import type { Duplex } from 'node:stream'
import { type RawData, WebSocket } from 'ws'
import {
  type Contract,
  type Envelope,
  type EventName,
  events,
  type RequestName,
  type RequestOutput,
  requests,
} from '../../../../shared/contract/index.ts'
import { PROGRAM_PATH, PROGRAM_PROTOCOL } from '../../../../shared/contract/program.ts'
import { createListeners, SILENT_MS, SocketMessage } from '../../../../shared/contract/socket.ts'
import { seconds } from '../../../../shared/domain/durations.ts'
import { Failure } from '../../../../shared/domain/failure.ts'
import { failed, ok, type Result } from '../../../../shared/domain/result.ts'
import { because } from '../../../../shared/words/reasons.ts'
import { refusal } from '../../../../shared/words/refusal.ts'
import type { Finding } from '../../../../shared/words/steps/coded.ts'
import type { Clock } from '../../../platform/clock/clock.ts'

interface ProgramContract extends Contract {
  /** Calls `again` when events were missed: then read everything again. */
  onHole(again: () => void): void
  readonly closed: Promise<Finding>
  close(): void
}

const ANSWER_LIMIT_MS = seconds(30)
/** A stretch of a journal has up to 4 million characters and one more entry, with its links. */
const LARGEST_MESSAGE = 64 * 1024 * 1024

interface StreamState {
  readonly stream: Duplex
  readonly socket: WebSocket
  readonly clock: Clock
  readonly over: AbortController
  /** Why the connection ended, or what to say if it ends now. */
  why: Finding
  readonly asked: Map<number, (given: Result<unknown>) => void>
  readonly listeners: ReturnType<typeof createListeners>
  readonly holes: Set<() => void>
  ids: number
  /** The number of the last event; null if the runner has not identified itself. */
  last: number | null
  received: number
  readonly welcome: () => void
}

/** Connects to the runner at the other end of a stream; resolves when it has identified itself. */
export async function openProgramContract(stream: Duplex, clock: Clock): Promise<Result<ProgramContract>> {
  let welcome: () => void = () => {}
  const welcomed = new Promise<void>(resolve => {
    welcome = resolve
  })
  const state: StreamState = {
    stream,
    socket: new WebSocket(`ws://127.0.0.1${PROGRAM_PATH}`, PROGRAM_PROTOCOL, {
      createConnection: () => stream as never,
      perMessageDeflate: false,
      followRedirects: false,
      maxPayload: LARGEST_MESSAGE,
    }),
    clock,
    over: new AbortController(),
    why: because('RunnerEnded'),
    asked: new Map(),
    listeners: createListeners(),
    holes: new Set(),
    ids: 0,
    last: null,
    received: 0,
    welcome,
  }
  const closed = endOf(state)
  attachSocket(state)
  void watchSilence(state)
  await Promise.race([welcomed, closed])
  if (state.over.signal.aborted) return failed(lost(state.why))
  return ok({
    ask: async (name, input) =>
      readAnswer(name, await send(name, input, state)) as Envelope<RequestOutput<typeof name>>,
    listen: state.listeners.listen,
    onHole: again => {
      state.holes.add(again)
    },
    closed,
    close: () => lose(because('RunnerLeft'), state),
  })
}

/** Settles when the connection ends; then every open request has failed. */
function endOf(state: StreamState): Promise<Finding> {
  const { over, socket, stream, asked } = state
  return new Promise(resolve => {
    over.signal.addEventListener('abort', () => {
      socket.on('error', () => {})
      socket.terminate()
      stream.destroy()
      for (const answer of asked.values()) answer(failed(lost(state.why)))
      asked.clear()
      resolve(state.why)
    })
  })
}

function lose(cause: Finding, state: StreamState): void {
  if (state.over.signal.aborted) return
  state.why = cause
  state.over.abort()
}

function attachSocket(state: StreamState): void {
  const { socket, stream } = state
  stream.on('error', error => lose(broken(error), state))
  socket.on('message', (data: RawData) => receive(String(data), state))
  socket.on('error', error => lose(broken(error), state))
  socket.on('unexpected-response', (_, answer) => {
    lose(because('NotAKnownRunner', { status: answer.statusCode ?? 0 }), state)
  })
  socket.on('close', (_, reason) =>
    lose(reason.length > 0 ? because('RunnerEndedWith', { output: String(reason) }) : state.why, state),
  )
}

function receive(text: string, state: StreamState): void {
  const message = messageOf(text)
  if (message === null) {
    lose(because('NotAMessageOfRunner'), state)
    return
  }
  state.received += 1
  if ('id' in message) {
    state.asked.get(message.id)?.(message.answer as Result<unknown>)
    state.asked.delete(message.id)
  } else if ('hello' in message) {
    state.last = message.hello.n
    state.welcome()
  } else if ('event' in message) {
    const { n, event } = message
    const isMissed = state.last !== null && n !== state.last + 1
    state.last = n
    if (isMissed) for (const again of state.holes) again()
    const payload = Object.hasOwn(events, event) ? events[event as EventName].safeParse(message.payload) : null
    // Skips details that only a newer runner sends, but still reports that something happened.
    if (payload?.success === true) state.listeners.publish(event, payload.data)
  }
}

async function watchSilence(state: StreamState): Promise<void> {
  const { over, clock } = state
  for (let before = -1; !over.signal.aborted; ) {
    if (state.received === before) return lose(because('RunnerSilent', { seconds: SILENT_MS / 1000 }), state)
    before = state.received
    await clock.sleep(SILENT_MS, over.signal)
  }
}

async function send(name: RequestName, input: unknown, state: StreamState): Promise<Result<unknown>> {
  const { over, asked, socket, clock } = state
  if (over.signal.aborted) return failed(lost(state.why))
  state.ids += 1
  const id = state.ids
  const answered = new AbortController()
  const given = await new Promise<Result<unknown>>(resolve => {
    asked.set(id, resolve)
    void clock.sleep(ANSWER_LIMIT_MS, answered.signal).then(() => {
      if (!answered.signal.aborted) resolve(failed(lost(because('RunnerAnswerLate', { request: name }))))
    })
    socket.send(JSON.stringify({ id, ask: name, input }))
  })
  answered.abort()
  asked.delete(id)
  return given
}

/** An answer that follows the contract, or a failure: the runner has another version. */
function readAnswer(name: RequestName, given: unknown): Result<unknown> {
  const envelope = given as { readonly ok?: unknown; readonly value?: unknown; readonly failure?: unknown }
  if (envelope.ok === false) {
    const reported = Failure.safeParse(envelope.failure)
    return failed(reported.success ? reported.data : anotherVersion(name))
  }
  const value = requests[name].output.safeParse(envelope.value)
  return value.success ? ok(value.data) : failed(anotherVersion(name))
}

function anotherVersion(name: string): Failure {
  return refusal('unreadable', because('RunnerOfOtherVersion', { request: name }))
}

function lost(why: Finding): Failure {
  return refusal('unreachable', because('NoConnectionToRunner', { why }))
}

function broken(error: Error): Finding {
  return because('RunnerConnectionBroke', { cause: error.message })
}

function messageOf(text: string): SocketMessage | null {
  try {
    return SocketMessage.parse(JSON.parse(text))
  } catch {
    return null
  }
}
