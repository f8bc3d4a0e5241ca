import { create } from 'zustand'

interface QueueStore {
  /** Nodes set aside, by cluster; absent before main's first answer. */
  readonly byCluster: ReadonlyMap<string, readonly string[]>
}

/** The queues of the dock; main keeps them. */
export const useQueue = create<QueueStore>()(() => ({ byCluster: new Map() }))

const NONE: readonly string[] = []

export function queueOf(store: QueueStore, cluster: string): readonly string[] {
  return store.byCluster.get(cluster) ?? NONE
}
