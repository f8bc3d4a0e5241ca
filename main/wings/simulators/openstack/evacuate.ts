import type { ActionRecord, MigrationRecord, Server } from './cloud.ts'
import { type ApiAnswer, asObject } from './http.ts'
import { newMigration } from './new-migration.ts'
import { beginAction, endAction, type NovaCall, novaError } from './nova-call.ts'
import { pickHost } from './scheduler.ts'
import { isComputeUp, markUpdated, setMigrationStatus, sleepUnlessStopped, type World } from './world.ts'

/** Statuses of an evacuation whose source has not cleaned up yet (nova/compute/manager.py, _destroy_evacuated_instances). */
const UNCLEANED: ReadonlySet<string> = new Set(['accepted', 'pre-migrating', 'done'])

/** The power state after an evacuation: stopped since 2.95, before that unchanged. */
type Left = 'stopped' | 'active'

/**
 * evacuate: Nova rebuilds a server of a failed host elsewhere (nova/compute/api.py, evacuate), and refuses while it
 * considers the host up. A newer Nova accepts a second evacuation during the first, and both rebuild the server.
 */
export function beginEvacuation(call: NovaCall, server: Server, argument: unknown): ApiAnswer {
  const { world } = call
  const asked = asObject(argument).host
  const wanted = typeof asked === 'string' ? asked : null
  const source = server.host
  if (wanted !== null && !world.cloud.hosts.has(wanted)) return novaError(404, `Compute host ${wanted} not found.`)
  if (source === null) return novaError(409, `Instance ${server.id} is not ready`)
  if (wanted === source) return novaError(400, "The target host can't be the same one.")
  if (isComputeUp(world.cloud, source)) return novaError(400, `Compute service of ${source} is still in use.`)
  const entry = beginAction(call, server, 'evacuate')
  const left: Left = call.minor >= 95 || server.vmState === 'stopped' ? 'stopped' : 'active'
  server.taskState = 'rebuilding'
  markUpdated(world, server)
  const migration = newMigration(call, server, source, 'evacuation', 'accepted')
  migration.dest = wanted
  world.spawn(rebuild(world, server, migration, { wanted, left, entry }))
  return { status: 200 }
}

async function rebuild(
  world: World,
  server: Server,
  migration: MigrationRecord,
  { wanted, left, entry }: { readonly wanted: string | null; readonly left: Left; readonly entry: ActionRecord },
): Promise<void> {
  if (!(await sleepUnlessStopped(world, world.timings.scheduleMs))) return
  const dest = pickHost(world.cloud, server, new Set([migration.source]), wanted)
  if (dest === null) {
    // A server without a new host ends in ERROR (nova/conductor/manager.py, rebuild_instance).
    broken(world, server, migration, 'error', 'No valid host was found. ')
    endAction(world, entry, 'rebuild_server', null, true)
    return
  }
  migration.dest = dest
  migration.destIp = world.cloud.hosts.get(dest)?.ip ?? null
  setMigrationStatus(world, migration, 'pre-migrating')
  server.taskState = 'rebuild_spawning'
  markUpdated(world, server)
  if (!(await sleepUnlessStopped(world, world.timings.rebuildMs))) return
  if (!world.cloud.servers.has(server.id)) return
  // If the destination dies too, nova-compute cannot record how the rebuild ended.
  if (!isComputeUp(world.cloud, dest)) return
  if (world.faults.takeFailure(server, 'rebuild', dest)) {
    broken(world, server, migration, 'failed', 'Fault injected by the demo cloud')
    endAction(world, entry, 'compute_rebuild_instance', dest, true)
    return
  }
  server.host = dest
  server.vmState = left
  server.powerState = left === 'active' ? 1 : 4
  server.taskState = null
  server.fault = null
  server.launchedAt = world.cloud.clock.now()
  markUpdated(world, server)
  setMigrationStatus(world, migration, 'done')
  endAction(world, entry, 'compute_rebuild_instance', dest, false)
}

function broken(world: World, server: Server, migration: MigrationRecord, status: string, message: string): void {
  server.vmState = 'error'
  server.taskState = null
  server.fault = { message, createdAt: world.cloud.clock.now() }
  markUpdated(world, server)
  setMigrationStatus(world, migration, status)
}

/** A nova-compute that starts again deletes its evacuated servers and frees their resources; after that Nova lets the service be declared up. */
export async function cleanUpEvacuated(world: World, host: string): Promise<void> {
  if (!(await sleepUnlessStopped(world, world.timings.initHostMs))) return
  if (!world.cloud.services.some(({ binary, host: of, alive }) => binary === 'nova-compute' && of === host && alive))
    return
  for (const migration of world.cloud.migrations) {
    if (migration.type === 'evacuation' && migration.source === host && UNCLEANED.has(migration.status)) {
      setMigrationStatus(world, migration, 'completed')
    }
  }
}
