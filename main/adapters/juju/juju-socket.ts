import type { ClientOptions, WebSocket } from 'ws'
import { seconds } from '../../../shared/domain/durations.ts'
import type { Clock } from '../../platform/clock/clock.ts'
import { brokenOutcome } from '../http/exchange.ts'

/** Why the connection failed; `code` is Node's, such as ECONNREFUSED. */
export type SocketFailure =
  | { readonly kind: 'aborted' }
  | { readonly kind: 'timed-out' }
  | { readonly kind: 'broken'; readonly code: string; readonly text: string }
  | { readonly kind: 'no-address'; readonly text: string }

type OpenedSocket =
  | { readonly kind: 'open'; readonly socket: WebSocket }
  | { readonly kind: 'trouble'; readonly trouble: SocketFailure }

/** The name in all controller certificates, whatever the address (Juju `api/apiclient.go`, juju-apiserver). */
const SERVER_NAME = 'juju-apiserver'
const CONNECT_MS = seconds(10)
/** The status of a model with a thousand units takes some megabytes. */
const LARGEST_MESSAGE_BYTES = 64 * 1024 * 1024

export async function openSocket(options: {
  readonly url: string
  readonly caCertificate: string
  readonly clock: Clock
  readonly signal: AbortSignal | undefined
}): Promise<OpenedSocket> {
  const { url, caCertificate, clock, signal } = options
  if (signal?.aborted) return failedSocket({ kind: 'aborted' })
  // ws passes `servername` to tls.connect, although its types omit it.
  const tls: ClientOptions & { readonly servername: string } = {
    ca: caCertificate,
    servername: SERVER_NAME,
    maxPayload: LARGEST_MESSAGE_BYTES,
    perMessageDeflate: false,
  }
  // Loaded at the first connection, to keep starts fast.
  const { WebSocket: Socket } = await import('ws')
  let socket: WebSocket
  try {
    socket = new Socket(url, tls)
  } catch (problem) {
    return failedSocket({ kind: 'no-address', text: brokenOutcome(problem).text })
  }
  const settled = new AbortController()
  const opened = new Promise<OpenedSocket>(resolve => {
    socket.once('open', () => resolve({ kind: 'open', socket }))
    // The listener stays: without one, a later error would end the process.
    socket.on('error', problem => resolve(failedSocket(brokenOutcome(problem))))
    socket.once('close', () => resolve(failedSocket({ kind: 'broken', code: 'ECONNRESET', text: 'closed' })))
    signal?.addEventListener('abort', () => resolve(failedSocket({ kind: 'aborted' })), { signal: settled.signal })
  })
  const late = clock.sleep(CONNECT_MS, settled.signal).then(() => failedSocket({ kind: 'timed-out' }))
  const outcome = await Promise.race([opened, late])
  settled.abort()
  if (outcome.kind === 'trouble') socket.terminate()
  return outcome
}

function failedSocket(failedSocket: SocketFailure): OpenedSocket {
  return { kind: 'trouble', trouble: failedSocket }
}
