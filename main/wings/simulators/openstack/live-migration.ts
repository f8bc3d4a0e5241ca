import type { ActionRecord, MigrationRecord, Server } from './cloud.ts'
import { type ApiAnswer, asObject } from './http.ts'
import { isEndless, type MemoryPasses, passesMs, remainingAfter } from './memory-passes.ts'
import { refusedAtOnce, refusedOnEveryHost } from './move-refusals.ts'
import { newMigration } from './new-migration.ts'
import { beginAction, endAction, type NovaCall, novaError } from './nova-call.ts'
import { pickHost } from './scheduler.ts'
import { runMs } from './timings.ts'
import { isComputeUp, markUpdated, setMigrationStatus, sleepUnlessStopped, type World } from './world.ts'

/** os-migrateLive: sets MIGRATING before the 202. Later failures show only in the migration record (lab README, PROOF.md). */
export function beginLiveMigration(call: NovaCall, server: Server, argument: unknown): ApiAnswer {
  const asked = asObject(argument).host
  const wanted = typeof asked === 'string' ? asked : null
  const { world } = call
  if (wanted !== null && !world.cloud.hosts.has(wanted))
    return novaError(400, `Compute host ${wanted} could not be found.`)
  const source = server.host
  if (source === null) return novaError(409, `Instance ${server.id} is not ready`)
  const refusal = refusedAtOnce(world, server, 'live')
  if (refusal !== null) return refusal
  const entry = beginAction(call, server, 'live-migration')
  server.taskState = 'migrating'
  markUpdated(world, server)
  world.spawn(liveMigrate(call, server, source, wanted, entry))
  return { status: 202 }
}

type Ending = 'completed' | 'lost' | 'failed' | 'error' | 'cancelled' | 'broken' | 'stopped'

async function liveMigrate(
  call: NovaCall,
  server: Server,
  source: string,
  wanted: string | null,
  entry: ActionRecord,
): Promise<void> {
  const { world } = call
  if (!(await sleepUnlessStopped(world, world.timings.conductorMs))) return
  const migration = newMigration(call, server, source, 'live-migration', 'accepted')
  const ending = await toItsEnd(world, server, migration, wanted)
  if (ending === 'stopped' || !world.cloud.servers.has(server.id)) return
  // The nova-compute lost the migration and writes nothing more about the server.
  if (ending === 'lost') return
  if (ending !== 'completed') {
    if (server.taskState === 'migrating') server.taskState = null
    if (ending === 'broken') server.vmState = 'error'
    markUpdated(world, server)
    setMigrationStatus(world, migration, ending === 'broken' ? 'error' : ending)
  }
  // The action log counts a failed copy that was rolled back as a success; only the conductor's refusal is an error.
  endAction(
    world,
    entry,
    ending === 'error' ? 'conductor_live_migrate_instance' : 'compute_live_migration',
    source,
    ending === 'error',
  )
}

async function toItsEnd(
  world: World,
  server: Server,
  migration: MigrationRecord,
  wanted: string | null,
): Promise<Ending> {
  if (!(await sleepUnlessStopped(world, world.timings.scheduleMs))) return 'stopped'
  const { source } = migration
  if (!isComputeUp(world.cloud, source) || wanted === source) return 'error'
  const dest = refusedOnEveryHost(world, server) ? null : chooseTarget(world, server, source, wanted)
  if (dest === null) return 'error'
  migration.dest = dest
  setMigrationStatus(world, migration, 'queued')

  const queued = await waitInQueue(world, migration)
  if (queued !== 'admitted') return queued
  try {
    return await copy(world, server, migration, dest)
  } finally {
    world.slots.release(source)
  }
}

/** Returns the scheduler's choice after the target's check; a named host gets no second try. */
function chooseTarget(world: World, server: Server, source: string, wanted: string | null): string | null {
  const refused = new Set([source])
  for (;;) {
    const dest = pickHost(world.cloud, server, refused, wanted)
    if (dest === null || !world.faults.takeFailure(server, 'check', dest)) return dest
    refused.add(dest)
  }
}

async function waitInQueue(world: World, migration: MigrationRecord): Promise<'admitted' | 'cancelled' | 'stopped'> {
  const waking = new AbortController()
  migration.wake = () => waking.abort()
  if (await world.slots.acquire(migration.source, AbortSignal.any([world.signal, waking.signal]))) return 'admitted'
  return world.signal.aborted ? 'stopped' : 'cancelled'
}

async function copy(world: World, server: Server, migration: MigrationRecord, dest: string): Promise<Ending> {
  setMigrationStatus(world, migration, 'preparing')
  await sleepUnlessWoken(world, migration, world.timings.prepareMs)
  if (world.signal.aborted) return 'stopped'
  if (migration.abortRequested) return 'cancelled'
  if (!isComputeUp(world.cloud, dest) || world.faults.takeFailure(server, 'pre', dest)) return 'failed'

  migration.running = { startedAt: world.cloud.clock.now(), passes: passesOf(world, server) }
  setMigrationStatus(world, migration, 'running')
  const copied = await copyMemory(world, server, migration)
  if (copied !== 'copied') return copied
  const { lost } = world.faults.serverFault(server)
  if (lost !== undefined) {
    setMigrationStatus(world, migration, lost)
    return 'lost'
  }

  server.host = dest
  if (server.taskState === 'migrating') server.taskState = null
  markUpdated(world, server)
  if (world.faults.serverFault(server).record_stays !== true) world.spawn(completeRecord(world, migration))
  return 'completed'
}

function passesOf(world: World, server: Server): MemoryPasses {
  const { delay, copy_rate: copyRate, dirty_rate: dirtyRate = 0, written } = world.faults.serverFault(server)
  const totalBytes = server.flavor.ramMib * 2 ** 20
  const onePassMs = Math.max(1, delay === undefined ? runMs(world.timings, server.flavor.ramMib) : delay * 1000)
  const copyPerMs = copyRate === undefined ? totalBytes / onePassMs : (copyRate * 2 ** 20) / 1000
  const writes = written === undefined ? {} : { writtenBytes: written * 2 ** 20 }
  return { totalBytes, copyPerMs, dirtyPerMs: (dirtyRate * 2 ** 20) / 1000, ...writes }
}

/** When the copy ends. A guest that stops writing as fast as it is copied lets it end: the rest is copied once. */
function endOfCopy(world: World, server: Server, migration: MigrationRecord): number {
  const { running } = migration
  if (running === null) return 0
  if (isEndless(running.passes) && !isEndless(passesOf(world, server))) {
    const { totalBytes, copyPerMs } = running.passes
    const now = world.cloud.clock.now()
    const copied = totalBytes - remainingAfter(running.passes, now - running.startedAt)
    migration.running = {
      startedAt: now - copied / copyPerMs,
      passes: { totalBytes, copyPerMs, dirtyPerMs: 0 },
    }
    return endOfCopy(world, server, migration)
  }
  return running.startedAt + passesMs(running.passes)
}

/** After a switch to post-copy the guest resumes at its destination at once; otherwise it is paused until the copy ends. */
async function completeNow(world: World, server: Server, { running }: MigrationRecord): Promise<'copied' | 'stopped'> {
  if (running === null || world.faults.serverFault(server).post_copy === true) return 'copied'
  const { powerState } = server
  server.powerState = PAUSED
  const ms = remainingAfter(running.passes, world.cloud.clock.now() - running.startedAt) / running.passes.copyPerMs
  if (!(await sleepUnlessStopped(world, ms))) return 'stopped'
  server.powerState = powerState
  return 'copied'
}

const PAUSED = 3

async function copyMemory(world: World, server: Server, migration: MigrationRecord): Promise<'copied' | Ending> {
  for (;;) {
    if (world.signal.aborted) return 'stopped'
    // A source that does not run can neither copy nor abort; when it runs again, it gives the migration up.
    if (!isComputeUp(world.cloud, migration.source)) {
      await world.faults.untilComputeUp(migration.source, world.signal)
      return world.signal.aborted ? 'stopped' : 'failed'
    }
    if (migration.abortRequested) return 'cancelled'
    if (migration.forceRequested) return completeNow(world, server, migration)
    const left = endOfCopy(world, server, migration) - world.cloud.clock.now()
    if (left <= 0 && world.faults.serverFault(server).hang !== true) break
    await sleepUnlessWoken(world, migration, Math.max(1, Math.min(left > 0 ? left : HANG_LOOK_MS, HANG_LOOK_MS)))
  }
  const dest = migration.dest ?? ''
  if (!isComputeUp(world.cloud, dest) || world.faults.takeFailure(server, 'live', dest)) return 'failed'
  return world.faults.takeFailure(server, 'live-error', dest) ? 'broken' : 'copied'
}

/** How often a migration checks that its host runs and its fault still exists. */
const HANG_LOOK_MS = 100

async function sleepUnlessWoken(world: World, migration: MigrationRecord, ms: number): Promise<void> {
  if (migration.abortRequested || migration.forceRequested) return
  const waking = new AbortController()
  migration.wake = () => waking.abort()
  await world.cloud.clock.sleep(ms, AbortSignal.any([world.signal, waking.signal]))
}

/** The record is `completed` shortly after the server arrives (PROOF.md). */
async function completeRecord(world: World, migration: MigrationRecord): Promise<void> {
  const { settleMinMs, settleMaxMs } = world.timings
  const ms = settleMinMs + (settleMaxMs - settleMinMs) * world.cloud.clock.random()
  if (await sleepUnlessStopped(world, ms)) setMigrationStatus(world, migration, 'completed')
}
