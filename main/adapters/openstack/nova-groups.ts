import { z } from 'zod'
import type { Aggregate, AvailabilityZone, ServerGroup } from '../../../shared/domain/openstack.ts'
import { failed, ok, type Result } from '../../../shared/domain/result.ts'
import { call } from '../../../shared/words/reasons.ts'
import { askService } from './ask-service.ts'
import type { OpenStackSession } from './openstack-session.ts'
import { endlessList } from './pages.ts'

/** GET /os-server-groups: `policy` since 2.64, a list before. */
const NovaServerGroup = z
  .object({
    id: z.string().min(1),
    name: z.string(),
    policy: z.string().optional(),
    policies: z.array(z.string()).optional(),
    rules: z.object({ max_server_per_host: z.coerce.number().int().min(1).optional() }).nullish(),
    members: z.array(z.string()),
  })
  .refine(group => group.policy !== undefined || group.policies !== undefined, 'no policy')

const GroupList = z.object({ server_groups: z.array(NovaServerGroup) })

/** Pages of groups have offsets and no links, and Nova may shorten them (`max_limit`). Nobody configures less than a hundred. */
const SMALLEST_PAGE = 100
/** At least ten thousand groups; more pages mean a broken list. */
const MOST_PAGES = 100

/** The server groups of all projects; a user without admin rights silently gets only one project's groups. */
export async function listServerGroups(
  session: OpenStackSession,
  signal?: AbortSignal,
): Promise<Result<readonly ServerGroup[]>> {
  const found = new Map<string, ServerGroup>()
  const listing = call('ListServerGroups')
  let offset = 0
  for (let pages = 1; ; pages += 1) {
    const page = await askService(
      session,
      'compute',
      {
        method: 'GET',
        path: '/os-server-groups',
        query: { all_projects: 'true', ...(offset === 0 ? {} : { offset: String(offset) }) },
        call: listing,
        signal,
      },
      GroupList,
    )
    if (!page.ok) return page
    const before = found.size
    for (const group of page.value.server_groups) {
      const maxPerHost = group.rules?.max_server_per_host
      found.set(group.id, {
        id: group.id,
        name: group.name,
        policy: group.policy ?? group.policies?.[0] ?? '',
        ...(maxPerHost === undefined ? {} : { maxPerHost }),
        memberIds: group.members,
      })
    }
    offset += page.value.server_groups.length
    if (page.value.server_groups.length < SMALLEST_PAGE) return ok([...found.values()])
    // A Nova that ignores the offset returns the same groups forever.
    if (found.size === before || pages === MOST_PAGES) return failed(endlessList('compute', listing))
  }
}

const ZoneList = z.object({
  availabilityZoneInfo: z.array(
    z.object({
      zoneName: z.string(),
      zoneState: z.object({ available: z.boolean() }),
      hosts: z.record(z.string(), z.record(z.string(), z.unknown())).nullable(),
    }),
  ),
})

/** Availability zones with their compute hosts, without the zone of control services (`internal`). */
export async function listAvailabilityZones(
  session: OpenStackSession,
  signal?: AbortSignal,
): Promise<Result<readonly AvailabilityZone[]>> {
  const read = await askService(
    session,
    'compute',
    { method: 'GET', path: '/os-availability-zone/detail', call: call('ListAvailabilityZones'), signal },
    ZoneList,
  )
  if (!read.ok) return read
  return ok(
    read.value.availabilityZoneInfo
      .map(zone => ({
        name: zone.zoneName,
        available: zone.zoneState.available,
        hosts: Object.entries(zone.hosts ?? {})
          .filter(([, services]) => Object.hasOwn(services, 'nova-compute'))
          .map(([host]) => host)
          .sort(),
        onlyControl: zone.hosts !== null && Object.keys(zone.hosts).length > 0,
      }))
      .filter(zone => zone.hosts.length > 0 || !zone.onlyControl)
      .map(({ name, available, hosts }) => ({ name, available, hosts })),
  )
}

const AggregateList = z.object({
  aggregates: z.array(
    z.object({ name: z.string(), hosts: z.array(z.string()), metadata: z.record(z.string(), z.string()) }),
  ),
})

export async function listAggregates(
  session: OpenStackSession,
  signal?: AbortSignal,
): Promise<Result<readonly Aggregate[]>> {
  const read = await askService(
    session,
    'compute',
    { method: 'GET', path: '/os-aggregates', call: call('ListAggregates'), signal },
    AggregateList,
  )
  return read.ok ? ok(read.value.aggregates.map(({ name, hosts, metadata }) => ({ name, hosts, metadata }))) : read
}
