import { openWave, whyNothingIsSure } from './wave-capacity.ts'
import { layOut } from './wave-cloud.ts'
import type { WaveGround, WaveNode } from './wave-ground.ts'
import { type BetweenWaves, beforeWaves, judgeWave, openCourt, type WaveCourt, type WaveVerdict } from './wave-judge.ts'
import { isControl, waveOrder } from './wave-order.ts'
import { brokenRules } from './wave-rules.ts'
import type { WavesWish } from './waves.ts'

/** Waves that keep every rule, and the nodes that are in none of them. */
interface PlannedWaves {
  readonly waves: readonly WaveVerdict[]
  readonly left: readonly { readonly node: string; readonly why: string }[]
}

/** Nodes for which there was no room in a wave, after which it is closed: so that clouds of hundreds of nodes are planned in seconds. */
const MOST_REFUSALS = 100

/** How often a plan is made again with the nodes that were left over first. */
const MOST_TRIES = 3

/**
 * Computes waves by going through the nodes in order and taking each one that the wave at hand can still take (first fit): so no node of a
 * wave could have been in an earlier one. A node that can be in no wave, not even alone, is left over with the reason.
 */
export function planWaves(
  ground: WaveGround,
  wish: WavesWish,
  nodes: readonly string[],
  cloud = layOut(ground),
): PlannedWaves {
  const court = openCourt(ground, wish, cloud)
  const asked = [...new Set(nodes)].sort()
  const known = asked.flatMap(name => court.nodeNamed.get(name) ?? [])
  const unknown = asked.flatMap(name =>
    court.nodeNamed.has(name) ? [] : [{ node: name, why: 'The cluster has no node of this name.' }],
  )
  let order = waveOrder(known, wish.zones)
  let best = wavesInOrder(court, order)
  for (let tries = 1; tries < MOST_TRIES; tries += 1) {
    // What was moved by earlier waves may stand in the way of one that would have been possible first.
    const early =
      best.waves.length === 0
        ? []
        : best.left.filter(({ name }) => keepsRules(judgeWave(court, beforeWaves(court), [name])))
    if (early.length === 0) break
    order = [...early, ...order.filter(node => !early.includes(node))]
    const again = wavesInOrder(court, order)
    if (again.left.length < best.left.length) best = again
  }
  const left = best.left.map(({ name }) => ({ node: name, why: whyLeft(court, best, name) }))
  return { waves: best.waves, left: [...unknown, ...left] }
}

interface InOrder {
  readonly waves: readonly WaveVerdict[]
  readonly left: readonly WaveNode[]
  readonly end: BetweenWaves
}

function wavesInOrder(court: WaveCourt, order: readonly WaveNode[]): InOrder {
  const waves: WaveVerdict[] = []
  let left = order
  let between = beforeWaves(court)
  while (left.length > 0) {
    const found = nextWave(court, between, left)
    if (found === null) break
    const taken = new Set(found.wave.nodes)
    waves.push(found)
    left = left.filter(({ name }) => !taken.has(name))
    between = found.next
  }
  return { waves, left, end: between }
}

function nextWave(court: WaveCourt, between: BetweenWaves, left: readonly WaveNode[]): WaveVerdict | null {
  for (const first of left) {
    // The rules cost little; only what keeps them is placed.
    if (brokenRules(court.rules, [first], between.back).length > 0) continue
    const alone = judgeWave(court, between, [first.name])
    if (!keepsRules(alone)) continue
    const others = left.filter(node => node !== first && isControl(node) === isControl(first))
    return settled(court, between, filled(court, between, first, others)) ?? alone
  }
  return null
}

/** The first node with those that can join it, in their order. */
function filled(
  court: WaveCourt,
  between: BetweenWaves,
  first: WaveNode,
  others: readonly WaveNode[],
): readonly WaveNode[] {
  const { ground, cloud, rules } = court
  const wave = [first]
  const open = cloud === null || between.state === null ? null : openWave(ground, cloud, between.state)
  // Of a first one whose instances nobody can tell a place for, nobody could tell whether others' would find one beside them.
  const uncertain = open !== null && first.host !== null && !open.tryAdd(first.host)
  let refusals = 0
  for (const node of others) {
    if (brokenRules(rules, [...wave, node], between.back).length > 0) continue
    if (open !== null && node.host !== null && (uncertain || !open.tryAdd(node.host))) {
      refusals += 1
      if (refusals >= MOST_REFUSALS) break
      continue
    }
    wave.push(node)
  }
  return wave
}

/** The wave as {@link judgeWave} sees it; the last to join leave again should it see more than the filling did. Null: only the first is left. */
function settled(court: WaveCourt, between: BetweenWaves, wave: readonly WaveNode[]): WaveVerdict | null {
  for (let size = wave.length; size > 1; size -= 1) {
    const nodes = wave.slice(0, size)
    const verdict = judgeWave(
      court,
      between,
      nodes.map(({ name }) => name),
    )
    const told = verdict.wave.capacity.kind === 'fits' || nothingIsSure(court)
    if (keepsRules(verdict) && (told || nodes.slice(1).every(({ host }) => host === null))) return verdict
  }
  return null
}

/** Where nothing can be told of any wave, that is no reason against one. */
function nothingIsSure({ ground, cloud }: WaveCourt): boolean {
  return cloud === null || whyNothingIsSure(ground) !== null
}

/** A wave that was computed breaks nothing, not even what an operator could give up. */
function keepsRules({ wave }: WaveVerdict): boolean {
  return wave.problems.length === 0
}

function whyLeft(court: WaveCourt, { waves, end }: InOrder, name: string): string {
  const { wave } = judgeWave(court, end, [name])
  const reasons = wave.problems.map(({ words }) => words)
  const refused = wave.capacity.kind === 'does-not-fit' ? wave.capacity.instances.map(({ why }) => why) : []
  // Two hosts of an affinity group are such: whichever goes first, its instances join those of the other, and then none of them moves alone.
  const onlyEarlier =
    waves.length > 0 && keepsRules(judgeWave(court, beforeWaves(court), [name]))
      ? ['It could go before the others, but not after them.']
      : []
  return [...onlyEarlier, ...reasons, ...new Set(refused)].join(' ')
}
