import type { InstanceView, NodeView } from './cluster-view.ts'
import { zoneOf } from './destinations.ts'
import { hostsByGroups } from './group-hosts.ts'

/** Where instances may go when nodes leave service, by the current view; Nova decides. */
export interface Ghosts {
  readonly to: ReadonlyMap<string, number>
  /** How many move, judged by the view. Details that only Nova and Placement know may keep some. */
  readonly moving: number
  readonly unknown: number
  readonly noRoom: number
  readonly grouped: number
}

type Host = Pick<NodeView, 'name' | 'roles' | 'state' | 'zone' | 'computeService' | 'load'>
type Mover = Pick<InstanceView, 'id' | 'node' | 'action' | 'zone' | 'flavor' | 'groups' | 'pinnedZone'>

/** A host with what is free on it; null if unknown. */
export interface Room {
  readonly name: string
  readonly zone: string | null
  readonly free: { vcpus: number; ramMib: number } | null
}

/** The largest first, each where most memory is free, as Nova weighs hosts; zones, groups and what moves as in a plan. */
export function ghostsOf(nodes: Iterable<Host>, instances: Iterable<Mover>, leaving: readonly string[]): Ghosts {
  const away = new Set(leaving)
  const all = [...nodes]
  const known = [...instances]
  const zoneOfNode = new Map(all.map(({ name, zone }) => [name, zone]))
  const rooms = all
    .filter(node => !away.has(node.name) && takesInstances(node))
    .map(({ name, zone, load }): Room => {
      const free =
        load === null ? null : { vcpus: load.vcpusTotal - load.vcpusUsed, ramMib: load.ramTotalMib - load.ramUsedMib }
      return { name, zone, free }
    })
  const placeOf = new Map(known.map(({ id, node }) => [id, node]))
  const members = membersOf(known)
  const movers = known
    .filter(({ node, action }) => node !== null && away.has(node) && action === 'live_migrate')
    .sort((a, b) => (b.flavor?.ramMib ?? 0) - (a.flavor?.ramMib ?? 0) || (a.id < b.id ? -1 : 1))
  const to = new Map<string, number>()
  const count = { unknown: 0, noRoom: 0, grouped: 0 }
  for (const { id, flavor, zone: own, pinnedZone, node, groups = [] } of movers) {
    const { zone, sure } = zoneOf({ pinnedZone, availabilityZone: own }, zoneOfNode.get(node ?? '') ?? null)
    const near = rooms.filter(host => !sure || zone === null || host.zone === zone)
    const names = near.map(({ name }) => name)
    const allowed = new Set(
      hostsByGroups(names, groups, group =>
        (members.get(group.id) ?? []).filter(other => other !== id).map(other => placeOf.get(other) ?? null),
      ),
    )
    const open = near.filter(({ name }) => allowed.has(name))
    const room = flavor === null ? null : takeFreestHost(open, flavor)
    if (near.length > 0 && open.length === 0) count.grouped += 1
    else if (room !== null) {
      to.set(room, (to.get(room) ?? 0) + 1)
      placeOf.set(id, room)
    } else if (open.some(({ free }) => flavor === null || free === null)) count.unknown += 1
    else count.noRoom += 1
  }
  return { to, moving: movers.length - count.noRoom - count.grouped, ...count }
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
