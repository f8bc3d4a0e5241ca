import { z } from 'zod'
import type { Instance, InstanceAction, Listing } from '../../../shared/domain/openstack.ts'
import { failed, ok, type Result } from '../../../shared/domain/result.ts'
import { because, call } from '../../../shared/words/reasons.ts'
import { refusal } from '../../../shared/words/refusal.ts'
import { type Finding, itemsOf } from '../../../shared/words/steps/coded.ts'
import type { CloudReads, PagesOfInstances } from '../../ports/openstack.ts'
import { askService } from './ask-service.ts'
import type { Row } from './newest-rows.ts'
import { listServerGroups } from './nova-groups.ts'
import type { OpenStackSession } from './openstack-session.ts'
import { listAll } from './pages.ts'
import { isoTime } from './service-times.ts'

const Flavor = z
  .object({
    original_name: z.string(),
    vcpus: z.number(),
    ram: z.number(),
    disk: z.number(),
    ephemeral: z.number(),
    // Empty text for no swap before embedded flavors (2.47); else a number.
    swap: z.union([z.number(), z.literal('').transform(() => 0)]),
    // Absent for users who may not see them.
    extra_specs: z.record(z.string(), z.string()).default({}),
  })
  .optional()
  // A down cell or an old record may have another form; then the flavor is unknown, not the server.
  .catch(undefined)

// Empty text: it boots from a volume. Since 2.98 an image includes its properties.
const Image = z
  .union([z.literal(''), z.looseObject({ properties: z.record(z.string(), z.coerce.string()).optional() })])
  .optional()
  .catch(undefined)

/** A server of GET /servers/detail and GET /servers/{id} since 2.53. Nullable fields are always present. */
const WholeServer = z.object({
  id: z.string().min(1),
  name: z.string(),
  status: z.string().min(1),
  tenant_id: z.string(),
  user_id: z.string(),
  // Nova sends it only to users who may see hosts.
  'OS-EXT-SRV-ATTR:host': z.string().nullish(),
  'OS-EXT-STS:vm_state': z.string().min(1),
  'OS-EXT-STS:task_state': z.string().nullable(),
  'OS-EXT-STS:power_state': z.number().nullable(),
  'OS-EXT-AZ:availability_zone': z.string().nullable(),
  'OS-SRV-USG:launched_at': z.string().nullable(),
  image: Image,
  'os-extended-volumes:volumes_attached': z.array(z.object({ id: z.string() })),
  pinned_availability_zone: z.string().nullish(),
  server_groups: z.array(z.string()).optional(),
  // `True`, or empty text.
  config_drive: z.string().optional(),
  // Values are null if the request had no hints (nova/api/openstack/compute/views/servers.py, _get_scheduler_hints). Owners write them, so an invalid hint must
  // not make the list of servers unreadable.
  scheduler_hints: z.record(z.string(), z.array(z.string()).catch([])).nullish().catch(undefined),
  tags: z.array(z.string()),
  locked: z.boolean(),
  created: z.string(),
  updated: z.string(),
  flavor: Flavor,
})

/** Since 2.69: a server of a cell that does not answer, with the API database's data only. */
const SilentServer = z.object({
  id: z.string().min(1),
  status: z.literal('UNKNOWN'),
  name: z.undefined().optional(),
  tenant_id: z.string(),
  user_id: z.string().optional(),
  'OS-EXT-STS:vm_state': z.undefined().optional(),
  'OS-EXT-STS:power_state': z.number().nullish(),
  'OS-EXT-AZ:availability_zone': z.string().nullish(),
  image: Image,
  pinned_availability_zone: z.string().nullish(),
  server_groups: z.array(z.string()).optional(),
  created: z.string(),
  flavor: Flavor,
})

const NovaServer = z.union([WholeServer, SilentServer])

const ServerDocument = z.object({ server: NovaServer })

const ActionList = z.object({
  instanceActions: z.array(
    z.object({
      action: z.string(),
      instance_uuid: z.string(),
      request_id: z.string(),
      start_time: z.string(),
      message: z.string().nullish(),
    }),
  ),
})

/** Servers per page: enough for nearly every host, and fast enough for the limit. */
const PAGE = '500'
/** Nova reads every cell for a list of servers. */
const LIST_LIMIT_MS = 90_000

function instanceFrom(server: z.infer<typeof NovaServer>): Instance {
  const { flavor } = server
  const whole = 'tags' in server ? server : null
  return {
    id: server.id,
    name: whole?.name ?? server.id,
    projectId: server.tenant_id,
    userId: server.user_id === undefined || server.user_id === 'UNKNOWN' ? null : server.user_id,
    host: whole?.['OS-EXT-SRV-ATTR:host'] ?? null,
    status: server.status,
    vmState: whole?.['OS-EXT-STS:vm_state'] ?? null,
    taskState: whole?.['OS-EXT-STS:task_state'] ?? null,
    powerState: server['OS-EXT-STS:power_state'] ?? null,
    tags: whole?.tags ?? [],
    flavor:
      flavor === undefined
        ? null
        : {
            name: flavor.original_name,
            vcpus: flavor.vcpus,
            ramMib: flavor.ram,
            diskGib: flavor.disk,
            ephemeralGib: flavor.ephemeral,
            swapMib: flavor.swap,
            extraSpecs: flavor.extra_specs,
          },
    volumeIds: (whole?.['os-extended-volumes:volumes_attached'] ?? []).map(volume => volume.id),
    ...(server.image === undefined ? {} : { bootsFromVolume: server.image === '' }),
    availabilityZone: zoneName(server['OS-EXT-AZ:availability_zone']),
    ...(typeof server.image === 'object' && server.image.properties !== undefined
      ? { imageProperties: server.image.properties }
      : {}),
    ...(whole?.config_drive === undefined ? {} : { hasConfigDrive: whole.config_drive !== '' }),
    ...(whole?.scheduler_hints === undefined ? {} : { schedulerHints: whole.scheduler_hints ?? {} }),
    pinnedZone: server.pinned_availability_zone,
    serverGroupIds: server.server_groups ?? [],
    locked: whole?.locked ?? false,
    createdAt: isoTime(server.created),
    launchedAt: isoTime(whole?.['OS-SRV-USG:launched_at']),
    updatedAt: isoTime(whole?.updated),
    partial: whole === null,
  }
}

/** Each page becomes instances at once: a list of thousands is not held twice. */
const ListedServer = NovaServer.transform(instanceFrom)

function instanceRow({ id, name, partial, updatedAt }: Instance): Row {
  return { key: `instance/${id}`, is: { kind: 'instance', id, name: partial ? null : name }, changedAt: updatedAt }
}

function zoneName(zone: string | null | undefined): string | null {
  return zone === null || zone === undefined || zone === '' || zone === 'UNKNOWN' ? null : zone
}

/** Whether a server is on another host: then the list is not this host's. */
function isElsewhere(instance: Instance, host: string | undefined): boolean {
  return host !== undefined && instance.host !== null && instance.host !== host
}

/** The servers of all projects on one host, with tags and server groups. The filter is not trusted: a list with servers of other hosts is a failure. */
export async function listInstancesOnHost(
  session: OpenStackSession,
  host: string,
  signal?: AbortSignal,
  reads?: CloudReads,
): Promise<Result<Listing<Instance>>> {
  const all = await listServers(session, { host }, call('ListInstancesOn', { host }), { signal, reads })
  if (!all.ok) return all
  const hidden = all.value.items.find(
    instance => instance.host === null && !instance.partial && instance.vmState !== 'building',
  )
  if (hidden !== undefined && all.value.items.every(instance => instance.host === null)) {
    return failed(refusal('not-permitted', because('HostsOfInstancesHidden', { host }), { target: `host/${host}` }))
  }
  return ok({
    items: all.value.items.filter(instance => instance.host === host),
    unreachable: all.value.unreachable,
  })
}

export function listAllInstances(
  session: OpenStackSession,
  signal?: AbortSignal,
  reads?: GroupReads,
  pages: PagesOfInstances = {},
): Promise<Result<Listing<Instance>>> {
  return listServers(session, {}, call('ListInstances'), { signal, reads, ...pages })
}

/** The servers of all projects changed since a time (Nova's clock, whole seconds), with deleted ones. Nova does not count tags as a change. */
export async function listInstancesChangedSince(
  session: OpenStackSession,
  since: string,
  signal?: AbortSignal,
  reads?: GroupReads,
): Promise<Result<Listing<Instance> & { readonly deletedIds: readonly string[] }>> {
  const filter = { 'changes-since': since }
  const changed = await listServers(session, filter, call('ListChangedInstances'), { signal, reads })
  if (!changed.ok) return changed
  const isDeleted = ({ status, vmState }: Instance) => status === 'DELETED' || vmState === 'deleted'
  return ok({
    items: changed.value.items.filter(instance => !isDeleted(instance)),
    deletedIds: changed.value.items.filter(isDeleted).map(instance => instance.id),
    unreachable: changed.value.unreachable,
  })
}

type GroupReads = Pick<CloudReads, 'serverGroups'>

interface ListOptions {
  readonly signal: AbortSignal | undefined
  readonly reads: GroupReads | undefined
  readonly onPage?: PagesOfInstances['onPage']
  readonly pause?: PagesOfInstances['pause']
}

async function listServers(
  session: OpenStackSession,
  filter: { readonly host?: string; readonly 'changes-since'?: string },
  listing: Finding,
  { signal, reads, onPage, pause }: ListOptions,
): Promise<Result<Listing<Instance>>> {
  const servers = await listAll(session, 'compute', {
    collection: 'servers',
    item: ListedServer,
    idOf: instance => instance.id,
    isAsked: instance =>
      isElsewhere(instance, filter.host) ? because('OnesOfOther', { kind: 'server', of: 'host' }) : null,
    rowOf: instanceRow,
    onPage,
    pause,
    request: {
      path: '/servers/detail',
      query: { all_tenants: '1', ...filter, limit: PAGE },
      call: listing,
      timeoutMs: LIST_LIMIT_MS,
      signal,
    },
  })
  if (!servers.ok) return servers
  if (servers.value.length === 0) return ok({ items: [], unreachable: [] })
  const groups = await (reads?.serverGroups(signal) ?? listServerGroups(session, signal))
  if (!groups.ok) return groups
  const groupsOf = new Map<string, string[]>()
  for (const group of groups.value) {
    for (const member of group.memberIds) groupsOf.set(member, [...(groupsOf.get(member) ?? []), group.id])
  }
  const items = servers.value.map(server => ({
    ...server,
    serverGroupIds: groupsOf.get(server.id) ?? [],
  }))
  for (const instance of items) if (!instance.partial) session.names.received(instance.id, instance.name)
  const silent = items.filter(instance => instance.partial)
  return ok({
    items,
    unreachable:
      silent.length === 0
        ? []
        : [
            because('InstancesOfSilentCell', { instances: itemsOf(silent.map(({ id }) => session.names.called(id))) })
              .message,
          ],
  })
}

export async function getInstance(
  session: OpenStackSession,
  id: string,
  signal?: AbortSignal,
): Promise<Result<Instance>> {
  const read = await askService(
    session,
    'compute',
    {
      method: 'GET',
      path: `/servers/${encodeURIComponent(id)}`,
      call: call('ReadInstance', session.names.called(id)),
      target: `server/${id}`,
      signal,
    },
    ServerDocument,
    ({ server }) => (server.id === id ? null : because('OtherOne', { kind: 'server' })),
    ({ server }) => [instanceRow(instanceFrom(server))],
  )
  if (!read.ok) return read
  const instance = instanceFrom(read.value.server)
  if (!instance.partial) session.names.received(id, instance.name)
  // Included since 2.71; before, the groups are listed.
  if (read.value.server.server_groups !== undefined || instance.partial) return ok(instance)
  const groups = await listServerGroups(session, signal)
  if (!groups.ok) return groups
  return ok({
    ...instance,
    serverGroupIds: groups.value.filter(group => group.memberIds.includes(id)).map(group => group.id),
  })
}

export async function listInstanceActions(
  session: OpenStackSession,
  id: string,
  signal?: AbortSignal,
): Promise<Result<readonly InstanceAction[]>> {
  const read = await askService(
    session,
    'compute',
    {
      method: 'GET',
      path: `/servers/${encodeURIComponent(id)}/os-instance-actions`,
      call: call('ReadActionLog', session.names.called(id)),
      target: `server/${id}`,
      signal,
    },
    ActionList,
    ({ instanceActions }) =>
      instanceActions.every(action => action.instance_uuid === id)
        ? null
        : because('OnesOfOther', { kind: 'action', of: 'server' }),
  )
  if (!read.ok) return read
  return ok(
    read.value.instanceActions
      .map(action => ({
        action: action.action,
        requestId: action.request_id,
        startedAt: isoTime(action.start_time) ?? action.start_time,
        message: action.message ?? null,
      }))
      .sort((a, b) => b.startedAt.localeCompare(a.startedAt)),
  )
}
