import { doubtsAboutAll, openBatch } from './batch-capacity.ts'
import { layOut } from './batch-cloud.ts'
import type { BatchFacts, BatchNode } from './batch-facts.ts'
import type { LeftReason } from './batch-findings.ts'
import {
  type BatchBasis,
  type BatchVerdict,
  type BetweenBatches,
  batchBasis,
  beforeBatches,
  judgeBatch,
} from './batch-judge.ts'
import { brokenRules } from './batch-rules.ts'
import type { BatchOptions } from './batches.ts'
import { byName } from './destinations.ts'

interface PlannedBatches {
  readonly batches: readonly BatchVerdict[]
  readonly left: readonly { readonly node: string; readonly reasons: readonly LeftReason[] }[]
}

/** After this many nodes that do not fit, a batch is closed: clouds of hundreds of nodes are planned in seconds. */
const MOST_REFUSALS = 100

/** How often planning starts again with the remaining nodes first. */
const MOST_TRIES = 3

/** First-fit: each node, in order, joins the current batch if it fits, so none could be in an earlier one. A node that fits nowhere is left. */
export function planBatches(
  facts: BatchFacts,
  wish: BatchOptions,
  nodes: readonly string[],
  cloud = layOut(facts),
): PlannedBatches {
  const basis = batchBasis(facts, wish, cloud)
  const asked = [...new Set(nodes)].sort()
  const known = asked.flatMap(name => basis.nodeNamed.get(name) ?? [])
  const unknown = asked.flatMap(name =>
    basis.nodeNamed.has(name) ? [] : [{ node: name, reasons: [{ code: 'NodeUnknown', values: {} } as const] }],
  )
  let order = batchOrder(known, wish.zones)
  let best = batchesInOrder(basis, order)
  for (let tries = 1; tries < MOST_TRIES; tries += 1) {
    // Moves of earlier batches may block a node that was possible first.
    const early =
      best.batches.length === 0
        ? []
        : best.left.filter(({ name }) => keepsRules(judgeBatch(basis, beforeBatches(basis), [name])))
    if (early.length === 0) break
    order = [...early, ...order.filter(node => !early.includes(node))]
    const again = batchesInOrder(basis, order)
    if (again.left.length < best.left.length) best = again
  }
  const left = best.left.map(({ name }) => ({ node: name, reasons: whyLeft(basis, best, name) }))
  return { batches: best.batches, left: [...unknown, ...left] }
}

interface InOrder {
  readonly batches: readonly BatchVerdict[]
  readonly left: readonly BatchNode[]
  readonly end: BetweenBatches
}

function batchesInOrder(basis: BatchBasis, order: readonly BatchNode[]): InOrder {
  const batches: BatchVerdict[] = []
  let left = order
  let between = beforeBatches(basis)
  while (left.length > 0) {
    const found = nextBatch(basis, between, left)
    if (found === null) break
    const taken = new Set(found.batch.nodes)
    batches.push(found)
    left = left.filter(({ name }) => !taken.has(name))
    between = found.next
  }
  return { batches, left, end: between }
}

function nextBatch(basis: BatchBasis, between: BetweenBatches, left: readonly BatchNode[]): BatchVerdict | null {
  for (const first of left) {
    // Rules are cheap, so only nodes that keep them are placed.
    if (brokenRules(basis.rules, [first], between.back).length > 0) continue
    const single = judgeBatch(basis, between, [first.name])
    if (!keepsRules(single)) continue
    const others = left.filter(node => node !== first && isControl(node) === isControl(first))
    return settled(basis, between, filled(basis, between, first, others)) ?? single
  }
  return null
}

/** The first node with all nodes that can join it, in order. */
function filled(
  basis: BatchBasis,
  between: BetweenBatches,
  first: BatchNode,
  others: readonly BatchNode[],
): readonly BatchNode[] {
  const { facts, cloud, rules } = basis
  const batch = [first]
  const open = cloud === null || between.state === null ? null : openBatch(facts, cloud, between.state)
  // If the first node's instances have no certain destination, no other node can be judged beside it.
  const uncertain = open !== null && first.host !== null && !open.tryAdd(first.host)
  let refusals = 0
  for (const node of others) {
    if (brokenRules(rules, [...batch, node], between.back).length > 0) continue
    if (open !== null && node.host !== null && (uncertain || !open.tryAdd(node.host))) {
      refusals += 1
      if (refusals >= MOST_REFUSALS) break
      continue
    }
    batch.push(node)
  }
  return batch
}

/** As {@link judgeBatch} judges it, without the last nodes if they break a rule. Null if only the first node is left. */
function settled(basis: BatchBasis, between: BetweenBatches, batch: readonly BatchNode[]): BatchVerdict | null {
  for (let size = batch.length; size > 1; size -= 1) {
    const nodes = batch.slice(0, size)
    const verdict = judgeBatch(
      basis,
      between,
      nodes.map(({ name }) => name),
    )
    const fits = verdict.batch.capacity.kind === 'fits' || isNoBatchCertain(basis)
    if (keepsRules(verdict) && (fits || nodes.slice(1).every(({ host }) => host === null))) return verdict
  }
  return null
}

/** Doubts about every batch do not count against one. */
function isNoBatchCertain({ facts, cloud }: BatchBasis): boolean {
  return cloud === null || doubtsAboutAll(facts).length > 0
}

/** Not even a rule that an operator may override. */
function keepsRules({ batch }: BatchVerdict): boolean {
  return batch.problems.length === 0
}

function whyLeft(basis: BatchBasis, { batches, end }: InOrder, name: string): readonly LeftReason[] {
  const { problems, capacity } = judgeBatch(basis, end, [name]).batch
  const refusals = capacity.kind === 'does-not-fit' ? capacity.instances.map(({ refusal }) => refusal) : []
  // Of two hosts of an affinity group, the second cannot go: its members have joined, and none moves alone.
  const isOnlyBefore = batches.length > 0 && keepsRules(judgeBatch(basis, beforeBatches(basis), [name]))
  return [
    ...(isOnlyBefore ? [{ code: 'OnlyBeforeOthers', values: {} } as const] : []),
    ...problems.map(({ breach }) => breach),
    ...new Map(refusals.map(refusal => [JSON.stringify(refusal), refusal])).values(),
  ]
}

/** Control nodes first, as in an update; then zone by zone (`spread`: one node of each zone in turn), and by name. No zone comes last. */
function batchOrder(nodes: readonly BatchNode[], zones: BatchOptions['zones']): readonly BatchNode[] {
  const ranked = new Map<string, number>()
  const inZone = new Map<string, number>()
  for (const { name, zone } of [...nodes].sort((a, b) => byName(a.name, b.name))) {
    const key = zone ?? ''
    const rank = inZone.get(key) ?? 0
    ranked.set(name, rank)
    inZone.set(key, rank + 1)
  }
  const turn = (node: BatchNode) => (zones === 'spread' ? (ranked.get(node.name) ?? 0) : 0)
  return [...nodes].sort(
    (a, b) =>
      Number(isControl(b)) - Number(isControl(a)) ||
      turn(a) - turn(b) ||
      byZone(a.zone, b.zone) ||
      byName(a.name, b.name),
  )
}

/** An update takes them before all others, in separate batches. */
export function isControl({ roles }: Pick<BatchNode, 'roles'>): boolean {
  return roles.includes('control')
}

function byZone(one: string | null, other: string | null): number {
  if (one === null || other === null) return Number(one === null) - Number(other === null)
  return byName(one, other)
}
