import type { MeasuredClock } from '../../../shared/domain/clock-skew.ts'
import type { SessionWarning } from '../../../shared/domain/cluster.ts'
import type { Failure } from '../../../shared/domain/failure.ts'
import type { Json } from '../../../shared/domain/json.ts'
import type { Result } from '../../../shared/domain/result.ts'
import type { Finding } from '../../../shared/words/steps/coded.ts'
import type { HttpHeaders } from '../http/exchange.ts'
import type { ForeignEndpoint } from './catalogue.ts'
import type { InstanceNames } from './instance-names.ts'
import type { Microversion } from './microversion.ts'
import type { NewestRows } from './newest-rows.ts'
import type { ServiceType } from './services.ts'

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
export interface ServiceAnswer {
  readonly status: number
  readonly headers: HttpHeaders
  /** Undefined if it is empty or not JSON. */
  readonly body: unknown
  readonly isEmpty: boolean
  readonly unreadable: (why: Finding) => Failure
  readonly ofThePast: (why: Finding) => Failure
}

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

export const USUAL_LIMIT_MS = 30_000
