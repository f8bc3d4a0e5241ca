import type { FeedState } from '../../../../shared/domain/kubernetes.ts'
import type {
  MaintenanceCampaign,
  MaintenanceCampaignSpec,
  MaintenanceCampaignStatus,
} from '../../../../shared/domain/maintenance-campaign.ts'
import type {
  MaintenanceRun,
  MaintenanceRunControl,
  MaintenanceRunControlSpec,
  MaintenanceRunControlStatus,
  MaintenanceRunSpec,
  MaintenanceRunStatus,
} from '../../../../shared/domain/maintenance-run.ts'
import type { Result } from '../../../../shared/domain/result.ts'

/** Our objects in the runner's namespace at one moment. */
export interface RunnerObjects {
  readonly runs: readonly MaintenanceRun[]
  readonly controls: readonly MaintenanceRunControl[]
  /** Empty without the definition, which is newer than the definition of runs. */
  readonly campaigns: readonly MaintenanceCampaign[]
}

/** Conditions of a status write, so that a runner does not overwrite a later status of another one. */
export interface StatusCondition {
  readonly seen?: string
  /** Only if no other runner (`driver.runner`) has it. */
  readonly by?: string
}

/** MaintenanceRuns, campaigns and controls in one namespace (docs/runner.md). `not-found`: their definitions are not installed. */
export interface MaintenanceRunsPort {
  objects(signal?: AbortSignal): Promise<Result<Pick<RunnerObjects, 'runs' | 'controls'>>>
  campaigns(signal?: AbortSignal): Promise<Result<readonly MaintenanceCampaign[]>>
  run(name: string, signal?: AbortSignal): Promise<Result<MaintenanceRun | null>>
  campaign(name: string, signal?: AbortSignal): Promise<Result<MaintenanceCampaign | null>>
  /** `conflict` if it exists (`maintenanceRunName` creates names); `bad-input` names the rejected field, or says that it is too large. */
  createRun(
    run: { readonly name: string; readonly spec: MaintenanceRunSpec },
    signal?: AbortSignal,
  ): Promise<Result<MaintenanceRun>>
  createCampaign(
    campaign: { readonly name: string; readonly spec: MaintenanceCampaignSpec },
    signal?: AbortSignal,
  ): Promise<Result<MaintenanceCampaign>>
  createControl(
    control: { readonly name: string; readonly spec: MaintenanceRunControlSpec },
    signal?: AbortSignal,
  ): Promise<Result<MaintenanceRunControl>>
  /** `conflict` if the object was replaced or is not as `seen`; `held` if another runner than `by` has it. */
  setRunStatus(
    run: { readonly name: string; readonly uid: string },
    status: MaintenanceRunStatus,
    only?: StatusCondition,
    signal?: AbortSignal,
  ): Promise<Result<void>>
  /** Writes the status of the object as it was read, and returns the result; `conflict` if it changed, `not-found` if it is gone. */
  setCampaignStatus(
    campaign: Pick<MaintenanceCampaign, 'name' | 'uid' | 'resourceVersion'>,
    status: MaintenanceCampaignStatus,
    signal?: AbortSignal,
  ): Promise<Result<MaintenanceCampaign>>
  setControlStatus(
    control: { readonly name: string; readonly uid: string },
    status: MaintenanceRunControlStatus,
    signal?: AbortSignal,
  ): Promise<Result<void>>
  /** Our user, by the API server; null if unknown (before 1.28). */
  whoAmI(signal?: AbortSignal): Promise<Result<string | null>>
  /** Since when admission rejects a forged `confirmedBy` or `by` (ISO); null if it does not, so that authors are unproved. */
  provesUsersSince(signal?: AbortSignal): Promise<Result<string | null>>
  /** First all objects, then all after each change (coalesced); runs until the signal aborts. */
  watch(
    listener: {
      readonly onObjects: (objects: RunnerObjects) => void
      readonly onState: (state: FeedState) => void
    },
    signal: AbortSignal,
  ): Promise<void>
}
