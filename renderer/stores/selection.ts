import { create } from 'zustand'
import { useTicks } from './ticks.ts'

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

/** How long a selection stands that nobody changes: whoever comes back later does not mean it any more. */
export const SELECTION_KEPT_MS = 15 * 60_000

/** Since when the nodes of a cluster are selected; null: since after the last tick, which a sleep may have made an old one. */
const selectedSince = new Map<string, number | null>()

/** Selects exactly these nodes. */
export function selectNodes(cluster: string, nodes: readonly string[]): void {
  useSelection.setState(store => ({ nodes: new Map(store.nodes).set(cluster, nodes) }))
  if (nodes.length === 0) selectedSince.delete(cluster)
  else selectedSince.set(cluster, null)
}

useTicks.subscribe(({ nowMs }) => {
  for (const [cluster, since] of selectedSince) {
    if (since === null) selectedSince.set(cluster, nowMs)
    else if (nowMs - since >= SELECTION_KEPT_MS) selectNodes(cluster, [])
  }
})
