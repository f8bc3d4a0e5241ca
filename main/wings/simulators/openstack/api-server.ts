import { createServer, type Server as HttpServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { lieAbout, madeUpText } from '../lie.ts'
import type { Cloud } from './cloud.ts'
import { type FaultEffect, type FaultTable, faultAnswer } from './faults.ts'
import {
  type ApiAnswer,
  type ApiRequest,
  asObject,
  HTML_NOT_FOUND,
  type ServiceHandler,
  type ServiceName,
} from './http.ts'
import { newRequestId } from './ids.ts'

/** One request that reached the simulator. It has no headers, so no tokens. */
export interface LoggedRequest {
  readonly at: string
  readonly method: string
  /** The path with the service's prefix and the query. */
  readonly path: string
  /** 0 if a fault cut the connection. */
  readonly status: number
  /** The name of the action, for POST .../action. */
  readonly action: string | null
  readonly microversion: string | null
}

interface WireCall {
  readonly method: string
  readonly target: string
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>
  readonly body: string
}

type Served = {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly text: string
  /** Sends the bytes one by one, and never ends. */
  readonly dripped: boolean
} | null

/** The services without sockets, so that code in this process can send requests too. */
export type ApiFront = (call: WireCall) => Promise<Served>

/** Makes the front: it finds the service, applies faults and logs. */
export function createApiFront(options: {
  readonly cloud: Cloud
  readonly faults: FaultTable
  readonly services: Readonly<Record<ServiceName, ServiceHandler>>
  readonly log: LoggedRequest[]
  readonly signal: AbortSignal
}): ApiFront {
  const { cloud, faults, services, log, signal } = options
  const firsts = new Map<string, Reported>()
  const lie = async (
    { lie: kind, status }: Extract<FaultEffect, { kind: 'lie' }>,
    asked: string,
    requestId: string,
    truth: () => Promise<ApiAnswer>,
  ): Promise<Reported> => {
    const made = madeUpText(kind)
    const type = kind === 'html' ? 'text/html; charset=UTF-8' : 'application/json'
    const date = new Date(cloud.clock.now()).toUTCString()
    if (made !== null)
      return { answer: { status: status ?? 200, text: { body: made, type, dripped: false } }, requestId, date }
    if (kind === 'stale' || kind === 'lagging') {
      const first = firsts.get(asked) ?? { answer: await truth(), requestId, date }
      firsts.set(asked, first)
      // A cache keeps the headers too; a lagging database is behind a service that sends new ones.
      return kind === 'stale' ? first : { ...first, requestId, date }
    }
    const answer = await truth()
    const reported = {
      status: status ?? answer.status,
      headers: answer.headers ?? {},
      text: { body: answer.html ?? lieAbout(kind, answer.json), type, dripped: kind === 'drip' },
    }
    return { answer: reported, requestId, date }
  }
  return async ({ method, target, headers, body: text }) => {
    const body = parsed(text)
    const request = understand(headers, target, method, body)
    const note = (status: number) => {
      log.push({
        at: new Date(cloud.clock.now()).toISOString(),
        method,
        path: target,
        status,
        action: method === 'POST' && /\/action$/.test(target) ? (Object.keys(asObject(body))[0] ?? null) : null,
        microversion:
          request?.header('openstack-api-version') ?? request?.header('x-openstack-nova-api-version') ?? null,
      })
    }
    const effects = faults.catchRequest(request?.service ?? null, method, target)
    for (const effect of effects) {
      if (effect.kind === 'latency') await cloud.clock.sleep(effect.ms, signal)
    }
    if (effects.some(effect => effect.kind === 'drop' && effect.when === 'before')) {
      note(0)
      return null
    }
    const injected = effects.find(effect => effect.kind === 'status')
    const lying = effects.find(effect => effect.kind === 'lie')
    const truth = async () => (request === null ? HTML_NOT_FOUND : await services[request.service](request))
    const requestId = request?.requestId ?? newRequestId()
    const reported =
      injected?.kind !== 'status' && lying?.kind === 'lie'
        ? await lie(lying, `${method} ${target}`, requestId, truth)
        : {
            answer: injected?.kind === 'status' ? faultAnswer(injected) : await truth(),
            requestId,
            date: new Date(cloud.clock.now()).toUTCString(),
          }
    if (effects.some(effect => effect.kind === 'drop' && effect.when === 'after')) {
      note(0)
      return null
    }
    note(reported.answer.status)
    return whole(request?.service ?? null, reported)
  }
}

export function createApiServer(options: Parameters<typeof createApiFront>[0]): HttpServer {
  const front = createApiFront(options)
  const serve = async (incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> => {
    const method = incoming.method ?? 'GET'
    const target = incoming.url ?? '/'
    const served = await front({ method, target, headers: incoming.headers, body: await readBody(incoming) })
    if (served === null) {
      incoming.socket.destroy()
      return
    }
    outgoing.writeHead(served.status, served.headers)
    if (!served.dripped) {
      outgoing.end(method === 'HEAD' ? undefined : served.text)
      return
    }
    // A dripped answer never ends, so the client needs a time limit.
    for (const byte of served.text) {
      if (outgoing.destroyed || options.signal.aborted) break
      outgoing.write(byte)
      await options.cloud.clock.sleep(DRIP_MS, options.signal)
    }
  }
  return createServer((incoming, outgoing) => {
    serve(incoming, outgoing).catch((thrown: unknown) => {
      // Reports a bug of the simulator to the client, unless the client hung up.
      if (outgoing.headersSent || outgoing.destroyed) return
      outgoing.writeHead(500, { 'content-type': 'text/plain' })
      outgoing.end(`demo cloud: ${thrown instanceof Error ? (thrown.stack ?? thrown.message) : String(thrown)}`)
    })
  })
}

const DRIP_MS = 1_000

const SERVICES: readonly ServiceName[] = [
  'identity',
  'compute',
  'network',
  'placement',
  'image',
  'volume',
  'infra-optim',
  'instance-ha',
]

function understand(headers: WireCall['headers'], target: string, method: string, body: unknown): ApiRequest | null {
  const host = headers.host ?? '127.0.0.1'
  const url = URL.canParse(target, `http://${host}`) ? new URL(target, `http://${host}`) : null
  if (url === null) return null
  const path = decoded(url.pathname)
  const service = SERVICES.find(name => path === `/${name}` || path?.startsWith(`/${name}/`))
  if (path === null || service === undefined) return null
  return {
    service,
    method,
    path: path.slice(service.length + 1),
    query: url.searchParams,
    header: name => {
      const value = headers[name]
      return value === undefined ? null : typeof value === 'string' ? value : value.join(', ')
    },
    body,
    base: `http://${host}/${service}`,
    keystone: `http://${host}/identity`,
    requestId: newRequestId(),
  }
}

function decoded(path: string): string | null {
  try {
    return decodeURIComponent(path)
  } catch {
    return null
  }
}

async function readBody(incoming: IncomingMessage): Promise<string> {
  const chunks: Uint8Array[] = []
  for await (const chunk of incoming) chunks.push(chunk as Uint8Array)
  return Buffer.concat(chunks).toString('utf8')
}

function parsed(text: string): unknown {
  if (text === '') return undefined
  try {
    return JSON.parse(text) as unknown
  } catch {
    return null
  }
}

interface Reported {
  readonly answer: ApiAnswer
  readonly requestId: string
  readonly date: string
}

function whole(service: ServiceName | null, { answer, requestId, date }: Reported): NonNullable<Served> {
  const text = answer.text?.body ?? answer.html ?? (answer.json === undefined ? '' : JSON.stringify(answer.json))
  const type = answer.text?.type ?? (answer.html === undefined ? 'application/json' : 'text/html; charset=UTF-8')
  const dripped = answer.text?.dripped === true
  const headers = {
    'content-type': type,
    date,
    // Only Watcher sends no request id (lab, API-EXAMPLES.md).
    ...(service === 'infra-optim' ? {} : { 'x-openstack-request-id': requestId }),
    ...answer.headers,
    ...(answer.status === 204 || dripped ? {} : { 'content-length': String(Buffer.byteLength(text)) }),
  }
  return { status: answer.status, headers, text, dripped }
}
