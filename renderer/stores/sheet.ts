import { create } from 'zustand'
import type { NodeRunKind } from '../../shared/domain/plan.ts'

/** The plan that is laid before the operator: opened by a drop, a menu or a key; nothing starts by its being open. */
export interface SheetRequest {
  readonly cluster: string
  readonly kind: NodeRunKind
  /** In the order they were chosen; the sheet shows the first, and the others one by one after it. */
  readonly nodes: readonly string[]
}

interface SheetStore {
  readonly open: SheetRequest | null
}

export const useSheet = create<SheetStore>()(() => ({ open: null }))

/** Lays the plan of taking nodes out of service, or of bringing them back, before the operator. */
export function openSheet(request: SheetRequest): void {
  useSheet.setState({ open: request })
}

/** Puts the plan away; nothing was touched. */
export function closeSheet(): void {
  useSheet.setState({ open: null })
}
