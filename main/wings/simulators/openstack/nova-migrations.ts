import type { MigrationRecord } from './cloud.ts'
import { type ApiAnswer, asObject } from './http.ts'
import { remainingAfter } from './memory-passes.ts'
import {
  beginAction,
  dateParameter,
  isAnswer,
  NOT_IN_THIS_VERSION,
  type NovaCall,
  type NovaHandler,
  nextPage,
  novaError,
  pageLimit,
  policyRefuses,
  serverOf,
  since,
} from './nova-call.ts'
import type { Route } from './routes.ts'
import { novaTime, wholeSeconds } from './times.ts'

const IN_PROGRESS: ReadonlySet<string> = new Set(['queued', 'preparing', 'running', 'post-migrating'])
const RULE = 'os_compute_api:servers:migrations'

/** Migration records (os-migrations), and a server's live migrations in progress with abort and force-complete. */
export const novaMigrations: readonly Route<NovaHandler>[] = [
  { method: 'GET', path: '/os-migrations', to: listAllowed },
  { method: 'GET', path: '/servers/:id/migrations', to: since(23, listRunning) },
  { method: 'GET', path: '/servers/:id/migrations/:migration', to: since(23, showRunning) },
  { method: 'DELETE', path: '/servers/:id/migrations/:migration', to: since(24, abort) },
  { method: 'POST', path: '/servers/:id/migrations/:migration/action', to: since(22, forceComplete) },
]

const FILTERS = ['hidden', 'host', 'instance_uuid', 'source_compute', 'status', 'migration_type']

/** Newer Novas have another rule for a request beyond the user's own project. */
function listAllowed(call: NovaCall): ApiAnswer {
  const index = 'os_compute_api:os-migrations:index'
  if (call.isAdmin) return list(call)
  if (call.isManager !== true) return policyRefuses(index)
  const isOwn = call.request.query.get('project_id') === call.token.projectId
  return isOwn ? list(call) : policyRefuses(`${index}:all_projects`)
}

function list(call: NovaCall): ApiAnswer {
  const { query } = call.request
  const { cloud } = call.world
  const allowed = new Set([
    ...FILTERS,
    ...(call.minor >= 59 ? ['changes-since', 'limit', 'marker'] : []),
    ...(call.minor >= 66 ? ['changes-before'] : []),
    ...(call.minor >= 80 ? ['user_id', 'project_id'] : []),
  ])
  const unknown = [...query.keys()].find(key => !allowed.has(key))
  if (unknown !== undefined && call.minor >= 59)
    return novaError(400, `Additional properties are not allowed ('${unknown}' was unexpected)`)
  const from = call.minor >= 59 ? dateParameter(call, 'changes-since') : { at: null }
  if ('bad' in from && from.bad !== undefined) return from.bad
  const before = call.minor >= 66 ? dateParameter(call, 'changes-before') : { at: null }
  if ('bad' in before && before.bad !== undefined) return before.bad
  const { limit, bad } = call.minor >= 59 ? pageLimit(call) : { limit: null, bad: undefined }
  if (bad !== undefined) return bad

  const asked = (key: string) => (allowed.has(key) ? query.get(key) : null)
  const is = (key: string, value: string | null) => asked(key) === null || asked(key) === value
  const host = asked('host')
  const rows = cloud.migrations
    .filter(each => is('instance_uuid', each.serverId) && is('status', each.status) && is('migration_type', each.type))
    .filter(each => is('source_compute', each.source) && is('user_id', each.userId) && is('project_id', each.projectId))
    .filter(each => host === null || each.source === host || each.dest === host)
    // A record without a change has no updated_at, and the database's comparison skips it (seen on the lab).
    .filter(each => from.at === null || (each.updatedAt !== null && wholeSeconds(each.updatedAt) >= from.at))
    .filter(each => before.at === null || (each.updatedAt !== null && wholeSeconds(each.updatedAt) <= before.at))
    .reverse()
  const marker = call.minor >= 59 ? query.get('marker') : null
  const start = marker === null ? 0 : rows.findIndex(each => each.uuid === marker) + 1
  if (marker !== null && !cloud.migrations.some(each => each.uuid === marker))
    return novaError(400, `Marker ${marker} could not be found.`)
  const page = rows.slice(start, limit === null ? undefined : start + limit)
  return {
    status: 200,
    json: {
      migrations: page.map(each => recordView(call, each)),
      ...nextPage(
        call,
        'migrations_links',
        limit,
        page.map(each => each.uuid),
      ),
    },
  }
}

function recordView(call: NovaCall, migration: MigrationRecord) {
  const { minor } = call
  const running = migration.type === 'live-migration' && IN_PROGRESS.has(migration.status)
  const self = `/servers/${migration.serverId}/migrations/${migration.id}`
  return {
    id: migration.id,
    ...(minor >= 59 ? { uuid: migration.uuid } : {}),
    source_compute: migration.source,
    dest_compute: migration.dest,
    source_node: migration.source,
    dest_node: migration.dest,
    dest_host: migration.destIp,
    old_instance_type_id: migration.flavorNumber,
    new_instance_type_id: migration.flavorNumber,
    instance_uuid: migration.serverId,
    status: migration.status,
    ...(minor >= 23 ? { migration_type: migration.type } : {}),
    ...(minor >= 80 ? { user_id: migration.userId, project_id: migration.projectId } : {}),
    created_at: novaTime(migration.createdAt),
    updated_at: migration.updatedAt === null ? null : novaTime(migration.updatedAt),
    ...(minor >= 23 && running
      ? {
          links: [
            { rel: 'self', href: `${call.request.base}/v2.1${self}` },
            { rel: 'bookmark', href: `${call.request.base}${self}` },
          ],
        }
      : {}),
  }
}

function progressView(call: NovaCall, migration: MigrationRecord) {
  const { minor } = call
  const { running } = migration
  const isSilent = isSilentServer(call, migration)
  const elapsed = running === null ? 0 : call.world.cloud.clock.now() - running.startedAt
  const total = running === null || isSilent ? null : running.passes.totalBytes
  // A migration that has not ended has memory left to copy.
  const remaining =
    running === null || total === null
      ? null
      : Math.max(remainingAfter(running.passes, elapsed), Math.ceil(total / 100))
  // Disk stays 0 even for block migration (nova doc live-migration-usage.rst).
  const disk = total === null ? null : 0
  return {
    created_at: novaTime(migration.createdAt),
    dest_compute: migration.dest,
    dest_host: migration.destIp,
    dest_node: migration.dest,
    disk_processed_bytes: disk,
    disk_remaining_bytes: disk,
    disk_total_bytes: disk,
    id: migration.id,
    memory_processed_bytes: total === null || remaining === null ? null : total - remaining,
    memory_remaining_bytes: remaining,
    memory_total_bytes: total,
    server_uuid: migration.serverId,
    source_compute: migration.source,
    source_node: migration.source,
    status: migration.status,
    updated_at: migration.updatedAt === null ? null : novaTime(migration.updatedAt),
    ...(minor >= 59 ? { uuid: migration.uuid } : {}),
    ...(minor >= 80 ? { user_id: migration.userId, project_id: migration.projectId } : {}),
  }
}

function isSilentServer(call: NovaCall, { serverId }: MigrationRecord): boolean {
  const server = call.world.cloud.servers.get(serverId)
  return server !== undefined && call.world.faults.serverFault(server).silent === true
}

function runningOf(call: NovaCall): readonly MigrationRecord[] {
  return call.world.cloud.migrations.filter(
    each => each.serverId === call.params.id && each.type === 'live-migration' && IN_PROGRESS.has(each.status),
  )
}

function listRunning(call: NovaCall): ApiAnswer {
  const server = serverOf(call)
  if (isAnswer(server)) return server
  if (!call.isAdmin) return policyRefuses(`${RULE}:index`)
  return { status: 200, json: { migrations: runningOf(call).map(each => progressView(call, each)) } }
}

function showRunning(call: NovaCall): ApiAnswer {
  const server = serverOf(call)
  if (isAnswer(server)) return server
  if (!call.isAdmin) return policyRefuses(`${RULE}:show`)
  const wanted = call.params.migration
  const found = runningOf(call).find(each => String(each.id) === wanted)
  return found === undefined
    ? novaError(404, `In-progress live migration ${wanted} is not found for server ${server.id}.`)
    : { status: 200, json: { migration: progressView(call, found) } }
}

/** Finds the running migration to abort or force, or refuses. */
function runningMigration(
  call: NovaCall,
  rule: string,
  verb: string,
  allowed: readonly string[],
  activeOnly: boolean,
): MigrationRecord | ApiAnswer {
  const server = serverOf(call)
  if (isAnswer(server)) return server
  if (!call.isAdmin && call.isManager !== true) return policyRefuses(`${RULE}:${rule}`)
  const said = rule === 'delete' ? 'abort live migration' : verb
  if (activeOnly && server.vmState !== 'active')
    return novaError(409, `Cannot '${said}' instance ${server.id} while it is in vm_state ${server.vmState}`)
  if (server.taskState !== 'migrating')
    return novaError(
      409,
      server.taskState === null
        ? `Instance ${server.id} is in an invalid state for '${said}'`
        : `Cannot '${said}' instance ${server.id} while it is in task_state ${server.taskState}`,
    )
  const wanted = call.params.migration
  const migration = call.world.cloud.migrations.find(each => String(each.id) === wanted && each.serverId === server.id)
  if (migration === undefined) return novaError(404, `Migration ${wanted} not found for instance ${server.id}`)
  if (!allowed.includes(migration.status))
    return novaError(
      400,
      `Migration ${wanted} state of instance ${server.id} is ${migration.status}. Cannot ${verb} while the migration is in this state.`,
    )
  return migration
}

/** Aborts a live migration: running ones since 2.24, queued and preparing ones since 2.65. */
function abort(call: NovaCall): ApiAnswer {
  const allowed = call.minor >= 65 ? ['queued', 'preparing', 'running'] : ['running']
  const migration = runningMigration(call, 'delete', 'abort live migration', allowed, false)
  if (!('serverId' in migration)) return migration
  logSteering(call, 'live_migration_cancel')
  migration.abortRequested = true
  migration.wake()
  return { status: 202 }
}

/** Makes a running live migration complete now; refused for a paused server (domain.md C.4). */
function forceComplete(call: NovaCall): ApiAnswer {
  if (!Object.hasOwn(asObject(call.request.body), 'force_complete')) return NOT_IN_THIS_VERSION
  const migration = runningMigration(call, 'force_complete', 'force_complete', ['running'], true)
  if (!('serverId' in migration)) return migration
  logSteering(call, 'live_migration_force_complete')
  migration.forceRequested = true
  migration.wake()
  return { status: 202 }
}

function logSteering(call: NovaCall, action: string): void {
  const server = call.world.cloud.servers.get(call.params.id ?? '')
  if (server !== undefined) beginAction(call, server, action)
}
