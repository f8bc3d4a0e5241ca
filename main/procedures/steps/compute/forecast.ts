import { judgeCapacity } from '../../../../shared/domain/batch-capacity.ts'
import { firstState, layOut } from '../../../../shared/domain/batch-cloud.ts'
import type { BatchCapacity } from '../../../../shared/domain/batches.ts'
import { byName, hasRoom, zoneOf } from '../../../../shared/domain/destinations.ts'
import type {
  Aggregate,
  ComputeService,
  Instance,
  ResourceProvider,
  ServerGroup,
} from '../../../../shared/domain/openstack.ts'
import { specialNeedsOf } from '../../../../shared/domain/placement-needs.ts'
import { listed } from '../../../../shared/grammar/counts.ts'
import { wordedCapacity } from '../../../../shared/words/batch-findings.ts'
import { aggregateSpecsOf, type Destinations } from './read-destinations.ts'
import { hintNotes } from './scheduler-hints.ts'

/** Where one instance may go, and what makes that less than certain. */
export interface PlaceForecast {
  readonly mayGoTo: readonly string[]
  readonly note: string | null
}

/**
 * Hosts that Nova's scheduler may choose for an instance: enabled, up, in its zone, with what it asks of Placement and room by Placement's figures, and
 * allowed by its group. None where Nova moves no instance like it. What else its filters ask is told as a note, so this promises nothing.
 */
export function placeForecast(instance: Instance, known: Destinations): PlaceForecast {
  const obstacles = known.obstacles.get(instance.id) ?? []
  const refusals = obstacles.filter(({ verdict }) => verdict.kind === 'refused')
  if (refusals.length > 0) return nowhere(refusals.map(({ words }) => words).join(' '))
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
  const { hosts: fitting, note: specialNote } = withSpecials(instance, allowed, known)
  if (fitting.length === 0) return nowhere(specialNote ?? 'No host has what it asks of Placement.')
  const roomy = fitting.filter(host => roomOn(instance, host, known.providers) !== false)
  if (roomy.length === 0) return nowhere(`None of ${fitting.join(', ')} has room for it by Placement's figures.`)
  const unsure = roomy.filter(host => roomOn(instance, host, known.providers) === null)
  const notes = [
    ...(!sure && zone !== null && known.isHome !== true
      ? [
          inZone.length === 0
            ? `No other host of zone ${zone} can take it. Nova does not tell whether it is pinned there.`
            : `If it is pinned to zone ${zone}, only hosts of that zone can take it. Nova does not tell.`,
        ]
      : []),
    ...(groupNote === null ? [] : [groupNote]),
    ...(specialNote === null ? [] : [specialNote]),
    ...aggregateNotes(instance, roomy, known.aggregates),
    ...hintNotes(instance, roomy, known.hinted),
    ...obstacles.flatMap(({ verdict, words }) =>
      verdict.kind === 'only-if' || verdict.kind === 'nova-knows' ? [words] : [],
    ),
    ...(unsure.length > 0 ? [`Whether there is room on ${unsure.join(', ')} is not known.`] : []),
    ...(instance.locked ? ['It is locked: only an administrator can move it.'] : []),
  ]
  return { mayGoTo: roomy, note: notes.length === 0 ? null : notes.join(' ') }
}

/**
 * Whether all of them find a place together, as batches are judged: each resource of each host is counted down, and groups hold. Those that have no place even
 * alone are not asked about.
 */
export function fitTogether(moving: readonly Instance[], known: Destinations): BatchCapacity {
  const { source, services, providers, groups, hostOf, namedFor } = known
  const ids = new Set(moving.map(({ id }) => id))
  const [first] = moving
  if (first === undefined) return { kind: 'fits', moving: 0 }
  const members = [...hostOf].flatMap(([id, host]) => (ids.has(id) ? [] : [{ ...first, id, host }]))
  const ground = {
    nodes: [],
    hosts: services.map(({ host, zone, status, state }) => ({
      name: host,
      zone,
      takes: status === 'enabled' && state === 'up',
      takesWhenBack: false,
    })),
    instances: [...moving.map(instance => ({ ...instance, host: source.host })), ...members],
    instancesMissing: [],
    providers,
    groups,
    moving: ids,
    only: new Map(
      [...namedFor].map(([id, hosts]) => [id, hosts === null ? ('not-read' as const) : new Set(hosts)] as const),
    ),
  }
  const cloud = layOut(ground)
  if (cloud === null) return { kind: 'cannot-tell', moving: moving.length, why: 'Nova could not be asked.' }
  const capacity = wordedCapacity(judgeCapacity(ground, cloud, firstState(ground, cloud), [source.host]).capacity)
  const special = moving.filter(instance => /^resources/m.test(Object.keys(specialNeedsOf(instance) ?? {}).join('\n')))
  return capacity.kind === 'fits' && special.length > 1
    ? {
        kind: 'cannot-tell',
        moving: moving.length,
        why: `What ${listed(special.map(({ name }) => name))} ask of Placement beside processors, memory and disk was judged for each by itself.`,
      }
    : capacity
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
  if (left.length > 0) return { hosts: left, note: softNote(own, left, othersOf) }
  return {
    hosts: left,
    note: together.includes(source.host)
      ? 'Its affinity group keeps it with instances on this host; Nova moves none of them alone.'
      : 'Its server group rules out every other host of its zone.',
  }
}

/** A soft group is a preference: told only where no host meets it (nova/scheduler/weights/affinity.py). */
function softNote(
  own: readonly ServerGroup[],
  hosts: readonly string[],
  othersOf: (group: ServerGroup) => readonly (string | null)[],
): string | null {
  const unmet = own.filter(group => {
    const others = othersOf(group).filter(host => host !== null)
    if (group.policy === 'soft-anti-affinity') return hosts.every(host => others.includes(host))
    return group.policy === 'soft-affinity' && others.length > 0 && !hosts.some(host => others.includes(host))
  })
  return unmet.length === 0
    ? null
    : `Its group ${unmet.map(({ name }) => name).join(', ')} is a preference that no host meets now: Nova moves it all the same.`
}

/** Of these hosts, those that Placement names for what it asks specially. */
function withSpecials(
  instance: Instance,
  hosts: readonly string[],
  { namedFor }: Destinations,
): { readonly hosts: readonly string[]; readonly note: string | null } {
  const named = namedFor.get(instance.id)
  if (named === undefined) return { hosts, note: null }
  const asked = Object.entries(specialNeedsOf(instance) ?? {})
    .map(([name, value]) => `${name} ${value}`)
    .join(', ')
  if (named === null) {
    return {
      hosts,
      note: `Placement could not be asked which hosts have what it asks (${asked}): some may be ruled out.`,
    }
  }
  const left = hosts.filter(host => named.includes(host))
  return {
    hosts: left,
    note: left.length > 0 ? null : `Placement names none of ${hosts.join(', ')} for what it asks (${asked}).`,
  }
}

/** Whether the filters over aggregates are enabled is told by no API, so they rule nothing out here. */
function aggregateNotes(
  instance: Instance,
  hosts: readonly string[],
  aggregates: readonly Aggregate[] | null,
): readonly string[] {
  const specs = aggregateSpecsOf(instance)
  if (specs.length === 0) return []
  const asked = specs.map(([name, value]) => `${name}=${value}`).join(', ')
  if (aggregates === null) {
    return [`Its flavor asks for ${asked}; aggregates could not be read and may rule some hosts out.`]
  }
  const metadataOf = (host: string) => aggregates.filter(each => each.hosts.includes(host)).map(each => each.metadata)
  const having = hosts.filter(host =>
    specs.every(([name, value]) => metadataOf(host).some(metadata => valuesOf(metadata[name]).includes(value))),
  )
  const isolated = hosts.filter(host => {
    const projects = metadataOf(host).flatMap(metadata =>
      Object.entries(metadata).flatMap(([name, value]) => (name.startsWith('filter_tenant_id') ? valuesOf(value) : [])),
    )
    return projects.length > 0 && !projects.includes(instance.projectId ?? '')
  })
  return [
    having.length === 0
      ? `Its flavor asks for ${asked}, which no host it may go to has: if Nova's AggregateInstanceExtraSpecsFilter is enabled, it has nowhere to go. Nova does not tell.`
      : having.length < hosts.length
        ? `Its flavor asks for ${asked}: if Nova's AggregateInstanceExtraSpecsFilter is enabled, only ${having.join(', ')} can take it. Nova does not tell.`
        : null,
    isolated.length > 0
      ? `If Nova's AggregateMultiTenancyIsolation is enabled, ${isolated.join(', ')} can not take it: kept for other projects.`
      : null,
  ].filter(note => note !== null)
}

/** A value may name several (nova/scheduler/filters/utils.py, aggregate_metadata_get_by_host). */
function valuesOf(value: string | undefined): readonly string[] {
  return (value ?? '').split(',').map(each => each.trim())
}

function roomOn(instance: Instance, host: string, providers: readonly ResourceProvider[] | null): boolean | null {
  return hasRoom(instance, providers?.find(({ name }) => name === host) ?? null)
}
