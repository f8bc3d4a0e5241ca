import { z } from 'zod'
import type { Migration, MigrationProgress } from '../../../shared/domain/openstack.ts'
import { ok, type Result } from '../../../shared/domain/result.ts'
import { because, call } from '../../../shared/words/reasons.ts'
import { askService } from './ask-service.ts'
import type { InstanceNames } from './instance-names.ts'
import { isAtLeast } from './microversion.ts'
import type { Row } from './newest-rows.ts'
import type { OpenStackSession } from './openstack-session.ts'
import { listAll } from './pages.ts'
import { isoTime } from './service-times.ts'

/** A record of GET /os-migrations; `uuid` since 2.59. */
const NovaMigration = z.object({
  id: z.number().int(),
  uuid: z.string().nullish(),
  instance_uuid: z.string().min(1),
  // Since 2.23; null on older records.
  migration_type: z.enum(['live-migration', 'migration', 'resize', 'evacuation']).nullable(),
  status: z.string().min(1),
  source_compute: z.string().nullable(),
  dest_compute: z.string().nullable(),
  created_at: z.string(),
  updated_at: z.string().nullable(),
})

/** An entry of GET /servers/{id}/migrations: live migrations in progress, with the amount moved. */
const RunningMigration = z.object({
  id: z.number().int(),
  uuid: z.string().nullish(),
  server_uuid: z.string().min(1),
  status: z.string().min(1),
  source_compute: z.string().nullable(),
  dest_compute: z.string().nullable(),
  created_at: z.string(),
  updated_at: z.string().nullable(),
  memory_total_bytes: z.number().nullish(),
  memory_processed_bytes: z.number().nullish(),
  memory_remaining_bytes: z.number().nullish(),
  disk_total_bytes: z.number().nullish(),
  disk_processed_bytes: z.number().nullish(),
  disk_remaining_bytes: z.number().nullish(),
})

const RunningList = z.object({ migrations: z.array(RunningMigration) })

const OF_OTHER_INSTANCE = because('OnesOfOther', { kind: 'migration', of: 'instance' })

function migrationFrom(record: z.infer<typeof NovaMigration>): Migration {
  return {
    id: record.id,
    uuid: record.uuid ?? null,
    instanceId: record.instance_uuid,
    type: record.migration_type ?? 'migration',
    status: record.status,
    sourceHost: record.source_compute,
    destHost: record.dest_compute,
    createdAt: isoTime(record.created_at),
    updatedAt: isoTime(record.updated_at),
    progress: null,
  }
}

/** Each cell numbers its migrations separately. */
function migrationRow(
  instanceId: string,
  { id, updated_at, created_at }: Pick<z.infer<typeof NovaMigration>, 'id' | 'updated_at' | 'created_at'>,
  names: InstanceNames,
): Row {
  return {
    key: `migration/${id}/${instanceId}`,
    is: { kind: 'migration', migration: id, ...names.called(instanceId) },
    changedAt: updated_at ?? created_at,
  }
}

/** A migration in progress; progress is null until Nova reports it. */
function runningMigrationFrom(entry: z.infer<typeof RunningMigration>): Migration {
  const { server_uuid: instanceId, ...rest } = entry
  return {
    ...migrationFrom({ ...rest, instance_uuid: instanceId, migration_type: 'live-migration' }),
    progress: progressFrom(entry),
  }
}

function progressFrom(entry: z.infer<typeof RunningMigration>): MigrationProgress | null {
  if (entry.memory_total_bytes === null || entry.memory_total_bytes === undefined) return null
  return {
    memoryTotal: entry.memory_total_bytes,
    memoryProcessed: entry.memory_processed_bytes ?? 0,
    memoryRemaining: entry.memory_remaining_bytes ?? 0,
    diskTotal: entry.disk_total_bytes ?? 0,
    diskProcessed: entry.disk_processed_bytes ?? 0,
    diskRemaining: entry.disk_remaining_bytes ?? 0,
  }
}

/** Newest first. `host` matches source or destination. Nova's changes-since (2.59) omits records that never changed; below 2.59 the whole list is filtered here. */
export async function listMigrations(
  session: OpenStackSession,
  filter: { readonly instanceId?: string; readonly host?: string; readonly since?: string },
  signal?: AbortSignal,
): Promise<Result<readonly Migration[]>> {
  const version = await session.microversion('compute', signal)
  if (!version.ok) return version
  const paged = version.value !== null && isAtLeast(version.value, { major: 2, minor: 59 })
  const { since } = filter
  const read = await listAll(session, 'compute', {
    collection: 'migrations',
    item: NovaMigration,
    idOf: record => record.uuid ?? String(record.id),
    rowOf: record => migrationRow(record.instance_uuid, record, session.names),
    isAsked: record => {
      if (filter.instanceId !== undefined && record.instance_uuid !== filter.instanceId) return OF_OTHER_INSTANCE
      const { host } = filter
      return host === undefined || record.source_compute === host || record.dest_compute === host
        ? null
        : because('MigrationsOfOtherHosts')
    },
    request: {
      path: '/os-migrations',
      query: {
        ...(filter.instanceId === undefined ? {} : { instance_uuid: filter.instanceId }),
        ...(filter.host === undefined ? {} : { host: filter.host }),
        ...(since !== undefined && paged ? { 'changes-since': since } : {}),
      },
      call:
        filter.instanceId === undefined
          ? call('ListMigrations')
          : call('ListMigrationsOf', session.names.called(filter.instanceId)),
      target: filter.instanceId === undefined ? undefined : `server/${filter.instanceId}`,
      signal,
    },
  })
  if (!read.ok) return read
  return ok(
    read.value
      .map(migrationFrom)
      .filter(record => since === undefined || paged || (record.updatedAt ?? record.createdAt ?? '') >= since)
      .sort((a, b) => (b.createdAt ?? '').localeCompare(a.createdAt ?? '') || b.id - a.id),
  )
}

/** A server's live migration in progress; null if there is none (GET /servers/{id}/migrations). */
export async function readRunningMigration(
  session: OpenStackSession,
  instanceId: string,
  signal?: AbortSignal,
): Promise<Result<Migration | null>> {
  const read = await askService(
    session,
    'compute',
    {
      method: 'GET',
      path: `/servers/${encodeURIComponent(instanceId)}/migrations`,
      call: call('ReadRunningMigration', session.names.called(instanceId)),
      target: `server/${instanceId}`,
      signal,
    },
    RunningList,
    ({ migrations }) => (migrations.every(each => each.server_uuid === instanceId) ? null : OF_OTHER_INSTANCE),
    ({ migrations }) => migrations.map(each => migrationRow(instanceId, each, session.names)),
  )
  if (!read.ok) return read
  const newest = [...read.value.migrations].sort((a, b) => b.id - a.id)[0]
  return ok(newest === undefined ? null : runningMigrationFrom(newest))
}
