import type { Lie } from '../lie.ts'
import type { Cloud, Server } from './cloud.ts'
import type { ApiAnswer, ServiceName } from './http.ts'
import { registerAgain, registerAgent } from './registering.ts'

/** What happens to requests that a rule catches. */
export type FaultEffect =
  /** Answer, but only after this long. */
  | { readonly kind: 'latency'; readonly ms: number }
  /** Answer this instead of doing anything. */
  | {
      readonly kind: 'status'
      readonly status: number
      readonly headers?: Readonly<Record<string, string>>
      readonly json?: unknown
      readonly html?: string
    }
  /** Break the connection: before doing anything, or after it was done but before the answer. */
  | { readonly kind: 'drop'; readonly when: 'before' | 'after' }
  /** Answer something that is not the answer; with the status of the true one (200 where the service never heard of it) unless given. */
  | { readonly kind: 'lie'; readonly lie: Lie; readonly status?: number }

/** Catches requests by service, method and path; each absent condition catches all. */
interface RequestFault {
  readonly service?: ServiceName
  readonly method?: string
  /** Tested against the path with its query, such as `/compute/v2.1/servers/detail?host=cmp-01`. */
  readonly path?: RegExp
  /** Only the first so many; without it, until removed. */
  readonly times?: number
  readonly effect: FaultEffect
}

/**
 * What goes wrong with one server's migrations and power actions; up to `stop_fail` the keys are those of the lab's migration-faults.json
 * (driver/oslab_fake.py), so that one table drives both.
 */
interface ServerFault {
  /** Seconds the live migration stays in `running`. */
  readonly delay?: number
  /** Stays there until aborted, force-completed, or this entry is gone. */
  readonly hang?: boolean
  readonly fail?: boolean
  /** Where it fails: live (rolled back), live-error (not rolled back), pre (on the target), check (target refused), rebuild (of an evacuation). */
  readonly stage?: 'live' | 'live-error' | 'pre' | 'check' | 'rebuild'
  /** Only when the target is one of these. */
  readonly dest?: readonly string[]
  /** Only the first so many attempts fail. */
  readonly times?: number
  readonly cold_delay?: number
  readonly cold_fail?: boolean
  readonly stop_delay?: number
  readonly stop_fail?: boolean
  /** MiB that the guest writes in a second while it is copied. */
  readonly dirty_rate?: number
  /** MiB copied in a second; absent: as `delay` or the flavor has it. */
  readonly copy_rate?: number
  /** Whether a migration that is forced to complete runs on at its destination at once; else the guest is paused until all is copied. */
  readonly post_copy?: boolean
  /** Nova tells no figures of the copying. */
  readonly silent?: boolean
  /** The record of the copying ends so, while the server stays on its host, marked as migrating. */
  readonly lost?: 'completed' | 'failed' | 'error'
  /** The server arrives, and its record says `running` for ever. */
  readonly record_stays?: boolean
}

/** Faults of the embedded cloud, to be changed at any moment. */
export interface Faults {
  /** Adds a rule for requests; call the answer to remove it. */
  readonly onRequests: (fault: RequestFault) => () => void
  /** By server id, name, or `*` for all; the more specific overrides key by key. */
  readonly servers: Record<string, ServerFault>
  /** Makes the nova-compute of a host stop or start reporting. */
  readonly setComputeUp: (host: string, up: boolean) => void
  /** Makes the Neutron agents of a host stop or start reporting. */
  readonly setAgentsAlive: (host: string, alive: boolean) => void
  /** Makes the nova-compute of a host fall silent as of a moment: Nova has it for up until the service_down_time has passed. */
  readonly silenceCompute: (host: string, since: number) => void
  /** The same for the Neutron agents of a host, and the agent_down_time. */
  readonly silenceAgents: (host: string, since: number) => void
  /** Makes a Nova cell unreachable (microversion 2.69 partial answers). */
  readonly setCellUp: (cell: string, up: boolean) => void
  /** Removes all of the above, but for services that were made to stop reporting. */
  readonly clear: () => void
}

/** The faults together with what the simulator asks of them. */
export interface FaultTable extends Faults {
  readonly downCells: ReadonlySet<string>
  readonly catchRequest: (service: ServiceName | null, method: string, path: string) => readonly FaultEffect[]
  readonly serverFault: (server: Server) => ServerFault
  /** True when this attempt has to fail at this stage; counts it. */
  readonly takeFailure: (server: Server, stage: NonNullable<ServerFault['stage']>, dest: string) => boolean
  /** Resolves once the nova-compute of the host reports, at once if it does. */
  readonly untilComputeUp: (host: string, signal: AbortSignal) => Promise<void>
}

/** Makes the fault table of a cloud; `onComputeUp` is what a nova-compute does first when it reports again. */
export function createFaults(cloud: Cloud, onComputeUp: (host: string) => void): FaultTable {
  const rules: { fault: RequestFault; left: number }[] = []
  const servers: Record<string, ServerFault> = {}
  const failures = new Map<string, number>()
  const downCells = new Set<string>()
  const waiting = new Map<string, Set<() => void>>()

  const serverFault = (server: Server): ServerFault => ({
    ...servers['*'],
    ...servers[server.name],
    ...servers[server.id],
  })

  return {
    servers,
    downCells,
    serverFault,
    onRequests: fault => {
      const rule = { fault, left: fault.times ?? Number.POSITIVE_INFINITY }
      rules.push(rule)
      return () => {
        const at = rules.indexOf(rule)
        if (at >= 0) rules.splice(at, 1)
      }
    },
    catchRequest: (service, method, path) => {
      const caught = rules.filter(
        ({ fault, left }) =>
          left > 0 &&
          (fault.service === undefined || fault.service === service) &&
          (fault.method === undefined || fault.method === method) &&
          (fault.path === undefined || fault.path.test(path)),
      )
      for (const rule of caught) rule.left -= 1
      return caught.map(rule => rule.fault.effect)
    },
    takeFailure: (server, stage, dest) => {
      const fault = serverFault(server)
      if (!fault.fail || (fault.stage ?? 'live') !== stage) return false
      if (fault.dest !== undefined && !fault.dest.includes(dest)) return false
      const taken = failures.get(server.id) ?? 0
      if (fault.times !== undefined && taken >= fault.times) return false
      failures.set(server.id, taken + 1)
      return true
    },
    setComputeUp: (host, up) => {
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
    },
    setAgentsAlive: (host, alive) => {
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
    },
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
      rules.length = 0
      for (const key of Object.keys(servers)) delete servers[key]
      failures.clear()
      downCells.clear()
    },
    untilComputeUp: (host, signal) => {
      const service = cloud.services.find(each => each.binary === 'nova-compute' && each.host === host)
      if (service === undefined || (service.alive && service.silentSince === null) || signal.aborted)
        return Promise.resolve()
      return new Promise(resolve => {
        const wakers = waiting.get(host) ?? new Set()
        wakers.add(resolve)
        waiting.set(host, wakers)
        signal.addEventListener('abort', () => resolve(), { once: true })
      })
    },
  }
}

/** The answer of a `status` effect. Status 401 comes as keystonemiddleware words it. */
export function faultAnswer(effect: Extract<FaultEffect, { kind: 'status' }>): ApiAnswer {
  const { status, headers, json, html } = effect
  if (html !== undefined) return { status, html, ...(headers === undefined ? {} : { headers }) }
  const body = json ?? { error: { code: status, title: 'Fault', message: 'Fault injected by the demo cloud.' } }
  return { status, json: body, ...(headers === undefined ? {} : { headers }) }
}
