import { WIDTH } from './wave-cloud.ts'
import { groupInTheWay } from './wave-groups.ts'
import type { WavePlacement } from './wave-placement.ts'
import { searchPlacement } from './wave-search.ts'

/** Whether the instances of a wave found a place. `impossible` is proved; `not-found` only means that we found none. */
export type FitOutcome = 'placed' | 'not-found' | 'impossible'

/** Memory decides where an instance goes, as it does for Nova's scheduler (RAMWeigher). */
const MEMORY = 2

/**
 * Takes a host out and finds places for what it carries: first beside what is placed already, then with everything placed anew. When
 * there is none, all is as it was before.
 */
export function takeOutAndPlace(placement: WavePlacement, host: number): FitOutcome {
  const before = [...placement.movers].flatMap(mover =>
    placement.isPlaced(mover) ? [[mover, placement.at[mover] ?? -1] as const] : [],
  )
  const homeless = placement.takeOut(host)
  if (spread(placement, bySize(placement, homeless)).length === 0) return 'placed'
  const outcome = placeAnew(placement)
  if (outcome === 'placed') return outcome
  liftAll(placement)
  placement.takeBackIn(host)
  for (const [mover, to] of before) placement.put(mover, to)
  return outcome
}

/** Places all movers from the beginning. What found no place stays where it is. */
export function placeAnew(placement: WavePlacement): FitOutcome {
  liftAll(placement)
  if (isImpossible(placement)) return 'impossible'
  const movers = bySize(placement, [...placement.movers])
  if (pack(placement, movers).length === 0) return 'placed'
  liftAll(placement)
  return searchPlacement(placement, movers)
}

/** Places as many as go, and answers those that did not. */
export function placeWhatGoes(placement: WavePlacement): readonly number[] {
  liftAll(placement)
  return pack(placement, bySize(placement, [...placement.movers]))
}

/** Proofs that are cheap: an instance with no place even alone, a group without enough hosts, a resource of which there is too little. */
function isImpossible(placement: WavePlacement): boolean {
  for (const mover of placement.movers) if (placement.destinations(mover).next().done === true) return true
  return groupInTheWay(placement) !== null || resourceTooLittle(placement)
}

function resourceTooLittle(placement: WavePlacement): boolean {
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

/** Each on the host with the most memory free, as Nova's scheduler would. Answers those without a place. */
function spread(placement: WavePlacement, movers: readonly number[]): readonly number[] {
  return placeEach(placement, movers, host => -placement.free(host, MEMORY))
}

/** Each on the host it fills best. Answers those without a place. */
function pack(placement: WavePlacement, movers: readonly number[]): readonly number[] {
  return placeEach(placement, movers, host => placement.free(host, MEMORY))
}

function placeEach(
  placement: WavePlacement,
  movers: readonly number[],
  weigh: (host: number) => number,
): readonly number[] {
  return movers.filter(mover => {
    let best = -1
    let least = Number.POSITIVE_INFINITY
    for (const host of placement.destinations(mover)) {
      const weight = weigh(host)
      if (best === -1 || weight < least) {
        best = host
        least = weight
      }
    }
    if (best === -1) return true
    placement.put(mover, best)
    return false
  })
}

/** Those that a group holds apart or together first, then the largest: what is hard to place comes first. */
function bySize(placement: WavePlacement, movers: readonly number[]): readonly number[] {
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

function liftAll(placement: WavePlacement): void {
  for (const mover of placement.movers) placement.lift(mover)
}
