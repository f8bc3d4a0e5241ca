import type { BudgetStanding } from '../domain/kubernetes.ts'

/** What is to be said of a budget beside its numbers; nothing where they say it. */
export const BUDGET_STANDING_WORDS: Readonly<Record<BudgetStanding, string>> = {
  allows: '',
  refuses: '',
  behind: 'its newest change is not processed yet',
  passed: 'it does not hold this pod',
}
