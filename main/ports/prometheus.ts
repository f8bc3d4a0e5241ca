import type { GateValue } from '../../shared/domain/health-gates.ts'
import type { Result } from '../../shared/domain/result.ts'

export interface QueryAnswer {
  readonly values: readonly GateValue[]
  /** Prometheus's evaluation time; now, if it sent none. */
  readonly atMs: number
  /** Why the result may be incomplete, in the server's words. */
  readonly doubts: readonly string[]
}

export interface PrometheusPort {
  /** Runs a PromQL query now. A result without numbers is a failure. */
  query(text: string, signal?: AbortSignal): Promise<Result<QueryAnswer>>
}
