import { judgeCapacity } from '../../../../shared/domain/batch-capacity.ts'
import { firstState, layOut } from '../../../../shared/domain/batch-cloud.ts'
import type { BatchCapacity } from '../../../../shared/domain/batches.ts'
import { byName, hasRoom, providersOf, zoneOf } from '../../../../shared/domain/destinations.ts'
import { hardGroups, hostsByGroups } from '../../../../shared/domain/group-hosts.ts'
import { isSameMachine } from '../../../../shared/domain/machine-names.ts'
import type { MoveObstacle } from '../../../../shared/domain/move-obstacles.ts'
import type {
  Aggregate,
  ComputeService,
  Instance,
  ResourceProvider,
  ServerGroup,
} from '../../../../shared/domain/openstack.ts'
import { specialNeedsOf } from '../../../../shared/domain/placement-needs.ts'
import { wordedCapacity } from '../../../../shared/words/batch-findings.ts'
import { found } from '../../../../shared/words/step-texts.ts'
import { type Finding, messagesOf, namesOf } from '../../../../shared/words/steps/coded.ts'
import { aggregateSpecsOf, type Destinations } from './read-destinations.ts'
import { hintNotes } from './scheduler-hints.ts'

export interface PlaceForecast {
  readonly mayGoTo: readonly string[]
  readonly notes: readonly Finding[]
  /** Null if there are no notes. */
  readonly note: string | null
}

/** Hosts that Nova may choose: up, in the zone, with room in Placement, allowed by the group. Other filters are only notes: it promises nothing. */
export function placeForecast(instance: Instance, known: Destinations): PlaceForecast {
  const obstacles = known.obstacles.get(instance.id) ?? []
  const refusals = obstacles.filter(({ verdict }) => verdict.kind === 'refused')
  if (refusals.length > 0) return noPlace(...refusals.map(ruleOfNova))
  const up = known.services.filter(
    ({ host, status, state }) => host !== known.source.host && status === 'enabled' && state === 'up',
  )
  if (up.length === 0) return noPlace(found('NoOtherHostUp'))
  const { zone, sure } = zoneOf(instance, known.source.zone)
  const inZone = zone === null ? up : up.filter(service => service.zone === zone)
  // A zone that may only be where it happens to run restricts nothing: Nova may use any host.
  const near = sure ? inZone : up
  if (near.length === 0 && zone !== null) return noPlace(found('NoHostOfZoneUp', { zone }))
  const { hosts: allowed, notes: groupNotes } = allowedByGroups(instance, near, known)
  if (allowed.length === 0) return noPlace(...groupNotes)
  const { hosts: fitting, notes: specialNotes } = withSpecials(instance, allowed, known)
  if (fitting.length === 0) return noPlace(...specialNotes)
  const roomy = fitting.filter(host => roomOn(instance, host, known.providers) !== false)
  if (roomy.length === 0) return noPlace(found('NoRoomOnHosts', { hosts: namesOf(fitting) }))
  const unsure = roomy.filter(host => roomOn(instance, host, known.providers) === null)
  return placeOf(roomy, [
    ...(!sure && zone !== null && known.isHome !== true
      ? [inZone.length === 0 ? found('ZoneHasNoOtherHost', { zone }) : found('MayBePinnedToZone', { zone })]
      : []),
    ...groupNotes,
    ...specialNotes,
    ...aggregateNotes(instance, roomy, known.aggregates),
    ...hintNotes(instance, roomy, known.hinted),
    ...obstacles.filter(({ verdict }) => verdict.kind === 'only-if' || verdict.kind === 'nova-knows').map(ruleOfNova),
    ...(unsure.length > 0 ? [found('RoomNotKnown', { hosts: namesOf(unsure) })] : []),
    ...(instance.locked ? [found('InstanceIsLocked')] : []),
  ])
}

/** Whether all fit together, by the rules of batches. Instances that have no destination even alone are left out. */
export function fitTogether(moving: readonly Instance[], known: Destinations): BatchCapacity {
  const { source, services, providers, groups, hostOf, namedFor } = known
  const ids = new Set(moving.map(({ id }) => id))
  const [first] = moving
  if (first === undefined) return { kind: 'fits', moving: 0 }
  const members = [...hostOf].flatMap(([id, host]) => (ids.has(id) ? [] : [{ ...first, id, host }]))
  const facts = {
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
  const cloud = layOut(facts)
  if (cloud === null) return { kind: 'cannot-tell', moving: moving.length, why: found('NovaNotAsked').message }
  const capacity = wordedCapacity(judgeCapacity(facts, cloud, firstState(facts, cloud), [source.host]).capacity)
  const special = moving.filter(instance => /^resources/m.test(Object.keys(specialNeedsOf(instance) ?? {}).join('\n')))
  return capacity.kind === 'fits' && special.length > 1
    ? {
        kind: 'cannot-tell',
        moving: moving.length,
        why: found('SpecialNeedsJudgedAlone', { instances: special.map(({ name }) => name) }).message,
      }
    : capacity
}

function placeOf(mayGoTo: readonly string[], notes: readonly Finding[]): PlaceForecast {
  return { mayGoTo, notes, note: notes.length === 0 ? null : messagesOf(notes) }
}

/** The instance has no destination, for these reasons. */
export function noPlace(...notes: readonly Finding[]): PlaceForecast {
  return placeOf([], notes)
}

function ruleOfNova(obstacle: MoveObstacle): Finding {
  return found('RuleOfNova', obstacle)
}

interface Narrowed {
  readonly hosts: readonly string[]
  readonly notes: readonly Finding[]
}

function allowedByGroups(
  instance: Instance,
  near: readonly Pick<ComputeService, 'host'>[],
  { source, groups, hostOf }: Destinations,
): Narrowed {
  const hosts = near.map(({ host }) => host).sort(byName)
  if (instance.serverGroupIds.length === 0) return { hosts, notes: [] }
  if (groups === null) return { hosts, notes: [found('GroupNotRead')] }
  const own = groups.filter(({ id }) => instance.serverGroupIds.includes(id))
  const hard = hardGroups(own)
  const left = hostsByGroups(hosts, hard, group => othersIn(group, instance, hostOf))
  const together = hard
    .filter(({ policy }) => policy === 'affinity')
    .flatMap(group => othersIn(group, instance, hostOf))
  if (left.length > 0) return { hosts: left, notes: softNote(own, left, group => othersIn(group, instance, hostOf)) }
  return {
    hosts: left,
    notes: [together.includes(source.host) ? found('GroupKeepsItHere') : found('GroupRulesOutHosts')],
  }
}

function othersIn(
  { memberIds }: Pick<ServerGroup, 'memberIds'>,
  { id: own }: Pick<Instance, 'id'>,
  hostOf: Destinations['hostOf'],
): readonly (string | null)[] {
  return memberIds.filter(id => id !== own).map(id => hostOf.get(id) ?? null)
}

/** A soft group is a preference: noted only where no host meets it (nova/scheduler/weights/affinity.py). */
function softNote(
  own: readonly ServerGroup[],
  hosts: readonly string[],
  othersOf: (group: ServerGroup) => readonly (string | null)[],
): readonly Finding[] {
  const unmet = own.filter(group => {
    const others = othersOf(group).filter(host => host !== null)
    if (group.policy === 'soft-anti-affinity') return hosts.every(host => others.includes(host))
    return group.policy === 'soft-affinity' && others.length > 0 && !hosts.some(host => others.includes(host))
  })
  return unmet.length === 0 ? [] : [found('SoftGroupNotMet', { groups: unmet.map(({ name }) => name) })]
}

/** The hosts among these that Placement returns for the instance's special requirements. */
function withSpecials(instance: Instance, hosts: readonly string[], { namedFor }: Destinations): Narrowed {
  const having = namedFor.get(instance.id)
  if (having === undefined) return { hosts, notes: [] }
  const asked = Object.entries(specialNeedsOf(instance) ?? {}).map(([name, value]) => `${name} ${value}`)
  if (having === null) return { hosts, notes: [found('PlacementNotAsked', { asked })] }
  const left = hosts.filter(host => having.some(name => isSameMachine(name, host)))
  return { hosts: left, notes: left.length > 0 ? [] : [found('PlacementNamesNone', { hosts: namesOf(hosts), asked })] }
}

/** No API shows whether the filters over aggregates are enabled, so they exclude nothing here. */
function aggregateNotes(
  instance: Instance,
  hosts: readonly string[],
  aggregates: readonly Aggregate[] | null,
): readonly Finding[] {
  const specs = aggregateSpecsOf(instance)
  if (specs.length === 0) return []
  const asked = specs.map(([name, value]) => `${name}=${value}`)
  if (aggregates === null) return [found('AggregatesNotRead', { asked })]
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
      ? found('NoHostInAggregate', { asked })
      : having.length < hosts.length
        ? found('SomeHostsInAggregate', { asked, hosts: namesOf(having) })
        : null,
    isolated.length > 0 ? found('HostsOfOtherProjects', { hosts: namesOf(isolated) }) : null,
  ].filter(note => note !== null)
}

/** One value may list several (nova/scheduler/filters/utils.py, aggregate_metadata_get_by_host). */
function valuesOf(value: string | undefined): readonly string[] {
  return (value ?? '').split(',').map(each => each.trim())
}

function roomOn(instance: Instance, host: string, providers: readonly ResourceProvider[] | null): boolean | null {
  return hasRoom(instance, providersOf([host], providers ?? []).get(host) ?? null)
}
