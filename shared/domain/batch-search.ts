import { WIDTH } from './batch-cloud.ts'
import type { BatchPlacement } from './batch-placement.ts'
import { must } from './must.ts'

/** A batch with more pairs of instance and host is not searched completely: it would take too long. */
const MOST_PAIRS = 2_000

/** The search stops after this many pairs: some tens of milliseconds. */
const MOST_LOOKS = 400_000

/** Tries all placements, the instance with the fewest hosts first. Movers must not be placed before. */
export function searchPlacement(
  placement: BatchPlacement,
  movers: readonly number[],
): 'placed' | 'not-found' | 'impossible' {
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

/** Hosts with equal room in a zone are tried once; null: groups or special requirements tell them apart. */
function kindOf(placement: BatchPlacement, host: number): string | null {
  for (const mover of placement.movers) if (isParticular(placement, mover)) return null
  const room = Array.from({ length: WIDTH }, (_, n) => placement.free(host, n))
  return [placement.cloud.hosts[host]?.zone ?? '', placement.cloud.hosts[host]?.known, ...room].join('|')
}

function isParticular(placement: BatchPlacement, mover: number): boolean {
  const { groups, only } = placement.instance(mover)
  return groups.length > 0 || only !== null
}
