import { create } from 'zustand'

interface UpdateDialogStore {
  /** The cluster whose work on many nodes is being planned, and the nodes that were chosen for it; null: all of the cluster. */
  readonly open: { readonly cluster: string; readonly nodes: readonly string[] | null } | null
}

export const useUpdateDialog = create<UpdateDialogStore>()(() => ({ open: null }))

/** Lays the plan of an update, or of a rolling maintenance of chosen nodes, before the operator; nothing starts by its being open. */
export function openUpdateDialog(cluster: string, nodes: readonly string[] | null = null): void {
  useUpdateDialog.setState({ open: { cluster, nodes } })
}

/** Puts the plan away; nothing was touched. */
export function closeUpdateDialog(): void {
  useUpdateDialog.setState({ open: null })
}
