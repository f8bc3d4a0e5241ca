import http, { type IncomingMessage, type RequestListener } from 'node:http'
import https from 'node:https'
import net, { type AddressInfo, type Socket } from 'node:net'
import tls, { type TLSSocket } from 'node:tls'
import { certificateMarks, type Marks, pem } from './situations.ts'

/** A request that reached one of the servers, as far as it tells who asked, as whom, and by which way. */
export interface Arrival {
  readonly server: string
  readonly method: string
  readonly path: string
  readonly authorization: string | null
  readonly impersonate: Readonly<Record<string, string>>
  /** The common name of the client's certificate. */
  readonly certificate: string | null
  /** The name that the client asked the server's certificate for. */
  readonly serverName: string | null
  readonly proxy: { readonly kind: string; readonly to: string; readonly authorization: string | null } | null
}

/** Servers on loopback that write down what reaches them. */
interface LocalServers {
  readonly marks: Marks
  /** What arrived since the last call, and whether anything tried to connect. */
  take(): { readonly arrivals: readonly Arrival[]; readonly contacts: number }
  close(): Promise<void>
}

/** What a server answers; the bodies of requests are left to it. */
export type Answer = (request: IncomingMessage, body: string) => { status: number; headers?: object; body: unknown }

const VERSION = { major: '1', minor: '33', gitVersion: 'v1.33.1', platform: 'linux/amd64' }

/**
 * Starts an API server for each kind of authentication, one without TLS, and proxies. `host` is `::` where the
 * collector has another network. A proxy connects to this machine whatever the requested host.
 */
export async function startServers(
  answer: Answer = () => ({ status: 200, body: VERSION }),
  host = '127.0.0.1',
): Promise<LocalServers> {
  const arrivals: Arrival[] = []
  let contacts = 0
  /** How a tunnel came here, by the port that its far end uses. */
  const tunnels = new Map<number, NonNullable<Arrival['proxy']>>()
  const opened: (net.Server | https.Server)[] = []
  const sockets = new Set<Socket>()
  const marks: Record<string, string> = { ...certificateMarks() }

  const listenerOf =
    (server: string): RequestListener =>
    (request, response) => {
      let body = ''
      request.on('data', (part: Buffer) => {
        body += part.toString('utf8')
      })
      request.on('end', () => {
        arrivals.push(arrivalOf(server, request, tunnels.get(request.socket.remotePort ?? 0) ?? null))
        const said = answer(request, body)
        response.writeHead(said.status, { 'content-type': 'application/json', connection: 'close', ...said.headers })
        response.end(JSON.stringify(said.body))
      })
    }

  const open = async (name: string, server: net.Server) => {
    server.on('connection', (socket: Socket) => {
      if (!tunnels.has(socket.remotePort ?? 0)) contacts += 1
      sockets.add(socket)
      socket.on('error', () => {})
      socket.on('close', () => sockets.delete(socket))
    })
    server.on('tlsClientError', () => {})
    await new Promise<void>(done => server.listen(0, host, done))
    opened.push(server)
    marks[`${name}.port`] = String((server.address() as AddressInfo).port)
    marks[name] = `127.0.0.1:${marks[`${name}.port`]}`
  }

  const secure = (name: string, chain: readonly string[], key: string) =>
    open(
      name,
      https.createServer(
        { cert: chain.map(each => pem(each)).join(''), key: pem(key), requestCert: true, rejectUnauthorized: false },
        listenerOf(name),
      ),
    )

  /** Connects to the requested port on this machine. */
  const dial = (to: string, as: NonNullable<Arrival['proxy']>, onOpen: (far: Socket) => void) => {
    const far = net.connect(Number(to.slice(to.lastIndexOf(':') + 1)), '127.0.0.1', () => {
      tunnels.set((far.address() as AddressInfo).port, as)
      onOpen(far)
    })
    far.on('error', () => {})
    sockets.add(far)
  }

  const proxy = (kind: string, server: http.Server) => {
    server.on('connect', (request: IncomingMessage, near: Socket, head: Buffer) => {
      near.on('error', () => {})
      const to = request.url ?? ''
      dial(to, { kind, to, authorization: request.headers['proxy-authorization'] ?? null }, far => {
        near.write('HTTP/1.1 200 Connection established\r\n\r\n')
        far.write(head)
        far.pipe(near).pipe(far)
      })
    })
    server.on('request', (request, response) => {
      const { host: to } = new URL(request.url ?? '', 'http://none.test')
      const authorization = request.headers['proxy-authorization'] ?? null
      arrivals.push({
        ...arrivalOf('http', request, { kind, to, authorization }),
        path: new URL(request.url ?? '').pathname,
      })
      let body = ''
      request.on('data', (part: Buffer) => {
        body += part.toString('utf8')
      })
      request.on('end', () => {
        const said = answer(request, body)
        response.writeHead(said.status, { 'content-type': 'application/json', connection: 'close', ...said.headers })
        response.end(JSON.stringify(said.body))
      })
    })
    return server
  }

  await secure('https', ['server.cert', 'intermediate.cert'], 'server.key')
  await secure('chainless', ['server.cert'], 'server.key')
  await secure('named', ['named.cert', 'intermediate.cert'], 'named.key')
  await secure('self-signed', ['self.cert'], 'self.key')
  await open('http', http.createServer(listenerOf('http')))
  await open('proxy', proxy('http', http.createServer()))
  const certified = { cert: pem('server.cert') + pem('intermediate.cert'), key: pem('server.key') }
  await open('tls-proxy', proxy('https', https.createServer(certified) as unknown as http.Server))
  await open(
    'socks',
    net.createServer(near => socks(near, dial)),
  )
  return {
    marks,
    take: () => {
      const taken = { arrivals: arrivals.splice(0), contacts }
      contacts = 0
      return taken
    },
    close: async () => {
      for (const socket of sockets) socket.destroy()
      await Promise.all(opened.map(server => new Promise(done => server.close(done))))
    },
  }
}

function arrivalOf(server: string, request: IncomingMessage, proxy: Arrival['proxy']): Arrival {
  const socket = request.socket as TLSSocket
  const isSecure = socket instanceof tls.TLSSocket
  const subject = isSecure ? socket.getPeerCertificate()?.subject?.CN : undefined
  const name = isSecure ? (socket as TLSSocket & { servername?: string | false }).servername : undefined
  return {
    server,
    method: request.method ?? '',
    path: request.url ?? '',
    authorization: request.headers.authorization ?? null,
    impersonate: impersonated(request.rawHeaders),
    certificate: subject === undefined ? null : [subject].flat().join(','),
    serverName: name === undefined || name === false || name === '' ? null : name,
    proxy,
  }
}

/** The headers that say as whom, in small letters; several of one name in their order. */
function impersonated(raw: readonly string[]): Record<string, string> {
  const found: Record<string, string> = {}
  for (let at = 0; at < raw.length; at += 2) {
    const name = (raw[at] ?? '').toLowerCase()
    if (!name.startsWith('impersonate-')) continue
    found[name] = found[name] === undefined ? (raw[at + 1] ?? '') : `${found[name]}, ${raw[at + 1]}`
  }
  return found
}

/** SOCKS 5 with or without a name and password, for connections alone (RFC 1928, RFC 1929). */
function socks(
  near: Socket,
  dial: (to: string, as: NonNullable<Arrival['proxy']>, onOpen: (far: Socket) => void) => void,
): void {
  let authorization: string | null = null
  let stage: 'greeting' | 'login' | 'request' | 'open' = 'greeting'
  near.on('error', () => {})
  near.on('data', (bytes: Buffer) => {
    if (stage === 'greeting') {
      const wantsLogin = bytes.subarray(2).includes(2)
      stage = wantsLogin ? 'login' : 'request'
      near.write(Buffer.from([5, wantsLogin ? 2 : 0]))
    } else if (stage === 'login') {
      const name = bytes.subarray(2, 2 + (bytes[1] ?? 0)).toString()
      const password = bytes.subarray(3 + (bytes[1] ?? 0)).toString()
      authorization = `${name}:${password}`
      stage = 'request'
      near.write(Buffer.from([1, 0]))
    } else if (stage === 'request') {
      stage = 'open'
      const kind = bytes[3]
      const end = bytes.length - 2
      const to =
        kind === 3
          ? bytes.subarray(5, end).toString()
          : kind === 1
            ? [...bytes.subarray(4, end)].join('.')
            : 'an IPv6 address'
      const at = `${to}:${bytes.readUInt16BE(end)}`
      dial(at, { kind: 'socks', to: at, authorization }, far => {
        near.write(Buffer.from([5, 0, 0, 1, 0, 0, 0, 0, 0, 0]))
        far.pipe(near)
        near.pipe(far)
      })
    }
  })
}
