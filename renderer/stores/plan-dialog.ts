import { create } from 'zustand'
import type { PlannedNodeRunKind } from '../../shared/domain/plan.ts'

/** What is planned for a node: a procedure, by its name, or the way back of one run. */
export type PlanWish =
  | { readonly kind: PlannedNodeRunKind }
  | { readonly kind: 'undo' /** The id of the run. */; readonly undoes: string }

/** The plan that is laid before the operator: opened by a drop, a menu or a key; nothing starts by its being open. */
export type PlanRequest = PlanWish & {
  readonly cluster: string
  /** In the order they were chosen; the dialog shows the first, and the others one by one after it. */
  readonly nodes: readonly string[]
}

interface PlanDialogStore {
  readonly open: PlanRequest | null
}

export const usePlanDialog = create<PlanDialogStore>()(() => ({ open: null }))

/** Lays a plan of nodes before the operator. */
export function openPlanDialog(request: PlanRequest): void {
  usePlanDialog.setState({ open: request })
}

/** Puts the plan away; nothing was touched. */
export function closePlanDialog(): void {
  usePlanDialog.setState({ open: null })
}
