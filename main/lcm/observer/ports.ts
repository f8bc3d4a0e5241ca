import type { ClusterNode, Pod } from '../../../shared/domain/kubernetes.ts'
import type { ReadLcmReport } from '../../ports/lcm.ts'
import type { WatchMaintenance } from '../../ports/maintenance-api.ts'
import type { MaintenanceWorld } from '../../ports/world.ts'

/** Runs until the signal aborts: first everything there is, then changes. */
type Watch<T> = (
  listener: {
    readonly onChange: (upserts: readonly T[], removedUids: readonly string[]) => void
    readonly onState: (state: { readonly kind: string }) => void
  },
  signal: AbortSignal,
) => Promise<void>

/** What an onlooker needs of a cluster: what is pushed, and what may be asked. */
export interface ObservedWorld {
  readonly world: MaintenanceWorld
  readonly feeds: { readonly nodes: Watch<ClusterNode>; readonly pods: Watch<Pod> }
  readonly watchMaintenance: WatchMaintenance
  readonly readLcmReport: ReadLcmReport
}
