import { create } from 'zustand'

interface SeveralStore {
  /** The nodes that were chosen together to go out. */
  readonly open: { readonly cluster: string; readonly nodes: readonly string[] } | null
}

export const useSeveral = create<SeveralStore>()(() => ({ open: null }))

/** Asks what several nodes are taken out for. Starts nothing. */
export function openSeveral(cluster: string, nodes: readonly string[]): void {
  useSeveral.setState({ open: { cluster, nodes } })
}

/** Closes the question or the plan; nothing was changed. */
export function closeSeveral(): void {
  useSeveral.setState({ open: null })
}
