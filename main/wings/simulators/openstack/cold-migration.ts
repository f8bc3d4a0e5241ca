import type { ActionRecord, MigrationRecord, Server } from './cloud.ts'
import { type ApiAnswer, asObject } from './http.ts'
import { refusedAtOnce } from './move-refusals.ts'
import { newMigration } from './new-migration.ts'
import { beginAction, endAction, type NovaCall, novaError } from './nova-call.ts'
import { pickHost } from './scheduler.ts'
import { isComputeUp, markUpdated, setMigrationStatus, sleepUnlessStopped, type World } from './world.ts'

/** migrate: ends in VERIFY_RESIZE on the new host and waits for a confirmation or a revert (PROOF.md). */
export function beginColdMigration(call: NovaCall, server: Server, argument: unknown): ApiAnswer {
  const { world } = call
  const asked = call.minor >= 56 ? asObject(argument).host : undefined
  const wanted = typeof asked === 'string' ? asked : null
  const source = server.host
  if (source === null) return novaError(409, `Instance ${server.id} is not ready`)
  if (wanted !== null && !world.cloud.hosts.has(wanted))
    return novaError(400, `Compute host ${wanted} could not be found.`)
  if (wanted === source) return novaError(400, 'Cannot migrate to the host where the server exists.')
  if (!isComputeUp(world.cloud, source)) return novaError(409, 'Service is unavailable at this time.')
  const refusal = refusedAtOnce(world, server, 'cold')
  if (refusal !== null) return refusal
  const entry = beginAction(call, server, 'migrate')
  server.taskState = 'resize_prep'
  markUpdated(world, server)
  world.spawn(coldMigrate(call, server, source, wanted, entry))
  return { status: 202 }
}

async function coldMigrate(
  call: NovaCall,
  server: Server,
  source: string,
  wanted: string | null,
  entry: ActionRecord,
): Promise<void> {
  const { world } = call
  if (!(await sleepUnlessStopped(world, world.timings.conductorMs))) return
  const migration = newMigration(call, server, source, 'migration', 'pre-migrating')
  if (!(await sleepUnlessStopped(world, world.timings.scheduleMs))) return
  const dest = pickHost(world.cloud, server, new Set([source]), wanted)
  if (dest === null) {
    server.taskState = null
    server.fault = { message: 'No valid host was found. ', createdAt: world.cloud.clock.now() }
    markUpdated(world, server)
    setMigrationStatus(world, migration, 'error')
    endAction(world, entry, 'conductor_migrate_server', null, true)
    return
  }
  migration.dest = dest
  migration.destIp = world.cloud.hosts.get(dest)?.ip ?? null
  setMigrationStatus(world, migration, 'migrating')
  server.taskState = 'resize_migrating'
  markUpdated(world, server)
  const fault = world.faults.serverFault(server)
  if (!(await sleepUnlessStopped(world, (fault.cold_delay ?? world.timings.coldStepMs / 1000) * 1000))) return
  if (fault.cold_fail === true) {
    server.taskState = null
    server.vmState = 'error'
    server.fault = { message: 'Resize error: fault injected by the demo cloud', createdAt: world.cloud.clock.now() }
    markUpdated(world, server)
    setMigrationStatus(world, migration, 'error')
    endAction(world, entry, 'compute_resize_instance', source, true)
    return
  }
  server.host = dest
  server.taskState = 'resize_migrated'
  markUpdated(world, server)
  setMigrationStatus(world, migration, 'post-migrating')
  if (!(await sleepUnlessStopped(world, world.timings.coldStepMs))) return
  server.taskState = 'resize_finish'
  markUpdated(world, server)
  if (!(await sleepUnlessStopped(world, world.timings.coldStepMs))) return
  server.vmState = 'resized'
  server.taskState = null
  server.powerState = migration.wasStopped ? 4 : 1
  server.launchedAt = world.cloud.clock.now()
  markUpdated(world, server)
  setMigrationStatus(world, migration, 'finished')
  endAction(world, entry, 'compute_finish_resize', dest, false)
}

function finishedMigration(world: World, server: Server): MigrationRecord | undefined {
  return world.cloud.migrations.findLast(each => each.serverId === server.id && each.status === 'finished')
}

/** confirmResize: answers 204; VERIFY_RESIZE stays for a moment. */
export function beginConfirming(call: NovaCall, server: Server): ApiAnswer {
  const { world } = call
  const migration = finishedMigration(world, server)
  if (migration === undefined) return novaError(400, 'Instance has not been resized.')
  const entry = beginAction(call, server, 'confirmResize')
  setMigrationStatus(world, migration, 'confirming')
  world.spawn(finishResize(world, server, migration, entry, 'confirmed'))
  return { status: 204 }
}

/** revertResize: moves the server back to the old host. */
export function beginReverting(call: NovaCall, server: Server): ApiAnswer {
  const { world } = call
  const migration = finishedMigration(world, server)
  if (migration === undefined) return novaError(400, 'Instance has not been resized.')
  const entry = beginAction(call, server, 'revertResize')
  server.taskState = 'resize_reverting'
  markUpdated(world, server)
  setMigrationStatus(world, migration, 'reverting')
  world.spawn(finishResize(world, server, migration, entry, 'reverted'))
  return { status: 202 }
}

async function finishResize(
  world: World,
  server: Server,
  migration: MigrationRecord,
  entry: ActionRecord,
  ending: 'confirmed' | 'reverted',
): Promise<void> {
  if (!(await sleepUnlessStopped(world, world.timings.coldStepMs))) return
  if (ending === 'reverted') {
    server.host = migration.source
    if (!(await sleepUnlessStopped(world, world.timings.coldStepMs))) return
  }
  server.vmState = migration.wasStopped ? 'stopped' : 'active'
  server.taskState = null
  markUpdated(world, server)
  setMigrationStatus(world, migration, ending)
  const event = ending === 'confirmed' ? 'compute_confirm_resize' : 'compute_finish_revert_resize'
  endAction(world, entry, event, server.host, false)
}
