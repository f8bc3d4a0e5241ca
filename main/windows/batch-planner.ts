import { type BatchCloud, layOut } from '../../shared/domain/batch-cloud.ts'
import { type BatchVerdict, judgeBatches } from '../../shared/domain/batch-judge.ts'
import { planBatches } from '../../shared/domain/batch-plan.ts'
import type { BatchOptions, BatchProblem, JudgedBatches } from '../../shared/domain/batches.ts'
import type { Cluster } from '../../shared/domain/cluster.ts'
import type { MaintenanceScope } from '../../shared/domain/plan.ts'
import { ok, type Result } from '../../shared/domain/result.ts'
import type { Batch } from '../../shared/domain/window.ts'
import { instanceOfBlock, isUnread, type PlanBlock } from '../../shared/domain/window-judgement.ts'
import { wordedBatch, wordedLeft } from '../../shared/words/batch-findings.ts'
import { batchRuleWords } from '../../shared/words/batch-rules.ts'
import { isoNow } from '../platform/clock/clock.ts'
import { type ReadBatchFacts, readBatchFacts } from '../procedures/plans/rolling/read-batch-facts.ts'
import type { NodeBlocks } from './node-blocks.ts'
import type { WindowServices } from './window-services.ts'

/** How long a reading serves for judging: while an operator drags nodes, a cloud of thousands is not read again at each drop. */
const KEPT_MS = 120_000

interface Reading extends ReadBatchFacts {
  readonly cloud: BatchCloud | null
  readonly readAt: string
  /** What blocks the plan of each node that was asked about, by scope and name. */
  readonly blocks: Map<string, readonly PlanBlock[]>
}

interface KeptReading {
  /** The settings of the reading, and whether Ceph was asked about racks. */
  readonly under: string
  readonly atMs: number
  readonly reading: Promise<Result<Reading>>
}

/** Judges which nodes may be out of service side by side, and which can go out at all, by the checks of their plan. Both functions only read. */
interface BatchPlanner {
  /** The batches of these nodes; always reads the cloud again. */
  plan(
    cluster: string,
    nodes: readonly string[],
    wish: BatchOptions,
    scope: MaintenanceScope,
  ): Promise<Result<JudgedBatches>>
  /** Judges an operator's batches by a reading that may be two minutes old; the answer has its time. */
  judge(
    cluster: string,
    batches: readonly Batch[],
    wish: BatchOptions,
    scope: MaintenanceScope,
  ): Promise<Result<JudgedBatches>>
}

export function createBatchPlanner({
  worlds,
  clock,
  nodeBlocks,
  blocked: blockedAre = 'left-out',
}: Pick<WindowServices, 'worlds' | 'clock'> & {
  readonly nodeBlocks: NodeBlocks
  /** Where a sheet shows what blocks them, with the remedies, blocked nodes are kept. */
  readonly blocked?: 'left-out' | 'kept'
}): BatchPlanner {
  const kept = new Map<string, KeptReading>()

  const readingOf = async (cluster: string, wish: BatchOptions, fresh: boolean): Promise<Result<Reading>> => {
    const connected = await worlds.open(cluster)
    if (!connected.ok) return connected
    const { world, openstackFailure } = connected.value
    const racks = (wish.atOnce.storage ?? 1) > 1
    const under = readUnder(world.cluster, racks)
    const before = kept.get(cluster)
    const now = clock.now()
    if (!fresh && before?.under === under && now - before.atMs < KEPT_MS) return before.reading
    const readAt = isoNow(clock)
    const reading = readBatchFacts(world, openstackFailure, { racks }).then(read =>
      read.ok ? ok({ ...read.value, cloud: layOut(read.value.facts), readAt, blocks: new Map() }) : read,
    )
    const keeping: KeptReading = { under, atMs: now, reading }
    kept.set(cluster, keeping)
    const answer = await reading
    // A failed reading is repeated next time.
    if ((!answer.ok || answer.value.unreachable.length > 0) && kept.get(cluster) === keeping) kept.delete(cluster)
    return answer
  }

  /** Asks only about nodes that this reading has not judged: a drop moves nodes that are already known. */
  const blocksOf = async (
    cluster: string,
    { facts, blocks }: Reading,
    nodes: readonly string[],
    scope: MaintenanceScope,
  ): Promise<BlocksRead> => {
    const key = (node: string) => `${scope} ${node}`
    const known = new Set(facts.nodes.map(({ name }) => name))
    const asked = [...new Set(nodes)].filter(node => known.has(node) && !blocks.has(key(node)))
    const found = asked.length === 0 ? null : await nodeBlocks(cluster, asked, scope)
    if (found?.ok) for (const node of asked) blocks.set(key(node), found.value.get(node) ?? [])
    const of = (node: string) => blocks.get(key(node)) ?? []
    const unread = nodes.flatMap(of).filter(isUnread)
    return {
      of,
      unread: [
        ...(found === null || found.ok ? [] : [found.failure.message]),
        ...new Set(unread.map(each => each.message)),
      ],
    }
  }

  return {
    plan: async (cluster, nodes, wish, scope) => {
      const read = await readingOf(cluster, wish, true)
      if (!read.ok) return read
      const blocks = await blocksOf(cluster, read.value, nodes, scope)
      const lasting = (node: string) => (blockedAre === 'kept' ? [] : blocks.of(node).filter(leavesOut))
      const blocked = new Map(nodes.map(node => [node, lasting(node)]))
      const movable = nodes.filter(node => blocked.get(node)?.length === 0)
      const { batches, left } = planBatches(read.value.facts, wish, movable, read.value.cloud)
      const all = [...left.map(wordedLeft), ...[...blocked].flatMap(([node, own]) => leftBy(node, own))]
      return ok(judgedBatches(cluster, wish, read.value, blocks, { verdicts: batches, left: all }))
    },
    judge: async (cluster, batches, wish, scope) => {
      const read = await readingOf(cluster, wish, false)
      if (!read.ok) return read
      const { facts, cloud } = read.value
      const blocks = await blocksOf(
        cluster,
        read.value,
        batches.flatMap(({ nodes }) => nodes),
        scope,
      )
      const verdicts = judgeBatches(facts, wish, batches, cloud)
      return ok(judgedBatches(cluster, wish, read.value, blocks, { verdicts, left: [] }))
    },
  }
}

/** What blocks the plan of each node, and what Lockkeeper could not read. */
interface BlocksRead {
  readonly of: (node: string) => readonly PlanBlock[]
  readonly unread: readonly string[]
}

function judgedBatches(
  cluster: string,
  wish: BatchOptions,
  { facts, unreachable, readAt }: Reading,
  blocks: BlocksRead,
  { verdicts, left }: { readonly verdicts: readonly BatchVerdict[]; readonly left: JudgedBatches['left'] },
): JudgedBatches {
  return {
    cluster,
    readAt,
    batches: verdicts.map(({ batch }) => {
      const worded = wordedBatch(batch)
      return { ...worded, problems: [...worded.problems, ...batch.nodes.flatMap(blocks.of).flatMap(problemOf)] }
    }),
    left,
    rules: [...batchRuleWords(facts, wish)],
    unreachable: [...unreachable, ...blocks.unread],
  }
}

/** What only blocks now may have passed when the window opens. The plan has the options and overrides that lift the others. */
function problemOf({ node, code, values, message, passes }: PlanBlock): readonly BatchProblem[] {
  if (passes) return []
  return [{ rule: 'plan-blocked', weight: 'soft', nodes: node === null ? [] : [node], code, values, words: message }]
}

/** Whether a suggestion leaves the node out: for its instances. Its pods need only an option of the plan. */
function leavesOut({ values, passes }: PlanBlock): boolean {
  return !passes && instanceOfBlock({ values }) !== null
}

/** A node that its plan blocks, with every reason; nothing if it is not blocked. */
function leftBy(node: string, blocks: readonly PlanBlock[]): JudgedBatches['left'] {
  if (blocks.length === 0) return []
  const reasons = blocks.map(({ code, values }) => ({ code, values }))
  return [{ node, reasons, why: blocks.map(({ message }) => message).join(' ') }]
}

function readUnder(
  { flavour, roleLabels, maintenanceApi, roleMaintenance, openstackNamespace }: Cluster,
  racks: boolean,
): string {
  return JSON.stringify({ flavour, roleLabels, maintenanceApi, roleMaintenance, openstackNamespace, racks })
}
