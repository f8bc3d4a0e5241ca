import { judgeCapacity } from '../../../../shared/domain/batch-capacity.ts'
import { firstState, layOut } from '../../../../shared/domain/batch-cloud.ts'
import type { BatchCapacity } from '../../../../shared/domain/batches.ts'
import { byName, hasRoom, zoneOf } from '../../../../shared/domain/destinations.ts'
import type { Failure } from '../../../../shared/domain/failure.ts'
import { mapLimited } from '../../../../shared/domain/map-limited.ts'
import { type MoveObstacle, type MoveWay, moveObstacles } from '../../../../shared/domain/move-obstacles.ts'
import type {
  Aggregate,
  ComputeService,
  Instance,
  InstancePort,
  ResourceProvider,
  ServerGroup,
  Volume,
} from '../../../../shared/domain/openstack.ts'
import { type PlacementNeeds, specialNeedsOf } from '../../../../shared/domain/placement-needs.ts'
import { failed, ok, type Result } from '../../../../shared/domain/result.ts'
import { NOVA_SPOKEN } from '../../../../shared/domain/version-evidence.ts'
import { listed, someOf } from '../../../../shared/grammar/counts.ts'
import type { OpenStackPort } from '../../../ports/openstack.ts'
import type { MaintenanceWorld } from '../../../ports/world.ts'
import { cloudOf, type MaintenanceContext } from '../../node-input.ts'
import { type ClassifiedInstance, movesAway } from './classify-instances.ts'

const MEMBERS_AT_ONCE = 8

/** Questions of Placement's, one for each kind of instance that asks something special. */
const KINDS_AT_ONCE = 4

/** An instance that is to go to another host, and how. */
export interface Leaving {
  readonly instance: Instance
  readonly way: MoveWay
}

/** Those of a host's instances that go to another host, each with its way. */
export function leavingOf(instances: readonly ClassifiedInstance[]): readonly (Leaving & ClassifiedInstance)[] {
  return instances.flatMap(found =>
    movesAway(found.policy) ? [{ ...found, way: found.policy.action === 'cold_migrate' ? 'cold' : 'live' }] : [],
  )
}

/** Whom destinations are asked of, from a step. */
export function cloudAsked(ctx: MaintenanceContext): Pick<MaintenanceWorld, 'versions'> & {
  readonly openstack: OpenStackPort
} {
  return { openstack: cloudOf(ctx), versions: signal => ctx.world.versions(signal) }
}

/** What destinations are weighed by; null where it could not be read. */
export interface Destinations {
  readonly source: Pick<ComputeService, 'host' | 'zone'>
  readonly services: readonly Pick<ComputeService, 'host' | 'zone' | 'status' | 'state'>[]
  readonly providers: readonly ResourceProvider[] | null
  readonly groups: readonly ServerGroup[] | null
  /** The host of every instance that shares a group with one that moves. */
  readonly hostOf: ReadonlyMap<string, string | null>
  /** Hosts that Placement names for an instance that asks it for something special, by its id; who asks nothing of that kind is not in it. */
  readonly namedFor: ReadonlyMap<string, readonly string[] | null>
  /** Aggregates; read only where an instance asks for one by its flavor, else empty. */
  readonly aggregates: readonly Aggregate[] | null
  /** The rules that concern an instance, by its id. */
  readonly obstacles: ReadonlyMap<string, readonly MoveObstacle[]>
  /** The only host is named, and it is where they came from: what Nova does not tell of their zone says nothing against it. */
  readonly isHome?: true
}

/** Where one instance may go, and what makes that less than certain. */
export interface PlaceForecast {
  readonly mayGoTo: readonly string[]
  readonly note: string | null
}

/**
 * Reads what destinations are weighed by; `unread` names what could not be, in words. Placement, ports and groups are asked only when something moves,
 * volumes only where one that moves has any, traits and aggregates only where one asks for them.
 */
export async function readDestinations(
  { source, services, leaving }: Pick<Destinations, 'source' | 'services'> & { readonly leaving: readonly Leaving[] },
  { openstack, versions }: { readonly openstack: OpenStackPort } & Pick<MaintenanceWorld, 'versions'>,
  signal?: AbortSignal,
): Promise<{ readonly known: Destinations; readonly unread: readonly string[] }> {
  const moving = leaving.map(({ instance }) => instance)
  const when = <T>(asked: boolean, ask: () => Promise<Result<readonly T[]>>): Promise<Result<readonly T[]>> =>
    asked ? ask() : Promise.resolve(ok([]))
  const [providers, ports, volumes, aggregates, named, { groups, hostOf }] = await Promise.all([
    when(moving.length > 0, () => openstack.resourceProviders(signal)),
    readPorts(new Set(moving.map(({ host }) => host ?? source.host)), openstack, signal),
    when(
      moving.some(({ volumeIds }) => volumeIds.length > 0),
      () => openstack.volumes(signal),
    ),
    when(
      moving.some(instance => aggregateSpecsOf(instance).length > 0),
      () => openstack.aggregates(signal),
    ),
    readNamed(moving, openstack, signal),
    readGroups(moving, openstack, signal),
  ])
  return {
    known: {
      source,
      services,
      providers: readValue(providers),
      groups: readValue(groups),
      hostOf,
      namedFor: named.namedFor,
      aggregates: readValue(aggregates),
      obstacles: await judge(leaving, { ports: readValue(ports), volumes: readValue(volumes) }, versions, signal),
    },
    unread: [
      ...failureOf(providers),
      ...failureOf(groups),
      ...failureOf(ports).map(text => `${text} What Nova refuses for ports is not judged.`),
      ...unlistedVolumes(moving, readValue(volumes)),
      ...failureOf(volumes).map(text => `${text} Whether volumes are encrypted is not known.`),
      ...failureOf(aggregates),
      ...named.failures.map(({ message }) => message),
    ],
  }
}

function unlistedVolumes(moving: readonly Instance[], volumes: readonly Volume[] | null): readonly string[] {
  const unlisted = volumes === null ? [] : moving.filter(instance => !isListed(instance, volumes))
  return unlisted.length === 0
    ? []
    : [
        `Cinder does not list every volume of ${someOf(unlisted.map(({ name }) => name))}: whether they are encrypted is not known.`,
      ]
}

/** The ports of all who move, wherever they are now. */
async function readPorts(
  hosts: ReadonlySet<string>,
  openstack: OpenStackPort,
  signal?: AbortSignal,
): Promise<Result<readonly InstancePort[]>> {
  const ports: InstancePort[] = []
  for (const read of await mapLimited([...hosts], KINDS_AT_ONCE, host => openstack.portsOnHost(host, signal))) {
    if (!read.ok) return read
    ports.push(...read.value)
  }
  return ok(ports)
}

function readValue<T>(read: Result<T>): T | null {
  return read.ok ? read.value : null
}

function failureOf(read: Result<unknown>): readonly string[] {
  return read.ok ? [] : [read.failure.message]
}

/** Asks Placement once for each kind of needs: instances of one flavor have the same. */
async function readNamed(
  moving: readonly Instance[],
  openstack: OpenStackPort,
  signal: AbortSignal | undefined,
): Promise<{ readonly namedFor: Destinations['namedFor']; readonly failures: readonly Failure[] }> {
  const kinds = new Map<string, { readonly needs: PlacementNeeds; readonly ids: string[] }>()
  for (const instance of moving) {
    const needs = specialNeedsOf(instance)
    if (needs === null) continue
    const key = JSON.stringify(needs)
    const kind = kinds.get(key) ?? { needs, ids: [] }
    kind.ids.push(instance.id)
    kinds.set(key, kind)
  }
  const asked = [...kinds.values()]
  const read = await mapLimited(asked, KINDS_AT_ONCE, ({ needs }) => openstack.candidateHosts(needs, signal))
  return {
    namedFor: new Map(
      asked.flatMap(({ ids }, at) => {
        const answer = read[at]
        return ids.map(id => [id, answer?.ok === true ? answer.value : null] as const)
      }),
    ),
    failures: read.flatMap(answer => (answer.ok ? [] : [answer.failure])),
  }
}

/** Judges each by the rules of Nova; its version is asked for only where a rule depends on it. */
async function judge(
  leaving: readonly Leaving[],
  read: { readonly ports: readonly InstancePort[] | null; readonly volumes: readonly Volume[] | null },
  versions: MaintenanceWorld['versions'],
  signal: AbortSignal | undefined,
): Promise<ReadonlyMap<string, readonly MoveObstacle[]>> {
  const all = (novaMinor: number | null) =>
    new Map(
      leaving.map(({ instance, way }) => {
        const ports = read.ports?.filter(({ instanceId }) => instanceId === instance.id) ?? null
        const own = read.volumes?.filter(({ id }) => instance.volumeIds.includes(id)) ?? []
        // One that the list does not have is not known, and neither is what it is like.
        const volumes = isListed(instance, read.volumes) ? own : null
        return [instance.id, moveObstacles({ instance, ports, volumes, novaMinor }, way)] as const
      }),
    )
  const unasked = all(null)
  const depends = [...unasked.values()].flat().some(({ verdict }) => verdict.kind === 'nova-knows')
  return depends ? all(await novaMinorOf(versions, signal)) : unasked
}

/** Whether a list of volumes has every volume of an instance. */
function isListed({ volumeIds }: Instance, volumes: readonly Volume[] | null): boolean {
  return volumes !== null && volumeIds.every(id => volumes.some(volume => volume.id === id))
}

/** The minor of the microversion that Nova is spoken to with; null: it could not be asked. */
export async function novaMinorOf(
  versions: MaintenanceWorld['versions'],
  signal?: AbortSignal,
): Promise<number | null> {
  const spoken = /2\.(\d+)$/.exec((await versions(signal))[NOVA_SPOKEN] ?? '')
  return spoken === null ? null : Number(spoken[1])
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
  const { capacity } = judgeCapacity(ground, cloud, firstState(ground, cloud), [source.host])
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

/** What its flavor asks of aggregates (nova/scheduler/filters/aggregate_instance_extra_specs.py): scoped, or with no scope at all. */
function aggregateSpecsOf({ flavor }: Pick<Instance, 'flavor'>): readonly (readonly [string, string])[] {
  return Object.entries(flavor?.extraSpecs ?? {}).flatMap(([key, value]) => {
    const name = /^(?:aggregate_instance_extra_specs:)?([^:]+)$/.exec(key)?.[1]
    return name === undefined || name === 'group_policy' ? [] : [[name, value] as const]
  })
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
