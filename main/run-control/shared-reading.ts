import { seconds } from '../../shared/domain/durations.ts'
import { ok } from '../../shared/domain/result.ts'
import { readCluster } from '../platform/reading/cluster-reading.ts'
import type { MaintenanceWorld } from '../ports/world.ts'
import type { ControlServices } from './control-services.ts'

/** A list of windows judges all of them at once, and each again after minutes. */
const SHARED_MS = seconds(30)

/** Opens clouds so that judgements of several windows use one reading of a cloud: each fact of it is read once, and none is older than this. */
export function shareReadings({
  worlds,
  clock,
}: Pick<ControlServices, 'worlds' | 'clock'>): Pick<ControlServices['worlds'], 'open'> {
  const readings = new Map<string, Shared>()
  return {
    open: async cluster => {
      const opened = await worlds.open(cluster)
      if (!opened.ok) return opened
      const { world } = opened.value
      const kept = readings.get(cluster)
      const nowMs = clock.monotonicMs()
      // A cloud that is reached another way has another world.
      const shared = kept?.of === world && nowMs - kept.madeAtMs < SHARED_MS ? kept.reading.deref() : undefined
      const reading = shared ?? readCluster(world, clock).world
      if (shared === undefined) readings.set(cluster, { of: world, madeAtMs: nowMs, reading: new WeakRef(reading) })
      return ok({ ...opened.value, world: reading })
    },
  }
}

interface Shared {
  readonly of: MaintenanceWorld
  readonly madeAtMs: number
  /** Only a judgement in progress keeps it: the lists of a whole cloud are large. */
  readonly reading: WeakRef<MaintenanceWorld>
}
