import type { IncomingMessage } from 'node:http'
import { connect } from 'node:net'
import type { Duplex } from 'node:stream'
import { type RawData, type WebSocket, WebSocketServer } from 'ws'
import type { FaultTable } from '../faults.ts'
import type { SimulatedCluster } from '../simulated-cluster.ts'
import { badRequest } from '../store/api-status.ts'
import { refuse } from './exec-stream.ts'
import { podOfSocket } from './pod-sockets.ts'

/** A port in a pod, and the loopback port of this machine that serves it. */
export interface BackedPort {
  readonly namespace: string
  readonly pod: string
  readonly port: number
  readonly loopbackPort: number
}

/** Serves `pods/portforward` over WebSocket, as kubelets do (k8s.io/kubelet cri/streaming/portforward). */
interface ForwardServer {
  upgrade(incoming: IncomingMessage, socket: Duplex, head: Buffer, user: string | null): number
  /** Cuts every forwarded connection, as a restart of the API server does. */
  cut(): void
  stop(): void
}

const PROTOCOL = 'v4.channel.k8s.io'
const DATA = 0
const FAILURE = 1

/** Makes the server; `ports` may grow while it runs. A port that is not listed refuses connections, as in a pod. */
export function createForwardServer(
  cluster: SimulatedCluster,
  table: FaultTable,
  ports: readonly BackedPort[],
): ForwardServer {
  const server = new WebSocketServer({
    noServer: true,
    perMessageDeflate: false,
    handleProtocols: offered => (offered.has(PROTOCOL) ? PROTOCOL : false),
  })
  const cut = () => {
    for (const client of server.clients) client.terminate()
  }

  return {
    upgrade(incoming, socket, head, user) {
      const url = new URL(incoming.url ?? '/', 'https://127.0.0.1')
      const found = podOfSocket(cluster, table, { url, user, subresource: 'portforward' })
      if ('status' in found) {
        refuse(socket, found.status)
        return found.status.code
      }
      const { namespace = '', name } = found.pod.metadata
      const asked = url.searchParams.getAll('ports').join(',')
      const port = Number(asked)
      if (!Number.isInteger(port) || port < 1 || port > 65_535) {
        const status = badRequest(`unable to parse "${asked}" as a port`)
        refuse(socket, status)
        return status.code
      }
      const backed = ports.find(each => each.namespace === namespace && each.pod === name && each.port === port)
      server.handleUpgrade(incoming, socket, head, talk => forward(talk, port, backed?.loopbackPort ?? null, name))
      return 101
    },
    cut,
    stop() {
      cut()
      server.close()
    },
  }
}

function forward(talk: WebSocket, port: number, loopbackPort: number | null, pod: string): void {
  talk.on('error', () => talk.terminate())
  const number = Buffer.alloc(2)
  number.writeUInt16LE(port)
  for (const channel of [DATA, FAILURE]) talk.send(Buffer.concat([Buffer.from([channel]), number]))
  const fail = (why: string) => {
    const text = `error forwarding port ${port} to pod ${pod}, uid : ${why}`
    talk.send(Buffer.concat([Buffer.from([FAILURE]), Buffer.from(text)]))
    talk.close(1000)
  }
  if (loopbackPort === null) {
    fail(
      `failed to connect to localhost:${port} inside namespace: dial tcp4 127.0.0.1:${port}: connect: connection refused`,
    )
    return
  }
  const inside = connect(loopbackPort, '127.0.0.1')
  talk.on('close', () => inside.destroy())
  talk.on('message', (data: RawData) => {
    const bytes = Buffer.isBuffer(data)
      ? data
      : Buffer.concat([data].flat().map(part => Buffer.from(part as Uint8Array)))
    if (bytes[0] === DATA && !inside.write(bytes.subarray(1))) {
      talk.pause()
      inside.once('drain', () => talk.resume())
    }
  })
  inside.on('data', chunk => {
    inside.pause()
    talk.send(Buffer.concat([Buffer.from([DATA]), chunk]), () => inside.resume())
  })
  inside.on('error', error => fail(error.message))
  inside.on('close', () => talk.close(1000))
}
