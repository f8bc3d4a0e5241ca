import type { BatchPlacement } from './batch-placement.ts'

/** An anti-affinity group with more instances to move than hosts for them, whatever room there is. */
export interface GroupInTheWay {
  readonly group: string
  readonly movers: readonly number[]
  /** How many of them other hosts can take without breaking the group. */
  readonly places: number
}

/** The first such group, by an exact matching of movers and hosts. */
export function groupInTheWay(placement: BatchPlacement): GroupInTheWay | null {
  const moversOf = new Map<number, number[]>()
  for (const mover of placement.movers) {
    for (const group of placement.instance(mover).groups) {
      if (placement.cloud.groups[group]?.apart !== true) continue
      moversOf.set(group, [...(moversOf.get(group) ?? []), mover])
    }
  }
  for (const [group, movers] of [...moversOf].sort(([a], [b]) => a - b)) {
    const moving = new Set(movers)
    const reachable = movers.map(mover => seatsBesideTheRest(placement, mover, group, moving))
    const places = matched(reachable)
    if (places < movers.length) return { group: placement.cloud.groups[group]?.name ?? '', movers, places }
  }
  return null
}

/**
 * Seats on the other hosts of its zone, beside the members that stay; members that move free their places. As many seats as members move are enough: whatever
 * the others take, one is left.
 */
function seatsBesideTheRest(
  placement: BatchPlacement,
  mover: number,
  group: number,
  moving: ReadonlySet<number>,
): readonly number[] {
  const { members = [], maxPerHost = 1 } = placement.cloud.groups[group] ?? {}
  const taken = new Map<number, number>()
  for (const member of members) {
    const host = placement.at[member] ?? -1
    if (!moving.has(member)) taken.set(host, (taken.get(host) ?? 0) + 1)
  }
  const seats: number[] = []
  for (const host of placement.reach(mover)) {
    if (placement.out[host] === 1) continue
    const free = Math.min(maxPerHost - (taken.get(host) ?? 0), moving.size)
    for (let seat = 0; seat < free; seat += 1) seats.push(host * moving.size + seat)
    if (seats.length >= moving.size) break
  }
  return seats
}

/** The size of the largest matching (augmenting paths). */
function matched(reachable: readonly (readonly number[])[]): number {
  const holder = new Map<number, number>()
  const sit = (one: number, tried: Set<number>): boolean => {
    for (const seat of reachable[one] ?? []) {
      if (tried.has(seat)) continue
      tried.add(seat)
      const other = holder.get(seat)
      if (other === undefined || sit(other, tried)) {
        holder.set(seat, one)
        return true
      }
    }
    return false
  }
  return reachable.filter((_, one) => sit(one, new Set())).length
}
