import type { Json } from '../../shared/domain/json.ts'
import type { Result } from '../../shared/domain/result.ts'
import type { WatcherAbout, WatcherFigures, WatcherPlan } from '../../shared/domain/watcher.ts'

/** What the procedures need of Watcher (docs/domain.md B.2). main/adapters/openstack/watcher implements it. */
export interface WatcherPort {
  /** `not-found` when the catalogue has no such service. */
  about(signal?: AbortSignal): Promise<Result<WatcherAbout>>
  /** Whether it has what a strategy judges by. */
  figures(strategy: string, signal?: AbortSignal): Promise<Result<WatcherFigures>>
  /**
   * Asks for a recommendation: makes a ONESHOT audit of goal and strategy and waits until it is over.
   * Writes nothing but Watcher's own records; nothing of the cloud is touched. A plan without actions is an answer too.
   * `bad-input` names a parameter that the strategy does not know; `failed` when the audit failed (an unknown host, a stale model).
   */
  recommend(
    request: {
      readonly goal: string
      readonly strategy: string
      readonly parameters: Readonly<Record<string, boolean | number | string>>
      /** Name of the audit, such as `lockkeeper-cmp-1-…`. */
      readonly name: string
    },
    signal?: AbortSignal,
  ): Promise<Result<WatcherPlan>>
  /** Plans that wait to be started (RECOMMENDED), whosever, each with the name and parameters of its audit. */
  recommended(signal?: AbortSignal): Promise<Result<readonly WaitingRecommendation[]>>
  /** The plan and all its actions as they are now. */
  plan(uuid: string, signal?: AbortSignal): Promise<Result<WatcherPlan>>
  /** Skips an action of a plan that has not started; `bad-input` where the microversion does not have it. */
  skip(actionUuid: string, reason: string, signal?: AbortSignal): Promise<Result<void>>
  /** `conflict` when it is not RECOMMENDED any more. */
  start(planUuid: string, signal?: AbortSignal): Promise<Result<WatcherPlan>>
  /** RECOMMENDED or PENDING: CANCELLED; ONGOING: CANCELLING, actions under way still finish. `conflict` when it is over. */
  cancel(planUuid: string, signal?: AbortSignal): Promise<Result<WatcherPlan>>
  /** Takes back what nobody started: `conflict` when it is not RECOMMENDED any more, whoever started or cancelled it. */
  cancelRecommended(planUuid: string, signal?: AbortSignal): Promise<Result<WatcherPlan>>
}

/** A plan nobody started yet, and the audit it comes from. */
export interface WaitingRecommendation {
  readonly planUuid: string
  readonly auditUuid: string
  readonly auditName: string
  readonly parameters: Readonly<Record<string, Json>>
}
