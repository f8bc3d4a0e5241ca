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

/** How long a selection stands that nobody changes: whoever comes back later does not mean it any more. */
export const SELECTION_KEPT_MS = 15 * 60_000

const LOOK_EVERY_MS = 30_000

/** When the nodes of a cluster were last selected, by the clock: a timer stands still while a laptop sleeps. */
const selectedAt = new Map<string, number>()

let looking: ReturnType<typeof setInterval> | null = null

/** Selects exactly these nodes. */
export function selectNodes(cluster: string, nodes: readonly string[]): void {
  useSelection.setState(store => ({ nodes: new Map(store.nodes).set(cluster, nodes) }))
  if (nodes.length === 0) selectedAt.delete(cluster)
  else selectedAt.set(cluster, Date.now())
  looking ??= setInterval(letGoOld, LOOK_EVERY_MS)
}

function letGoOld(): void {
  for (const [cluster, at] of selectedAt) {
    if (Date.now() - at >= SELECTION_KEPT_MS) selectNodes(cluster, [])
  }
  if (selectedAt.size > 0 || looking === null) return
  clearInterval(looking)
  looking = null
}
