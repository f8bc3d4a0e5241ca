import type { Lie } from '../lie.ts'
import type { Cloud, Server } from './cloud.ts'
import type { ApiAnswer, ServiceName } from './http.ts'
import { registerAgain, registerAgent } from './registering.ts'

export type FaultEffect =
  | { readonly kind: 'latency'; readonly ms: number }
  /** Answers this without doing any work. */
  | {
      readonly kind: 'status'
      readonly status: number
      readonly headers?: Readonly<Record<string, string>>
      readonly json?: unknown
      readonly html?: string
    }
  /** Cuts the connection before the work, or after it and before the answer. */
  | { readonly kind: 'drop'; readonly when: 'before' | 'after' }
  /** Sends a false answer; the default status is the true one, or 200 if the service did not get the request. */
  | { readonly kind: 'lie'; readonly lie: Lie; readonly status?: number }

/** Catches requests by service, method and path; an absent condition matches all. */
interface RequestFault {
  readonly service?: ServiceName
  readonly method?: string
  /** Tested against the path with its query, such as `/compute/v2.1/servers/detail?host=cmp-01`. */
  readonly path?: RegExp
  /** How many requests it catches; by default all until removed. */
  readonly times?: number
  readonly effect: FaultEffect
}

/** Faults of one server's migrations and power actions; the keys up to `stop_fail` come from the lab's migration-faults.json (driver/oslab_fake.py). */
interface ServerFault {
  /** Seconds that the live migration stays in `running`. */
  readonly delay?: number
  /** Stays `running` until it is aborted, forced to complete, or this entry is removed. */
  readonly hang?: boolean
  readonly fail?: boolean
  /** Where it fails: live (rolled back), live-error (not rolled back), pre (on the target), check (target refused), rebuild (of an evacuation). */
  readonly stage?: 'live' | 'live-error' | 'pre' | 'check' | 'rebuild'
  readonly dest?: readonly string[]
  readonly times?: number
  readonly cold_delay?: number
  readonly cold_fail?: boolean
  readonly stop_delay?: number
  readonly stop_fail?: boolean
  /** MiB that the guest writes per second during the copy. */
  readonly dirty_rate?: number
  /** MiB that it writes again and again; the default is all its memory. */
  readonly written?: number
  /** MiB copied per second; the default follows from `delay` or the flavor. */
  readonly copy_rate?: number
  /** Whether a forced migration resumes at its destination at once; otherwise the guest pauses until the copy is complete. */
  readonly post_copy?: boolean
  /** Nova reports no progress of the copy. */
  readonly silent?: boolean
  /** The copy ends with this status of the record, and the server stays on its host as MIGRATING. */
  readonly lost?: 'completed' | 'failed' | 'error'
  /** The server arrives, and its record stays `running` forever. */
  readonly record_stays?: boolean
}

/** Faults of the embedded cloud; a test can change them at any time. */
export interface Faults {
  readonly onRequests: (fault: RequestFault) => () => void
  /** Keyed by server id, name, or `*` for all; a more specific entry overrides single keys. */
  readonly servers: Record<string, ServerFault>
  readonly setComputeUp: (host: string, up: boolean) => void
  readonly setAgentsAlive: (host: string, alive: boolean) => void
  /** Silences a host's nova-compute since a time; Nova considers it up until the service_down_time has passed. */
  readonly silenceCompute: (host: string, since: number) => void
  /** The same for the host's Neutron agents and the agent_down_time. */
  readonly silenceAgents: (host: string, since: number) => void
  /** Makes a Nova cell unreachable (microversion 2.69 partial answers). */
  readonly setCellUp: (cell: string, up: boolean) => void
  readonly clear: () => void
}

/** The faults with the questions that the simulator asks them. */
export interface FaultTable extends Faults {
  readonly downCells: ReadonlySet<string>
  readonly catchRequest: (service: ServiceName | null, method: string, path: string) => readonly FaultEffect[]
  readonly serverFault: (server: Server) => ServerFault
  /** Whether this attempt must fail at this stage; counts it. */
  readonly takeFailure: (server: Server, stage: NonNullable<ServerFault['stage']>, dest: string) => boolean
  /** Resolves when the host's nova-compute reports, at once if it already does. */
  readonly untilComputeUp: (host: string, signal: AbortSignal) => Promise<void>
}

interface FaultState {
  readonly cloud: Cloud
  readonly onComputeUp: (host: string) => void
  readonly rules: { readonly fault: RequestFault; left: number }[]
  readonly servers: Record<string, ServerFault>
  /** How many attempts of each server have failed. */
  readonly failures: Map<string, number>
  readonly downCells: Set<string>
  /** Called when the nova-compute of a host reports again. */
  readonly waiting: Map<string, Set<() => void>>
}

/** Makes the fault table of a cloud; `onComputeUp` runs first when a nova-compute reports again. */
export function createFaults(cloud: Cloud, onComputeUp: (host: string) => void): FaultTable {
  const state: FaultState = {
    cloud,
    onComputeUp,
    rules: [],
    servers: {},
    failures: new Map(),
    downCells: new Set(),
    waiting: new Map(),
  }
  const { servers, downCells } = state
  return {
    servers,
    downCells,
    serverFault: server => serverFault(state, server),
    onRequests: fault => addRule(state, fault),
    catchRequest: (service, method, path) => catchRequest(state, service, method, path),
    takeFailure: (server, stage, dest) => takeFailure(state, server, stage, dest),
    setComputeUp: (host, up) => setComputeUp(state, host, up),
    setAgentsAlive: (host, alive) => setAgentsAlive(cloud, host, alive),
    silenceCompute: (host, since) => {
      for (const service of cloud.services) {
        if (service.binary === 'nova-compute' && service.host === host) service.silentSince ??= since
      }
    },
    silenceAgents: (host, since) => {
      for (const agent of cloud.agents) if (agent.host === host) agent.silentSince ??= since
    },
    setCellUp: (cell, up) => {
      if (up) downCells.delete(cell)
      else downCells.add(cell)
    },
    clear: () => {
      state.rules.length = 0
      for (const key of Object.keys(servers)) delete servers[key]
      state.failures.clear()
      downCells.clear()
    },
    untilComputeUp: (host, signal) => untilComputeUp(state, host, signal),
  }
}

function serverFault({ servers }: FaultState, server: Server): ServerFault {
  return { ...servers['*'], ...servers[server.name], ...servers[server.id] }
}

function addRule({ rules }: FaultState, fault: RequestFault): () => void {
  const rule = { fault, left: fault.times ?? Number.POSITIVE_INFINITY }
  rules.push(rule)
  return () => {
    const at = rules.indexOf(rule)
    if (at >= 0) rules.splice(at, 1)
  }
}

function catchRequest(
  { rules }: FaultState,
  service: ServiceName | null,
  method: string,
  path: string,
): readonly FaultEffect[] {
  const caught = rules.filter(
    ({ fault, left }) =>
      left > 0 &&
      (fault.service === undefined || fault.service === service) &&
      (fault.method === undefined || fault.method === method) &&
      (fault.path === undefined || fault.path.test(path)),
  )
  for (const rule of caught) rule.left -= 1
  return caught.map(rule => rule.fault.effect)
}

function takeFailure(
  state: FaultState,
  server: Server,
  stage: NonNullable<ServerFault['stage']>,
  dest: string,
): boolean {
  const fault = serverFault(state, server)
  if (!fault.fail || (fault.stage ?? 'live') !== stage) return false
  if (fault.dest !== undefined && !fault.dest.includes(dest)) return false
  const taken = state.failures.get(server.id) ?? 0
  if (fault.times !== undefined && taken >= fault.times) return false
  state.failures.set(server.id, taken + 1)
  return true
}

function setComputeUp({ cloud, onComputeUp, waiting }: FaultState, host: string, up: boolean): void {
  if (up) registerAgain(cloud, host)
  for (const service of cloud.services) {
    if (service.binary !== 'nova-compute' || service.host !== host) continue
    service.silentSince = null
    if (service.alive === up) continue
    service.alive = up
    service.lastSeenAt = cloud.clock.now()
  }
  if (!up) return
  onComputeUp(host)
  for (const wake of waiting.get(host) ?? []) wake()
  waiting.delete(host)
}

function setAgentsAlive(cloud: Cloud, host: string, alive: boolean): void {
  if (alive) {
    for (const agent of cloud.forgottenAgents.filter(each => each.host === host)) registerAgent(cloud, agent)
  }
  for (const agent of cloud.agents) {
    if (agent.host !== host) continue
    agent.silentSince = null
    if (agent.alive === alive) continue
    agent.alive = alive
    agent.lastSeenAt = cloud.clock.now()
  }
}

function untilComputeUp({ cloud, waiting }: FaultState, host: string, signal: AbortSignal): Promise<void> {
  const service = cloud.services.find(each => each.binary === 'nova-compute' && each.host === host)
  if (service === undefined || (service.alive && service.silentSince === null) || signal.aborted)
    return Promise.resolve()
  return new Promise(resolve => {
    const wakers = waiting.get(host) ?? new Set()
    wakers.add(resolve)
    waiting.set(host, wakers)
    signal.addEventListener('abort', () => resolve(), { once: true })
  })
}

/** Returns the answer of a `status` effect; status 401 has keystonemiddleware's words. */
export function faultAnswer(effect: Extract<FaultEffect, { kind: 'status' }>): ApiAnswer {
  const { status, headers, json, html } = effect
  if (html !== undefined) return { status, html, ...(headers === undefined ? {} : { headers }) }
  const body = json ?? { error: { code: status, title: 'Fault', message: 'Fault injected by the demo cloud.' } }
  return { status, json: body, ...(headers === undefined ? {} : { headers }) }
}
