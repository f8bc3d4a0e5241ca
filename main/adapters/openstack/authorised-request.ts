import { serverJsonOf } from '../../../shared/domain/json.ts'
import { failed, ok, type Result } from '../../../shared/domain/result.ts'
import { because, call } from '../../../shared/words/reasons.ts'
import type { Finding } from '../../../shared/words/steps/coded.ts'
import type { Clock } from '../../platform/clock/clock.ts'
import type { Redactor } from '../../platform/log/redact.ts'
import type { HttpAnswer, HttpHeaders } from '../http/exchange.ts'
import { createSingleFlight, unlessAborted } from '../http/single-flight.ts'
import { endpointOf, type ForeignEndpoint, foreignEndpoint, notAgreed } from './catalogue.ts'
import { failureOf, outdatedFailure, type RequestPurpose, unreadable } from './errors.ts'
import type { KeystoneToken } from './keystone-token.ts'
import { loginOf } from './login-of.ts'
import { chooseMicroversion, isVersionDocument, type Microversion, versionText } from './microversion.ts'
import { type ServiceAnswer, type ServiceRequest, USUAL_LIMIT_MS } from './openstack-session.ts'
import type { ResolvedCloud } from './resolved-cloud.ts'
import { SERVICES, type ServiceType } from './services.ts'
import { type SessionToken, validToken } from './session-token.ts'
import type { SessionWire } from './session-wire.ts'

/** What the requests of one session share. Holds a secret: never log, print or pass it on. */
export interface SessionState {
  readonly cloud: ResolvedCloud
  readonly root: string
  readonly clock: Clock
  readonly redactor: Redactor
  readonly wire: SessionWire
  readonly token: SessionToken
  readonly isAgreed: (endpoint: ForeignEndpoint) => boolean
  /** Addresses by the catalogue of one token, looked up once per service. */
  places: { readonly of: KeystoneToken; readonly known: Map<ServiceType, ServicePlace> } | null
  readonly versions: Map<ServiceType, Microversion | null>
  readonly negotiating: Map<ServiceType, () => Promise<Result<Microversion | null>>>
}

interface ServicePlace {
  readonly address: Result<string>
  readonly foreign: ForeignEndpoint | null
}

/** Sends a request with the session's token, and once more with a new one if the service rejects it. */
export async function sendAuthorised(
  state: SessionState,
  service: ServiceType,
  request: ServiceRequest,
  version: Microversion | null,
): Promise<Result<ServiceAnswer>> {
  const { cloud, clock, redactor } = state
  let refused: KeystoneToken | null = null
  for (;;) {
    const held: Result<KeystoneToken> = await unlessAborted(validToken(state.token, refused, clock), callerOf(request))
    if (!held.ok) return held
    const { address, foreign } = placeOf(state, service, held.value)
    // A missing service says nothing about the requested object.
    if (!address.ok) return failed({ ...address.failure, code: 'bad-input' })
    if (foreign !== null && !state.isAgreed(foreign)) return failed(notAgreed(foreign, cloud.name, request))
    const outcome = await state.wire.send(service, {
      method: request.method,
      url: urlOf(address.value, request),
      headers: { 'x-auth-token': held.value.value, ...versionHeaders(service, version) },
      body: request.body ?? null,
      isRead: request.method === 'GET',
      timeoutMs: request.timeoutMs ?? USUAL_LIMIT_MS,
      signal: request.signal,
    })
    const purpose = purposeOf(state, service, address.value, request)
    if (outcome.kind === 'answer' && outcome.status >= 200 && outcome.status < 300) {
      return answerOf(outcome, purpose, version, redactor)
    }
    // A request rejected for its token did nothing, so any request may be repeated once.
    if (outcome.kind === 'answer' && outcome.status === 401 && refused === null) {
      refused = held.value
      continue
    }
    if (outcome.kind === 'answer' && outcome.status === 406) state.versions.delete(service)
    return failed(failureOf(outcome, purpose, redactor.text, clock.now()))
  }
}

function urlOf(address: string, { path, query = {} }: ServiceRequest): URL {
  const url = new URL(`${address}${path}`)
  for (const [name, value] of Object.entries(query)) url.searchParams.append(name, value)
  return url
}

/** A 2xx answer, if it is in the requested microversion, which defines its fields. */
function answerOf(
  answer: HttpAnswer,
  purpose: RequestPurpose,
  version: Microversion | null,
  redactor: Redactor,
): Result<ServiceAnswer> {
  const { status, headers, body } = answer
  const invalid = (why: Finding) => unreadable(answer, purpose, redactor.text, why)
  const spoken = versionReported(purpose.service, headers)
  if (version !== null && spoken !== versionText(version)) {
    return failed(invalid(because('OtherMicroversion', { asked: versionText(version), reported: spoken })))
  }
  return ok({
    status,
    headers,
    body: serverJsonOf(body),
    isEmpty: body === '',
    unreadable: invalid,
    ofThePast: why => outdatedFailure(answer, purpose, why),
  })
}

function purposeOf(
  { token: { latest } }: SessionState,
  service: ServiceType,
  address: string,
  request: ServiceRequest,
): RequestPurpose {
  return {
    call: request.call,
    service,
    address,
    who: loginOf(latest),
    projectName: latest.projectName,
    changes: request.method !== 'GET',
    target: request.target,
  }
}

function placeOf(state: SessionState, service: ServiceType, held: KeystoneToken): ServicePlace {
  // Keystone is reachable where we logged in, whatever the catalogue says.
  if (service === 'identity') return { address: ok(state.root), foreign: null }
  if (state.places?.of !== held) state.places = { of: held, known: new Map() }
  const known = state.places.known.get(service)
  if (known !== undefined) return known
  const place = placeInCatalogue(state, service, held)
  state.places.known.set(service, place)
  return place
}

function placeInCatalogue({ cloud, root }: SessionState, service: ServiceType, held: KeystoneToken): ServicePlace {
  const address = endpointOf(service, held.catalogue, cloud)
  return { address, foreign: address.ok ? foreignEndpoint(service, address.value, root, cloud) : null }
}

/** The microversion to use with a service; null if it has none. Asks the service once for concurrent callers. */
export async function agreedMicroversion(
  state: SessionState,
  service: ServiceType,
): Promise<Result<Microversion | null>> {
  if (SERVICES[service].microversions === null) return ok(null)
  const agreed = state.versions.get(service)
  if (agreed !== undefined) return ok(agreed)
  const flight = state.negotiating.get(service) ?? createSingleFlight(() => negotiate(state, service))
  state.negotiating.set(service, flight)
  return flight()
}

async function negotiate(state: SessionState, service: ServiceType): Promise<Result<Microversion | null>> {
  const read = await sendAuthorised(state, service, { method: 'GET', path: '/', call: askVersions(service) }, null)
  if (!read.ok) return read
  const cap = service === 'compute' ? state.cloud.computeMaxMicroversion : undefined
  // Watcher sends its maximum only in this header.
  const reported = read.value.headers['openstack-api-maximum-version']
  const document = reported === undefined ? read.value.body : { version: { max_version: reported } }
  if (!isVersionDocument(read.value.body)) return failed(read.value.unreadable(because('NoApiVersions')))
  const chosen = chooseMicroversion(service, document, cap)
  if (chosen.ok) state.versions.set(service, chosen.value)
  return chosen
}

export function askVersions(service: ServiceType): Finding {
  return call('AskApiVersions', { service: SERVICES[service].name })
}

export function callerOf({ call: doing, signal }: Pick<ServiceRequest, 'call' | 'signal'>) {
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
    'openstack-api-version': `${microversions.header} ${versionText(version)}`,
    ...(service === 'compute' ? { 'x-openstack-nova-api-version': versionText(version) } : {}),
  }
}
