import type { Agent } from 'node:http'
import type { WebSocket } from 'ws'
import { seconds } from '../../../shared/domain/durations.ts'
import type { Clock } from '../../platform/clock/clock.ts'
import {
  exchange,
  type HttpOutcome,
  type HttpRequest,
  type HttpStream,
  openConnections,
  openStream,
} from '../http/exchange.ts'
import { type Proof, socksAgent } from './client-node.ts'
import type { ConnectionSettings } from './connection.ts'
import { converse, dial, type KubernetesConversation, type KubernetesDial } from './conversation.ts'

/** Idle connections close before a load balancer drops them silently. */
const IDLE_CONNECTION_MS = seconds(30)

export type WireRequest = Omit<HttpRequest, 'url'> & { readonly path: string }

type WireConversation = Omit<KubernetesConversation, 'query'> & Pick<HttpRequest, 'headers'>

type WireDial = Omit<KubernetesDial, 'query'> &
  Pick<HttpRequest, 'headers'> & {
    readonly onOpen: (socket: WebSocket) => void
  }

export interface Transport {
  send(request: WireRequest, proof: Proof): Promise<HttpOutcome>
  /** Resolves at the headers; the body is a stream. */
  open(request: WireRequest, proof: Proof): Promise<HttpOutcome<HttpStream>>
  converse(request: WireConversation, proof: Proof): Promise<HttpOutcome>
  /** Resolves with 101 once the WebSocket is open; closing the transport closes it. */
  dial(request: WireDial, proof: Proof): Promise<HttpOutcome>
  close(): void
}

export function createTransport(connection: ConnectionSettings, clock: Clock): Transport {
  const { origin, pathname } = connection.server
  const base = `${origin}${pathname.replace(/\/$/, '')}`
  const headersOf = (proof: Proof) =>
    connection.server.protocol === 'http:' ? withoutCredentials(proof.headers) : proof.headers
  let agent: { readonly for: Proof['certificate']; readonly made: Promise<Agent> } | null = null
  let closed = false
  /** The agent no longer owns upgraded connections, so closing ends them here. */
  const closing = new AbortController()

  function agentFor(proof: Proof): Promise<Agent> {
    // A renewed client certificate needs new connections.
    if (agent === null || !sameCertificate(agent.for, proof.certificate)) {
      agent = { for: proof.certificate, made: makeAgent(connection, proof.certificate) }
    }
    return agent.made
  }

  const over =
    <O>(how: (agent: Agent, request: HttpRequest, clock: Clock) => Promise<O>) =>
    async ({ path, ...request }: WireRequest, proof: Proof): Promise<O | { readonly kind: 'aborted' }> => {
      if (closed) return { kind: 'aborted' }
      const headers = { ...request.headers, ...headersOf(proof) }
      return how(await agentFor(proof), { ...request, url: new URL(`${base}${path}`), headers }, clock)
    }

  return {
    send: over(exchange),
    open: over(openStream),
    converse: async ({ path, signal, ...request }, proof) => {
      if (closed) return { kind: 'aborted' }
      const scope = signal === undefined ? closing.signal : AbortSignal.any([signal, closing.signal])
      const url = `${base.replace(/^http/, 'ws')}${path}`
      const headers = { ...request.headers, ...headersOf(proof) }
      return converse({ ...request, url, agent: await agentFor(proof), headers, signal: scope }, clock)
    },
    dial: async ({ path, signal, onOpen, ...request }, proof) => {
      if (closed) return { kind: 'aborted' }
      const scope = signal === undefined ? closing.signal : AbortSignal.any([signal, closing.signal])
      const url = `${base.replace(/^http/, 'ws')}${path}`
      const headers = { ...request.headers, ...headersOf(proof) }
      const handedOver = (socket: WebSocket) => {
        const end = () => socket.terminate()
        closing.signal.addEventListener('abort', end, { once: true })
        socket.once('close', () => closing.signal.removeEventListener('abort', end))
        onOpen(socket)
      }
      const agent = await agentFor(proof)
      return dial({ ...request, url, agent, headers, signal: scope, onOpen: handedOver }, clock)
    },
    close: () => {
      closed = true
      closing.abort()
      void agent?.made.then(
        made => made.destroy(),
        () => {},
      )
    },
  }
}

/**
 * Plain http carries no credentials, which anyone on the way could read, but impersonation: without it a proxy would use all its own rights
 * (client-go, ClientConfig).
 */
function withoutCredentials(headers: Proof['headers']): Proof['headers'] {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => name.startsWith('Impersonate-')))
}

async function makeAgent(connection: ConnectionSettings, certificate: Proof['certificate']): Promise<Agent> {
  const { proxy, server } = connection
  if (proxy?.protocol.startsWith('socks')) {
    const agent = await socksAgent(connection, certificate)
    if (agent !== null) return agent
  }
  return openConnections(server.protocol === 'http:' ? 'http:' : 'https:', {
    idleMs: IDLE_CONNECTION_MS,
    // proxyFor already applied NO_PROXY.
    ...(proxy === null ? {} : { proxyEnv: { HTTP_PROXY: proxy.href, HTTPS_PROXY: proxy.href } }),
    rejectUnauthorized: connection.verify,
    ...(connection.ca === null ? {} : { ca: connection.ca }),
    ...(connection.serverName === null ? {} : { servername: connection.serverName }),
    ...certificate,
  })
}

function sameCertificate(one: Proof['certificate'], other: Proof['certificate']): boolean {
  return one === other || (one?.cert === other?.cert && one?.key === other?.key)
}
