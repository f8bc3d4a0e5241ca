import { create } from 'zustand'
import type { PlannedNodeRunKind } from '../../shared/domain/plan.ts'

/** The plan that is laid before the operator: opened by a drop, a menu or a key; nothing starts by its being open. */
export interface PlanRequest {
  readonly cluster: string
  readonly kind: PlannedNodeRunKind
  /** In the order they were chosen; the dialog shows the first, and the others one by one after it. */
  readonly nodes: readonly string[]
}

interface PlanDialogStore {
  readonly open: PlanRequest | null
}

export const usePlanDialog = create<PlanDialogStore>()(() => ({ open: null }))

/** Lays the plan of taking nodes out of service, or of bringing them back, before the operator. */
export function openPlanDialog(request: PlanRequest): void {
  usePlanDialog.setState({ open: request })
}

/** Puts the plan away; nothing was touched. */
export function closePlanDialog(): void {
  usePlanDialog.setState({ open: null })
}
