import type { GateValue } from '../../shared/domain/health-gates.ts'
import type { Result } from '../../shared/domain/result.ts'

/** What an instant query came to. */
export interface QueryAnswer {
  readonly values: readonly GateValue[]
  /** The moment that Prometheus evaluated it at, by its own clock; now, where it told none. */
  readonly atMs: number
  /** Why it may not be whole, in the words of whoever answered; none: nothing was said. */
  readonly doubts: readonly string[]
}

/** What the house needs of a Prometheus. It only reads. */
export interface PrometheusPort {
  /** Asks a query of PromQL at this moment. An answer that is not one of numbers is a failure. */
  query(text: string, signal?: AbortSignal): Promise<Result<QueryAnswer>>
}
