import type { Contract } from '../../../shared/contract/index.ts'
import type { Failure } from '../../../shared/domain/failure.ts'
import type { ChainHead } from '../../../shared/domain/journal-chain.ts'
import type { AcceptedRun } from '../../../shared/domain/maintenance-run.ts'
import type { Plan } from '../../../shared/domain/plan.ts'
import type { Result } from '../../../shared/domain/result.ts'
import type { ProcessOfDriver } from '../../../shared/domain/run.ts'
import type { RunService } from '../../runs/run-service.ts'
import type { GivenRun } from '../../runs/take-over.ts'
import type { PlanEstimate } from '../../windows/plan-estimate.ts'

/** What a runner works with: the application of its process gives it (main/compose/runner-app.ts). */
export interface RunnerApp {
  readonly driver: ProcessOfDriver
  readonly contract: Contract
  readonly runs: Pick<RunService, 'view' | 'active' | 'drivenOn'>
  readonly journal: {
    /** Why nothing can be written; null: it can. */
    readonly readOnly: Failure | null
    runOfPlan(planId: string): string | null
    headOf(runId: string): ChainHead | null
    /** Every run of a cloud, or of all; `finished`: it is over. */
    rows(filter: {
      readonly cluster: string | null
    }): Result<readonly { readonly id: string; readonly finished: boolean }[]>
  }
  /** Keeps a plan as one that was shown, so that it can be confirmed by its id. */
  readonly keepPlan: (plan: Plan) => void
  /** Makes a plan again by its own kind, node and choices, of the cloud as it is now; it is neither checked nor kept. */
  readonly remake: (plan: Plan) => Promise<Result<Plan>>
  /** The contract as this person asks it: what they start, resume, answer or end bears their name in the journal. */
  readonly as: (who: { readonly operator: string; readonly asked?: AcceptedRun }) => Contract['ask']
  /** Keeps a run that a console hands over, so that it can be gone on with; answers its id. */
  readonly takeOver: (given: GivenRun) => Result<string>
  /** Leaves these runs resumable, and waits until they are left. */
  readonly leave: (runIds: readonly string[]) => Promise<void>
  /** Reads the cloud once. */
  readonly estimate: (plan: Plan) => Promise<Result<PlanEstimate>>
}
