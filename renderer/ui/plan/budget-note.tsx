import type { ReactNode } from 'react'
import type { BudgetStanding } from '../../../shared/domain/kubernetes.ts'
import { budgetNote } from '../../../shared/words/budgets.ts'

/** What a budget means for its pod, where its numbers do not say it. */
export function BudgetNote({ standing }: { readonly standing: BudgetStanding | undefined }): ReactNode {
  const words = budgetNote(standing)
  return words === '' ? null : `; ${words}`
}
