import type { MigrationRecord, Server } from './cloud.ts'
import { stableUuid } from './ids.ts'
import type { NovaCall } from './nova-call.ts'

/** Writes a migration record, as the conductor does. */
export function newMigration(
  call: NovaCall,
  server: Server,
  source: string,
  type: MigrationRecord['type'],
  status: string,
): MigrationRecord {
  const { cloud } = call.world
  const id = cloud.migrations.length + 1
  const migration: MigrationRecord = {
    id,
    uuid: stableUuid(`migration ${id} of ${server.id}`),
    serverId: server.id,
    type,
    source,
    userId: call.token.user.id,
    projectId: call.token.projectId ?? '',
    flavorNumber: server.flavor.number,
    createdAt: cloud.clock.now(),
    status,
    dest: null,
    destIp: null,
    updatedAt: null,
    running: null,
    abortRequested: false,
    forceRequested: false,
    wasStopped: server.vmState === 'stopped',
    wake: () => {},
  }
  cloud.migrations.push(migration)
  return migration
}
