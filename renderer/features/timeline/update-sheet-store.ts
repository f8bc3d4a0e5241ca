import { create } from 'zustand'

interface UpdateSheetStore {
  /** The cluster whose update is being planned. */
  readonly cluster: string | null
}

export const useUpdateSheet = create<UpdateSheetStore>()(() => ({ cluster: null }))

/** Lays the plan of an update before the operator; nothing starts by its being open. */
export function openUpdateSheet(cluster: string): void {
  useUpdateSheet.setState({ cluster })
}

/** Puts the plan away; nothing was touched. */
export function closeUpdateSheet(): void {
  useUpdateSheet.setState({ cluster: null })
}
