import type { Failure } from '../../../../shared/domain/failure.ts'
import type { Plan } from '../../../../shared/domain/plan.ts'
import { WatcherStepInput } from '../../../../shared/domain/watcher-input.ts'
import type { Clock } from '../../../clock/clock.ts'
import type { WatcherPort } from '../../../ports/watcher.ts'
import { runWatcherPlan } from './run-watcher-plan.ts'

/** A console that ends does not wait for a Watcher that is away; the next plan for the node cancels what is left. */
const PATIENCE_MS = 10_000

interface TakeBackParts {
  /** The Watcher of a cluster; null where there is none, or the cluster cannot be reached. */
  readonly watcherOf: (cluster: string) => Promise<WatcherPort | null>
  readonly clock: Clock
}

/**
 * Cancels what Watcher recommended for a plan that nobody confirmed: until then anybody could start it. What was started meanwhile, or is gone,
 * is left as it is. Answers what could not be cancelled.
 */
export async function takeBackRecommendations(
  plan: Plan,
  { watcherOf, clock }: TakeBackParts,
): Promise<readonly Failure[]> {
  const planUuids = plan.steps
    .filter(({ kind }) => kind === runWatcherPlan.kind)
    .flatMap(({ input }) => WatcherStepInput.safeParse(input).data ?? [])
    .filter(({ actions }) => actions.length > 0)
    .map(({ planUuid }) => planUuid)
  if (planUuids.length === 0) return []
  const failures: Failure[] = []
  async function cancelAll(signal: AbortSignal): Promise<void> {
    const watcher = await watcherOf(plan.cluster)
    if (watcher === null) return
    for (const planUuid of planUuids) {
      const now = await watcher.plan(planUuid, signal)
      if (!now.ok || now.value.state !== 'RECOMMENDED') continue
      const cancelled = await watcher.cancel(planUuid, signal)
      if (!cancelled.ok) failures.push(cancelled.failure)
    }
  }
  const ending = new AbortController()
  const limit = new AbortController()
  // A cluster that is away may keep its session waiting longer than a signal reaches.
  await Promise.race([clock.sleep(PATIENCE_MS, ending.signal).then(() => limit.abort()), cancelAll(limit.signal)])
  ending.abort()
  return [...failures]
}
