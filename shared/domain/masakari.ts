/** Facts about Masakari that rules use; main/adapters/openstack reads them from the instance-ha API (docs/domain.md B.3). */

/** A host of a failover segment. Masakari treats its silence as a failure and has Nova rebuild its instances, unless on maintenance. */
export interface FailoverHost {
  readonly id: string
  /** Nova's name for it. */
  readonly host: string
  readonly segmentId: string
  readonly segmentName: string
  readonly onMaintenance: boolean
}

/** A failure that Masakari still handles: until then it changes no host of the segment. */
export interface FailoverRecovery {
  readonly id: string
  /** What failed: the host, a process on it, or an instance. */
  readonly of: 'host' | 'process' | 'instance'
  readonly status: 'new' | 'running' | 'error'
  /** When it was reported (ISO). */
  readonly since: string | null
}

/** On a node, or the Lease of a machine outside of Kubernetes: the run that set on_maintenance, for the way back. */
export const MASAKARI_ANNOTATION = 'lockkeeper.dev/masakari-maintenance'
