import type { InstanceView, NodeView } from './cluster-view.ts'
import { type Room, takeFreestHost } from './ghosts.ts'
import { isSameMachine } from './machine-names.ts'

interface Mover {
  readonly id: string
  readonly mayGoTo: readonly string[]
  readonly flavor: Pick<NonNullable<InstanceView['flavor']>, 'vcpus' | 'ramMib'> | null
}

type Host = Pick<NodeView, 'name' | 'zone' | 'load'>

/** A node that probably takes instances, with its memory in per cent before and after; null if unknown. */
export interface LikelyPlace {
  readonly host: string
  readonly gains: readonly string[]
  readonly ramBefore: number | null
  readonly ramAfter: number | null
}

/** Where each instance probably goes, by its id; and what each host gains, most gains first. */
export interface LikelyPlaces {
  readonly hostOf: ReadonlyMap<string, string>
  readonly places: readonly LikelyPlace[]
}

/** The largest first, each to the possible host with the most free memory, as Nova weighs hosts. Nova decides. */
export function likelyPlaces(movers: readonly Mover[], nodes: Iterable<Host>): LikelyPlaces {
  const known = [...nodes]
  const nodeOf = (host: string) => known.find(({ name }) => isSameMachine(name, host)) ?? null
  const rooms = new Map<string, Room>(
    [...new Set(movers.flatMap(({ mayGoTo }) => mayGoTo))].map(host => [host, roomOf(host, nodeOf(host))] as const),
  )
  const hostOf = new Map<string, string>()
  const added = new Map<string, number>()
  for (const { id, mayGoTo, flavor } of [...movers].sort((a, b) => ramOf(b) - ramOf(a) || (a.id < b.id ? -1 : 1))) {
    const open = mayGoTo.flatMap(host => rooms.get(host) ?? [])
    const [only, another] = mayGoTo
    const host = flavor === null ? null : takeFreestHost(open, flavor)
    const likely = host ?? (another === undefined ? (only ?? null) : null)
    if (likely === null) continue
    hostOf.set(id, likely)
    added.set(likely, (added.get(likely) ?? 0) + (flavor?.ramMib ?? 0))
  }
  const gains = Map.groupBy(hostOf.keys(), id => hostOf.get(id) ?? '')
  const places = [...gains].map(([host, ids]): LikelyPlace => {
    const load = nodeOf(host)?.load ?? null
    const inPercent = (mib: number) =>
      load === null || load.ramTotalMib === 0 ? null : Math.round((100 * mib) / load.ramTotalMib)
    return {
      host,
      gains: ids,
      ramBefore: load === null ? null : inPercent(load.ramUsedMib),
      ramAfter: load === null ? null : inPercent(load.ramUsedMib + (added.get(host) ?? 0)),
    }
  })
  return { hostOf, places: places.sort((a, b) => b.gains.length - a.gains.length || (a.host < b.host ? -1 : 1)) }
}

function ramOf({ flavor }: Mover): number {
  return flavor?.ramMib ?? 0
}

function roomOf(name: string, node: Host | null): Room {
  const load = node?.load ?? null
  const free =
    load === null ? null : { vcpus: load.vcpusTotal - load.vcpusUsed, ramMib: load.ramTotalMib - load.ramUsedMib }
  return { name, zone: node?.zone ?? null, free }
}
