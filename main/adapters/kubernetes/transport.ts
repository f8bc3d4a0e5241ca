import type { Agent, AgentOptions, IncomingMessage, OutgoingHttpHeaders } from 'node:http'
import https from 'node:https'
import { seconds } from '../../../shared/domain/durations.ts'
import type { Clock } from '../../clock/clock.ts'
import { socksAgent } from './client-node-credentials.ts'
import type { ConnectionSettings } from './connection.ts'
import { converse } from './conversation.ts'
import type { Proof } from './credentials.ts'
import { GivenUp, NoAnswerInTime, UnreadableBody } from './errors.ts'
import type { Transport, WireRequest, WireStream } from './wire.ts'

// Not imported: importing node:http as a module reads all its exports, one of which loads all of undici (25 ms at every start).
const http = process.getBuiltinModule('node:http')

/** An idle connection is dropped before a balancer on the way forgets it silently. */
const IDLE_CONNECTION_MS = seconds(30)

/** Opens the transport of a session; nothing goes over the network before the first request. */
export function createTransport(connection: ConnectionSettings, clock: Clock): Transport {
  const secure = connection.server.protocol === 'https:'
  const base = connection.server.pathname.replace(/\/$/, '')
  let agent: { readonly for: Proof['certificate']; readonly made: Promise<Agent> } | null = null
  let closed = false
  /** An upgraded connection is the agent's no longer: closing has to end it itself. */
  const closing = new AbortController()

  function agentFor(proof: Proof): Promise<Agent> {
    // A renewed client certificate needs new connections.
    if (agent === null || !sameCertificate(agent.for, proof.certificate)) {
      agent = { for: proof.certificate, made: makeAgent(connection, proof.certificate) }
    }
    return agent.made
  }

  async function open(request: WireRequest, proof: Proof): Promise<WireStream> {
    if (closed || request.signal?.aborted) throw new GivenUp()
    const usedAgent = await agentFor(proof)
    const scope = new AbortController()
    return new Promise<WireStream>((resolve, reject) => {
      const sent = (secure ? https : http).request({
        agent: usedAgent,
        host: connection.server.hostname.replace(/^\[|\]$/g, ''),
        port: connection.server.port || (secure ? 443 : 80),
        method: request.method,
        path: base + request.path,
        headers: {
          ...(request.body === null ? {} : { 'Content-Length': Buffer.byteLength(request.body) }),
          ...request.headers,
          ...proof.headers,
        } as OutgoingHttpHeaders,
      })
      const giveUp = () => sent.destroy(new GivenUp())
      request.signal?.addEventListener('abort', giveUp, { once: true })
      void clock.sleep(request.timeoutMs, scope.signal).then(() => {
        if (!scope.signal.aborted) sent.destroy(new NoAnswerInTime())
      })
      sent.on('error', error => {
        scope.abort()
        request.signal?.removeEventListener('abort', giveUp)
        reject(error)
      })
      sent.on('response', body => {
        scope.abort()
        body.on('close', () => request.signal?.removeEventListener('abort', giveUp))
        resolve({
          status: body.statusCode ?? 0,
          headers: body.headers,
          body,
          cancel: () => sent.destroy(new GivenUp()),
        })
      })
      sent.end(request.body ?? undefined)
    })
  }

  return {
    open,
    send: async (request, proof) => {
      const startedAt = clock.monotonicMs()
      const answer = await open(request, proof)
      const scope = new AbortController()
      let late = false
      // One limit for the whole answer, however slowly its bytes come.
      const left = Math.max(0, startedAt + request.timeoutMs - clock.monotonicMs())
      void clock.sleep(left, scope.signal).then(() => {
        if (scope.signal.aborted) return
        late = true
        answer.cancel()
      })
      try {
        return {
          status: answer.status,
          headers: answer.headers,
          body: await wholeBody(answer.body, request.largestBytes),
        }
      } catch (error) {
        if (late) throw new NoAnswerInTime()
        if (request.signal?.aborted) throw new GivenUp()
        throw error
      } finally {
        scope.abort()
      }
    },
    converse: async (request, proof) => {
      if (closed) throw new GivenUp()
      const { host } = connection.server
      return converse(
        {
          url: `${secure ? 'wss' : 'ws'}://${host}${base}${request.path}`,
          agent: await agentFor(proof),
          protocols: request.protocols,
          headers: { ...request.headers, ...proof.headers } as OutgoingHttpHeaders,
          onMessage: request.onMessage,
          timeoutMs: request.timeoutMs,
          signal: request.signal === undefined ? closing.signal : AbortSignal.any([request.signal, closing.signal]),
        },
        clock,
      )
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

async function makeAgent(connection: ConnectionSettings, certificate: Proof['certificate']): Promise<Agent> {
  const { proxy } = connection
  if (proxy?.protocol.startsWith('socks')) {
    const agent = await socksAgent(connection, certificate)
    if (agent !== null) return agent
  }
  const options: AgentOptions = {
    keepAlive: true,
    timeout: IDLE_CONNECTION_MS,
    // Node's own CONNECT support; NO_PROXY was already decided on in proxy.ts.
    ...(proxy === null ? {} : { proxyEnv: { HTTP_PROXY: proxy.href, HTTPS_PROXY: proxy.href } }),
  }
  if (connection.server.protocol === 'http:') return new http.Agent(options)
  return new https.Agent({
    ...options,
    rejectUnauthorized: connection.verify,
    ...(connection.ca === null ? {} : { ca: connection.ca }),
    ...(connection.serverName === null ? {} : { servername: connection.serverName }),
    ...(certificate === null ? {} : certificate),
  })
}

function sameCertificate(one: Proof['certificate'], other: Proof['certificate']): boolean {
  return one === other || (one?.cert === other?.cert && one?.key === other?.key)
}

async function wholeBody(body: IncomingMessage, largestBytes: number): Promise<string> {
  const chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of body as AsyncIterable<Buffer>) {
    bytes += chunk.length
    if (bytes > largestBytes) {
      body.destroy()
      throw new UnreadableBody(`it sent more than ${largestBytes / 1024 / 1024} MiB, which no such answer has`)
    }
    chunks.push(chunk)
  }
  // A body that is shorter than its headers promised.
  if (!body.complete) throw Object.assign(new Error('The answer was cut short'), { code: 'ECONNRESET' })
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(Buffer.concat(chunks))
  } catch {
    throw new UnreadableBody('what it sent is not text')
  }
}
