/** How long things take in the embedded cloud, in milliseconds of the injected clock. */
export interface Timings {
  /** From the 202 of os-migrateLive to the migration record: the API hands over to the conductor (2.34+). */
  readonly conductorMs: number
  /** From `accepted` to a chosen target. */
  readonly scheduleMs: number
  readonly prepareMs: number
  /** Copying memory, per GiB of the flavor, kept between the two bounds. */
  readonly runMsPerGib: number
  readonly runMinMs: number
  readonly runMaxMs: number
  /** The server is ACTIVE on its new host this long before its record says `completed` (lab README: 0.1 to 0.4 s). */
  readonly settleMinMs: number
  readonly settleMaxMs: number
  /** One step of a cold migration, a resize confirmation or a revert. */
  readonly coldStepMs: number
  /** Rebuilding an evacuated server on its new host. */
  readonly rebuildMs: number
  /** From the first report of a nova-compute that comes back to the end of its clean-up. */
  readonly initHostMs: number
  /** From the moment at which a nova-compute is enabled to that at which Placement has its host open again. */
  readonly opensMs: number
  /** Stop, start, pause and their like. */
  readonly powerMs: number
  readonly deleteMs: number
  /** How often a Neutron agent reports. */
  readonly agentReportMs: number
  /** A service that has not reported for so long is down (nova.conf service_down_time). */
  readonly serviceDownMs: number
  /** An agent that has not reported for so long is dead (neutron.conf agent_down_time). */
  readonly agentDownMs: number
  /** From the start of a nova-compute, or of an agent, to its first report. */
  readonly serviceStartMs: number
  /** From that report to the moment at which Nova has compared the power states of its instances with what runs. */
  readonly powerSyncMs: number
  /** How often Watcher looks and goes on. */
  readonly watcherStepMs: number
  /** After this long Watcher gives up on a migration. */
  readonly watcherMigrationMs: number
  /** How old Watcher's picture of the cloud may grow; its own default is an hour, the lab's 15 s. */
  readonly watcherModelMs: number
}

/** About what the lab measured (PROOF.md): 2 to 4 s for a live migration. */
export const DEFAULT_TIMINGS: Timings = {
  conductorMs: 60,
  scheduleMs: 440,
  prepareMs: 400,
  runMsPerGib: 500,
  runMinMs: 800,
  runMaxMs: 2600,
  settleMinMs: 100,
  settleMaxMs: 400,
  coldStepMs: 700,
  rebuildMs: 1500,
  initHostMs: 800,
  opensMs: 700,
  powerMs: 300,
  deleteMs: 200,
  agentReportMs: 30_000,
  serviceDownMs: 60_000,
  agentDownMs: 75_000,
  serviceStartMs: 4000,
  powerSyncMs: 10_000,
  watcherStepMs: 300,
  watcherMigrationMs: 900_000,
  watcherModelMs: 15_000,
}

/** The same cloud, `speed` times as fast. */
export function spedUp(timings: Timings, speed: number): Timings {
  const scaled = Object.entries(timings).map(([name, ms]: readonly [string, number]) => [name, ms / speed])
  return Object.fromEntries(scaled) as Timings
}

/** How long a server of this size copies its memory. */
export function runMs(timings: Timings, ramMib: number): number {
  return Math.min(timings.runMaxMs, Math.max(timings.runMinMs, (ramMib / 1024) * timings.runMsPerGib))
}
