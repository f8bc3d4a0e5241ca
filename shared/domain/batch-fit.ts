import { WIDTH } from './batch-cloud.ts'
import { groupInTheWay } from './batch-groups.ts'
import { type BatchPlacement, MEMORY } from './batch-placement.ts'
import { must } from './must.ts'

/** `impossible` is proved; `not-found`: the search found no placement. */
type FitOutcome = 'placed' | 'not-found' | 'impossible'

/** Takes a host out and places its instances, with `again` all others too. Restores the state on failure. */
export function takeOutAndPlace(placement: BatchPlacement, host: number, again: boolean): FitOutcome {
  const before = placement.at.slice()
  const homeless = placement.takeOut(host)
  if (spread(placement, bySize(placement, homeless))) return 'placed'
  const outcome = again ? placeAgain(placement) : 'not-found'
  if (outcome === 'placed') return outcome
  liftAll(placement)
  placement.takeBackIn(host)
  for (const mover of placement.movers) {
    const to = before[mover] ?? -1
    if (to !== placement.at[mover]) placement.put(mover, to)
  }
  return outcome
}

/** A mover without a destination keeps its host. */
export function placeAgain(placement: BatchPlacement): FitOutcome {
  liftAll(placement)
  if (isImpossible(placement)) return 'impossible'
  const movers = bySize(placement, [...placement.movers])
  if (pack(placement, movers)) return 'placed'
  liftAll(placement)
  return searchPlacement(placement, movers)
}

export function placeWhatGoes(placement: BatchPlacement): readonly number[] {
  liftAll(placement)
  return bySize(placement, [...placement.movers]).filter(mover => !placeOne(placement, mover, 'least-free'))
}

/** Cheap proofs: an instance that fits nowhere alone, a group without enough hosts, too little of a resource. */
function isImpossible(placement: BatchPlacement): boolean {
  if (resourceTooLittle(placement)) return true
  for (const mover of placement.movers) if (!placement.hasDestination(mover)) return true
  return groupInTheWay(placement) !== null
}

function resourceTooLittle(placement: BatchPlacement): boolean {
  const reached = new Set<number>()
  const lists = new Set<readonly number[]>()
  const needed = new Float64Array(WIDTH)
  for (const mover of placement.movers) {
    lists.add(placement.reach(mover))
    placement.instance(mover).needs?.forEach((need, n) => {
      needed[n] = (needed[n] ?? 0) + need
    })
  }
  for (const list of lists) for (const host of list) if (placement.out[host] !== 1) reached.add(host)
  return needed.some((need, n) => {
    let free = 0
    for (const host of reached) free += Math.max(0, placement.free(host, n))
    return need > free
  })
}

/** On the host with the most free memory, as Nova's scheduler does; stops at the first that does not fit. */
function spread(placement: BatchPlacement, movers: readonly number[]): boolean {
  return movers.every(mover => placeOne(placement, mover, 'most-free'))
}

/** On the host that each fills best; stops at the first that does not fit. */
function pack(placement: BatchPlacement, movers: readonly number[]): boolean {
  return movers.every(mover => placeOne(placement, mover, 'least-free'))
}

function placeOne(placement: BatchPlacement, mover: number, wanted: 'most-free' | 'least-free'): boolean {
  const host = placement.choose(mover, wanted)
  if (host !== null) placement.put(mover, host)
  return host !== null
}

/** The hardest to place first: members of groups, then the largest. */
function bySize(placement: BatchPlacement, movers: readonly number[]): readonly number[] {
  const weight = (mover: number) => {
    const { needs, groups } = placement.instance(mover)
    return {
      grouped: groups.length > 0 ? 1 : 0,
      memory: needs?.[MEMORY] ?? 0,
      cpus: (needs?.[0] ?? 0) + (needs?.[1] ?? 0),
    }
  }
  return movers
    .map(mover => ({ mover, ...weight(mover) }))
    .sort((a, b) => b.grouped - a.grouped || b.memory - a.memory || b.cpus - a.cpus || a.mover - b.mover)
    .map(({ mover }) => mover)
}

function liftAll(placement: BatchPlacement): void {
  for (const mover of placement.movers) placement.lift(mover)
}

/** A batch with more pairs of instance and host is not searched completely: it would take too long. */
const MOST_PAIRS = 2_000

/** The search stops after this many pairs: some tens of milliseconds. */
const MOST_LOOKS = 400_000

/** Tries all placements, the instance with the fewest hosts first. Movers must not be placed before. */
function searchPlacement(placement: BatchPlacement, movers: readonly number[]): 'placed' | 'not-found' | 'impossible' {
  const hosts = placement.cloud.hosts.length
  if (movers.length * hosts > MOST_PAIRS) return 'not-found'
  let looks = 0
  const go = (left: ReadonlySet<number>): 'placed' | 'not-found' | 'impossible' => {
    if (left.size === 0) return 'placed'
    looks += left.size * hosts
    if (looks > MOST_LOOKS) return 'not-found'
    const { mover, to } = narrowest(placement, left)
    const rest = new Set(left)
    rest.delete(mover)
    const alike = new Set<string>()
    for (const host of to) {
      const kind = kindOf(placement, host)
      if (kind !== null && alike.has(kind)) continue
      if (kind !== null) alike.add(kind)
      placement.put(mover, host)
      const outcome = go(rest)
      if (outcome !== 'impossible') {
        if (outcome === 'not-found') placement.lift(mover)
        return outcome
      }
      placement.lift(mover)
    }
    return 'impossible'
  }
  return go(new Set(movers))
}

function narrowest(
  placement: BatchPlacement,
  left: ReadonlySet<number>,
): { readonly mover: number; readonly to: readonly number[] } {
  let best: { readonly mover: number; readonly to: readonly number[] } | null = null
  for (const mover of left) {
    const to = placement.destinations(mover)
    if (best === null || to.length < best.to.length) best = { mover, to }
    if (to.length === 0) break
  }
  return must(best, 'movers are left')
}

/** Hosts with equal room in a zone are tried once; null if groups or special requirements tell them apart. */
function kindOf(placement: BatchPlacement, host: number): string | null {
  for (const mover of placement.movers) if (isParticular(placement, mover)) return null
  const room = Array.from({ length: WIDTH }, (_, n) => placement.free(host, n))
  return [placement.cloud.hosts[host]?.zone ?? '', placement.cloud.hosts[host]?.known, ...room].join('|')
}

function isParticular(placement: BatchPlacement, mover: number): boolean {
  const { groups, only } = placement.instance(mover)
  return groups.length > 0 || only !== null
}
