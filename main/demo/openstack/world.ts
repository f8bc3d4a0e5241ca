import type { Cloud, MigrationRecord, Server } from './cloud.ts'
import type { FaultTable } from './faults.ts'
import type { MigrationSlots } from './migration-slots.ts'
import type { Timings } from './timings.ts'

/** What the processes inside the embedded cloud share: the cloud, its faults, its pace, and the signal of its end. */
export interface World {
  readonly cloud: Cloud
  readonly faults: FaultTable
  readonly timings: Timings
  readonly slots: MigrationSlots
  readonly signal: AbortSignal
  /** The minor of the newest microversion that Nova knows: it tells its release. */
  readonly novaMinor: number
  /** Runs something that outlives the request that began it. */
  readonly spawn: (work: Promise<void>) => void
}

/** Waits, unless the simulator stops; false when it did, and then nothing more may be changed. */
export async function pause(world: Pick<World, 'cloud' | 'signal'>, ms: number): Promise<boolean> {
  if (ms > 0) await world.cloud.clock.sleep(ms, world.signal)
  return !world.signal.aborted
}

/** Marks a server as changed now. */
export function touch(world: World, server: Server): void {
  server.updatedAt = world.cloud.clock.now()
}

/** Moves a migration record to a status, now. */
export function record(world: World, migration: MigrationRecord, status: string): void {
  migration.status = status
  migration.updatedAt = world.cloud.clock.now()
}

/** Whether the nova-compute of a host reports and was not declared down. */
export function isComputeUp(cloud: Cloud, host: string): boolean {
  const service = cloud.services.find(each => each.binary === 'nova-compute' && each.host === host)
  return service?.alive === true && !service.forcedDown
}
