import type { Plan } from '../../shared/domain/plan.ts'
import { WatcherStepInput } from '../../shared/domain/watcher-input.ts'
import type { Clock } from '../clock/clock.ts'
import type { Clusters } from '../clusters/clusters.ts'
import type { Logger } from '../log/logger.ts'
import { runWatcherPlan } from '../procedures/steps/watcher/run-watcher-plan.ts'

/** A console that ends does not wait for a Watcher that is away; the next plan for the node cancels what is left. */
const PATIENCE_MS = 10_000

/**
 * Cancels what Watcher recommended for a plan that nobody confirmed: until then anybody could start it. What was started meanwhile, or is gone,
 * is left as it is.
 */
export function createTakeBack({
  worlds,
  clock,
  log,
}: {
  readonly worlds: Pick<Clusters, 'open'>
  readonly clock: Clock
  readonly log: Logger
}): (plan: Plan) => Promise<void> {
  return async plan => {
    const waiting = plan.steps
      .filter(({ kind }) => kind === runWatcherPlan.kind)
      .flatMap(({ input }) => WatcherStepInput.safeParse(input).data ?? [])
      .filter(({ actions }) => actions.length > 0)
    if (waiting.length === 0) return
    const connected = await worlds.open(plan.cluster)
    const watcher = connected.ok ? connected.value.world.watcher : null
    if (watcher === null) return
    const ending = new AbortController()
    const limit = new AbortController()
    void clock.sleep(PATIENCE_MS, ending.signal).then(() => limit.abort())
    for (const { planUuid } of waiting) {
      const now = await watcher.plan(planUuid, limit.signal)
      if (!now.ok || now.value.state !== 'RECOMMENDED') continue
      const cancelled = await watcher.cancel(planUuid, limit.signal)
      if (!cancelled.ok)
        log.warn('a recommendation of Watcher could not be cancelled', { planUuid, why: cancelled.failure.message })
    }
    ending.abort()
  }
}
