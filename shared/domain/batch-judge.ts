import { type FoundCapacity, type FoundMove, judgeCapacity } from './batch-capacity.ts'
import { type BatchCloud, type BatchState, firstState, layOut } from './batch-cloud.ts'
import type { BatchFacts, BatchNode } from './batch-facts.ts'
import type { BatchBreach } from './batch-findings.ts'
import type { GroupInTheWay } from './batch-groups.ts'
import { type BatchRules, brokenRules, type FoundProblem, rulesOf } from './batch-rules.ts'
import type { BatchOptions, BatchProblem } from './batches.ts'
import { byName } from './destinations.ts'
import type { Batch } from './window.ts'

/** What stays the same while the batches of one reading are judged. */
export interface BatchBasis {
  readonly facts: BatchFacts
  readonly rules: BatchRules
  /** Null if hosts or instances are unknown. */
  readonly cloud: BatchCloud | null
  readonly nodeNamed: ReadonlyMap<string, BatchNode>
}

export interface BetweenBatches {
  readonly state: BatchState | null
  readonly back: ReadonlySet<string>
}

export interface FoundBatch {
  readonly nodes: readonly string[]
  readonly zones: readonly string[]
  readonly problems: readonly FoundProblem[]
  readonly capacity: FoundCapacity
}

export interface BatchVerdict {
  readonly batch: FoundBatch
  readonly moves: readonly FoundMove[]
  readonly next: BetweenBatches
}

export function batchBasis(read: BatchFacts, wish: BatchOptions, cloud = layOut(read)): BatchBasis {
  const facts = { ...read, nodes: [...read.nodes].sort((a, b) => byName(a.name, b.name)) }
  return {
    facts,
    rules: rulesOf(facts, wish),
    cloud,
    nodeNamed: new Map(facts.nodes.map(node => [node.name, node])),
  }
}

export function beforeBatches({ facts, cloud }: BatchBasis): BetweenBatches {
  return { state: cloud === null ? null : firstState(facts, cloud), back: new Set() }
}

/** In order, computed or arranged by an operator. `cloud`: the arrays of an earlier call. */
export function judgeBatches(
  facts: BatchFacts,
  wish: BatchOptions,
  batches: readonly Batch[],
  cloud = layOut(facts),
): readonly BatchVerdict[] {
  const basis = batchBasis(facts, wish, cloud)
  let between = beforeBatches(basis)
  return batches.map(({ nodes }) => {
    const verdict = judgeBatch(basis, between, nodes)
    between = verdict.next
    return verdict
  })
}

/** The rules that a batch breaks, room for its instances, and the state when its nodes are back. */
export function judgeBatch(basis: BatchBasis, before: BetweenBatches, names: readonly string[]): BatchVerdict {
  const { facts, cloud, rules, nodeNamed } = basis
  const distinct = [...new Set(names)]
  const nodes = distinct.flatMap(name => nodeNamed.get(name) ?? [])
  const hosts = nodes.flatMap(({ host }) => host ?? [])
  const judged =
    cloud === null || before.state === null
      ? { capacity: unread(facts), moves: [], group: null, next: null }
      : judgeCapacity(facts, cloud, before.state, hosts)
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
    moves: judged.moves,
    next: { state: judged.next, back: new Set([...before.back, ...distinct]) },
  }
}

function misplaced(
  names: readonly string[],
  distinct: readonly string[],
  { back }: BetweenBatches,
  nodeNamed: ReadonlyMap<string, BatchNode>,
): readonly FoundProblem[] {
  const unknown = distinct.filter(name => !nodeNamed.has(name))
  const inEarlier = distinct.filter(name => back.has(name))
  const repeated = distinct.filter(name => names.indexOf(name) !== names.lastIndexOf(name))
  const problem = (
    rule: BatchProblem['rule'],
    nodes: readonly string[],
    code: 'NodesUnknown' | 'NodesInEarlierBatch' | 'NodesTwice',
  ): readonly FoundProblem[] =>
    nodes.length === 0 ? [] : [{ rule, weight: 'hard', nodes, breach: { code, values: { nodes } } }]
  const empty: FoundProblem = { rule: 'empty', weight: 'soft', nodes: [], breach: { code: 'BatchEmpty', values: {} } }
  return [
    ...(names.length === 0 ? [empty] : []),
    ...problem('unknown-node', unknown, 'NodesUnknown'),
    ...problem('twice', inEarlier, 'NodesInEarlierBatch'),
    ...problem('twice', repeated, 'NodesTwice'),
  ]
}

function unread(facts: BatchFacts): FoundCapacity {
  const list = facts.hosts === null ? 'compute-services' : 'instances'
  return { kind: 'cannot-tell', moving: 0, doubts: [{ code: 'NovaNotRead', values: { list } }] }
}

function groupProblem(
  { group, movers, places }: GroupInTheWay,
  cloud: BatchCloud,
  nodes: readonly BatchNode[],
): FoundProblem {
  const instances = movers.map(mover => cloud.instances[mover]?.instance)
  const hosts = new Set(instances.map(instance => instance?.host))
  const values = { group, instances: instances.map(instance => instance?.name ?? ''), places }
  return {
    rule: 'anti-affinity',
    weight: 'hard',
    nodes: nodes.filter(({ host }) => host !== null && hosts.has(host)).map(({ name }) => name),
    breach: { code: 'GroupWithoutRoom', values },
  }
}

function capacityProblem(capacity: FoundCapacity, nodes: readonly BatchNode[]): readonly FoundProblem[] {
  if (capacity.kind !== 'does-not-fit') return []
  const { instances, moving } = capacity
  const hosts = new Set(instances.map(({ host }) => host))
  const breach: BatchBreach = {
    code: 'InstancesWithoutPlace',
    values: {
      moving,
      total: instances.length,
      instances: instances.slice(0, MOST_NAMED).map(({ name, host }) => ({ name, host })),
    },
  }
  return [
    {
      rule: 'capacity',
      weight: 'hard',
      nodes: nodes.filter(({ host }) => host !== null && hosts.has(host)).map(({ name }) => name),
      breach,
    },
  ]
}

/** A reason names at most this many instances; the capacity of the batch lists all. */
const MOST_NAMED = 50
