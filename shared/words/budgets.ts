import type { BudgetState } from '../domain/kubernetes.ts'

const STATUS_WORDS: Readonly<Record<BudgetState, string>> = {
  allows: '',
  refuses: '',
  behind: 'its newest change is not processed yet',
  passed: 'it does not cover this pod',
}

/** A note on a budget beside its numbers; empty if the numbers say it, or if a plan of an earlier version has no status. */
export function budgetNote(status: BudgetState | undefined): string {
  return status === undefined ? '' : STATUS_WORDS[status]
}
