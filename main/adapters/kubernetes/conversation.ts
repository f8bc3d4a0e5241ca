import type { Agent, IncomingMessage, OutgoingHttpHeaders } from 'node:http'
import type { RawData } from 'ws'
import type { Clock } from '../../clock/clock.ts'
import { GivenUp, NoAnswerInTime } from './errors.ts'
import type { WireAnswer } from './wire.ts'

/** A WebSocket to the API server, read until the server closes it. */
export interface KubernetesConversation {
  readonly path: string
  /** A name may come more than once. */
  readonly query: URLSearchParams
  readonly protocols: readonly string[]
  readonly onMessage: (message: Buffer) => void
  readonly timeoutMs: number
  readonly signal?: AbortSignal | undefined
}

/** A WebSocket that is opened, listened to, and closed by the server. */
interface ConversationRequest {
  readonly url: string
  readonly agent: Agent
  readonly protocols: readonly string[]
  readonly headers: OutgoingHttpHeaders
  /** Called for each message while the conversation runs. */
  readonly onMessage: (message: Buffer) => void
  /** Until the server closes. */
  readonly timeoutMs: number
  readonly signal: AbortSignal | undefined
}

/** No API server sends more at once than its own buffers hold. */
const LARGEST_MESSAGE_BYTES = 16 * 1024 * 1024

/**
 * Answers with 101 when the server closed the conversation, with its answer when it refused one. Throws what Node throws, NoAnswerInTime
 * or GivenUp: `ws` puts nothing of the request into its errors, and session.ts reads their codes alone.
 */
export async function converse(request: ConversationRequest, clock: Clock): Promise<WireAnswer> {
  // Loaded when a command is first run in a pod: no start of the console pays for it.
  const { WebSocket } = await import('ws')
  if (request.signal?.aborted) throw new GivenUp()
  const scope = new AbortController()
  const socket = new WebSocket(request.url, [...request.protocols], {
    agent: request.agent,
    headers: request.headers,
    perMessageDeflate: false,
    followRedirects: false,
    maxPayload: LARGEST_MESSAGE_BYTES,
  })
  try {
    return await new Promise<WireAnswer>((resolve, reject) => {
      const giveUp = () => reject(new GivenUp())
      request.signal?.addEventListener('abort', giveUp, { once: true, signal: scope.signal })
      void clock.sleep(request.timeoutMs, scope.signal).then(() => reject(new NoAnswerInTime()))
      socket.on('error', reject)
      socket.on('message', data => {
        try {
          request.onMessage(bytesOf(data))
        } catch (error) {
          reject(error)
        }
      })
      socket.on('unexpected-response', (_, answer) => void refusal(answer).then(resolve, reject))
      socket.on('close', () => resolve({ status: 101, headers: {}, body: '' }))
    })
  } finally {
    scope.abort()
    socket.on('error', () => {})
    socket.terminate()
  }
}

function bytesOf(data: RawData): Buffer {
  if (Buffer.isBuffer(data)) return data
  return Array.isArray(data) ? Buffer.concat(data) : Buffer.from(data)
}

async function refusal(answer: IncomingMessage): Promise<WireAnswer> {
  let body = ''
  for await (const chunk of answer as AsyncIterable<Buffer>) {
    body += chunk.toString('utf8')
    if (body.length > 65_536) break
  }
  return { status: answer.statusCode ?? 0, headers: answer.headers, body }
}
