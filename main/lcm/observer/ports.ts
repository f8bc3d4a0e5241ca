import type { ClusterNode, Pod } from '../../../shared/domain/kubernetes.ts'
import type { Observation } from '../../../shared/domain/observation.ts'
import type { Result } from '../../../shared/domain/result.ts'
import type { UpdateMoment } from '../../../shared/domain/update.ts'
import type { MaintenanceWorld } from '../../maintenance/ports.ts'
import type { ReadLcmReport, WatchMaintenance } from '../ports.ts'

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

/** Where observations are kept; main/journal implements it. */
export interface ObservationLog {
  record(cluster: string, updateId: string, observation: Observation): Result<void>
  /** The update that was observed last on a cluster; null when none was. */
  lastUpdate(cluster: string): string | null
  of(cluster: string, updateId: string): Result<readonly Observation[]>
  /** Figures that were taken on a cluster between two times (ISO), the ends included. */
  samples(cluster: string, from: string, to: string): readonly UpdateMoment[]
}
