import type { FeedState } from '../../shared/domain/kubernetes.ts'
import type {
  MaintenanceCampaign,
  MaintenanceCampaignSpec,
  MaintenanceCampaignStatus,
} from '../../shared/domain/maintenance-campaign.ts'
import type {
  MaintenanceRun,
  MaintenanceRunControl,
  MaintenanceRunControlSpec,
  MaintenanceRunControlStatus,
  MaintenanceRunSpec,
  MaintenanceRunStatus,
} from '../../shared/domain/maintenance-run.ts'
import type { Result } from '../../shared/domain/result.ts'

/** Every object of ours in the runner's namespace, of one moment. */
export interface RunnerObjects {
  readonly runs: readonly MaintenanceRun[]
  readonly controls: readonly MaintenanceRunControl[]
  /** None where the definition is not installed: that of runs is older. */
  readonly campaigns: readonly MaintenanceCampaign[]
}

/** On what a status is written. A runner that looked at an object some time ago must not write over what another one said since. */
export interface StatusCondition {
  /** Only on this version of the object, by which it was judged. */
  readonly seen?: string
  /** Only where no other runner (`driver.runner`) than this one has it. */
  readonly by?: string
}

/**
 * MaintenanceRuns, their campaigns and controls in one namespace of one Kubernetes (docs/runner.md): what operators create and a runner answers.
 * `not-found`: the definitions are not installed there.
 */
export interface MaintenanceRunsPort {
  /** Runs and their controls. */
  objects(signal?: AbortSignal): Promise<Result<Pick<RunnerObjects, 'runs' | 'controls'>>>
  campaigns(signal?: AbortSignal): Promise<Result<readonly MaintenanceCampaign[]>>
  /** One by its name, asked for by itself; null: there is none. */
  run(name: string, signal?: AbortSignal): Promise<Result<MaintenanceRun | null>>
  /** As `run`. */
  campaign(name: string, signal?: AbortSignal): Promise<Result<MaintenanceCampaign | null>>
  /** `conflict` when one of this name is there (`maintenanceRunName` makes one); `bad-input` says which field is refused, or that it is too large. */
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
  /**
   * Writes the status of exactly this object; `not-found` when it is gone, `conflict` when its UID is another, or it is not as it was `seen` any more; `held` when
   * another runner than `by` has it.
   */
  setRunStatus(
    run: { readonly name: string; readonly uid: string },
    status: MaintenanceRunStatus,
    only?: StatusCondition,
    signal?: AbortSignal,
  ): Promise<Result<void>>
  /** Writes the status of the object as it was read, and answers it as it is then; `conflict` when it changed since, `not-found` when it is gone. */
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
  /** Who the API server says we are; null: it does not tell (before 1.28). */
  whoAmI(signal?: AbortSignal): Promise<Result<string | null>>
  /**
   * Since when admission refuses a `confirmedBy` or `by` that is not its user's (ISO), by reading the policies and their bindings; null: it does not. Of what was made
   * before that nobody proved anything.
   */
  provesUsersSince(signal?: AbortSignal): Promise<Result<string | null>>
  /** First everything, then everything as it is after each change (coalesced); runs until the signal aborts. */
  watch(
    listener: {
      readonly onObjects: (objects: RunnerObjects) => void
      readonly onState: (state: FeedState) => void
    },
    signal: AbortSignal,
  ): Promise<void>
}
