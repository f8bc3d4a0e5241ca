/** Masakari takes its silence for a failure and has Nova rebuild its instances, unless on maintenance (docs/domain.md B.3). */
export interface FailoverHost {
  readonly id: string
  readonly host: string
  readonly segmentId: string
  readonly segmentName: string
  readonly onMaintenance: boolean
}

/** Until it has handled this failure, Masakari changes no host of the segment. */
export interface FailoverRecovery {
  readonly id: string
  readonly of: 'host' | 'process' | 'instance'
  readonly status: 'new' | 'running' | 'error'
  readonly since: string | null
}

/** An annotation on a node, or on the Lease of a machine outside Kubernetes: the run that set on_maintenance. */
export const MASAKARI_ANNOTATION = 'lockkeeper.dev/masakari-maintenance'
