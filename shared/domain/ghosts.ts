import type { InstanceView, NodeView } from './cluster-view.ts'
import { zoneOf } from './destinations.ts'
import { hostsByGroups } from './group-hosts.ts'

/** Where instances may go when nodes leave service, by the current view; Nova decides. */
export interface Ghosts {
  /** The instances that come to each node, by id. */
  readonly to: ReadonlyMap<string, readonly string[]>
  /** Instances that cannot move, by id, and why. */
  readonly stuck: ReadonlyMap<string, Stuck>
  /** How many move, judged by the view. Details that only Nova and Placement know may keep some. */
  readonly moving: number
  readonly unknown: number
}

/** Why an instance that should move has no destination: a rule of its server group, or no room. */
export type Stuck = 'group' | 'room'

type Host = Pick<NodeView, 'name' | 'roles' | 'state' | 'zone' | 'computeService' | 'load'>
type Mover = Pick<InstanceView, 'id' | 'node' | 'action' | 'zone' | 'flavor' | 'groups' | 'pinnedZone'>

/** A host with what is free on it; null if unknown. */
export interface Room {
  readonly name: string
  readonly zone: string | null
  readonly free: { vcpus: number; ramMib: number } | null
}

/** Zones, groups and room of one view, by which each node is judged. */
export interface MoveJudge {
  /** Why an instance would stay if its node went out alone; null if it has a destination. The plan says Blocked for the same. */
  readonly whyStuck: (instance: Mover) => Stuck | null
  /** Where the instances of these nodes may go: the largest first, each where most memory is free, as Nova weighs hosts. */
  readonly ghosts: (leaving: readonly string[]) => Ghosts
}

/** `inGroup`: the members of a server group that the view knows; without it they are looked up in the instances. */
export function judgeMoves(
  nodes: Iterable<Host>,
  instances: Iterable<Mover> | (() => Iterable<Mover>),
  inGroup: (group: string) => readonly Mover[] = membersOf(typeof instances === 'function' ? instances() : instances),
): MoveJudge {
  const all = [...nodes]
  const zoneOfNode = new Map(all.map(({ name, zone }) => [name, zone]))
  const hosts = all.filter(takesInstances)

  /** The zone it must stay in; null if it may go anywhere. */
  function zoneFor({ node, pinnedZone, zone: own }: Mover): string | null {
    const { zone, sure } = zoneOf({ pinnedZone, availabilityZone: own }, zoneOfNode.get(node ?? '') ?? null)
    return sure ? zone : null
  }

  /** Those of the hosts that its groups allow. */
  function allowed({ id, groups = [] }: Mover, near: readonly Room[], placeOf: (other: Mover) => string | null) {
    if (groups.length === 0) return near
    const names = new Set(
      hostsByGroups(
        near.map(({ name }) => name),
        groups,
        group =>
          inGroup(group.id)
            .filter(other => other.id !== id)
            .map(placeOf),
      ),
    )
    return near.filter(({ name }) => names.has(name))
  }

  const now = hosts.map(roomOf)
  const openTo = openRooms(now)
  return {
    whyStuck: instance => {
      const zone = zoneFor(instance)
      if ((instance.groups ?? []).length === 0)
        return openTo(zone, instance.flavor).some(name => name !== instance.node) ? null : 'room'
      const near = now.filter(room => room.name !== instance.node && (zone === null || room.zone === zone))
      const open = allowed(instance, near, ({ node }) => node)
      if (open.some(room => fits(room, instance))) return null
      return near.length > 0 && open.length === 0 ? 'group' : 'room'
    },
    ghosts: leaving => {
      const away = new Set(leaving)
      const rooms = hosts.filter(({ name }) => !away.has(name)).map(roomOf)
      const moved = new Map<string, string>()
      const movers = [...(typeof instances === 'function' ? instances() : instances)]
        .filter(({ node, action }) => node !== null && away.has(node) && action === 'live_migrate')
        .sort((a, b) => (b.flavor?.ramMib ?? 0) - (a.flavor?.ramMib ?? 0) || (a.id < b.id ? -1 : 1))
      const to = new Map<string, string[]>()
      const stuck = new Map<string, Stuck>()
      let unknown = 0
      for (const mover of movers) {
        const zone = zoneFor(mover)
        const near = zone === null ? rooms : rooms.filter(room => room.zone === zone)
        const open = allowed(mover, near, ({ id, node }) => moved.get(id) ?? node)
        const host = mover.flavor === null ? null : takeFreestHost(open, mover.flavor)
        if (near.length > 0 && open.length === 0) stuck.set(mover.id, 'group')
        else if (host !== null) {
          to.set(host, [...(to.get(host) ?? []), mover.id])
          moved.set(mover.id, host)
        } else if (open.some(({ free }) => mover.flavor === null || free === null)) unknown += 1
        else stuck.set(mover.id, 'room')
      }
      return { to, stuck, moving: movers.length - stuck.size, unknown }
    },
  }
}

/** Whether a host is judged as before: nothing else of a node decides where instances can go. */
export function isSameHost(a: Host, b: Host): boolean {
  return (
    a.zone === b.zone &&
    takesInstances(a) === takesInstances(b) &&
    (a.load === b.load ||
      (a.load !== null &&
        b.load !== null &&
        a.load.vcpusTotal - a.load.vcpusUsed === b.load.vcpusTotal - b.load.vcpusUsed &&
        a.load.ramTotalMib - a.load.ramUsedMib === b.load.ramTotalMib - b.load.ramUsedMib))
  )
}

/** The first two hosts of a zone with room for a flavor, each found once; two are enough, since an instance is on at most one of them. */
function openRooms(rooms: readonly Room[]) {
  const found = new Map<string, readonly string[]>()
  return (zone: string | null, flavor: Mover['flavor']): readonly string[] => {
    const key = JSON.stringify([zone, flavor?.vcpus, flavor?.ramMib])
    const known = found.get(key)
    if (known !== undefined) return known
    const open: string[] = []
    for (const room of rooms) {
      if (open.length === 2) break
      if ((zone === null || room.zone === zone) && fits(room, { flavor })) open.push(room.name)
    }
    found.set(key, open)
    return open
  }
}

function membersOf(instances: Iterable<Mover>): (group: string) => readonly Mover[] {
  const members = new Map<string, Mover[]>()
  for (const mover of instances) {
    for (const { id } of mover.groups ?? []) {
      const known = members.get(id)
      if (known === undefined) members.set(id, [mover])
      else known.push(mover)
    }
  }
  return group => members.get(group) ?? []
}

function takesInstances({ roles, state, computeService }: Host): boolean {
  return (
    roles.includes('compute') &&
    state === 'active' &&
    computeService?.status === 'enabled' &&
    computeService.state === 'up'
  )
}

function roomOf({ name, zone, load }: Host): Room {
  const free =
    load === null ? null : { vcpus: load.vcpusTotal - load.vcpusUsed, ramMib: load.ramTotalMib - load.ramUsedMib }
  return { name, zone, free }
}

/** Whether a host has room, or nobody knows. */
function fits({ free }: Room, { flavor }: Pick<Mover, 'flavor'>): boolean {
  return free === null || flavor === null || (free.vcpus >= flavor.vcpus && free.ramMib >= flavor.ramMib)
}

/** Takes the host with the most free memory and subtracts the instance from it. */
export function takeFreestHost(
  rooms: readonly Room[],
  needs: { readonly vcpus: number; readonly ramMib: number },
): string | null {
  const fitting = rooms.flatMap(({ name, free }) =>
    free === null || free.vcpus < needs.vcpus || free.ramMib < needs.ramMib ? [] : [{ name, free }],
  )
  const [first, ...others] = fitting
  if (first === undefined) return null
  const best = others.reduce((most, each) => (each.free.ramMib > most.free.ramMib ? each : most), first)
  best.free.vcpus -= needs.vcpus
  best.free.ramMib -= needs.ramMib
  return best.name
}
