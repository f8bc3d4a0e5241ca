import type { MeasuredClock } from '../../../shared/domain/clock-skew.ts'
import type { SessionWarning } from '../../../shared/domain/cluster.ts'
import type { Failure } from '../../../shared/domain/failure.ts'
import type { Json } from '../../../shared/domain/json.ts'
import { failed, ok, type Result } from '../../../shared/domain/result.ts'
import { because, call } from '../../../shared/words/reasons.ts'
import type { Finding } from '../../../shared/words/steps/coded.ts'
import type { Clock } from '../../platform/clock/clock.ts'
import { keptBack, mayBeSent } from '../../platform/clock/sent-while.ts'
import { createServerClocks } from '../../platform/clock/server-clocks.ts'
import type { Logger } from '../../platform/log/logger.ts'
import { createRedactor } from '../../platform/log/redact.ts'
import type { HttpAnswer, HttpHeaders, HttpOutcome } from '../http/exchange.ts'
import type { ProxyEnvironment } from '../http/proxies.ts'
import { sendWithRetry } from '../http/retry.ts'
import { createSingleFlight, unlessAborted } from '../http/single-flight.ts'
import { endpointOf, type ForeignEndpoint, foreignEndpoint, notAgreed } from './catalogue.ts'
import { failureOf, ofThePast, type RequestPurpose, unreadable } from './errors.ts'
import { freshAnswers, requestIdOf } from './fresh-answers.ts'
import { createInstanceNames, type InstanceNames } from './instance-names.ts'
import {
  issueToken,
  type KeystoneToken,
  keystoneRoot,
  loadToken,
  saveToken,
  secretsOf,
  type TokenKeeper,
} from './keystone-token.ts'
import { loginOf } from './login-of.ts'
import { chooseMicroversion, isAtLeast, type Microversion, print, saysVersions } from './microversion.ts'
import { createNewestRows, type NewestRows } from './newest-rows.ts'
import type { ResolvedCloud } from './resolved-cloud.ts'
import { parseJson } from './server-words.ts'
import { SERVICES, type ServiceType } from './services.ts'
import { openTransport, type Transport, warningsOf } from './transport.ts'

export interface ServiceRequest {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** Starts with a slash; foreign parts are already encoded. */
  readonly path: string
  readonly query?: Readonly<Record<string, string>>
  readonly body?: Json
  readonly call: Finding
  readonly target?: string | undefined
  /** The newest microversion in which the request has this meaning. */
  readonly notAfter?: Microversion | undefined
  /** Limit of one attempt; default {@link USUAL_LIMIT_MS}. */
  readonly timeoutMs?: number
  readonly signal?: AbortSignal | undefined
}

/** A 2xx answer in the requested microversion; the caller checks its content. */
interface ServiceAnswer {
  readonly status: number
  readonly headers: HttpHeaders
  /** Undefined if it is empty or not JSON. */
  readonly body: unknown
  readonly isEmpty: boolean
  /** The failure for an invalid answer, with the reason. */
  readonly unreadable: (why: Finding) => Failure
  /** The failure for an outdated answer; `why` is the evidence. */
  readonly ofThePast: (why: Finding) => Failure
}

/** The user of the session, for messages and checks. No secrets. */
interface SessionIdentity {
  readonly userName: string
  readonly projectName: string | null
  readonly projectId: string | null
  readonly roles: readonly string[]
}

/** A cloud with a valid login. Renews its token automatically and keeps no other state of the cloud. */
export interface OpenStackSession {
  readonly cloudName: string
  readonly warnings: readonly SessionWarning[]
  readonly rows: NewestRows
  readonly names: InstanceNames
  identity(): SessionIdentity
  /** Whether the catalogue (or an override) has the service. */
  has(service: ServiceType): boolean
  /** The negotiated microversion; null if the service has none. Asks the service once. */
  microversion(service: ServiceType, signal?: AbortSignal): Promise<Result<Microversion | null>>
  request(service: ServiceType, request: ServiceRequest): Promise<Result<ServiceAnswer>>
  /** The catalogue addresses that need the operator's agreement, with or without it. */
  foreignEndpoints(): readonly ForeignEndpoint[]
  /** The clocks of Keystone and Nova from recent answers; asks a service without one, and omits services that send no time. */
  clocks(signal?: AbortSignal): Promise<readonly MeasuredClock[]>
  /** Number of HTTP requests, retries included, by service (`identity` is Keystone). */
  requestCount(): Readonly<Record<string, number>>
  close(): void
}

const USUAL_LIMIT_MS = 30_000

/**
 * Logs in to a cloud (Keystone API v3): gets a token and the catalogue, or says why not. Secrets stay inside; foreign texts are scrubbed before they are shown
 * or logged.
 */
export async function openOpenStackSession(options: {
  readonly cloud: ResolvedCloud
  readonly clock: Clock
  readonly log: Logger
  /** For proxies; default: the process's own. */
  readonly environment?: ProxyEnvironment
  /** Loads and saves the token across processes. Without it, each login asks Keystone. */
  readonly keeper?: TokenKeeper
  /** Whether the operator agreed to send tokens to this address; default: no. Checked before every request. */
  readonly isAgreed?: (endpoint: ForeignEndpoint) => boolean
  /** Called for each request, to count them. */
  readonly onRequest?: (() => void) | undefined
}): Promise<Result<OpenStackSession>> {
  const { cloud, clock } = options
  const root = keystoneRoot(cloud.authUrl, cloud.name)
  if (!root.ok) return root
  const transport = await openTransport(cloud, clock, options.environment ?? process.env)
  if (!transport.ok) return transport
  const opened = await login({ ...options, log: options.log.child('openstack') }, root.value, transport.value)
  if (!opened.ok) transport.value.close()
  return opened
}

/** Logs in over an existing transport; simulated clouds bring their own. `root`: Keystone's v3 API. */
export async function login(
  options: {
    readonly cloud: ResolvedCloud
    readonly clock: Clock
    readonly log: Logger
    readonly keeper?: TokenKeeper
    readonly isAgreed?: (endpoint: ForeignEndpoint) => boolean
    readonly onRequest?: (() => void) | undefined
  },
  root: string,
  transport: Transport,
): Promise<Result<OpenStackSession>> {
  const { cloud, clock, log } = options
  const counts = new Map<string, number>()
  const clocks = createServerClocks(clock)
  const fresh = freshAnswers(transport, clock)
  const redactor = createRedactor({ literals: secretsOf(cloud.auth) })

  /** A run needs both clocks: for the token's lifetime, and for the times of Nova's actions. */
  const timed = (service: 'identity' | 'compute'): Pick<Transport, 'send'> => ({
    send: async request => {
      const sentAtMs = clock.now()
      const outcome = await fresh(service).send(request)
      // An outdated answer carries an outdated time.
      if (outcome.kind === 'answer') clocks.received(SERVICES[service].name, { date: outcome.headers.date, sentAtMs })
      return outcome
    },
  })

  const send = (
    service: ServiceType,
    request: {
      readonly method: ServiceRequest['method']
      readonly url: URL
      readonly headers: Readonly<Record<string, string>>
      readonly body: Json | null
      readonly isRead: boolean
      readonly signal?: AbortSignal | undefined
      readonly timeoutMs: number
    },
  ): Promise<HttpOutcome> => {
    const { isRead, signal, ...asked } = request
    const wire = service === 'identity' || service === 'compute' ? timed(service) : fresh(service)
    const once = async (attempt: number): Promise<HttpOutcome> => {
      if (!isRead && !mayBeSent()) return { kind: 'not-sent', failure: keptBack() }
      const began = clock.now()
      const outcome = await wire.send({
        ...asked,
        headers: {
          accept: 'application/json',
          'user-agent': 'lockkeeper',
          ...(request.body === null ? {} : { 'content-type': 'application/json' }),
          ...request.headers,
        },
        body: request.body === null ? null : JSON.stringify(request.body),
        signal,
      })
      counts.set(service, (counts.get(service) ?? 0) + 1)
      options.onRequest?.()
      log.debug('openstack request', {
        service,
        method: request.method,
        path: redactor.text(`${request.url.pathname}${request.url.search}`),
        attempt,
        outcome: outcome.kind === 'answer' ? outcome.status : outcome.kind,
        ...(outcome.kind === 'broken' ? { code: outcome.code } : {}),
        requestId: 'headers' in outcome ? requestIdOf(outcome.headers) : null,
        tookMs: clock.now() - began,
      })
      return outcome
    }
    return sendWithRetry<HttpAnswer>(once, { isRead, clock, signal })
  }

  const renew = async (): Promise<Result<KeystoneToken>> => {
    const issued = await issueToken(cloud, root, {
      clock,
      scrub: redactor.text,
      // Requesting a token changes nothing, so it may be repeated like a read.
      send: request =>
        send('identity', {
          ...request,
          url: new URL(`${root}${request.path}`),
          isRead: true,
          timeoutMs: USUAL_LIMIT_MS,
        }),
    })
    if (!issued.ok) return issued
    redactor.registerSecret(issued.value.value)
    current = issued.value
    saveToken(options.keeper, issued.value)
    log.info('logged in', {
      cloud: cloud.name,
      user: issued.value.userName,
      project: issued.value.projectName,
    })
    return issued
  }
  const renewing = createSingleFlight(renew)
  const versions = new Map<ServiceType, Microversion | null>()
  const negotiating = new Map<ServiceType, () => Promise<Result<Microversion | null>>>()

  let current: KeystoneToken | null = loadToken(options.keeper, clock)
  if (current !== null) redactor.registerSecret(current.value)
  const first = current === null ? await renewing() : ok(current)
  if (!first.ok) return first
  let known = first.value

  /** The current token; `refused` is one that a service rejected, which is renewed unless that has happened. */
  const token = async (refused: KeystoneToken | null): Promise<Result<KeystoneToken>> => {
    if (current !== null && current !== refused && clock.now() < current.renewAtMs) return ok(current)
    const renewed = await renewing()
    if (renewed.ok) known = renewed.value
    // Keystone may be down during maintenance; a valid token keeps the work going.
    const stillGood = refused === null && current !== null && clock.now() < current.endsAtMs
    return !renewed.ok && renewed.failure.retryable && stillGood && current !== null ? ok(current) : renewed
  }

  const purposeOf = (service: ServiceType, address: string, request: ServiceRequest): RequestPurpose => ({
    call: request.call,
    service,
    address,
    who: loginOf(known),
    projectName: known.projectName,
    changes: request.method !== 'GET',
    target: request.target,
  })

  // Service addresses of one catalogue, looked up once per service.
  let places: { readonly of: KeystoneToken; readonly known: Map<ServiceType, ServicePlace> } | null = null
  const placeOf = (service: ServiceType, held: KeystoneToken): ServicePlace => {
    // Keystone is reachable where we logged in, whatever the catalogue says.
    if (service === 'identity') return { address: ok(root), foreign: null }
    if (places?.of !== held) places = { of: held, known: new Map() }
    const known = places.known.get(service)
    if (known !== undefined) return known
    const address = endpointOf(service, held.catalogue, cloud)
    const foreign = address.ok ? foreignEndpoint(service, address.value, root, cloud) : null
    const place: ServicePlace = { address, foreign }
    places.known.set(service, place)
    return place
  }

  const authorised = async (
    service: ServiceType,
    request: ServiceRequest,
    version: Microversion | null,
  ): Promise<Result<ServiceAnswer>> => {
    let refused: KeystoneToken | null = null
    for (;;) {
      const held: Result<KeystoneToken> = await unlessAborted(token(refused), callerOf(request))
      if (!held.ok) return held
      const { address, foreign } = placeOf(service, held.value)
      // A missing service says nothing about the requested object.
      if (!address.ok) return failed({ ...address.failure, code: 'bad-input' })
      if (foreign !== null && options.isAgreed?.(foreign) !== true)
        return failed(notAgreed(foreign, cloud.name, request))
      const url = new URL(`${address.value}${request.path}`)
      for (const [name, value] of Object.entries(request.query ?? {})) url.searchParams.append(name, value)
      const outcome = await send(service, {
        method: request.method,
        url,
        headers: { 'x-auth-token': held.value.value, ...versionHeaders(service, version) },
        body: request.body ?? null,
        isRead: request.method === 'GET',
        timeoutMs: request.timeoutMs ?? USUAL_LIMIT_MS,
        signal: request.signal,
      })
      if (outcome.kind === 'answer' && outcome.status >= 200 && outcome.status < 300) {
        const { status, headers, body } = outcome
        const none = (why: Finding) =>
          unreadable(outcome, purposeOf(service, address.value, request), redactor.text, why)
        const spoken = versionReported(service, headers)
        // The microversion defines the fields, so an answer in another one is unreadable.
        if (version !== null && spoken !== print(version)) {
          return failed(none(because('OtherMicroversion', { asked: print(version), reported: spoken })))
        }
        const past = (why: Finding) => ofThePast(outcome, purposeOf(service, address.value, request), why)
        return ok({
          status,
          headers,
          body: parseJson(body),
          isEmpty: body === '',
          unreadable: none,
          ofThePast: past,
        })
      }
      // A request rejected for its token did nothing, so any request may be repeated once.
      if (outcome.kind === 'answer' && outcome.status === 401 && refused === null) {
        refused = held.value
        continue
      }
      if (outcome.kind === 'answer' && outcome.status === 406) versions.delete(service)
      return failed(failureOf(outcome, purposeOf(service, address.value, request), redactor.text, clock.now()))
    }
  }

  const negotiate = async (service: ServiceType): Promise<Result<Microversion | null>> => {
    const read = await authorised(service, { method: 'GET', path: '/', call: askVersions(service) }, null)
    if (!read.ok) return read
    const cap = service === 'compute' ? cloud.computeMaxMicroversion : undefined
    // Watcher sends its maximum only in this header.
    const reported = read.value.headers['openstack-api-maximum-version']
    const document = reported === undefined ? read.value.body : { version: { max_version: reported } }
    if (!saysVersions(read.value.body)) return failed(read.value.unreadable(because('NoApiVersions')))
    const chosen = chooseMicroversion(service, document, cap)
    if (chosen.ok) versions.set(service, chosen.value)
    return chosen
  }

  const microversion = async (service: ServiceType): Promise<Result<Microversion | null>> => {
    if (SERVICES[service].microversions === null) return ok(null)
    const agreed = versions.get(service)
    if (agreed !== undefined) return ok(agreed)
    const flight = negotiating.get(service) ?? createSingleFlight(() => negotiate(service))
    negotiating.set(service, flight)
    return flight()
  }

  return ok({
    cloudName: cloud.name,
    warnings: warningsOf(cloud, root),
    rows: createNewestRows(clock),
    names: createInstanceNames(),
    identity: () => ({
      userName: known.userName,
      projectName: known.projectName,
      projectId: known.projectId,
      roles: known.roles,
    }),
    has: service => endpointOf(service, known.catalogue, cloud).ok,
    microversion: (service, signal) =>
      unlessAborted(microversion(service), callerOf({ call: askVersions(service), signal })),
    request: async (service, request) => {
      const version = await unlessAborted(microversion(service), callerOf(request))
      if (!version.ok) return version
      const { notAfter } = request
      const isLater = notAfter !== undefined && version.value !== null && isAtLeast(version.value, notAfter)
      return authorised(service, request, isLater ? notAfter : version.value)
    },
    foreignEndpoints: () =>
      SERVICE_TYPES.flatMap(service => {
        const address = endpointOf(service, known.catalogue, cloud)
        return address.ok ? (foreignEndpoint(service, address.value, root, cloud) ?? []) : []
      }),
    clocks: signal => {
      const reportTime = (service: ServiceType) => () =>
        authorised(service, { method: 'GET', path: '/', call: call('AskTime'), signal }, null)
      const places = endpointOf('compute', known.catalogue, cloud)
      return clocks.measure({ Keystone: reportTime('identity'), ...(places.ok ? { Nova: reportTime('compute') } : {}) })
    },
    requestCount: () => Object.fromEntries(counts),
    close: transport.close,
  })
}

/** The address of a service, and what needs the operator's agreement. */
interface ServicePlace {
  readonly address: Result<string>
  readonly foreign: ForeignEndpoint | null
}

/** All services that receive a token, except Keystone. */
const SERVICE_TYPES: readonly ServiceType[] = [
  'compute',
  'network',
  'placement',
  'block-storage',
  'image',
  'infra-optim',
  'instance-ha',
]

function askVersions(service: ServiceType): Finding {
  return call('AskApiVersions', { service: SERVICES[service].name })
}

function callerOf({ call: doing, signal }: Pick<ServiceRequest, 'call' | 'signal'>) {
  return { doing, signal }
}

/** The microversion in an answer's header: `compute 2.93`, or Nova's legacy header; null: none. */
function versionReported(service: ServiceType, headers: HttpHeaders): string | null {
  const name = SERVICES[service].microversions?.header
  const reported = (headers['openstack-api-version'] ?? '').split(',').map(part => part.trim().split(/\s+/))
  const own = reported.find(([of, version]) => of === name && version !== undefined)?.[1] ?? null
  return own ?? (service === 'compute' ? (headers['x-openstack-nova-api-version'] ?? null) : null)
}

/** Nova's legacy header too, for clouds whose proxies drop the new one. */
function versionHeaders(service: ServiceType, version: Microversion | null): Readonly<Record<string, string>> {
  const { microversions } = SERVICES[service]
  if (version === null || microversions === null) return {}
  return {
    'openstack-api-version': `${microversions.header} ${print(version)}`,
    ...(service === 'compute' ? { 'x-openstack-nova-api-version': print(version) } : {}),
  }
}
