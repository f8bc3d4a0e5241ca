import { create } from 'zustand'

interface UpdateDialogStore {
  /** The cluster whose work on many nodes is being planned, and the chosen nodes; null means all of the cluster. */
  readonly open: { readonly cluster: string; readonly nodes: readonly string[] | null } | null
}

export const useUpdateDialog = create<UpdateDialogStore>()(() => ({ open: null }))

/** Opens the plan of an update, or of a batch of chosen nodes. Opening it starts nothing. */
export function openUpdateDialog(cluster: string, nodes: readonly string[] | null = null): void {
  useUpdateDialog.setState({ open: { cluster, nodes } })
}

/** Closes the plan; nothing was changed. */
export function closeUpdateDialog(): void {
  useUpdateDialog.setState({ open: null })
}
