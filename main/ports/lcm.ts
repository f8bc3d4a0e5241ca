import type { Result } from '../../shared/domain/result.ts'
import type { UpdatePhase } from '../../shared/domain/update.ts'

/** What LCM itself says of an update, where it can be read (docs/domain.md A.8). */
export interface LcmReport {
  /** One line a ClusterUpdatePlan, and a status object of LCM's. */
  readonly lines: readonly string[]
  /** By the step that is in progress in the only plan that is; null: it does not say. */
  readonly phase: UpdatePhase | null
  /** Machines whose update is through, since when, and what says so: their own status, or that the step of their update group is Completed. */
  readonly upgraded: readonly { readonly machine: string; readonly at: string; readonly said: string }[]
  /** Phases of which a step was begun, and when the first one was. */
  readonly begun: readonly { readonly phase: UpdatePhase; readonly at: string }[]
  /** Phases of which every step of its plan is Completed, and when the last one was. */
  readonly done: readonly { readonly phase: UpdatePhase; readonly at: string }[]
}

/** Reads LCM's own objects; a cluster that has none, or shows us none, answers with nothing. main/adapters/kubernetes implements it. */
export type ReadLcmReport = (signal?: AbortSignal) => Promise<Result<LcmReport>>
