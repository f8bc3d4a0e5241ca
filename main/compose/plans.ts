import type { Plan } from '../../shared/domain/plan.ts'
import { ok } from '../../shared/domain/result.ts'
import type { Clusters } from '../clusters/clusters.ts'
import type { Clock } from '../platform/clock/clock.ts'
import type { Logger } from '../platform/log/logger.ts'
import { takeBackRecommendations } from '../procedures/steps/watcher/take-back-recommendations.ts'
import { createShownPlans, type ShownPlans } from '../runs/shown-plans.ts'

/** Plans that were shown and may be confirmed. */
export function openPlans(worlds: Pick<Clusters, 'open'>, clock: Clock, log: Logger): ShownPlans {
  return createShownPlans(plan => takeBack(plan, worlds, clock, log))
}

/** Cancels Watcher's recommendations for a plan that will not be a run. The log has those that Watcher kept. */
async function takeBack(plan: Plan, worlds: Pick<Clusters, 'open'>, clock: Clock, log: Logger): Promise<void> {
  const watcherOf = async (cluster: string) => {
    const connected = await worlds.open(cluster)
    return connected.ok ? ok(connected.value.world.watcher) : connected
  }
  try {
    for (const failure of await takeBackRecommendations(plan, { watcherOf, clock })) {
      log.warn('recommendation-not-cancelled', { why: failure.message })
    }
  } catch (error) {
    // Lockkeeper's own fault: the console ends all the same, and its journal is closed.
    log.error('recommendations-not-cancelled', { error })
  }
}
