import { create } from 'zustand'

interface SelectionStore {
  /** Nodes selected on the map of each cluster, in the order they were selected. */
  readonly nodes: ReadonlyMap<string, readonly string[]>
}

/** What is selected, cluster by cluster: kept while the operator looks at another one. */
export const useSelection = create<SelectionStore>()(() => ({ nodes: new Map() }))

const NONE: readonly string[] = []

/** The selected nodes of a cluster. */
export function selectedNodes(store: SelectionStore, cluster: string): readonly string[] {
  return store.nodes.get(cluster) ?? NONE
}

/** Selects exactly these nodes. */
export function selectNodes(cluster: string, nodes: readonly string[]): void {
  useSelection.setState(store => ({ nodes: new Map(store.nodes).set(cluster, nodes) }))
}
