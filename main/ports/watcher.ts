import type { Json } from '../../shared/domain/json.ts'
import type { Result } from '../../shared/domain/result.ts'
import type { WatcherAbout, WatcherFigures, WatcherPlan } from '../../shared/domain/watcher.ts'

/** Watcher for the procedures (docs/domain.md B.2). main/adapters/openstack/watcher implements it. */
export interface WatcherPort {
  /** `not-found` if the catalogue lacks the service. */
  about(signal?: AbortSignal): Promise<Result<WatcherAbout>>
  figures(strategy: string, signal?: AbortSignal): Promise<Result<WatcherFigures>>
  /** Creates a ONESHOT audit and waits for its end; changes nothing in the cloud. `bad-input` names a parameter that the strategy lacks. */
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
  /** RECOMMENDED plans of any author, with the name and parameters of their audits. */
  recommended(signal?: AbortSignal): Promise<Result<readonly WaitingRecommendation[]>>
  plan(uuid: string, signal?: AbortSignal): Promise<Result<WatcherPlan>>
  /** Skips an action of a plan that has not started; `bad-input` if the microversion lacks it. */
  skip(actionUuid: string, reason: string, signal?: AbortSignal): Promise<Result<void>>
  /** `conflict` if it is no longer RECOMMENDED. */
  start(planUuid: string, signal?: AbortSignal): Promise<Result<WatcherPlan>>
  /** RECOMMENDED or PENDING: CANCELLED; ONGOING: CANCELLING, running actions still finish. `conflict` if it has ended. */
  cancel(planUuid: string, signal?: AbortSignal): Promise<Result<WatcherPlan>>
  /** Cancels a plan that has not started: `conflict` if it is no longer RECOMMENDED. */
  cancelRecommended(planUuid: string, signal?: AbortSignal): Promise<Result<void>>
}

export interface WaitingRecommendation {
  readonly planUuid: string
  readonly auditUuid: string
  readonly auditName: string
  readonly parameters: Readonly<Record<string, Json>>
}
