import type { BudgetState } from '../domain/kubernetes.ts'

const STATUS_WORDS: Readonly<Record<BudgetState, string>> = {
  allows: '',
  refuses: '',
  behind: 'its newest change is not processed yet',
  passed: 'it does not hold this pod',
}

/** What is to be said of a budget beside its numbers; nothing where they say it, or where a plan of an earlier version does not tell. */
export function budgetNote(status: BudgetState | undefined): string {
  return status === undefined ? '' : STATUS_WORDS[status]
}
