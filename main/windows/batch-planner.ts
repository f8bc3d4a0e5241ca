import { blockedInBatch } from '../../shared/domain/batch-blocked.ts'
import { type BatchCloud, layOut } from '../../shared/domain/batch-cloud.ts'
import { type BatchVerdict, judgeBatches } from '../../shared/domain/batch-judge.ts'
import { type PlannedBatches, planBatches } from '../../shared/domain/batch-plan.ts'
import type { BatchOptions, JudgedBatches } from '../../shared/domain/batches.ts'
import type { Cluster } from '../../shared/domain/cluster.ts'
import { ok, type Result } from '../../shared/domain/result.ts'
import type { Batch } from '../../shared/domain/window.ts'
import { wordedBatch, wordedLeft } from '../../shared/words/batch-findings.ts'
import { batchRuleWords } from '../../shared/words/batch-rules.ts'
import { isoNow } from '../platform/clock/clock.ts'
import { type ReadBatchFacts, readBatchFacts } from '../procedures/plans/rolling/read-batch-facts.ts'
import type { WindowServices } from './window-services.ts'

/** How long a reading serves for judging: while an operator drags nodes, a cloud of thousands is not read again at each drop. */
const KEPT_MS = 120_000

interface Reading extends ReadBatchFacts {
  readonly cloud: BatchCloud | null
  readonly readAt: string
}

interface KeptReading {
  /** The settings of the reading, and whether Ceph was asked about racks. */
  readonly under: string
  readonly atMs: number
  readonly reading: Promise<Result<Reading>>
}

/** Judges which nodes may be out of service side by side. Both functions only read. */
interface BatchPlanner {
  /** The batches of these nodes; always reads the cloud again. */
  plan(cluster: string, nodes: readonly string[], wish: BatchOptions): Promise<Result<JudgedBatches>>
  /** Judges an operator's batches by a reading that may be two minutes old; the answer has its time. */
  judge(cluster: string, batches: readonly Batch[], wish: BatchOptions): Promise<Result<JudgedBatches>>
}

export function createBatchPlanner({ worlds, clock }: Pick<WindowServices, 'worlds' | 'clock'>): BatchPlanner {
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
      read.ok ? ok({ ...read.value, cloud: layOut(read.value.facts), readAt }) : read,
    )
    const keeping: KeptReading = { under, atMs: now, reading }
    kept.set(cluster, keeping)
    const answer = await reading
    // A failed reading is repeated next time.
    if ((!answer.ok || answer.value.unreachable.length > 0) && kept.get(cluster) === keeping) kept.delete(cluster)
    return answer
  }

  const answer = (
    cluster: string,
    wish: BatchOptions,
    { facts, unreachable, readAt }: Reading,
    verdicts: readonly BatchVerdict[],
    left: PlannedBatches['left'],
  ): Result<JudgedBatches> =>
    ok({
      cluster,
      readAt,
      batches: verdicts.map(({ batch }) => {
        const blocked = blockedInBatch(facts, batch.nodes)
        return wordedBatch(blocked === null ? batch : { ...batch, problems: [...batch.problems, blocked] })
      }),
      left: left.map(wordedLeft),
      rules: [...batchRuleWords(facts, wish)],
      unreachable: [...unreachable],
    })

  return {
    plan: async (cluster, nodes, wish) => {
      const read = await readingOf(cluster, wish, true)
      if (!read.ok) return read
      const { batches, left } = planBatches(read.value.facts, wish, nodes, read.value.cloud)
      return answer(cluster, wish, read.value, batches, left)
    },
    judge: async (cluster, batches, wish) => {
      const read = await readingOf(cluster, wish, false)
      return read.ok
        ? answer(cluster, wish, read.value, judgeBatches(read.value.facts, wish, batches, read.value.cloud), [])
        : read
    },
  }
}

function readUnder(
  { flavour, roleLabels, maintenanceApi, roleMaintenance, openstackNamespace }: Cluster,
  racks: boolean,
): string {
  return JSON.stringify({ flavour, roleLabels, maintenanceApi, roleMaintenance, openstackNamespace, racks })
}
