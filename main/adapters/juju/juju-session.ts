import type { Connection, RedirectionError } from '@canonical/jujulib'
import type ActionV7 from '@canonical/jujulib/dist/api/facades/action/ActionV7.js'
import type ApplicationV19 from '@canonical/jujulib/dist/api/facades/application/ApplicationV19.js'
import type ClientV6 from '@canonical/jujulib/dist/api/facades/client/ClientV6.js'
import type ModelManagerV9 from '@canonical/jujulib/dist/api/facades/model-manager/ModelManagerV9.js'
import type { WebSocket } from 'ws'
import { seconds } from '../../../shared/domain/durations.ts'
import type { Failure } from '../../../shared/domain/failure.ts'
import { failed, ok, type Result } from '../../../shared/domain/result.ts'
import { because, call } from '../../../shared/words/reasons.ts'
import { refusal } from '../../../shared/words/refusal.ts'
import type { Clock } from '../../platform/clock/clock.ts'
import { createRedactor } from '../../platform/log/redact.ts'
import { connectFailure, loginFailure } from './juju-failures.ts'
import { openSocket } from './juju-socket.ts'
import type { ResolvedJuju } from './resolved-juju.ts'

export interface JujuFacades {
  readonly action: ActionV7
  readonly application: ApplicationV19
  readonly client: ClientV6
  readonly modelManager: ModelManagerV9
}

export type CallOutcome =
  | { readonly kind: 'answer'; readonly value: unknown }
  | { readonly kind: 'refused'; readonly text: string }
  | { readonly kind: 'no-facade' }
  | { readonly kind: 'broken' }
  | { readonly kind: 'timed-out' }
  | { readonly kind: 'aborted' }

export interface JujuSession {
  readonly endpoint: string
  readonly serverVersion: string
  isOpen(): boolean
  /** The controller's words without our password and other secrets, for failures, which are journaled and shown. */
  scrub(text: string): string
  call<K extends keyof JujuFacades>(
    facade: K,
    use: (facade: JujuFacades[K]) => Promise<unknown>,
    limits: { readonly timeoutMs: number; readonly signal?: AbortSignal | undefined },
  ): Promise<CallOutcome>
  close(): void
}

const LOGIN_MS = seconds(30)
const MOST_REDIRECTS = 3
/** The client version to announce until the controller reports its own. */
const CLIENT_VERSION = '3.6.0'

interface Way {
  readonly juju: ResolvedJuju
  /** Null means the controller itself. */
  readonly modelUuid: string | null
  readonly clock: Clock
  readonly signal?: AbortSignal | undefined
}

/** Connects and logs in at the first endpoint that answers; a refused login is not repeated at the others. */
export async function openJujuSession(way: Way): Promise<Result<JujuSession>> {
  return openFirstAnswering(way.juju.endpoints, way.juju.caCertificate, way, 0)
}

async function openFirstAnswering(
  endpoints: readonly string[],
  caCertificate: string,
  way: Way,
  redirects: number,
): Promise<Result<JujuSession>> {
  const controller = way.juju.name
  let trouble: Failure = refusal('unreachable', because('JujuHasNoEndpoint', { controller }), { retryable: false })
  for (const endpoint of endpoints) {
    const tried = await openEndpoint(endpoint, caCertificate, way, CLIENT_VERSION)
    switch (tried.kind) {
      case 'session':
        return ok(tried.session)
      case 'refused':
        return failed(tried.failure)
      case 'redirect':
        if (redirects === MOST_REDIRECTS) {
          return failed(refusal('server-fault', because('JujuRedirectsInCircle', { controller })))
        }
        return openFirstAnswering(tried.endpoints, tried.caCertificate, way, redirects + 1)
      case 'unreachable':
        if (tried.failure.code === 'aborted') return failed(tried.failure)
        trouble = tried.failure
    }
  }
  return failed(trouble)
}

type Tried =
  | { readonly kind: 'session'; readonly session: JujuSession }
  | { readonly kind: 'refused'; readonly failure: Failure }
  | { readonly kind: 'unreachable'; readonly failure: Failure }
  | { readonly kind: 'redirect'; readonly endpoints: readonly string[]; readonly caCertificate: string }

async function openEndpoint(endpoint: string, caCertificate: string, way: Way, version: string): Promise<Tried> {
  const { juju, modelUuid, clock, signal } = way
  const url = `wss://${endpoint}${modelUuid === null ? '' : `/model/${modelUuid}`}/api`
  const opened = await openSocket({ url, caCertificate, clock, signal })
  if (opened.kind === 'trouble') {
    return { kind: 'unreachable', failure: connectFailure(juju.name, endpoint, opened.trouble) }
  }
  const { socket } = opened
  const { Client, facades } = await loadLibrary()
  const client = new Client(asBrowserSocket(socket), { closeCallback: () => {}, facades })
  const closed = whenClosed(socket)
  const credentials = { username: juju.user, password: juju.password }
  const login = await withTimeout(client.login(credentials, version), { closed, clock, timeoutMs: LOGIN_MS, signal })
  if (login.kind !== 'answer') socket.terminate()
  switch (login.kind) {
    case 'answer': {
      const serverVersion = login.value?.info.serverVersion ?? ''
      if (login.value === undefined || serverVersion === '') {
        socket.terminate()
        const doing = call('LogInToJuju', { controller: juju.name, user: juju.user })
        const empty = because('JujuLoginEmpty', { call: doing })
        return { kind: 'refused', failure: refusal('server-fault', empty, { target: `juju/${juju.name}` }) }
      }
      // A controller restricts clients of another major version (Juju `apiserver/restrict_versions.go`).
      if (majorOf(serverVersion) !== majorOf(version)) {
        socket.terminate()
        return openEndpoint(endpoint, caCertificate, way, serverVersion)
      }
      return { kind: 'session', session: sessionOf(socket, login.value, { endpoint, serverVersion, closed, way }) }
    }
    case 'refused': {
      const { problem } = login
      if (client.isRedirectionError(problem)) return redirectOf(problem)
      return { kind: 'refused', failure: loginFailure(juju.name, juju.user, scrubberOf(juju)(textOf(problem))) }
    }
    case 'aborted':
    case 'timed-out':
      return { kind: 'unreachable', failure: connectFailure(juju.name, endpoint, { kind: login.kind }) }
    case 'broken': {
      const trouble = { kind: 'broken', code: 'ECONNRESET', text: 'closed at login' } as const
      return { kind: 'unreachable', failure: connectFailure(juju.name, endpoint, trouble) }
    }
  }
}

/** The new controller of a model that moved (Juju `api/apiclient.go`, RedirectInfo). */
function redirectOf(problem: RedirectionError): Tried {
  return {
    kind: 'redirect',
    endpoints: problem.servers.flat().map(({ value, port }) => `${value.includes(':') ? `[${value}]` : value}:${port}`),
    caCertificate: problem.caCert,
  }
}

function sessionOf(
  socket: WebSocket,
  connection: Connection,
  known: {
    readonly endpoint: string
    readonly serverVersion: string
    readonly closed: Promise<void>
    readonly way: Way
  },
): JujuSession {
  const { endpoint, serverVersion, closed, way } = known
  const scrub = scrubberOf(way.juju)
  const facadeOf = <K extends keyof JujuFacades>(name: K): JujuFacades[K] | undefined =>
    connection.facades[name] as JujuFacades[K] | undefined
  return {
    endpoint,
    serverVersion,
    isOpen: () => socket.readyState === socket.OPEN,
    scrub,
    call: async (name, use, { timeoutMs, signal }) => {
      const facade = facadeOf(name)
      if (facade === undefined) return { kind: 'no-facade' }
      if (socket.readyState !== socket.OPEN) return { kind: 'broken' }
      const outcome = await withTimeout(use(facade), { closed, clock: way.clock, timeoutMs, signal })
      if (outcome.kind !== 'refused') return outcome
      return { kind: 'refused', text: scrub(textOf(outcome.problem)) }
    },
    close: () => socket.close(),
  }
}

type Within<T> =
  | { readonly kind: 'answer'; readonly value: T }
  | { readonly kind: 'refused'; readonly problem: unknown }
  | { readonly kind: 'broken' }
  | { readonly kind: 'timed-out' }
  | { readonly kind: 'aborted' }

async function withTimeout<T>(
  work: Promise<T>,
  limits: {
    readonly closed: Promise<void>
    readonly clock: Clock
    readonly timeoutMs: number
    readonly signal?: AbortSignal | undefined
  },
): Promise<Within<T>> {
  const settled = new AbortController()
  const aborted = new Promise<Within<T>>(resolve => {
    const stop = () => resolve({ kind: 'aborted' })
    if (limits.signal?.aborted) stop()
    limits.signal?.addEventListener('abort', stop, { signal: settled.signal })
  })
  const first = await Promise.race([
    work.then(
      (value): Within<T> => ({ kind: 'answer', value }),
      (problem: unknown): Within<T> => ({ kind: 'refused', problem }),
    ),
    limits.closed.then((): Within<T> => ({ kind: 'broken' })),
    limits.clock.sleep(limits.timeoutMs, settled.signal).then((): Within<T> => ({ kind: 'timed-out' })),
    aborted,
  ])
  settled.abort()
  return first
}

function whenClosed(socket: WebSocket): Promise<void> {
  return new Promise(resolve => {
    socket.once('close', () => resolve())
  })
}

async function loadLibrary() {
  const { Client, action, application, client, modelManager } = await import('./jujulib.ts')
  return { Client, facades: [action, application, client, modelManager] }
}

/** `ws` has every property of a browser's socket that the library uses; only the type names differ. */
function asBrowserSocket(socket: WebSocket): globalThis.WebSocket {
  return socket as unknown as globalThis.WebSocket
}

function scrubberOf({ password }: ResolvedJuju): (text: string) => string {
  return createRedactor({ literals: [password] }).text
}

function majorOf(version: string): string {
  return version.split('.')[0] ?? ''
}

function textOf(problem: unknown): string {
  return problem instanceof Error ? problem.message : String(problem)
}
