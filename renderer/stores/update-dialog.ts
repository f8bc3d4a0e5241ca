import { create } from 'zustand'

interface UpdateDialogStore {
  /** The cluster whose update is being planned. */
  readonly cluster: string | null
}

export const useUpdateDialog = create<UpdateDialogStore>()(() => ({ cluster: null }))

/** Lays the plan of an update before the operator; nothing starts by its being open. */
export function openUpdateDialog(cluster: string): void {
  useUpdateDialog.setState({ cluster })
}

/** Puts the plan away; nothing was touched. */
export function closeUpdateDialog(): void {
  useUpdateDialog.setState({ cluster: null })
}
