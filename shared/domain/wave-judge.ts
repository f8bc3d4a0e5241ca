import { byName } from './destinations.ts'
import { judgeCapacity, type Witness } from './wave-capacity.ts'
import { firstState, layOut, type WaveCloud, type WaveState } from './wave-cloud.ts'
import type { WaveGround, WaveNode } from './wave-ground.ts'
import type { GroupInTheWay } from './wave-groups.ts'
import { brokenRules, rulesOf, type WaveRules } from './wave-rules.ts'
import type { JudgedWave, WaveCapacity, WaveProblem, WavesWish } from './waves.ts'
import type { Wave } from './window.ts'

/** Everything that stays the same while waves of one reading are judged. */
export interface WaveCourt {
  readonly ground: WaveGround
  readonly rules: WaveRules
  /** Null: hosts or instances are not known. */
  readonly cloud: WaveCloud | null
  readonly nodeNamed: ReadonlyMap<string, WaveNode>
}

/** Where the cloud stands between two waves. */
export interface BetweenWaves {
  readonly state: WaveState | null
  readonly back: ReadonlySet<string>
}

/** A judged wave with the placement it leans on. */
export interface WaveVerdict {
  readonly wave: JudgedWave
  readonly witness: readonly Witness[]
  readonly next: BetweenWaves
}

export function openCourt(read: WaveGround, wish: WavesWish, cloud = layOut(read)): WaveCourt {
  const ground = { ...read, nodes: [...read.nodes].sort((a, b) => byName(a.name, b.name)) }
  return {
    ground,
    rules: rulesOf(ground, wish),
    cloud,
    nodeNamed: new Map(ground.nodes.map(node => [node.name, node])),
  }
}

export function beforeWaves({ ground, cloud }: WaveCourt): BetweenWaves {
  return { state: cloud === null ? null : firstState(ground, cloud), back: new Set() }
}

/**
 * Judges waves in their order, as they were computed or as an operator arranged them: the same rules for both. `cloud`: the ground laid out
 * before, where one reading serves for many judgements.
 */
export function judgeWaves(
  ground: WaveGround,
  wish: WavesWish,
  waves: readonly Wave[],
  cloud = layOut(ground),
): readonly WaveVerdict[] {
  const court = openCourt(ground, wish, cloud)
  let between = beforeWaves(court)
  return waves.map(({ nodes }) => {
    const verdict = judgeWave(court, between, nodes)
    between = verdict.next
    return verdict
  })
}

/** Judges one wave: what it breaks, whether its instances find a place, and how things stand when its nodes are back. */
export function judgeWave(court: WaveCourt, before: BetweenWaves, names: readonly string[]): WaveVerdict {
  const { ground, cloud, rules, nodeNamed } = court
  const distinct = [...new Set(names)]
  const nodes = distinct.flatMap(name => nodeNamed.get(name) ?? [])
  const hosts = nodes.flatMap(({ host }) => host ?? [])
  const judged =
    cloud === null || before.state === null
      ? { capacity: unread(ground), witness: [], group: null, next: null }
      : judgeCapacity(ground, cloud, before.state, hosts)
  const problems = [
    ...misplaced(names, distinct, before, nodeNamed),
    ...brokenRules(rules, nodes, before.back),
    ...(judged.group === null || cloud === null ? [] : [groupProblem(judged.group, cloud, nodes)]),
    ...capacityProblem(judged.capacity, nodes),
  ]
  return {
    wave: {
      nodes: [...names],
      zones: [...new Set(nodes.flatMap(({ zone }) => zone ?? []))].sort(),
      problems,
      capacity: judged.capacity,
    },
    witness: judged.witness,
    next: { state: judged.next, back: new Set([...before.back, ...distinct]) },
  }
}

function misplaced(
  names: readonly string[],
  distinct: readonly string[],
  { back }: BetweenWaves,
  nodeNamed: ReadonlyMap<string, WaveNode>,
): readonly WaveProblem[] {
  const unknown = distinct.filter(name => !nodeNamed.has(name))
  const inEarlier = distinct.filter(name => back.has(name))
  const repeated = distinct.filter(name => names.indexOf(name) !== names.lastIndexOf(name))
  const problem = (rule: WaveProblem['rule'], nodes: readonly string[], words: string): readonly WaveProblem[] =>
    nodes.length === 0 ? [] : [{ rule, weight: 'hard', nodes: [...nodes], words }]
  return [
    ...(names.length === 0
      ? [{ rule: 'empty' as const, weight: 'soft' as const, nodes: [], words: 'The wave has no node.' }]
      : []),
    ...problem('unknown-node', unknown, `The cluster has no node of this name: ${unknown.join(', ')}.`),
    ...problem('twice', inEarlier, `In an earlier wave already: ${inEarlier.join(', ')}.`),
    ...problem('twice', repeated, `Twice in this wave: ${repeated.join(', ')}.`),
  ]
}

function unread(ground: WaveGround): WaveCapacity {
  const what = ground.hosts === null ? 'compute services' : 'instances'
  return {
    kind: 'cannot-tell',
    moving: 0,
    why: `Nova's ${what} could not be read, so whether anything has to move is not known.`,
  }
}

function groupProblem(
  { group, movers, places }: GroupInTheWay,
  cloud: WaveCloud,
  nodes: readonly WaveNode[],
): WaveProblem {
  const instances = movers.map(mover => cloud.instances[mover]?.instance)
  const hosts = new Set(instances.map(instance => instance?.host))
  const named = instances.map(instance => instance?.name ?? '').join(', ')
  return {
    rule: 'anti-affinity',
    weight: 'hard',
    nodes: nodes.filter(({ host }) => host !== null && hosts.has(host)).map(({ name }) => name),
    words: `Of anti-affinity group ${group} ${movers.length} ${movers.length === 1 ? 'instance has' : 'instances have'} to move (${named}), and ${places === 0 ? 'no host' : `only ${places} ${places === 1 ? 'host' : 'hosts'}`} that stays and has no other member would take them.`,
  }
}

function capacityProblem(capacity: WaveCapacity, nodes: readonly WaveNode[]): readonly WaveProblem[] {
  if (capacity.kind !== 'does-not-fit') return []
  const { instances, moving } = capacity
  const hosts = new Set(instances.map(({ host }) => host))
  const first = instances.slice(0, 5).map(({ name, host }) => `${name} on ${host}`)
  const named = instances.length > 5 ? `${first.join(', ')} and ${instances.length - 5} more` : first.join(', ')
  return [
    {
      rule: 'capacity',
      weight: 'hard',
      nodes: nodes.filter(({ host }) => host !== null && hosts.has(host)).map(({ name }) => name),
      words: `${instances.length} of ${moving} ${moving === 1 ? 'instance' : 'instances'} that have to move find no place: ${named}.`,
    },
  ]
}
