import { create } from 'zustand'
import { type Cluster, type ClusterColour, coloursOf } from '../../shared/domain/cluster.ts'
import type { Failure } from '../../shared/domain/failure.ts'

/** Where the list of clusters stands: not read yet, read, or not readable. A later read keeps showing what was there. */
export type ClusterListState =
  | { readonly kind: 'unread' }
  | {
      readonly kind: 'listed'
      readonly byName: ReadonlyMap<string, Cluster>
      /** The colour of each, by name. */
      readonly colours: ReadonlyMap<string, ClusterColour>
    }
  | { readonly kind: 'failed'; readonly failure: Failure }

interface ClusterStore {
  readonly list: ClusterListState
  readonly reading: boolean
  readonly loading: () => void
  readonly listed: (clusters: readonly Cluster[]) => void
  readonly failed: (failure: Failure) => void
}

/** The registered clusters, as main last told them (docs/style.md G30, G31: one way, one store a noun). */
export const useClusters = create<ClusterStore>()(set => ({
  list: { kind: 'unread' },
  reading: false,
  loading: () => set({ reading: true }),
  listed: clusters =>
    set({
      reading: false,
      list: {
        kind: 'listed',
        byName: new Map(clusters.map(cluster => [cluster.name, cluster])),
        colours: coloursOf(clusters),
      },
    }),
  failed: failure => set({ reading: false, list: { kind: 'failed', failure } }),
}))

/** The colour of a cluster as the style sheet knows it; grey when it is not registered, or not any more. */
export function useClusterColour(name: string): string {
  const colour = useClusters(({ list }) => (list.kind === 'listed' ? list.colours.get(name) : undefined))
  return colour === undefined ? 'var(--rest)' : `var(--cluster-${colour})`
}
