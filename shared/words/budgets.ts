import type { BudgetStanding } from '../domain/kubernetes.ts'

const STANDING_WORDS: Readonly<Record<BudgetStanding, string>> = {
  allows: '',
  refuses: '',
  behind: 'its newest change is not processed yet',
  passed: 'it does not hold this pod',
}

/** What is to be said of a budget beside its numbers; nothing where they say it, or where a plan of an earlier version does not tell. */
export function budgetNote(standing: BudgetStanding | undefined): string {
  return standing === undefined ? '' : STANDING_WORDS[standing]
}
