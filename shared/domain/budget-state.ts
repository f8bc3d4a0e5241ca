import type { BudgetState, DisruptionBudget, Pod } from './kubernetes.ts'

/** Whether budgets have a say in the eviction of a pod: not of one that has not begun, has ended, or is on its way out. */
export function isGuarded({ phase, deletionAt }: Pick<Pod, 'phase' | 'deletionAt'>): boolean {
  return deletionAt === null && phase !== 'Pending' && phase !== 'Succeeded' && phase !== 'Failed'
}

/** Where a budget stands to one of its pods, as an API server decides it. */
export function budgetState(
  pod: Pick<Pod, 'phase' | 'deletionAt' | 'ready'>,
  budget: Omit<DisruptionBudget, 'selector'>,
): BudgetState {
  if (!isGuarded(pod)) return 'passed'
  const { currentHealthy, desiredHealthy } = budget
  const enough = currentHealthy >= desiredHealthy && desiredHealthy > 0
  if (!pod.ready && (budget.unhealthyPodEvictionPolicy === 'AlwaysAllow' || enough)) return 'passed'
  if (budget.observedGeneration < budget.generation) return 'behind'
  return budget.disruptionsAllowed > 0 ? 'allows' : 'refuses'
}

/** Whether a budget that stands so keeps its pod from going now. */
export function keepsPod(status: BudgetState): boolean {
  return status === 'refuses' || status === 'behind'
}
