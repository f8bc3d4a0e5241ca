import { create } from 'zustand'
import type { PlanChoices } from '../../shared/contract/index.ts'
import type { PlannedNodeRunKind } from '../../shared/domain/plan.ts'

/** What is planned for a node: a procedure, by its name, or the undoing of a run. */
export type PlanWish =
  | {
      readonly kind: PlannedNodeRunKind
      /** The choices with which the plan opens; absent: the cloud's settings. */
      readonly choices?: PlanChoices
    }
  | { readonly kind: 'undo' /** The id of the run. */; readonly undoes: string }

/** The plan dialog: opened by a drop, a menu or a key. Opening it starts nothing. */
export type PlanRequest = PlanWish & {
  readonly cluster: string
  /** In the order they were chosen; the dialog shows the first, then the others one by one. */
  readonly nodes: readonly string[]
}

interface PlanDialogStore {
  readonly open: PlanRequest | null
}

export const usePlanDialog = create<PlanDialogStore>()(() => ({ open: null }))

export function openPlanDialog(request: PlanRequest): void {
  usePlanDialog.setState({ open: request })
}

/** Closes the plan; nothing was changed. */
export function closePlanDialog(): void {
  usePlanDialog.setState({ open: null })
}
