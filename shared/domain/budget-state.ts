import type { BudgetState, DisruptionBudget, Pod } from './kubernetes.ts'

/** A pod that has not started, has ended or is being deleted is evicted without its budgets. */
export function isGuarded({ phase, deletionAt }: Pick<Pod, 'phase' | 'deletionAt'>): boolean {
  return deletionAt === null && phase !== 'Pending' && phase !== 'Succeeded' && phase !== 'Failed'
}

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

export function keepsPod(status: BudgetState): boolean {
  return status === 'refuses' || status === 'behind'
}
