import { Duplex } from 'node:stream'
import type { WebSocket } from 'ws'
import { seconds } from '../../../../shared/domain/durations.ts'
import { failed, ok } from '../../../../shared/domain/result.ts'
import { because } from '../../../../shared/words/reasons.ts'
import { refusal } from '../../../../shared/words/refusal.ts'
import { bytesOf } from '../../../adapters/kubernetes/conversation.ts'
import { withoutSecrets } from '../../../adapters/kubernetes/errors.ts'
import type { KubernetesSession } from '../../../adapters/kubernetes/session.ts'
import type { PodPort, PortForward } from '../ports/port-forward.ts'

/** The WebSocket protocol of every kubelet and API server from 1.20 to 1.36 (portforward/websocket.go). The newer `SPDY/3.1+portforward.k8s.io` needs an SPDY client. */
const PROTOCOL = 'v4.channel.k8s.io'

/** The first byte of a message names its channel: data or error. */
const DATA = 0
const FAILURE = 1

const PORT_BYTES = 2

const OPEN_LIMIT_MS = seconds(15)

const MOST_HELD_BYTES = 1024 * 1024

export function createPortForward(session: KubernetesSession): PortForward {
  return async ({ namespace, pod, port }, signal) => {
    const path = `/api/v1/namespaces/${encodeURIComponent(namespace)}/pods/${encodeURIComponent(pod)}/portforward`
    const opened = await session.dial({
      path,
      query: new URLSearchParams({ ports: String(port) }),
      protocols: [PROTOCOL],
      timeoutMs: OPEN_LIMIT_MS,
      signal,
    })
    if (!opened.ok) return opened
    if (opened.value.protocol === PROTOCOL) return ok(duplexOf(opened.value, { namespace, pod, port }))
    opened.value.terminate()
    return failed(
      refusal('server-fault', because('PortForwardUnsupported', { server: session.host, protocol: PROTOCOL }), {
        target: `pod/${namespace}/${pod}`,
        retryable: false,
      }),
    )
  }
}

function duplexOf(socket: WebSocket, { namespace, pod, port }: PodPort): Duplex {
  /** Bytes of the port number still to come, by channel. */
  const toSkip = new Map([
    [DATA, PORT_BYTES],
    [FAILURE, PORT_BYTES],
  ])
  let hasEnded = false
  const stream = new Duplex({
    readableHighWaterMark: MOST_HELD_BYTES,
    writableHighWaterMark: MOST_HELD_BYTES,
    read: () => socket.resume(),
    write: (chunk: Buffer, _encoding, written) => socket.send(Buffer.concat([Buffer.from([DATA]), chunk]), written),
    final: done => {
      socket.close(1000)
      done()
    },
    destroy: (error, done) => {
      hasEnded = true
      socket.terminate()
      done(error)
    },
  })
  socket.on('error', error => stream.destroy(error))
  socket.on('close', () => {
    if (hasEnded) return
    hasEnded = true
    stream.push(null)
    // This closes the other direction too.
    stream.end()
  })
  socket.on('message', data => {
    const message = bytesOf(data)
    const channel = message[0] ?? -1
    const skipped = Math.min(toSkip.get(channel) ?? 0, message.length - 1)
    toSkip.set(channel, (toSkip.get(channel) ?? 0) - skipped)
    const rest = message.subarray(1 + skipped)
    if (rest.length === 0 || hasEnded) return
    if (channel === DATA && !stream.push(rest)) socket.pause()
    if (channel === FAILURE) {
      const said = withoutSecrets(rest.toString('utf8').trim()).replace(/\.$/, '')
      stream.destroy(new Error(`Port ${port} of pod ${namespace}/${pod} cannot be reached: ${said}.`))
    }
  })
  return stream
}
