import { randomUUID } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { createServer, type Server } from 'node:https'
import type { AddressInfo, Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { type RawData, type WebSocket, WebSocketServer } from 'ws'
import type { Clock } from '../../../platform/clock/clock.ts'
import { isoNow } from '../../../platform/clock/clock.ts'
import { createCertificates } from '../kubernetes/transport/certificates.ts'
import { lieAbout, madeUpText } from '../lie.ts'
import { writeClientFiles } from './client-files.ts'
import { CALLS, CONTROLLER_FACADES, type JujuApiParts, JujuRefusal, MODEL_FACADES } from './juju-api.ts'
import { createJujuFaults, type JujuFaults, type JujuFaultTable, type JujuLie } from './juju-faults.ts'
import { createJujuTasks, type JujuTask } from './juju-tasks.ts'
import type { JujuWorld } from './juju-world.ts'

export interface JujuSimulatorOptions {
  readonly clock: Clock
  readonly world: JujuWorld
  /** Its name in the client's files; the default is `sunbeam-controller`. */
  readonly name?: string
  /** 0 or absent: any free port. */
  readonly port?: number
  readonly version?: string
  /** Random by default; set it for a controller that took over another one's model. */
  readonly modelUuid?: string
  readonly password?: string
}

/** A request that the controller received, without credentials. */
interface LoggedJujuRequest {
  readonly at: string
  readonly connection: 'controller' | 'model'
  readonly request: string
  readonly params: unknown
}

/** A Juju controller in this process, with the real API (WebSocket over TLS) on loopback. */
export interface JujuSimulator {
  readonly name: string
  readonly address: string
  /** PEM of the controller's authority; the server certificate is for `juju-apiserver`, as in Juju. */
  readonly caCertificate: string
  readonly user: string
  readonly password: string
  /** Owner and name, such as `admin/openstack-machines`. */
  readonly model: string
  readonly modelUuid: string
  readonly faults: JujuFaults
  log(): readonly LoggedJujuRequest[]
  tasks(): readonly Readonly<JujuTask>[]
  writeClientFiles(directory: string): void
  stop(): Promise<void>
}

const USER = 'admin'

/** A running controller. */
interface Controller {
  readonly parts: JujuApiParts
  readonly faults: JujuFaultTable
  readonly password: string
  readonly server: Server
  readonly sockets: Set<Socket>
  readonly stopping: AbortController
  readonly requests: LoggedJujuRequest[]
}

/** Starts a controller with one model; it listens on 127.0.0.1 only. */
export async function startJujuSimulator(options: JujuSimulatorOptions): Promise<JujuSimulator> {
  const { clock, world, name = 'sunbeam-controller', version = '3.6.9' } = options
  const { password = randomUUID().replaceAll('-', ''), modelUuid = randomUUID() } = options
  const certificates = createCertificates('juju', ['juju-apiserver'])
  const sockets = new Set<Socket>()
  const stopping = new AbortController()
  const faults = createJujuFaults(() => {
    for (const socket of sockets) socket.destroy()
  })
  const tasks = createJujuTasks({ clock, world, faults, signal: stopping.signal })
  const controllerUuid = randomUUID()
  const parts: JujuApiParts = { clock, world, tasks, faults, controllerUuid, modelUuid, version }
  const server = createServer({ key: certificates.server.key, cert: certificates.server.certificate })
  const controller: Controller = { parts, faults, password, server, sockets, stopping, requests: [] }
  acceptConnections(controller)
  await listenOn(server, options.port ?? 0)

  const address = `127.0.0.1:${addressOf(server).port}`
  const model = `${world.model.owner}/${world.model.name}`
  const account = { name, address, controllerUuid, caCertificate: certificates.authority, user: USER, password }
  return {
    ...account,
    model,
    modelUuid,
    faults,
    log: () => [...controller.requests],
    tasks: () => tasks.all(),
    writeClientFiles: directory => writeClientFiles(directory, { ...account, model, modelUuid }),
    stop: async () => {
      stopping.abort()
      for (const socket of sockets) socket.destroy()
      await new Promise(resolve => server.close(resolve))
    },
  }
}

function acceptConnections(controller: Controller): void {
  const { faults, server, sockets } = controller
  const sessions = new WebSocketServer({ noServer: true })
  server.on('connection', (socket: Socket) => {
    if (!faults.isReachable()) {
      socket.destroy()
      return
    }
    sockets.add(socket)
    socket.once('close', () => sockets.delete(socket))
  })
  server.on('upgrade', (incoming: IncomingMessage, socket: Duplex, head: Buffer) => {
    socket.on('error', () => socket.destroy())
    const path = (incoming.url ?? '').split('?')[0] ?? ''
    const uuid = /^\/model\/([^/]+)\/api$/.exec(path)?.[1]
    if (path !== '/api' && uuid === undefined) {
      socket.end('HTTP/1.1 404 Not Found\r\n\r\n')
      return
    }
    sessions.handleUpgrade(incoming, socket, head, socketOfClient => serveSession(controller, socketOfClient, uuid))
  })
  server.on('tlsClientError', () => {})
}

async function listenOn(server: Server, port: number): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, '127.0.0.1', resolve)
  })
}

function addressOf(server: Server): AddressInfo {
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('the simulated Juju controller does not listen')
  return address
}

/** One connection of a client; `uuid` is the model that it named, null for the controller. */
interface Session {
  readonly controller: Controller
  readonly uuid: string | null
  loggedIn: boolean
}

function serveSession(controller: Controller, socket: WebSocket, uuid: string | null = null): void {
  const session: Session = { controller, uuid, loggedIn: false }
  socket.on('error', () => socket.terminate())
  socket.on('message', raw => {
    void answerMessage(session, socket, raw)
  })
}

async function answerMessage(session: Session, socket: WebSocket, raw: RawData): Promise<void> {
  const { faults, parts, requests, stopping } = session.controller
  const message = messageOf(raw)
  if (message === null) {
    socket.close(1003)
    return
  }
  const request = `${message.type}.${message.method}`
  requests.push({
    at: isoNow(parts.clock),
    connection: session.uuid === null ? 'controller' : 'model',
    request,
    params: request === 'Admin.Login' ? {} : message.params,
  })
  if (faults.latencyMs() > 0) await parts.clock.sleep(faults.latencyMs(), stopping.signal)
  if (stopping.signal.aborted) return
  const broken = faults.takeBreak(request)
  if (broken === 'before') {
    socket.terminate()
    return
  }
  const answer = withLie(faults.lieTo(request), message.params, () => answerRequest(session, request, message.params))
  if (broken === 'after') socket.terminate()
  else socket.send(JSON.stringify({ 'request-id': message.id, ...answer }))
}

/** Makes the response false and leaves the frame whole: text where JSON belongs, or another object. */
function withLie(lying: JujuLie | null, params: Params, truth: () => object): object {
  if (lying === null) return truth()
  if (typeof lying.lie === 'function') {
    const answer = truth()
    return 'response' in answer ? { ...answer, response: parsed(lying.lie(JSON.stringify(answer.response))) } : answer
  }
  const made = madeUpText(lying.lie)
  if (made !== null) return { response: parsed(made) }
  const answer = truth()
  const response = 'response' in answer ? answer.response : {}
  const key = JSON.stringify(params)
  const first = lying.firsts.get(key) ?? response
  lying.firsts.set(key, first)
  return { ...answer, response: lying.lie === 'stale' ? first : parsed(lieAbout(lying.lie, response)) }
}

function answerRequest(session: Session, request: string, params: Params): object {
  try {
    return { response: responseTo(session, request, params) }
  } catch (problem) {
    if (!(problem instanceof JujuRefusal)) throw problem
    return { error: problem.message, 'error-code': problem.code, response: {} }
  }
}

function responseTo(session: Session, request: string, params: Params): unknown {
  if (request === 'Admin.Login') {
    const response = login(session.controller, session.uuid, params)
    session.loggedIn = true
    return response
  }
  if (request === 'Admin.RedirectInfo') return redirectInfo(session.controller.faults)
  if (!session.loggedIn) throw new JujuRefusal('not logged in', 'unauthorized access')
  const call = CALLS.get(request)
  const facade = request.split('.')[0] ?? ''
  if (call === undefined || !(facade in facadesOf(session.uuid))) {
    throw new JujuRefusal(`unknown facade type "${facade}"`, 'not implemented')
  }
  return call(params, session.controller.parts)
}

function facadesOf(uuid: string | null): Readonly<Record<string, readonly number[]>> {
  return uuid === null ? CONTROLLER_FACADES : MODEL_FACADES
}

function login({ parts, faults, password, server }: Controller, uuid: string | null, params: Params): unknown {
  if (uuid !== null && uuid !== parts.modelUuid) throw new JujuRefusal(`unknown model: "${uuid}"`, 'model not found')
  if (params['auth-tag'] !== `user-${USER}` || params.credentials !== password) {
    throw new JujuRefusal('invalid entity name or password', 'unauthorized access')
  }
  if (uuid !== null && faults.movedTo() !== null) throw new JujuRefusal('redirection required', 'redirection required')
  if (faults.needsBrowserLogin()) {
    return { 'discharge-required': { l: 'identity' }, 'discharge-required-error': 'macaroon discharge required' }
  }
  return {
    'controller-tag': `controller-${parts.controllerUuid}`,
    ...(uuid === null ? {} : { 'model-tag': `model-${uuid}` }),
    'server-version': parts.version,
    servers: [[{ value: '127.0.0.1', type: 'ipv4', scope: 'local-machine', port: addressOf(server).port }]],
    'user-info': {
      identity: `user-${USER}`,
      'display-name': USER,
      'controller-access': 'superuser',
      'model-access': 'admin',
    },
    facades: Object.entries(facadesOf(uuid)).map(([facade, versions]) => ({ name: facade, versions })),
  }
}

function redirectInfo(faults: JujuFaultTable): unknown {
  const moved = faults.movedTo()
  if (moved === null) throw new JujuRefusal('not redirected', '')
  const [value, port] = moved.address.split(':')
  return {
    servers: [[{ value, port: Number(port), type: 'ipv4', scope: 'public' }]],
    'ca-cert': moved.caCertificate,
  }
}

type Params = Readonly<Record<string, unknown>>

interface Message {
  readonly id: number
  readonly type: string
  readonly method: string
  readonly params: Params
}

function messageOf(raw: RawData): Message | null {
  try {
    const message: unknown = JSON.parse(String(raw))
    if (typeof message !== 'object' || message === null) return null
    const { 'request-id': id, type, request: method, params } = Object.fromEntries(Object.entries(message))
    if (typeof id !== 'number' || typeof type !== 'string' || typeof method !== 'string') return null
    return { id, type, method, params: typeof params === 'object' && params !== null ? params : {} }
  } catch {
    return null
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}
