import type { InstanceView, NodeView } from './cluster-view.ts'

/** Where instances may go when nodes leave service, as far as the picture of the cluster tells; the plan asks, and Nova decides. */
export interface Ghosts {
  /** How many may come to each node. */
  readonly to: ReadonlyMap<string, number>
  /** How many move. */
  readonly moving: number
  /** Movers for which no host of their zone has room. */
  readonly noRoom: number
  /** Movers of which that is not known: their size, or the room on a host. */
  readonly unknown: number
}

type Host = Pick<NodeView, 'name' | 'roles' | 'state' | 'zone' | 'computeService' | 'load'>
type Mover = Pick<InstanceView, 'id' | 'node' | 'action' | 'zone' | 'flavor'>

interface Room {
  readonly name: string
  readonly zone: string | null
  vcpus: number
  ramMib: number
}

/** Puts what moves off these nodes on the hosts that stay, the largest first, each where most memory is free, as Nova weighs hosts. */
export function ghostsOf(nodes: Iterable<Host>, instances: Iterable<Mover>, leaving: readonly string[]): Ghosts {
  const away = new Set(leaving)
  const all = [...nodes]
  const zoneOfNode = new Map(all.map(({ name, zone }) => [name, zone]))
  const hosts = all.filter(node => !away.has(node.name) && takesInstances(node))
  const rooms = hosts.flatMap(({ name, zone, load }): readonly Room[] =>
    load === null
      ? []
      : [{ name, zone, vcpus: load.vcpusTotal - load.vcpusUsed, ramMib: load.ramTotalMib - load.ramUsedMib }],
  )
  const movers = [...instances]
    .filter(({ node, action }) => node !== null && away.has(node) && action === 'live_migrate')
    .sort((a, b) => (b.flavor?.ramMib ?? 0) - (a.flavor?.ramMib ?? 0) || (a.id < b.id ? -1 : 1))
  const to = new Map<string, number>()
  let noRoom = 0
  let unknown = 0
  for (const { flavor, zone: own, node } of movers) {
    const zone = own ?? zoneOfNode.get(node ?? '') ?? null
    const inZone = (host: { readonly zone: string | null }) => zone === null || host.zone === zone
    const room = flavor === null ? null : roomiest(rooms.filter(inZone), flavor)
    if (flavor === null) unknown += 1
    else if (room !== null) {
      room.vcpus -= flavor.vcpus
      room.ramMib -= flavor.ramMib
      to.set(room.name, (to.get(room.name) ?? 0) + 1)
    } else if (hosts.some(host => host.load === null && inZone(host))) unknown += 1
    else noRoom += 1
  }
  return { to, moving: movers.length, noRoom, unknown }
}

function takesInstances({ roles, state, computeService }: Host): boolean {
  return (
    roles.includes('compute') &&
    state === 'active' &&
    computeService?.status === 'enabled' &&
    computeService.state === 'up'
  )
}

function roomiest(rooms: readonly Room[], needs: { readonly vcpus: number; readonly ramMib: number }): Room | null {
  let best: Room | null = null
  for (const room of rooms) {
    if (room.vcpus < needs.vcpus || room.ramMib < needs.ramMib) continue
    if (best === null || room.ramMib > best.ramMib) best = room
  }
  return best
}
