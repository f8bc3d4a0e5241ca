import { create } from 'zustand'
import { useTicks } from './ticks.ts'

interface SelectionStore {
  /** Nodes selected on the map of each cluster, in the order of their selection. */
  readonly nodes: ReadonlyMap<string, readonly string[]>
}

/** The selection of each cluster, kept while the operator looks at another. */
export const useSelection = create<SelectionStore>()(() => ({ nodes: new Map() }))

const NONE: readonly string[] = []

export function selectedNodes(store: SelectionStore, cluster: string): readonly string[] {
  return store.nodes.get(cluster) ?? NONE
}

/** How long an untouched selection lasts: an operator who comes back later no longer means it. */
export const SELECTION_KEPT_MS = 15 * 60_000

/** Since when the nodes of a cluster are selected; null means since the last tick, which may be old after a sleep. */
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
