import type { Agent, Cloud, MigrationRecord, NovaService, Server } from './cloud.ts'
import type { FaultTable } from './faults.ts'
import type { MigrationSlots } from './migration-slots.ts'
import type { Timings } from './timings.ts'

/** The state that all processes of the embedded cloud share: the cloud, its faults, its delays, and the signal of its end. */
export interface World {
  readonly cloud: Cloud
  readonly faults: FaultTable
  readonly timings: Timings
  readonly slots: MigrationSlots
  readonly signal: AbortSignal
  /** The minor of Nova's newest microversion, which identifies its release. */
  readonly novaMinor: number
  /** Runs work that outlives its request. */
  readonly spawn: (work: Promise<void>) => void
}

/** Waits; false if the simulator stopped, and then nothing may be changed. */
export async function sleepUnlessStopped(world: Pick<World, 'cloud' | 'signal'>, ms: number): Promise<boolean> {
  if (ms > 0) await world.cloud.clock.sleep(ms, world.signal)
  return !world.signal.aborted
}

export function markUpdated(world: World, server: Server): void {
  server.updatedAt = world.cloud.clock.now()
}

/** Sets a migration record's status and its time. */
export function setMigrationStatus(world: World, migration: MigrationRecord, status: string): void {
  migration.status = status
  migration.updatedAt = world.cloud.clock.now()
}

/** Whether a host's nova-compute reports and was not declared down. */
export function isComputeUp(cloud: Cloud, host: string): boolean {
  const service = cloud.services.find(each => each.binary === 'nova-compute' && each.host === host)
  return service !== undefined && isServiceAlive(cloud, service) && !service.forcedDown
}

/** Whether a service reported within the service_down_time. */
export function isServiceAlive(
  cloud: Cloud,
  { alive, silentSince }: Pick<NovaService, 'alive' | 'silentSince'>,
): boolean {
  return alive && (silentSince === null || cloud.clock.now() - silentSince < cloud.serviceDownMs)
}

/** Whether an agent reported within the agent_down_time. */
export function isAgentAlive(cloud: Cloud, { alive, silentSince }: Pick<Agent, 'alive' | 'silentSince'>): boolean {
  return alive && (silentSince === null || cloud.clock.now() - silentSince < cloud.agentDownMs)
}

/** Returns the time of the last report of a service or an agent. */
export function lastReport(cloud: Cloud, one: Pick<Agent, 'alive' | 'silentSince' | 'lastSeenAt'>): number {
  return one.silentSince ?? (one.alive ? cloud.clock.now() : one.lastSeenAt)
}
