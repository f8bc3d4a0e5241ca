import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import type { ResolvedCloud } from '../../../../main/adapters/openstack/resolved-cloud.ts'
import type { Clock } from '../../../../main/platform/clock/clock.ts'
import type { LogFields, Logger } from '../../../../main/platform/log/logger.ts'
import { resolvedCloud } from '../../../fixtures/openstack-cloud.ts'

export const PASSWORD = 'pass-word-of-the-test'

/** A request as the fixture saw it. */
interface SeenRequest {
  readonly method: string
  readonly path: string
  readonly query: URLSearchParams
  readonly headers: IncomingMessage['headers']
  readonly body: unknown
}

/** What a route answers; `drop` breaks the connection, `never` keeps it waiting. */
type FixtureAnswer =
  | { readonly status: number; readonly body?: unknown; readonly headers?: Readonly<Record<string, string>> }
  | 'drop'
  | 'never'

type Handler = (request: SeenRequest) => FixtureAnswer | Promise<FixtureAnswer>

/** A cloud of a few scripted routes behind real HTTP: Keystone, and whatever a test adds below /compute, /network, /placement. */
export interface FixtureCloud {
  readonly url: string
  readonly cloud: ResolvedCloud
  readonly seen: SeenRequest[]
  readonly tokens: string[]
  /** Later routes win. */
  on(method: string, path: string | RegExp, handler: Handler): void
  revoke(token: string): void
  /** The catalogue that the next token carries. */
  catalogue: unknown[]
  tokenLifeSeconds: number
  seenAt(path: string | RegExp): readonly SeenRequest[]
  close(): Promise<void>
}

/** Opens a fixture cloud on a free port of loopback. */
export async function openFixtureCloud(clock: Clock): Promise<FixtureCloud> {
  const routes: { readonly method: string; readonly path: string | RegExp; readonly handler: Handler }[] = []
  const seen: SeenRequest[] = []
  const tokens: string[] = []
  const revoked = new Set<string>()
  const sockets = new Set<Socket>()
  const server = createServer((message, response) => {
    void answer(message, response)
  })
  server.on('connection', socket => {
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket))
  })

  const answer = async (message: IncomingMessage, response: ServerResponse) => {
    const url = new URL(message.url ?? '/', 'http://fixture')
    const chunks: Buffer[] = []
    for await (const chunk of message) chunks.push(chunk)
    const text = Buffer.concat(chunks).toString()
    const request: SeenRequest = {
      method: message.method ?? '',
      path: url.pathname,
      query: url.searchParams,
      headers: message.headers,
      body: text === '' ? undefined : JSON.parse(text),
    }
    seen.push(request)
    const route = routes.findLast(
      each =>
        each.method === request.method &&
        (typeof each.path === 'string' ? each.path === request.path : each.path.test(request.path)),
    )
    const token = message.headers['x-auth-token']
    const needsToken = !request.path.startsWith('/identity')
    const bad = needsToken && (typeof token !== 'string' || !tokens.includes(token) || revoked.has(token))
    const said = bad
      ? { status: 401, body: { error: { code: 401, message: `The token ${String(token)} is not valid.` } } }
      : await (route?.handler(request) ?? { status: 404, body: { itemNotFound: { message: 'No such route.' } } })
    if (said === 'never') return
    if (said === 'drop') {
      message.socket.destroy()
      return
    }
    // Nova, Placement and Watcher say of which microversion an answer is.
    const version = message.headers['openstack-api-version']
    response.writeHead(said.status, {
      date: new Date(clock.now()).toUTCString(),
      'x-openstack-request-id': 'req-of-the-fixture',
      ...(version === undefined ? {} : { 'openstack-api-version': version }),
      ...said.headers,
    })
    response.end(
      said.body === undefined ? undefined : typeof said.body === 'string' ? said.body : JSON.stringify(said.body),
    )
  }

  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${portOf(server)}`
  const endpoints = (path: string) => [
    { interface: 'public', region: 'one', region_id: 'one', url: `${url}${path}` },
    { interface: 'internal', region: 'one', region_id: 'one', url: `${url}/internal${path}` },
  ]
  const fixture: FixtureCloud = {
    url,
    seen,
    tokens,
    tokenLifeSeconds: 3600,
    catalogue: [
      { type: 'compute', endpoints: endpoints('/compute/v2.1') },
      { type: 'network', endpoints: endpoints('/network') },
      { type: 'placement', endpoints: endpoints('/placement') },
    ],
    cloud: resolvedCloud({
      name: 'fixture',
      authUrl: `${url}/identity`,
      auth: {
        kind: 'password',
        user: { name: 'operator', domainName: 'Default' },
        password: PASSWORD,
        scope: { kind: 'project', project: { name: 'admin', domainName: 'Default' } },
      },
    }),
    on: (method, path, handler) => void routes.push({ method, path, handler }),
    revoke: token => void revoked.add(token),
    seenAt: path => seen.filter(each => (typeof path === 'string' ? each.path === path : path.test(each.path))),
    close: async () => {
      for (const socket of sockets) socket.destroy()
      await new Promise(resolve => server.close(resolve))
    },
  }
  fixture.on('POST', '/identity/v3/auth/tokens', () => {
    const token = `token-${tokens.length + 1}-of-the-test`
    tokens.push(token)
    // The cloud's clock is an hour off on purpose: only the length of a token's life may count.
    const issued = clock.now() - 3_600_000
    return {
      status: 201,
      headers: { 'x-subject-token': token },
      body: {
        token: {
          issued_at: new Date(issued).toISOString(),
          expires_at: new Date(issued + fixture.tokenLifeSeconds * 1000).toISOString(),
          user: { id: 'u1', name: 'operator' },
          project: { id: 'p1', name: 'admin' },
          roles: [{ name: 'admin' }],
          catalog: fixture.catalogue,
        },
      },
    }
  })
  fixture.on('GET', '/compute/v2.1/', () => ({
    status: 200,
    body: { version: { version: '2.93', min_version: '2.1' } },
  }))
  fixture.on('GET', '/placement/', () => ({
    status: 200,
    body: { versions: [{ max_version: '1.39', min_version: '1.0' }] },
  }))
  return fixture
}

/** The port a server was given. */
export function portOf(server: { address(): AddressInfo | string | null }): number {
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('the server does not listen on a port')
  return address.port
}

/** Sleeps longer than this are limits of requests, shorter ones are pauses before a retry. */
const LIMITS_FROM_MS = 20_000

/** A clock for tests of HTTP: pauses pass at once and are written down, limits pass only when the test says so. */
export interface TestClock extends Clock {
  readonly pauses: number[]
  advance(ms: number): void
  /** Lets the limits of all requests under way pass. */
  passLimits(): void
  /** How many requests under way have a limit. */
  limits(): number
}

export function createTestClock(): TestClock {
  let now = Date.parse('2026-11-20T12:00:00Z')
  const pauses: number[] = []
  const waiting = new Set<() => void>()
  return {
    pauses,
    now: () => now,
    monotonicMs: () => now,
    random: () => 0,
    sleep: (ms, signal) => {
      if (ms < LIMITS_FROM_MS) {
        pauses.push(ms)
        return Promise.resolve()
      }
      return new Promise(resolve => {
        const finish = () => {
          waiting.delete(finish)
          resolve()
        }
        waiting.add(finish)
        signal?.addEventListener('abort', finish, { once: true })
      })
    },
    advance: ms => {
      now += ms
    },
    passLimits: () => {
      for (const finish of waiting) finish()
    },
    limits: () => waiting.size,
  }
}

/** A log that keeps everything. */
export interface KeptLog extends Logger {
  readonly entries: { readonly level: string; readonly message: string; readonly fields: LogFields | undefined }[]
}

export function createKeptLog(): KeptLog {
  const entries: KeptLog['entries'] = []
  const at = (level: string) => (message: string, fields?: LogFields) => void entries.push({ level, message, fields })
  const log: KeptLog = {
    entries,
    error: at('error'),
    warn: at('warn'),
    info: at('info'),
    debug: at('debug'),
    child: () => log,
  }
  return log
}
