import type { ReactNode } from 'react'
import type { BudgetState } from '../../../shared/domain/kubernetes.ts'
import { budgetNote } from '../../../shared/words/budgets.ts'

/** What a budget means for its pod, if its numbers do not say it. */
export function BudgetNote({ status }: { readonly status: BudgetState | undefined }): ReactNode {
  const words = budgetNote(status)
  return words === '' ? null : `; ${words}`
}
