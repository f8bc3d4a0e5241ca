import { randomUUID } from 'node:crypto'
import type { Agent, Cloud } from './cloud.ts'

/** Starts a nova-compute on a host whose service was deleted: it gets a new service for the same host (nova `compute_id`). */
export function registerAgain(cloud: Cloud, host: string): void {
  const forgotten = cloud.forgottenHosts.get(host)
  if (forgotten === undefined) return
  cloud.forgottenHosts.delete(host)
  cloud.hosts.set(host, forgotten.host)
  cloud.services.push({
    ...forgotten.service,
    id: randomUUID(),
    number: Math.max(0, ...cloud.services.map(each => each.number)) + 1,
    alive: true,
    silentSince: null,
    lastSeenAt: cloud.clock.now(),
    enabled: true,
    disabledReason: null,
    opensAt: 0,
    forcedDown: false,
  })
}

/** Registers a deleted Neutron agent that reports again, under a new id. */
export function registerAgent(cloud: Cloud, agent: Agent): void {
  const at = cloud.forgottenAgents.indexOf(agent)
  if (at < 0) return
  cloud.forgottenAgents.splice(at, 1)
  const now = cloud.clock.now()
  cloud.agents.push({
    ...agent,
    id: randomUUID(),
    createdAt: now,
    alive: true,
    silentSince: null,
    lastSeenAt: now,
    adminStateUp: true,
  })
}
