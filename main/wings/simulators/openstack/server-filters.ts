import type { Server } from './cloud.ts'
import type { ApiAnswer } from './http.ts'
import { dateParameter, type NovaCall, novaError, policyRefuses } from './nova-call.ts'
import { statusOf } from './server-view.ts'
import { wholeSeconds } from './times.ts'

const PAGING = ['limit', 'marker', 'sort_key', 'sort_dir']
const FOR_EVERYBODY: readonly string[] = [
  ...['reservation_id', 'name', 'status', 'image', 'flavor', 'ip', 'ip6', 'changes-since', 'changes-before'],
  ...['all_tenants', 'tags', 'tags-any', 'not-tags', 'not-tags-any', 'locked', 'availability_zone', 'deleted'],
  ...[
    'config_drive',
    'key_name',
    'created_at',
    'launched_at',
    'terminated_at',
    'power_state',
    'task_state',
    'vm_state',
  ],
  ...['progress', 'user_id'],
]
const KNOWN: ReadonlySet<string> = new Set([
  ...PAGING,
  ...FOR_EVERYBODY,
  ...['host', 'node', 'hostname', 'project_id', 'tenant_id', 'uuid', 'description', 'display_name', 'instance_type_id'],
  ...['image_ref', 'kernel_id', 'launch_index', 'ramdisk_id', 'root_device_name', 'soft_deleted', 'access_ip_v4'],
  ...['access_ip_v6', 'auto_disk_config', 'locked_by', 'cleaned', 'architecture', 'services', 'metadata'],
])

const STATUSES: ReadonlySet<string> = new Set([
  ...['ACTIVE', 'BUILD', 'DELETED', 'ERROR', 'HARD_REBOOT', 'MIGRATING', 'PASSWORD', 'PAUSED', 'REBOOT', 'REBUILD'],
  ...['RESCUE', 'RESIZE', 'REVERT_RESIZE', 'SHELVED', 'SHELVED_OFFLOADED', 'SHUTOFF', 'SOFT_DELETED', 'SUSPENDED'],
  ...['VERIFY_RESIZE'],
])

interface ServerFilter {
  readonly matches: (server: Server) => boolean
  readonly withDeleted: boolean
  /** Whether the query has at most `all_tenants`: only then a cell that is down shows partial servers (2.69). */
  readonly plain: boolean
}

/** Reads the filters of GET /servers as nova/api/openstack/compute/servers.py does, or returns its refusal. */
export function serverFilter(call: NovaCall): ServerFilter | ApiAnswer {
  const { query } = call.request
  const unknown = [...query.keys()].find(key => !KNOWN.has(key) && !key.startsWith('_'))
  if (unknown !== undefined && call.minor >= 75)
    return novaError(400, `'${unknown}' does not match any of the regexes: '^_'`)

  // Nova silently drops filters that a plain user may not use (PROOF.md: `host=` is ignored).
  const has = (key: string) => query.has(key) && (call.isAdmin || FOR_EVERYBODY.includes(key))
  const allTenants = everyProject(call)
  if (typeof allTenants === 'object') return allTenants
  if (allTenants && !call.isAdmin) return policyRefuses('os_compute_api:servers:index:get_all_tenants')

  const tests: ((server: Server) => boolean)[] = []
  const asked = query.get('project_id') ?? query.get('tenant_id')
  if (!allTenants) tests.push(server => server.projectId === call.token.projectId)
  else if (asked !== null) tests.push(server => server.projectId === asked)

  if (has('status')) {
    const statuses = query.getAll('status').map(status => status.toUpperCase())
    const known = statuses.filter(status => STATUSES.has(status))
    if (known.length === 0)
      return call.minor >= 38
        ? novaError(400, 'Invalid status value')
        : { matches: () => false, withDeleted: false, plain: false }
    tests.push(server => known.includes(statusOf(server)) || known.includes(statusOf({ ...server, taskState: null })))
  }
  const since = dateParameter(call, 'changes-since')
  if (since.bad !== undefined) return since.bad
  if (since.at !== null) tests.push(changedSince(since.at))
  const before = dateParameter(call, 'changes-before')
  if (before.bad !== undefined && call.minor >= 66) return before.bad
  if (before.at !== null && call.minor >= 66) tests.push(changedBefore(before.at))

  const equals = (key: string, value: (server: Server) => string | null) => {
    if (has(key)) tests.push(server => value(server) === query.get(key))
  }
  equals('host', server => server.host)
  equals('node', server => server.host)
  equals('uuid', server => server.id)
  equals('flavor', server => server.flavor.id)
  equals('user_id', server => server.userId)
  equals('vm_state', server => server.vmState)
  equals('task_state', server => server.taskState)
  equals('power_state', server => String(server.powerState))
  equals('availability_zone', server =>
    server.host === null ? server.pinnedZone : (call.world.cloud.hosts.get(server.host)?.zone ?? null),
  )
  if (call.minor >= 73) equals('locked', server => String(server.locked))
  if (has('name')) tests.push(nameMatches(query.get('name') ?? ''))
  if (call.minor >= 26) tests.push(...tagTests(query))

  const names = [...query.keys()]
  return {
    matches: server => tests.every(test => test(server)),
    withDeleted: since.at !== null || (call.isAdmin && isTrue(query.get('deleted') ?? '0')),
    plain: names.every(name => name === 'all_tenants'),
  }
}

const BOOLEANS = ['0', '1', 'f', 'false', 'n', 'no', 'off', 'on', 't', 'true', 'y', 'yes']

function isTrue(text: string): boolean {
  return ['1', 't', 'true', 'on', 'y', 'yes'].includes(text.toLowerCase())
}

function everyProject(call: NovaCall): boolean | ApiAnswer {
  const text = call.request.query.get('all_tenants')
  if (text === null) return false
  if (text === '') return true
  if (BOOLEANS.includes(text.toLowerCase())) return isTrue(text)
  const accepted = BOOLEANS.map(each => `'${each}'`).join(', ')
  return novaError(400, `Unrecognized value '${text}', acceptable values are: ${accepted}`)
}

function changedSince(at: number) {
  return (server: Server) => wholeSeconds(server.updatedAt) >= at
}

function changedBefore(at: number) {
  return (server: Server) => wholeSeconds(server.updatedAt) <= at
}

/** Matches as MariaDB's REGEXP, as far as JavaScript agrees; an invalid expression is compared as plain text. */
function nameMatches(pattern: string) {
  try {
    const expression = new RegExp(pattern, 'i')
    return (server: Server) => expression.test(server.name)
  } catch {
    return (server: Server) => server.name.includes(pattern)
  }
}

function tagTests(query: URLSearchParams): readonly ((server: Server) => boolean)[] {
  const wanted = (key: string) => (query.get(key) ?? '').split(',').filter(tag => tag !== '')
  const [all, any, notAll, notAny] = ['tags', 'tags-any', 'not-tags', 'not-tags-any'].map(wanted)
  const tests: ((server: Server) => boolean)[] = []
  if (all !== undefined && all.length > 0) tests.push(server => all.every(tag => server.tags.includes(tag)))
  if (any !== undefined && any.length > 0) tests.push(server => any.some(tag => server.tags.includes(tag)))
  if (notAll !== undefined && notAll.length > 0) tests.push(server => !notAll.every(tag => server.tags.includes(tag)))
  if (notAny !== undefined && notAny.length > 0) tests.push(server => !notAny.some(tag => server.tags.includes(tag)))
  return tests
}
