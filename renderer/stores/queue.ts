import { create } from 'zustand'

interface QueueStore {
  /** Nodes set aside to be entered, by cluster; absent before main told it. */
  readonly byCluster: ReadonlyMap<string, readonly string[]>
}

/** The queues of the dock; main keeps them. */
export const useQueue = create<QueueStore>()(() => ({ byCluster: new Map() }))

const NONE: readonly string[] = []

/** The queue of a cluster. */
export function queueOf(store: QueueStore, cluster: string): readonly string[] {
  return store.byCluster.get(cluster) ?? NONE
}
