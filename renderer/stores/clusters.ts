import { create } from 'zustand'
import { type Cluster, type ClusterColour, coloursOf } from '../../shared/domain/cluster.ts'
import type { Failure } from '../../shared/domain/failure.ts'

/** The list of clusters: not read yet, read, or unreadable. A failed read keeps the earlier list. */
export type ClusterListState =
  | { readonly kind: 'unread' }
  | {
      readonly kind: 'listed'
      readonly byName: ReadonlyMap<string, Cluster>
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

/** The registered clusters, as main last reported them (docs/style.md G30, G31: one way, one store per noun). */
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

/** The colour of a cluster in the style sheet; grey if it is not registered. */
export function useClusterColour(name: string): string {
  const colour = useClusters(({ list }) => (list.kind === 'listed' ? list.colours.get(name) : undefined))
  return colour === undefined ? 'var(--rest)' : `var(--cluster-${colour})`
}

/** Whether the cloud is production: it wants a reason for what is left undone. */
export function useIsProduction(name: string | null): boolean {
  return useClusters(
    ({ list }) => name !== null && list.kind === 'listed' && list.byName.get(name)?.production === true,
  )
}
