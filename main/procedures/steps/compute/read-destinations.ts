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
import { found } from '../../../../shared/words/step-texts.ts'
import { type Finding, namesOf } from '../../../../shared/words/steps/coded.ts'
import type { OpenStackPort } from '../../../ports/openstack.ts'
import type { MaintenanceWorld } from '../../../ports/world.ts'
import { cloudOf, type MaintenanceContext } from '../../node-input.ts'
import { type ClassifiedInstance, movesAway } from './classify-instances.ts'
import { type HintedInstances, readHinted } from './scheduler-hints.ts'

const MEMBERS_AT_ONCE = 8

/** Placement is asked about at most this many kinds of special requirements at a time. */
const KINDS_AT_ONCE = 4

export interface Leaving {
  readonly instance: Instance
  readonly way: MoveWay
}

/** The instances that go to another host, each with its way. */
export function leavingOf(instances: readonly ClassifiedInstance[]): readonly (Leaving & ClassifiedInstance)[] {
  return instances.flatMap(found =>
    movesAway(found.policy) ? [{ ...found, way: found.policy.action === 'cold_migrate' ? 'cold' : 'live' }] : [],
  )
}

export function cloudAsked(ctx: MaintenanceContext): Pick<MaintenanceWorld, 'versions'> & {
  readonly openstack: OpenStackPort
} {
  return { openstack: cloudOf(ctx), versions: signal => ctx.world.versions(signal) }
}

/** What destinations are judged by; null where unreadable. */
export interface Destinations {
  readonly source: Pick<ComputeService, 'host' | 'zone'>
  readonly services: readonly Pick<ComputeService, 'host' | 'zone' | 'status' | 'state'>[]
  readonly providers: readonly ResourceProvider[] | null
  readonly groups: readonly ServerGroup[] | null
  /** The host of every instance that shares a group with one that moves. */
  readonly hostOf: ReadonlyMap<string, string | null>
  /** Hosts of the instances that scheduler hints of a moving instance name. */
  readonly hinted: HintedInstances
  /** Hosts that Placement returns for an instance with special requirements, by its id. */
  readonly namedFor: ReadonlyMap<string, readonly string[] | null>
  /** Read only where a flavor requires one, else empty. */
  readonly aggregates: readonly Aggregate[] | null
  readonly obstacles: ReadonlyMap<string, readonly MoveObstacle[]>
  /** The instances return to the one host that they came from: an unknown zone does not exclude it. */
  readonly isHome?: true
}

/** Reads Placement, ports, groups, volumes and traits only where a moving instance needs them; `unread`: what could not be read. */
export async function readDestinations(
  { source, services, leaving }: Pick<Destinations, 'source' | 'services'> & { readonly leaving: readonly Leaving[] },
  { openstack, versions }: { readonly openstack: OpenStackPort } & Pick<MaintenanceWorld, 'versions'>,
  signal?: AbortSignal,
): Promise<{ readonly known: Destinations; readonly unread: readonly Finding[] }> {
  const moving = leaving.map(({ instance }) => instance)
  const when = <T>(asked: boolean, ask: () => Promise<Result<readonly T[]>>): Promise<Result<readonly T[]>> =>
    asked ? ask() : Promise.resolve(ok([]))
  const [providers, ports, volumes, aggregates, named, { groups, hostOf }, { hinted, failures }] = await Promise.all([
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
    readHinted(moving, openstack, signal),
  ])
  return {
    known: {
      source,
      services,
      providers: readValue(providers),
      groups: readValue(groups),
      hostOf,
      hinted,
      namedFor: named.namedFor,
      aggregates: readValue(aggregates),
      obstacles: await judge(leaving, { ports: readValue(ports), volumes: readValue(volumes) }, versions, signal),
    },
    unread: [
      ...unreadOf('PlacesUnread', providers),
      ...unreadOf('PlacesUnread', groups),
      ...unreadOf('PortsUnread', ports),
      ...unlistedVolumes(moving, readValue(volumes)),
      ...unreadOf('VolumesUnread', volumes),
      ...unreadOf('PlacesUnread', aggregates),
      ...[...named.failures, ...failures].map(({ message }) => found('PlacesUnread', { cause: message })),
    ],
  }
}

function unlistedVolumes(moving: readonly Instance[], volumes: readonly Volume[] | null): readonly Finding[] {
  const unlisted = volumes === null ? [] : moving.filter(instance => !isListed(instance, volumes))
  return unlisted.length === 0
    ? []
    : [found('VolumesUnlisted', { instances: namesOf(unlisted.map(({ name }) => name)) })]
}

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

function unreadOf(code: 'PlacesUnread' | 'PortsUnread' | 'VolumesUnread', read: Result<unknown>): readonly Finding[] {
  return read.ok ? [] : [found(code, { cause: read.failure.message })]
}

/** Asks Placement once for each set of requirements: instances of one flavor share theirs. */
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

/** Applies Nova's rules to each; reads Nova's version only where a rule depends on it. */
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
        // A volume that is not in the list is unknown, and so are its properties.
        const volumes = isListed(instance, read.volumes) ? own : null
        return [instance.id, moveObstacles({ instance, ports, volumes, novaMinor }, way)] as const
      }),
    )
  const unasked = all(null)
  const depends = [...unasked.values()].flat().some(({ verdict }) => verdict.kind === 'nova-knows')
  return depends ? all(await novaMinorOf(versions, signal)) : unasked
}

function isListed({ volumeIds }: Instance, volumes: readonly Volume[] | null): boolean {
  return volumes !== null && volumeIds.every(id => volumes.some(volume => volume.id === id))
}

/** The minor of Nova's microversion in use; null if unknown. */
export async function novaMinorOf(
  versions: MaintenanceWorld['versions'],
  signal?: AbortSignal,
): Promise<number | null> {
  const spoken = /2\.(\d+)$/.exec((await versions(signal))[NOVA_SPOKEN] ?? '')
  return spoken === null ? null : Number(spoken[1])
}

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

/** What its flavor requires of aggregates (nova/scheduler/filters/aggregate_instance_extra_specs.py). */
export function aggregateSpecsOf({ flavor }: Pick<Instance, 'flavor'>): readonly (readonly [string, string])[] {
  return Object.entries(flavor?.extraSpecs ?? {}).flatMap(([key, value]) => {
    const name = /^(?:aggregate_instance_extra_specs:)?([^:]+)$/.exec(key)?.[1]
    return name === undefined || name === 'group_policy' ? [] : [[name, value] as const]
  })
}
