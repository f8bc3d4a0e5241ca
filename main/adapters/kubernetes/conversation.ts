import type { Agent, IncomingMessage, OutgoingHttpHeaders } from 'node:http'
import type { RawData, WebSocket } from 'ws'
import type { Clock } from '../../platform/clock/clock.ts'
import { brokenBy, flatten, type HttpOutcome, type HttpRequest, shortText } from '../http/exchange.ts'

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

/** A WebSocket to the API server that is handed over as soon as it is open. */
export type KubernetesDial = Omit<KubernetesConversation, 'onMessage'>

/** A WebSocket that is opened, listened to until the server closes it. */
type ConversationRequest = Omit<KubernetesConversation, 'path' | 'query'> &
  Pick<HttpRequest, 'headers'> & { readonly url: string; readonly agent: Agent }

/** No API server sends more at once than its own buffers hold. */
const LARGEST_MESSAGE_BYTES = 16 * 1024 * 1024

/** Answers with 101 when the server closed the conversation, with its answer when it refused one. Never rejects. */
export async function converse(request: ConversationRequest, clock: Clock): Promise<HttpOutcome> {
  // Loaded when a command is first run in a pod: no start of the console pays for it.
  const { WebSocket } = await import('ws')
  if (request.signal?.aborted) return { kind: 'aborted' }
  const scope = new AbortController()
  let socket: WebSocket | null = null
  try {
    const opened = openSocket(WebSocket, request)
    socket = opened
    return await new Promise<HttpOutcome>(resolve => {
      const broken = (error: unknown) => resolve(brokenBy(error))
      const giveUp = () => resolve({ kind: 'aborted' })
      request.signal?.addEventListener('abort', giveUp, { once: true, signal: scope.signal })
      void clock.sleep(request.timeoutMs, scope.signal).then(() => resolve({ kind: 'timed-out' }))
      opened.on('error', broken)
      opened.on('message', data => {
        try {
          request.onMessage(bytesOf(data))
        } catch (error) {
          broken(error)
        }
      })
      opened.on('unexpected-response', (_, answer) => void refusal(answer).then(resolve, broken))
      opened.on('close', () => resolve({ kind: 'answer', status: 101, headers: {}, body: '' }))
    })
  } catch (error) {
    return { ...brokenBy(error), sent: false }
  } finally {
    scope.abort()
    socket?.on('error', () => {})
    socket?.terminate()
  }
}

/** Answers with 101 when the WebSocket is open: `onOpen` was handed it then, and it is the caller's to resume and to end. Never rejects. */
export async function dial(
  request: Omit<ConversationRequest, 'onMessage'> & { readonly onOpen: (socket: WebSocket) => void },
  clock: Clock,
): Promise<HttpOutcome> {
  const { WebSocket } = await import('ws')
  if (request.signal?.aborted) return { kind: 'aborted' }
  const scope = new AbortController()
  let opening: WebSocket | null = null
  let isOpen = false
  try {
    const opened = openSocket(WebSocket, request)
    opening = opened
    return await new Promise<HttpOutcome>(resolve => {
      const broken = (error: unknown) => resolve(brokenBy(error))
      request.signal?.addEventListener('abort', () => resolve({ kind: 'aborted' }), {
        once: true,
        signal: scope.signal,
      })
      void clock.sleep(request.timeoutMs, scope.signal).then(() => resolve({ kind: 'timed-out' }))
      opened.on('error', broken)
      opened.on('unexpected-response', (_, answer) => void refusal(answer).then(resolve, broken))
      opened.on('open', () => {
        isOpen = true
        // Nothing of what came with the answer is lost before somebody reads.
        opened.pause()
        request.onOpen(opened)
        resolve({ kind: 'answer', status: 101, headers: {}, body: '' })
      })
    })
  } catch (error) {
    return { ...brokenBy(error), sent: false }
  } finally {
    scope.abort()
    if (!isOpen) {
      opening?.on('error', () => {})
      opening?.terminate()
    }
  }
}

/** Throws where a certificate or key is none. */
function openSocket(
  Socket: typeof WebSocket,
  { url, protocols, agent, headers }: Pick<ConversationRequest, 'url' | 'protocols' | 'agent' | 'headers'>,
): WebSocket {
  return new Socket(url, [...protocols], {
    agent,
    headers: headers as OutgoingHttpHeaders,
    perMessageDeflate: false,
    followRedirects: false,
    maxPayload: LARGEST_MESSAGE_BYTES,
  })
}

function bytesOf(data: RawData): Buffer {
  if (Buffer.isBuffer(data)) return data
  return Array.isArray(data) ? Buffer.concat(data) : Buffer.from(data)
}

async function refusal(answer: IncomingMessage): Promise<HttpOutcome> {
  const { statusCode: status = 0, headers } = answer
  return { kind: 'answer', status, headers: flatten(headers), body: await shortText(answer) }
}
