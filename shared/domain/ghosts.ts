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

type Places = ReadonlyMap<string, string | null>

/** Zones, groups and room of one view, by which each node is judged. */
export interface MoveJudge {
  /** Why an instance would stay if its node went out alone; null if it has a destination. The plan says Blocked for the same. */
  readonly whyStuck: (instance: Mover) => Stuck | null
  /** Where the instances of these nodes may go: the largest first, each where most memory is free, as Nova weighs hosts. */
  readonly ghosts: (leaving: readonly string[]) => Ghosts
}

export function judgeMoves(nodes: Iterable<Host>, instances: Iterable<Mover>): MoveJudge {
  const all = [...nodes]
  const known = [...instances]
  const zoneOfNode = new Map(all.map(({ name, zone }) => [name, zone]))
  const hosts = all.filter(takesInstances)
  const placeOf = new Map(known.map(({ id, node }) => [id, node]))
  const members = membersOf(known)

  /** The zone it must stay in; null if it may go anywhere. */
  function zoneFor({ node, pinnedZone, zone: own }: Mover): string | null {
    const { zone, sure } = zoneOf({ pinnedZone, availabilityZone: own }, zoneOfNode.get(node ?? '') ?? null)
    return sure ? zone : null
  }

  /** Those of the hosts that its groups allow. */
  function allowed({ id, groups = [] }: Mover, near: readonly Room[], places: Places): readonly Room[] {
    if (groups.length === 0) return near
    const names = new Set(
      hostsByGroups(
        near.map(({ name }) => name),
        groups,
        group => (members.get(group.id) ?? []).filter(other => other !== id).map(other => places.get(other) ?? null),
      ),
    )
    return near.filter(({ name }) => names.has(name))
  }

  const now = hosts.map(roomOf)
  return {
    whyStuck: instance => {
      const zone = zoneFor(instance)
      const isNear = (room: Room) => room.name !== instance.node && (zone === null || room.zone === zone)
      const isOpen = (room: Room) => isNear(room) && fits(room, instance)
      if ((instance.groups ?? []).length === 0) return now.some(isOpen) ? null : 'room'
      const near = now.filter(isNear)
      const open = allowed(instance, near, placeOf)
      if (open.some(isOpen)) return null
      return near.length > 0 && open.length === 0 ? 'group' : 'room'
    },
    ghosts: leaving => {
      const away = new Set(leaving)
      const rooms = hosts.filter(({ name }) => !away.has(name)).map(roomOf)
      const places = new Map(placeOf)
      const movers = known
        .filter(({ node, action }) => node !== null && away.has(node) && action === 'live_migrate')
        .sort((a, b) => (b.flavor?.ramMib ?? 0) - (a.flavor?.ramMib ?? 0) || (a.id < b.id ? -1 : 1))
      const to = new Map<string, string[]>()
      const stuck = new Map<string, Stuck>()
      let unknown = 0
      for (const mover of movers) {
        const zone = zoneFor(mover)
        const near = zone === null ? rooms : rooms.filter(room => room.zone === zone)
        const open = allowed(mover, near, places)
        const host = mover.flavor === null ? null : takeFreestHost(open, mover.flavor)
        if (near.length > 0 && open.length === 0) stuck.set(mover.id, 'group')
        else if (host !== null) {
          to.set(host, [...(to.get(host) ?? []), mover.id])
          places.set(mover.id, host)
        } else if (open.some(({ free }) => mover.flavor === null || free === null)) unknown += 1
        else stuck.set(mover.id, 'room')
      }
      return { to, stuck, moving: movers.length - stuck.size, unknown }
    },
  }
}

function membersOf(instances: readonly Mover[]): ReadonlyMap<string, readonly string[]> {
  const members = new Map<string, string[]>()
  for (const { id, groups = [] } of instances) {
    for (const group of groups) members.set(group.id, [...(members.get(group.id) ?? []), id])
  }
  return members
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
