import type { WavePlacement } from './wave-placement.ts'

/** An anti-affinity group of which more instances have to move than there are hosts for them, whatever room there is. */
export interface GroupInTheWay {
  readonly group: string
  /** Its instances that have to move. */
  readonly movers: readonly number[]
  /** How many of them can be apart from the rest on other hosts at best. */
  readonly places: number
}

/** The first such group; null when none is in the way. Asks for a matching of movers and hosts, which is exact. */
export function groupInTheWay(placement: WavePlacement): GroupInTheWay | null {
  const moversOf = new Map<number, number[]>()
  for (const mover of placement.movers) {
    for (const group of placement.instance(mover).groups) {
      if (placement.cloud.groups[group]?.apart !== true) continue
      moversOf.set(group, [...(moversOf.get(group) ?? []), mover])
    }
  }
  for (const [group, movers] of [...moversOf].sort(([a], [b]) => a - b)) {
    const reachable = movers.map(mover => hostsBesideTheRest(placement, mover, group, new Set(movers)))
    const places = matched(reachable)
    if (places < movers.length) return { group: placement.cloud.groups[group]?.name ?? '', movers, places }
  }
  return null
}

/** Hosts of its zone that stay, without a member that stays; members that move make room for one another. */
function hostsBesideTheRest(
  placement: WavePlacement,
  mover: number,
  group: number,
  moving: ReadonlySet<number>,
): readonly number[] {
  const taken = new Set<number>()
  for (const member of placement.cloud.groups[group]?.members ?? []) {
    if (!moving.has(member)) taken.add(placement.at[member] ?? -1)
  }
  return placement.reach(mover).filter(host => placement.out[host] !== 1 && !taken.has(host))
}

/** Size of the largest matching (augmenting paths). */
function matched(reachable: readonly (readonly number[])[]): number {
  const holder = new Map<number, number>()
  const seat = (one: number, tried: Set<number>): boolean => {
    for (const host of reachable[one] ?? []) {
      if (tried.has(host)) continue
      tried.add(host)
      const other = holder.get(host)
      if (other === undefined || seat(other, tried)) {
        holder.set(host, one)
        return true
      }
    }
    return false
  }
  return reachable.filter((_, one) => seat(one, new Set())).length
}
