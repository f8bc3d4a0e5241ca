import { counted, someOf } from '../grammar/counts.ts'
import { judgeCapacity, type Witness } from './batch-capacity.ts'
import { type BatchCloud, type BatchState, firstState, layOut } from './batch-cloud.ts'
import type { BatchGround, BatchNode } from './batch-ground.ts'
import type { GroupInTheWay } from './batch-groups.ts'
import { type BatchRules, brokenRules, rulesOf } from './batch-rules.ts'
import type { BatchCapacity, BatchOptions, BatchProblem, JudgedBatch } from './batches.ts'
import { byName } from './destinations.ts'
import type { Batch } from './window.ts'

/** Everything that stays the same while batches of one reading are judged. */
export interface BatchCourt {
  readonly ground: BatchGround
  readonly rules: BatchRules
  /** Null: hosts or instances are not known. */
  readonly cloud: BatchCloud | null
  readonly nodeNamed: ReadonlyMap<string, BatchNode>
}

/** Where the cloud stands between two batches. */
export interface BetweenBatches {
  readonly state: BatchState | null
  readonly back: ReadonlySet<string>
}

/** A judged batch with the placement it leans on. */
export interface BatchVerdict {
  readonly batch: JudgedBatch
  readonly witness: readonly Witness[]
  readonly next: BetweenBatches
}

export function openCourt(read: BatchGround, wish: BatchOptions, cloud = layOut(read)): BatchCourt {
  const ground = { ...read, nodes: [...read.nodes].sort((a, b) => byName(a.name, b.name)) }
  return {
    ground,
    rules: rulesOf(ground, wish),
    cloud,
    nodeNamed: new Map(ground.nodes.map(node => [node.name, node])),
  }
}

export function beforeBatches({ ground, cloud }: BatchCourt): BetweenBatches {
  return { state: cloud === null ? null : firstState(ground, cloud), back: new Set() }
}

/**
 * Judges batches in their order, as they were computed or as an operator arranged them: the same rules for both. `cloud`: the ground laid out
 * before, where one reading serves for many judgements.
 */
export function judgeBatches(
  ground: BatchGround,
  wish: BatchOptions,
  batches: readonly Batch[],
  cloud = layOut(ground),
): readonly BatchVerdict[] {
  const court = openCourt(ground, wish, cloud)
  let between = beforeBatches(court)
  return batches.map(({ nodes }) => {
    const verdict = judgeBatch(court, between, nodes)
    between = verdict.next
    return verdict
  })
}

/** Judges one batch: what it breaks, whether its instances find a place, and how things stand when its nodes are back. */
export function judgeBatch(court: BatchCourt, before: BetweenBatches, names: readonly string[]): BatchVerdict {
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
    batch: {
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
  { back }: BetweenBatches,
  nodeNamed: ReadonlyMap<string, BatchNode>,
): readonly BatchProblem[] {
  const unknown = distinct.filter(name => !nodeNamed.has(name))
  const inEarlier = distinct.filter(name => back.has(name))
  const repeated = distinct.filter(name => names.indexOf(name) !== names.lastIndexOf(name))
  const problem = (rule: BatchProblem['rule'], nodes: readonly string[], words: string): readonly BatchProblem[] =>
    nodes.length === 0 ? [] : [{ rule, weight: 'hard', nodes: [...nodes], words }]
  return [
    ...(names.length === 0
      ? [{ rule: 'empty' as const, weight: 'soft' as const, nodes: [], words: 'The batch has no node.' }]
      : []),
    ...problem('unknown-node', unknown, `The cluster has no node of this name: ${unknown.join(', ')}.`),
    ...problem('twice', inEarlier, `In an earlier batch already: ${inEarlier.join(', ')}.`),
    ...problem('twice', repeated, `Twice in this batch: ${repeated.join(', ')}.`),
  ]
}

function unread(ground: BatchGround): BatchCapacity {
  const what = ground.hosts === null ? 'compute services' : 'instances'
  return {
    kind: 'cannot-tell',
    moving: 0,
    why: `Nova's ${what} could not be read, so whether anything has to move is not known.`,
  }
}

function groupProblem(
  { group, movers, places }: GroupInTheWay,
  cloud: BatchCloud,
  nodes: readonly BatchNode[],
): BatchProblem {
  const instances = movers.map(mover => cloud.instances[mover]?.instance)
  const hosts = new Set(instances.map(instance => instance?.host))
  const named = instances.map(instance => instance?.name ?? '').join(', ')
  return {
    rule: 'anti-affinity',
    weight: 'hard',
    nodes: nodes.filter(({ host }) => host !== null && hosts.has(host)).map(({ name }) => name),
    words: `Of anti-affinity group ${group} ${counted(movers.length, 'instance has', 'instances have')} to move (${named}), and ${places === 0 ? 'no host' : `only ${counted(places, 'host')}`} that stays and has no other member would take them.`,
  }
}

function capacityProblem(capacity: BatchCapacity, nodes: readonly BatchNode[]): readonly BatchProblem[] {
  if (capacity.kind !== 'does-not-fit') return []
  const { instances, moving } = capacity
  const hosts = new Set(instances.map(({ host }) => host))
  const named = someOf(instances.map(({ name, host }) => `${name} on ${host}`))
  return [
    {
      rule: 'capacity',
      weight: 'hard',
      nodes: nodes.filter(({ host }) => host !== null && hosts.has(host)).map(({ name }) => name),
      words: `${instances.length} of ${counted(moving, 'instance')} that have to move find no place: ${named}.`,
    },
  ]
}
