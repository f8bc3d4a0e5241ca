import type { Cluster } from '../../shared/domain/cluster.ts'
import { ok, type Result } from '../../shared/domain/result.ts'
import { layOut, type WaveCloud } from '../../shared/domain/wave-cloud.ts'
import { judgeWaves, type WaveVerdict } from '../../shared/domain/wave-judge.ts'
import { planWaves } from '../../shared/domain/wave-plan.ts'
import { waveRuleWords } from '../../shared/domain/wave-rule-words.ts'
import type { JudgedWaves, WavesWish } from '../../shared/domain/waves.ts'
import type { Wave } from '../../shared/domain/window.ts'
import { isoNow } from '../clock/clock.ts'
import { type ReadGround, readWaveGround } from '../procedures/plans/rolling/wave-ground.ts'
import type { WindowServices } from './window-services.ts'

/** How long a reading serves for judging: while an operator drags nodes about, a cloud of thousands is not read again for each drop. */
const KEPT_MS = 120_000

interface Reading extends ReadGround {
  readonly cloud: WaveCloud | null
  readonly readAt: string
}

interface KeptReading {
  /** The settings it was read under, and whether Ceph was asked about racks. */
  readonly under: string
  readonly atMs: number
  readonly reading: Promise<Result<Reading>>
}

/** Which nodes may be worked on side by side. Both only read. */
interface WaveJudge {
  /** The waves of these nodes; always reads afresh. */
  plan(cluster: string, nodes: readonly string[], wish: WavesWish): Promise<Result<JudgedWaves>>
  /** Waves that somebody made, held against the rules; by a reading that may be two minutes old, whose time it tells. */
  judge(cluster: string, waves: readonly Wave[], wish: WavesWish): Promise<Result<JudgedWaves>>
}

export function createWaveJudge({ worlds, clock }: Pick<WindowServices, 'worlds' | 'clock'>): WaveJudge {
  const kept = new Map<string, KeptReading>()

  const readingOf = async (cluster: string, wish: WavesWish, afresh: boolean): Promise<Result<Reading>> => {
    const connected = await worlds.open(cluster)
    if (!connected.ok) return connected
    const { world, openstackFailure } = connected.value
    const racks = (wish.atOnce.storage ?? 1) > 1
    const under = readUnder(world.cluster, racks)
    const before = kept.get(cluster)
    const now = clock.now()
    if (!afresh && before?.under === under && now - before.atMs < KEPT_MS) return before.reading
    const readAt = isoNow(clock)
    const reading = readWaveGround(world, openstackFailure, { racks }).then(read =>
      read.ok ? ok({ ...read.value, cloud: layOut(read.value.ground), readAt }) : read,
    )
    const keeping: KeptReading = { under, atMs: now, reading }
    kept.set(cluster, keeping)
    const answer = await reading
    // What was not read is asked for again the next time.
    if ((!answer.ok || answer.value.unreachable.length > 0) && kept.get(cluster) === keeping) kept.delete(cluster)
    return answer
  }

  const answer = (
    cluster: string,
    wish: WavesWish,
    { ground, unreachable, readAt }: Reading,
    verdicts: readonly WaveVerdict[],
    left: JudgedWaves['left'],
  ): Result<JudgedWaves> =>
    ok({
      cluster,
      readAt,
      waves: verdicts.map(({ wave }) => wave),
      left,
      rules: [...waveRuleWords(ground, wish)],
      unreachable: [...unreachable],
    })

  return {
    plan: async (cluster, nodes, wish) => {
      const read = await readingOf(cluster, wish, true)
      if (!read.ok) return read
      const { waves, left } = planWaves(read.value.ground, wish, nodes, read.value.cloud)
      return answer(cluster, wish, read.value, waves, [...left])
    },
    judge: async (cluster, waves, wish) => {
      const read = await readingOf(cluster, wish, false)
      return read.ok
        ? answer(cluster, wish, read.value, judgeWaves(read.value.ground, wish, waves, read.value.cloud), [])
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
