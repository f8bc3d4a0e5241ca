import type { Failure } from '../../../../shared/domain/failure.ts'
import type { Plan } from '../../../../shared/domain/plan.ts'
import type { Result } from '../../../../shared/domain/result.ts'
import { WatcherStepInput } from '../../../../shared/domain/watcher-input.ts'
import { fault } from '../../../../shared/words/step-texts.ts'
import type { Clock } from '../../../platform/clock/clock.ts'
import type { WatcherPort } from '../../../ports/watcher.ts'
import { refusal } from '../../answers.ts'
import { runWatcherPlan } from './run-watcher-plan.ts'

/** A console that ends does not wait for a silent Watcher; the next plan for the node cancels the rest. */
const PATIENCE_MS = 10_000

/** Started, cancelled or deleted meanwhile. */
const GONE_ALREADY: ReadonlySet<Failure['code']> = new Set(['conflict', 'not-found'])

interface TakeBackParts {
  /** Null if the cluster has no Watcher. */
  readonly watcherOf: (cluster: string) => Promise<Result<WatcherPort | null>>
  readonly clock: Clock
}

/** Cancels recommendations for a plan that nobody confirmed: anyone could start them. Returns what could not be cancelled. */
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
    if (!watcher.ok) failures.push(watcher.failure)
    if (!watcher.ok || watcher.value === null) return
    for (const planUuid of planUuids) {
      const cancelled = await watcher.value.cancelRecommended(planUuid, signal)
      if (!cancelled.ok && !GONE_ALREADY.has(cancelled.failure.code)) failures.push(cancelled.failure)
    }
  }
  const ending = new AbortController()
  const limit = new AbortController()
  // An unreachable cluster may block longer than a signal reaches.
  const isDone = await Promise.race([
    clock.sleep(PATIENCE_MS, ending.signal).then(() => false),
    cancelAll(limit.signal).then(() => true),
  ])
  ending.abort()
  limit.abort()
  return isDone ? failures : [...failures, refusal('timed-out', fault('WatcherSilent', { cluster: plan.cluster }))]
}
