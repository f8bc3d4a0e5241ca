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

/** The contract of a runner over one connection, for as long as that lasts. */
interface ProgramContract extends Contract {
  /** Calls `again` when events were missed: then read everything again. */
  onHole(again: () => void): void
  /** Settles with the reason when the connection ends. */
  readonly closed: Promise<Finding>
  close(): void
}

const ANSWER_LIMIT_MS = seconds(30)
/** A stretch of a journal has up to 4 million characters and one more entry, with its links. */
const LARGEST_MESSAGE = 64 * 1024 * 1024

/** Connects to the runner at the other end of a stream; resolves when it has identified itself. */
export async function openProgramContract(stream: Duplex, clock: Clock): Promise<Result<ProgramContract>> {
  const over = new AbortController()
  let why = because('RunnerEnded')
  const lose = (cause: Finding) => {
    if (over.signal.aborted) return
    why = cause
    over.abort()
  }
  stream.on('error', error => lose(broken(error)))
  const socket = new WebSocket(`ws://127.0.0.1${PROGRAM_PATH}`, PROGRAM_PROTOCOL, {
    createConnection: () => stream as never,
    perMessageDeflate: false,
    followRedirects: false,
    maxPayload: LARGEST_MESSAGE,
  })
  const asked = new Map<number, (given: Result<unknown>) => void>()
  const listeners = createListeners()
  const holes = new Set<() => void>()
  let ids = 0
  let last: number | null = null
  let received = 0
  let welcome: () => void = () => {}
  const welcomed = new Promise<void>(resolve => {
    welcome = resolve
  })
  const closed = new Promise<Finding>(resolve => {
    over.signal.addEventListener('abort', () => {
      socket.on('error', () => {})
      socket.terminate()
      stream.destroy()
      for (const answer of asked.values()) answer(failed(lost(why)))
      asked.clear()
      resolve(why)
    })
  })

  function receive(text: string): void {
    const message = messageOf(text)
    if (message === null) {
      lose(because('NotAMessageOfRunner'))
      return
    }
    received += 1
    if ('id' in message) {
      asked.get(message.id)?.(message.answer as Result<unknown>)
      asked.delete(message.id)
    } else if ('hello' in message) {
      last = message.hello.n
      welcome()
    } else if ('event' in message) {
      const { n, event } = message
      const missed = last !== null && n !== last + 1
      last = n
      if (missed) for (const again of holes) again()
      const payload = Object.hasOwn(events, event) ? events[event as EventName].safeParse(message.payload) : null
      // Skips details that only a newer runner sends, but still reports that something happened.
      if (payload?.success === true) listeners.publish(event, payload.data)
    }
  }

  socket.on('message', (data: RawData) => receive(String(data)))
  socket.on('error', error => lose(broken(error)))
  socket.on('unexpected-response', (_, answer) => {
    lose(because('NotAKnownRunner', { status: answer.statusCode ?? 0 }))
  })
  socket.on('close', (_, reason) =>
    lose(reason.length > 0 ? because('RunnerEndedWith', { output: String(reason) }) : why),
  )
  void watchSilence()

  async function watchSilence(): Promise<void> {
    for (let before = -1; !over.signal.aborted; ) {
      if (received === before) return lose(because('RunnerSilent', { seconds: SILENT_MS / 1000 }))
      before = received
      await clock.sleep(SILENT_MS, over.signal)
    }
  }

  await Promise.race([welcomed, closed])
  if (over.signal.aborted) return failed(lost(why))
  return ok({
    ask: async (name, input) => {
      if (over.signal.aborted) return failed(lost(why))
      ids += 1
      const id = ids
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
      return readAnswer(name, given) as Envelope<RequestOutput<typeof name>>
    },
    listen: listeners.listen,
    onHole: again => {
      holes.add(again)
    },
    closed,
    close: () => lose(because('RunnerLeft')),
  })
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
