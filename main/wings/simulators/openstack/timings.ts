/** Delays of the embedded cloud, in milliseconds of the injected clock. */
export interface Timings {
  /** From the 202 of os-migrateLive to the migration record, which the conductor writes (since 2.34). */
  readonly conductorMs: number
  readonly scheduleMs: number
  readonly prepareMs: number
  /** Copy time for each GiB of the flavor's memory, between the two bounds. */
  readonly runMsPerGib: number
  readonly runMinMs: number
  readonly runMaxMs: number
  /** From the server being ACTIVE on its new host to the record's `completed` (lab README: 0.1 to 0.4 s). */
  readonly settleMinMs: number
  readonly settleMaxMs: number
  readonly coldStepMs: number
  readonly rebuildMs: number
  /** From the first report of a returning nova-compute to the end of its clean-up. */
  readonly initHostMs: number
  /** From enabling a nova-compute until Placement opens its host. */
  readonly opensMs: number
  readonly powerMs: number
  readonly deleteMs: number
  readonly agentReportMs: number
  /** A service is down after this time without a report (nova.conf service_down_time). */
  readonly serviceDownMs: number
  /** An agent is dead after this time without a report (neutron.conf agent_down_time). */
  readonly agentDownMs: number
  /** From the start of a nova-compute or an agent to its first report. */
  readonly serviceStartMs: number
  /** From that report until Nova has compared its power states with the guests. */
  readonly powerSyncMs: number
  readonly watcherStepMs: number
  /** After this time Watcher gives up on a migration. */
  readonly watcherMigrationMs: number
  /** The longest age of Watcher's model of the cloud; its default is an hour, the lab's 15 s. */
  readonly watcherModelMs: number
}

/** Close to the lab's measurements (PROOF.md): 2 to 4 s for a live migration. */
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

/** Divides all delays by `speed`. */
export function spedUp(timings: Timings, speed: number): Timings {
  const scaled = Object.entries(timings).map(([name, ms]: readonly [string, number]) => [name, ms / speed])
  return Object.fromEntries(scaled) as Timings
}

/** Returns how long a server of this size copies its memory. */
export function runMs(timings: Timings, ramMib: number): number {
  return Math.min(timings.runMaxMs, Math.max(timings.runMinMs, (ramMib / 1024) * timings.runMsPerGib))
}
