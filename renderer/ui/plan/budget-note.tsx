import type { ReactNode } from 'react'
import type { BudgetStanding } from '../../../shared/domain/kubernetes.ts'
import { BUDGET_STANDING_WORDS } from '../../../shared/words/budgets.ts'

/** What a budget means for its pod, where its numbers do not say it. */
export function BudgetNote({ standing }: { readonly standing: BudgetStanding | undefined }): ReactNode {
  const words = standing === undefined ? '' : BUDGET_STANDING_WORDS[standing]
  return words === '' ? null : `; ${words}`
}
