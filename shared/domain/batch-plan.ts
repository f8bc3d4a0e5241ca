import { openBatch, whyNothingIsSure } from './batch-capacity.ts'
import { layOut } from './batch-cloud.ts'
import type { BatchFacts, BatchNode } from './batch-facts.ts'
import type { LeftReason } from './batch-findings.ts'
import {
  type BatchCourt,
  type BatchVerdict,
  type BetweenBatches,
  beforeBatches,
  judgeBatch,
  openCourt,
} from './batch-judge.ts'
import { batchOrder, isControl } from './batch-order.ts'
import { brokenRules } from './batch-rules.ts'
import type { BatchOptions } from './batches.ts'

export interface PlannedBatches {
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
  const court = openCourt(facts, wish, cloud)
  const asked = [...new Set(nodes)].sort()
  const known = asked.flatMap(name => court.nodeNamed.get(name) ?? [])
  const unknown = asked.flatMap(name =>
    court.nodeNamed.has(name) ? [] : [{ node: name, reasons: [{ code: 'NodeUnknown', values: {} } as const] }],
  )
  let order = batchOrder(known, wish.zones)
  let best = batchesInOrder(court, order)
  for (let tries = 1; tries < MOST_TRIES; tries += 1) {
    // Moves of earlier batches may block a node that was possible first.
    const early =
      best.batches.length === 0
        ? []
        : best.left.filter(({ name }) => keepsRules(judgeBatch(court, beforeBatches(court), [name])))
    if (early.length === 0) break
    order = [...early, ...order.filter(node => !early.includes(node))]
    const again = batchesInOrder(court, order)
    if (again.left.length < best.left.length) best = again
  }
  const left = best.left.map(({ name }) => ({ node: name, reasons: whyLeft(court, best, name) }))
  return { batches: best.batches, left: [...unknown, ...left] }
}

interface InOrder {
  readonly batches: readonly BatchVerdict[]
  readonly left: readonly BatchNode[]
  readonly end: BetweenBatches
}

function batchesInOrder(court: BatchCourt, order: readonly BatchNode[]): InOrder {
  const batches: BatchVerdict[] = []
  let left = order
  let between = beforeBatches(court)
  while (left.length > 0) {
    const found = nextBatch(court, between, left)
    if (found === null) break
    const taken = new Set(found.batch.nodes)
    batches.push(found)
    left = left.filter(({ name }) => !taken.has(name))
    between = found.next
  }
  return { batches, left, end: between }
}

function nextBatch(court: BatchCourt, between: BetweenBatches, left: readonly BatchNode[]): BatchVerdict | null {
  for (const first of left) {
    // Rules are cheap, so only nodes that keep them are placed.
    if (brokenRules(court.rules, [first], between.back).length > 0) continue
    const alone = judgeBatch(court, between, [first.name])
    if (!keepsRules(alone)) continue
    const others = left.filter(node => node !== first && isControl(node) === isControl(first))
    return settled(court, between, filled(court, between, first, others)) ?? alone
  }
  return null
}

/** The first node with all nodes that can join it, in order. */
function filled(
  court: BatchCourt,
  between: BetweenBatches,
  first: BatchNode,
  others: readonly BatchNode[],
): readonly BatchNode[] {
  const { facts, cloud, rules } = court
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

/** As {@link judgeBatch} judges it, without the last nodes if they break a rule. Null: only the first node is left. */
function settled(court: BatchCourt, between: BetweenBatches, batch: readonly BatchNode[]): BatchVerdict | null {
  for (let size = batch.length; size > 1; size -= 1) {
    const nodes = batch.slice(0, size)
    const verdict = judgeBatch(
      court,
      between,
      nodes.map(({ name }) => name),
    )
    const fits = verdict.batch.capacity.kind === 'fits' || nothingIsSure(court)
    if (keepsRules(verdict) && (fits || nodes.slice(1).every(({ host }) => host === null))) return verdict
  }
  return null
}

/** Doubts about every batch do not count against one. */
function nothingIsSure({ facts, cloud }: BatchCourt): boolean {
  return cloud === null || whyNothingIsSure(facts).length > 0
}

/** Not even a rule that an operator may override. */
function keepsRules({ batch }: BatchVerdict): boolean {
  return batch.problems.length === 0
}

function whyLeft(court: BatchCourt, { batches, end }: InOrder, name: string): readonly LeftReason[] {
  const { problems, capacity } = judgeBatch(court, end, [name]).batch
  const refusals = capacity.kind === 'does-not-fit' ? capacity.instances.map(({ refusal }) => refusal) : []
  // Of two hosts of an affinity group, the second cannot go: its members have joined, and none moves alone.
  const isOnlyBefore = batches.length > 0 && keepsRules(judgeBatch(court, beforeBatches(court), [name]))
  return [
    ...(isOnlyBefore ? [{ code: 'OnlyBeforeOthers', values: {} } as const] : []),
    ...problems.map(({ breach }) => breach),
    ...new Map(refusals.map(refusal => [JSON.stringify(refusal), refusal])).values(),
  ]
}
