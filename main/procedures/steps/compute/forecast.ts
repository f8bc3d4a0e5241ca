import { byName, hasRoom, zoneOf } from '../../../../shared/domain/destinations.ts'
import { mapLimited } from '../../../../shared/domain/map-limited.ts'
import type { ComputeService, Instance, ResourceProvider, ServerGroup } from '../../../../shared/domain/openstack.ts'
import { failed, ok, type Result } from '../../../../shared/domain/result.ts'
import type { OpenStackPort } from '../../../ports/openstack.ts'

const MEMBERS_AT_ONCE = 8

/** What destinations are weighed by; null where it could not be read. */
export interface Destinations {
  readonly source: Pick<ComputeService, 'host' | 'zone'>
  readonly services: readonly Pick<ComputeService, 'host' | 'zone' | 'status' | 'state'>[]
  readonly providers: readonly ResourceProvider[] | null
  readonly groups: readonly ServerGroup[] | null
  /** The host of every instance that shares a group with one that moves. */
  readonly hostOf: ReadonlyMap<string, string | null>
}

/** Where one instance may go, and what makes that less than certain. */
export interface PlaceForecast {
  readonly mayGoTo: readonly string[]
  readonly note: string | null
}

/** Reads what destinations are weighed by; `unread` names what could not be, in words. Placement and the groups are asked only when something moves. */
export async function readDestinations(
  { source, services, moving }: Pick<Destinations, 'source' | 'services'> & { readonly moving: readonly Instance[] },
  openstack: OpenStackPort,
  signal?: AbortSignal,
): Promise<{ readonly known: Destinations; readonly unread: readonly string[] }> {
  const none: Result<readonly ResourceProvider[]> = ok([])
  const [providers, { groups, hostOf }] = await Promise.all([
    moving.length === 0 ? none : openstack.resourceProviders(signal),
    readGroups(moving, openstack, signal),
  ])
  return {
    known: {
      source,
      services,
      providers: providers.ok ? providers.value : null,
      groups: groups.ok ? groups.value : null,
      hostOf,
    },
    unread: [...(providers.ok ? [] : [providers.failure.message]), ...(groups.ok ? [] : [groups.failure.message])],
  }
}

/** The groups of instances that move, and where their other members run. Asked only when there are any. */
async function readGroups(
  moving: readonly Instance[],
  openstack: OpenStackPort,
  signal?: AbortSignal,
): Promise<{ readonly groups: Result<readonly ServerGroup[]>; readonly hostOf: ReadonlyMap<string, string | null> }> {
  const ids = new Set(moving.flatMap(({ serverGroupIds }) => serverGroupIds))
  if (ids.size === 0) return { groups: ok([]), hostOf: new Map() }
  const read = await openstack.serverGroups(signal)
  if (!read.ok) return { groups: read, hostOf: new Map() }
  const own = read.value.filter(({ id }) => ids.has(id))
  const hostOf = new Map<string, string | null>(moving.map(({ id, host }) => [id, host]))
  const others = [...new Set(own.flatMap(({ memberIds }) => memberIds))].filter(id => !hostOf.has(id))
  const members = await mapLimited(others, MEMBERS_AT_ONCE, id => openstack.getInstance(id, signal))
  for (const member of members) if (member.ok) hostOf.set(member.value.id, member.value.host)
  const unread = members.find(member => !member.ok && member.failure.code !== 'not-found')
  return { groups: unread === undefined || unread.ok ? ok(own) : failed(unread.failure), hostOf }
}

/**
 * Hosts that Nova's scheduler may choose for a live migration: enabled, up, in the zone, with room by Placement's figures and no
 * member of the same anti-affinity group. Traits, aggregates and images are the scheduler's own matter, so this promises nothing.
 */
export function placeForecast(instance: Instance, known: Destinations): PlaceForecast {
  const up = known.services.filter(
    ({ host, status, state }) => host !== known.source.host && status === 'enabled' && state === 'up',
  )
  if (up.length === 0) return nowhere('No other compute host is enabled and up.')
  const { zone, sure } = zoneOf(instance, known.source.zone)
  const inZone = zone === null ? up : up.filter(service => service.zone === zone)
  // A zone that may be no more than where it happens to run narrows nothing: Nova may use every host then.
  const near = sure ? inZone : up
  if (near.length === 0) return nowhere(`No other compute host of zone ${zone} is enabled and up.`)
  const { hosts: allowed, note: groupNote } = allowedByGroups(instance, near, known)
  if (allowed.length === 0) return nowhere(groupNote ?? 'Its server group leaves no host.')
  const roomy = allowed.filter(host => roomOn(instance, host, known.providers) !== false)
  if (roomy.length === 0) return nowhere(`None of ${allowed.join(', ')} has room for it by Placement's figures.`)
  const unsure = roomy.filter(host => roomOn(instance, host, known.providers) === null)
  const notes = [
    ...(!sure && zone !== null
      ? [
          inZone.length === 0
            ? `No other host of zone ${zone} can take it. Nova does not tell whether it is pinned there.`
            : `If it is pinned to zone ${zone}, only hosts of that zone can take it. Nova does not tell.`,
        ]
      : []),
    ...(groupNote === null ? [] : [groupNote]),
    ...(unsure.length > 0 ? [`Whether there is room on ${unsure.join(', ')} is not known.`] : []),
    ...(instance.locked ? ['It is locked: only an administrator can move it.'] : []),
  ]
  return { mayGoTo: roomy, note: notes.length === 0 ? null : notes.join(' ') }
}

function nowhere(note: string): PlaceForecast {
  return { mayGoTo: [], note }
}

function allowedByGroups(
  instance: Instance,
  near: readonly Pick<ComputeService, 'host'>[],
  { source, groups, hostOf }: Destinations,
): { readonly hosts: readonly string[]; readonly note: string | null } {
  const hosts = near.map(({ host }) => host).sort(byName)
  if (instance.serverGroupIds.length === 0) return { hosts, note: null }
  if (groups === null) return { hosts, note: 'Its server group could not be read and may rule some hosts out.' }
  const own = groups.filter(({ id }) => instance.serverGroupIds.includes(id))
  const othersOf = (group: ServerGroup) =>
    group.memberIds.filter(id => id !== instance.id).map(id => hostOf.get(id) ?? null)
  const apart = own
    .filter(({ policy }) => policy === 'anti-affinity')
    .map(group => ({ most: group.maxPerHost ?? 1, hosts: othersOf(group) }))
  const together = own
    .filter(({ policy }) => policy === 'affinity')
    .flatMap(othersOf)
    .filter(host => host !== null)
  const left = hosts.filter(
    host =>
      apart.every(group => group.hosts.filter(other => other === host).length < group.most) &&
      together.every(other => other === host),
  )
  if (left.length > 0) return { hosts: left, note: null }
  return {
    hosts: left,
    note: together.includes(source.host)
      ? 'Its affinity group keeps it with instances on this host; Nova moves none of them alone.'
      : 'Its server group rules out every other host of its zone.',
  }
}

function roomOn(instance: Instance, host: string, providers: readonly ResourceProvider[] | null): boolean | null {
  return hasRoom(instance, providers?.find(({ name }) => name === host) ?? null)
}
