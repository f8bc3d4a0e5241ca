import { type ClientOptions, WebSocket } from 'ws'
import { seconds } from '../../../shared/domain/durations.ts'
import type { Clock } from '../../platform/clock/clock.ts'
import { brokenBy } from '../http/exchange.ts'

/** Why no connection came to be; `code` as Node names it, such as ECONNREFUSED. */
export type SocketTrouble =
  | { readonly kind: 'aborted' }
  | { readonly kind: 'timed-out' }
  | { readonly kind: 'broken'; readonly code: string; readonly text: string }
  | { readonly kind: 'no-address'; readonly text: string }

/** An open WebSocket, or why there is none. */
type OpenedSocket =
  | { readonly kind: 'open'; readonly socket: WebSocket }
  | { readonly kind: 'trouble'; readonly trouble: SocketTrouble }

/** The name that controllers' certificates are for, whatever their address (Juju `api/apiclient.go`, juju-apiserver). */
const SERVER_NAME = 'juju-apiserver'
const CONNECT_MS = seconds(10)
/** The status of a model with a thousand units has some megabytes. */
const LARGEST_MESSAGE_BYTES = 64 * 1024 * 1024

/** Opens a WebSocket to a controller, whose certificate must be of this authority. */
export async function openSocket(options: {
  readonly url: string
  readonly caCertificate: string
  readonly clock: Clock
  readonly signal: AbortSignal | undefined
}): Promise<OpenedSocket> {
  const { url, caCertificate, clock, signal } = options
  if (signal?.aborted) return trouble({ kind: 'aborted' })
  // `servername` goes on to tls.connect, although the types of ws do not say so.
  const tls: ClientOptions & { readonly servername: string } = {
    ca: caCertificate,
    servername: SERVER_NAME,
    maxPayload: LARGEST_MESSAGE_BYTES,
    perMessageDeflate: false,
  }
  let socket: WebSocket
  try {
    socket = new WebSocket(url, tls)
  } catch (problem) {
    return trouble({ kind: 'no-address', text: brokenBy(problem).text })
  }
  const settled = new AbortController()
  const opened = new Promise<OpenedSocket>(resolve => {
    socket.once('open', () => resolve({ kind: 'open', socket }))
    // The listener stays: a socket without one that fails later would end the process.
    socket.on('error', problem => resolve(trouble(brokenBy(problem))))
    socket.once('close', () => resolve(trouble({ kind: 'broken', code: 'ECONNRESET', text: 'closed' })))
    signal?.addEventListener('abort', () => resolve(trouble({ kind: 'aborted' })), { signal: settled.signal })
  })
  const late = clock.sleep(CONNECT_MS, settled.signal).then(() => trouble({ kind: 'timed-out' }))
  const outcome = await Promise.race([opened, late])
  settled.abort()
  if (outcome.kind === 'trouble') socket.terminate()
  return outcome
}

function trouble(trouble: SocketTrouble): OpenedSocket {
  return { kind: 'trouble', trouble }
}
