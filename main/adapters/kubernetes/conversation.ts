import type { Agent, IncomingMessage, OutgoingHttpHeaders } from 'node:http'
import type { RawData, WebSocket } from 'ws'
import type { Clock } from '../../platform/clock/clock.ts'
import { brokenOutcome, type HttpOutcome, type HttpRequest, joinedHeaders, shortText } from '../http/exchange.ts'

/** A WebSocket to the API server, read until the server closes it. */
export interface KubernetesConversation {
  readonly path: string
  /** A name may occur more than once. */
  readonly query: URLSearchParams
  readonly protocols: readonly string[]
  readonly onMessage: (message: Buffer) => void
  readonly timeoutMs: number
  readonly signal?: AbortSignal | undefined
}

export type KubernetesDial = Omit<KubernetesConversation, 'onMessage'>

type ConversationRequest = Omit<KubernetesConversation, 'path' | 'query'> &
  Pick<HttpRequest, 'headers'> & { readonly url: string; readonly agent: Agent }

const LARGEST_MESSAGE_BYTES = 16 * 1024 * 1024

/** Resolves with 101 when the server closes the conversation, or with its answer if it refused. Never rejects. */
export async function converse(request: ConversationRequest, clock: Clock): Promise<HttpOutcome> {
  // Loaded at the first command in a pod, to keep starts fast.
  const { WebSocket } = await import('ws')
  if (request.signal?.aborted) return { kind: 'aborted' }
  const scope = new AbortController()
  let socket: WebSocket | null = null
  try {
    const opened = openSocket(WebSocket, request)
    socket = opened
    return await new Promise<HttpOutcome>(resolve => {
      const broken = (error: unknown) => resolve(brokenOutcome(error))
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
    return { ...brokenOutcome(error), sent: false }
  } finally {
    scope.abort()
    socket?.on('error', () => {})
    socket?.terminate()
  }
}

/** Resolves with 101 once `onOpen` has the open WebSocket, which the caller resumes and closes. Never rejects. */
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
      const broken = (error: unknown) => resolve(brokenOutcome(error))
      request.signal?.addEventListener('abort', () => resolve({ kind: 'aborted' }), {
        once: true,
        signal: scope.signal,
      })
      void clock.sleep(request.timeoutMs, scope.signal).then(() => resolve({ kind: 'timed-out' }))
      opened.on('error', broken)
      opened.on('unexpected-response', (_, answer) => void refusal(answer).then(resolve, broken))
      opened.on('open', () => {
        isOpen = true
        // Paused so that no early data is lost.
        opened.pause()
        request.onOpen(opened)
        resolve({ kind: 'answer', status: 101, headers: {}, body: '' })
      })
    })
  } catch (error) {
    return { ...brokenOutcome(error), sent: false }
  } finally {
    scope.abort()
    if (!isOpen) {
      opening?.on('error', () => {})
      opening?.terminate()
    }
  }
}

/** Throws on an invalid certificate or key. */
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

/** The bytes of a message, in whichever form `ws` delivers them. */
export function bytesOf(data: RawData): Buffer {
  if (Buffer.isBuffer(data)) return data
  return Array.isArray(data) ? Buffer.concat(data) : Buffer.from(data)
}

async function refusal(answer: IncomingMessage): Promise<HttpOutcome> {
  const { statusCode: status = 0, headers } = answer
  return { kind: 'answer', status, headers: joinedHeaders(headers), body: await shortText(answer) }
}
