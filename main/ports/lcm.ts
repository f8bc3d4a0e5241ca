import type { Result } from '../../shared/domain/result.ts'
import type { UpdatePhase } from '../../shared/domain/update.ts'

/** LCM's own report of an update, if readable (docs/domain.md A.8). */
export interface LcmReport {
  /** One line per ClusterUpdatePlan and status object of LCM. */
  readonly lines: readonly string[]
  /** The phase of the step in progress, if there is a single plan; null if unknown. */
  readonly phase: UpdatePhase | null
  /** Updated machines, since when, and the source: their own status, or the Completed step of their update group. */
  readonly upgraded: readonly { readonly machine: string; readonly at: string; readonly said: string }[]
  /** Phases with a started step, with the earliest start. */
  readonly begun: readonly { readonly phase: UpdatePhase; readonly at: string }[]
  /** Phases whose steps are all Completed, with the latest end. */
  readonly done: readonly { readonly phase: UpdatePhase; readonly at: string }[]
}

/** Reads LCM's own objects; an empty report if they are missing or unreadable. main/adapters/kubernetes implements it. */
export type ReadLcmReport = (signal?: AbortSignal) => Promise<Result<LcmReport>>
