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
  async function cancelAll(cluster: string, planUuids: readonly string[], signal: AbortSignal): Promise<void> {
    const connected = await worlds.open(cluster)
    const watcher = connected.ok ? connected.value.world.watcher : null
    if (watcher === null) return
    for (const planUuid of planUuids) {
      const now = await watcher.plan(planUuid, signal)
      if (!now.ok || now.value.state !== 'RECOMMENDED') continue
      const cancelled = await watcher.cancel(planUuid, signal)
      if (!cancelled.ok)
        log.warn('a recommendation of Watcher could not be cancelled', { planUuid, why: cancelled.failure.message })
    }
  }

  return async plan => {
    const waiting = plan.steps
      .filter(({ kind }) => kind === runWatcherPlan.kind)
      .flatMap(({ input }) => WatcherStepInput.safeParse(input).data ?? [])
      .filter(({ actions }) => actions.length > 0)
    if (waiting.length === 0) return
    const ending = new AbortController()
    const limit = new AbortController()
    // A cluster that is away may keep its session waiting longer than a signal reaches.
    await Promise.race([
      clock.sleep(PATIENCE_MS, ending.signal).then(() => limit.abort()),
      cancelAll(
        plan.cluster,
        waiting.map(({ planUuid }) => planUuid),
        limit.signal,
      ),
    ])
    ending.abort()
  }
}
