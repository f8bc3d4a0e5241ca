import { create } from 'zustand'
import { clusterRoute, goTo } from './route.ts'

interface UpdateWishStore {
  /** The nodes chosen on the map for work on many nodes; null means all nodes of the cloud. */
  readonly wish: { readonly cluster: string; readonly nodes: readonly string[] } | null
}

export const useUpdateWish = create<UpdateWishStore>()(() => ({ wish: null }))

/** Goes to the plan of an update, of all nodes or of chosen ones. Opening it starts nothing. */
export function openUpdate(cluster: string, nodes: readonly string[] | null = null): void {
  useUpdateWish.setState({ wish: nodes === null ? null : { cluster, nodes } })
  goTo(clusterRoute(cluster, 'update'))
}

/** Plans all nodes again. */
export function forgetUpdateWish(): void {
  useUpdateWish.setState({ wish: null })
}
