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

/** The application of a runner's process, as the runner uses it (main/compose/runner-app.ts). */
export interface RunnerApp {
  readonly driver: ProcessOfDriver
  readonly contract: Contract
  readonly runs: Pick<RunService, 'view' | 'active' | 'drivenOn'>
  readonly journal: {
    /** Why the journal cannot be written; null if it can. */
    readonly readOnly: Failure | null
    runOfPlan(planId: string): string | null
    headOf(runId: string): ChainHead | null
    /** The runs of one cloud; null means every run. */
    rows(filter: {
      readonly cluster: string | null
    }): Result<readonly { readonly id: string; readonly finished: boolean }[]>
  }
  /** Keeps a plan as if it was shown, so that it can be confirmed by its id. */
  readonly keepPlan: (plan: Plan) => void
  /** Makes a plan again by its kind, node and choices, of the cloud as it is now; neither checks nor keeps it. */
  readonly remake: (plan: Plan) => Promise<Result<Plan>>
  /** The contract in the name of an operator: the journal names them as the author of each request. */
  readonly as: (who: { readonly operator: string; readonly asked?: AcceptedRun }) => Contract['ask']
  /** Stores a run that a console hands over, so that it can continue here; returns its id. */
  readonly takeOver: (given: GivenRun) => Result<string>
  /** Leaves these runs resumable, and waits until they are left. */
  readonly leave: (runIds: readonly string[]) => Promise<void>
  /** Reads the cloud once. */
  readonly estimate: (plan: Plan) => Promise<Result<PlanEstimate>>
}
