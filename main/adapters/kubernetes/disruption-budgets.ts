import type { DisruptionBudget, GuardingBudget, Pod } from '../../../shared/domain/kubernetes.ts'
import { selects } from './label-selector.ts'

/**
 * The budgets whose selector matches a pod: none, one, or several, in which case the API server refuses every eviction with HTTP 500
 * (docs/drain.md 5.5, V9).
 */
export function budgetsOf(pod: Pod, budgets: readonly DisruptionBudget[]): readonly GuardingBudget[] {
  return budgets
    .filter(budget => budget.namespace === pod.namespace && selects(budget.selector, pod.labels))
    .map(({ name, disruptionsAllowed, currentHealthy, desiredHealthy }) => ({
      name,
      disruptionsAllowed,
      currentHealthy,
      desiredHealthy,
    }))
}
