import { randomUUID } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { createServer } from 'node:https'
import type { AddressInfo, Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { type RawData, type WebSocket, WebSocketServer } from 'ws'
import type { Clock } from '../../../platform/clock/clock.ts'
import { isoNow } from '../../../platform/clock/clock.ts'
import { createCertificates } from '../kubernetes/transport/certificates.ts'
import { lieAbout, madeUpText } from '../lie.ts'
import { writeClientFiles } from './client-files.ts'
import { CALLS, CONTROLLER_FACADES, type JujuApiParts, JujuRefusal, MODEL_FACADES } from './juju-api.ts'
import { createJujuFaults, type JujuFaults } from './juju-faults.ts'
import { createJujuTasks, type JujuTask } from './juju-tasks.ts'
import type { JujuWorld } from './juju-world.ts'

/** Settings of a simulated Juju controller. */
export interface JujuSimulatorOptions {
  readonly clock: Clock
  readonly world: JujuWorld
  /** Its name in the client's files; the default is `sunbeam-controller`. */
  readonly name?: string
  /** 0 or absent: any free port. */
  readonly port?: number
  /** The default is 3.6.9. */
  readonly version?: string
  /** Random by default; set it for a controller that took over another one's model. */
  readonly modelUuid?: string
  readonly password?: string
}

/** A request that the controller received, without credentials. */
interface LoggedJujuRequest {
  readonly at: string
  readonly connection: 'controller' | 'model'
  /** Facade and method, such as `Action.EnqueueOperation`. */
  readonly request: string
  readonly params: unknown
}

/** A Juju controller in this process, with the real API (WebSocket over TLS) on loopback. */
export interface JujuSimulator {
  readonly name: string
  /** `127.0.0.1:port`. */
  readonly address: string
  /** PEM of the controller's authority; the server certificate is for `juju-apiserver`, as in Juju. */
  readonly caCertificate: string
  readonly user: string
  readonly password: string
  /** Owner and name, such as `admin/openstack-machines`. */
  readonly model: string
  readonly modelUuid: string
  readonly faults: JujuFaults
  /** Requests, oldest first. */
  log(): readonly LoggedJujuRequest[]
  /** All tasks, oldest first. */
  tasks(): readonly Readonly<JujuTask>[]
  /** Writes controllers.yaml, accounts.yaml and models.yaml in the Juju client's format. */
  writeClientFiles(directory: string): void
  stop(): Promise<void>
}

const USER = 'admin'

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
  const requests: LoggedJujuRequest[] = []

  const server = createServer({ key: certificates.server.key, cert: certificates.server.certificate })
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
    sessions.handleUpgrade(incoming, socket, head, session => serve(session, uuid ?? null))
  })
  server.on('tlsClientError', () => {})

  function serve(session: WebSocket, uuid: string | null): void {
    let loggedIn = false
    session.on('error', () => session.terminate())
    session.on('message', raw => {
      void answer(raw)
    })

    async function answer(raw: RawData): Promise<void> {
      const asked = requestOf(raw)
      if (asked === null) {
        session.close(1003)
        return
      }
      const request = `${asked.type}.${asked.method}`
      const params = request === 'Admin.Login' ? {} : asked.params
      requests.push({ at: isoNow(clock), connection: uuid === null ? 'controller' : 'model', request, params })
      if (faults.latencyMs() > 0) await clock.sleep(faults.latencyMs(), stopping.signal)
      if (stopping.signal.aborted) return
      const broken = faults.takeBreak(request)
      if (broken === 'before') {
        session.terminate()
        return
      }
      const reported = lied(request, asked.params, () => respond(request, asked.params))
      if (broken === 'after') session.terminate()
      else session.send(JSON.stringify({ 'request-id': asked.id, ...reported }))
    }

    /** Makes the response false and leaves the frame whole: text where JSON belongs, or another object. */
    function lied(request: string, params: Readonly<Record<string, unknown>>, truth: () => object): object {
      const lying = faults.lieTo(request)
      if (lying === null) return truth()
      if (typeof lying.lie === 'function') {
        const reported = truth()
        return 'response' in reported
          ? { ...reported, response: parsed(lying.lie(JSON.stringify(reported.response))) }
          : reported
      }
      const made = madeUpText(lying.lie)
      if (made !== null) return { response: parsed(made) }
      const reported = truth()
      const response = 'response' in reported ? reported.response : {}
      const key = JSON.stringify(params)
      const first = lying.firsts.get(key) ?? response
      lying.firsts.set(key, first)
      return { ...reported, response: lying.lie === 'stale' ? first : parsed(lieAbout(lying.lie, response)) }
    }

    function respond(request: string, params: Readonly<Record<string, unknown>>): object {
      try {
        if (request === 'Admin.Login') {
          const response = login(params, uuid)
          loggedIn = true
          return { response }
        }
        if (request === 'Admin.RedirectInfo') return { response: redirectInfo() }
        if (!loggedIn) throw new JujuRefusal('not logged in', 'unauthorized access')
        const call = CALLS.get(request)
        const facades = uuid === null ? CONTROLLER_FACADES : MODEL_FACADES
        const facade = request.split('.')[0] ?? ''
        if (call === undefined || !(facade in facades)) {
          throw new JujuRefusal(`unknown facade type "${facade}"`, 'not implemented')
        }
        return { response: call(params, parts) }
      } catch (problem) {
        if (!(problem instanceof JujuRefusal)) throw problem
        return { error: problem.message, 'error-code': problem.code, response: {} }
      }
    }
  }

  function login(params: Readonly<Record<string, unknown>>, uuid: string | null): unknown {
    if (uuid !== null && uuid !== modelUuid) throw new JujuRefusal(`unknown model: "${uuid}"`, 'model not found')
    if (params['auth-tag'] !== `user-${USER}` || params.credentials !== password) {
      throw new JujuRefusal('invalid entity name or password', 'unauthorized access')
    }
    if (uuid !== null && faults.movedTo() !== null)
      throw new JujuRefusal('redirection required', 'redirection required')
    if (faults.needsBrowserLogin()) {
      return { 'discharge-required': { l: 'identity' }, 'discharge-required-error': 'macaroon discharge required' }
    }
    const facades = uuid === null ? CONTROLLER_FACADES : MODEL_FACADES
    return {
      'controller-tag': `controller-${controllerUuid}`,
      ...(uuid === null ? {} : { 'model-tag': `model-${uuid}` }),
      'server-version': version,
      servers: [[{ value: '127.0.0.1', type: 'ipv4', scope: 'local-machine', port: addressOf().port }]],
      'user-info': {
        identity: `user-${USER}`,
        'display-name': USER,
        'controller-access': 'superuser',
        'model-access': 'admin',
      },
      facades: Object.entries(facades).map(([facade, versions]) => ({ name: facade, versions })),
    }
  }

  function redirectInfo(): unknown {
    const moved = faults.movedTo()
    if (moved === null) throw new JujuRefusal('not redirected', '')
    const [value, port] = moved.address.split(':')
    return {
      servers: [[{ value, port: Number(port), type: 'ipv4', scope: 'public' }]],
      'ca-cert': moved.caCertificate,
    }
  }

  function addressOf(): AddressInfo {
    const address = server.address()
    if (address === null || typeof address === 'string')
      throw new Error('the simulated Juju controller does not listen')
    return address
  }

  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(options.port ?? 0, '127.0.0.1', resolve)
  })
  const address = `127.0.0.1:${addressOf().port}`
  const model = `${world.model.owner}/${world.model.name}`
  const account = { name, address, controllerUuid, caCertificate: certificates.authority, user: USER, password }
  return {
    ...account,
    model,
    modelUuid,
    faults,
    log: () => [...requests],
    tasks: () => tasks.all(),
    writeClientFiles: directory => writeClientFiles(directory, { ...account, model, modelUuid }),
    stop: async () => {
      stopping.abort()
      for (const socket of sockets) socket.destroy()
      await new Promise(resolve => server.close(resolve))
    },
  }
}

interface Asked {
  readonly id: number
  readonly type: string
  readonly method: string
  readonly params: Readonly<Record<string, unknown>>
}

function requestOf(raw: RawData): Asked | null {
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
