/** The facts of Masakari that rules are written over: plain values, read by main/adapters/openstack from the instance-ha API (docs/domain.md B.3). */

/** A host of a failover segment: Masakari takes its silence for a failure and has Nova rebuild its instances elsewhere, unless it is on maintenance. */
export interface FailoverHost {
  readonly id: string
  /** As Nova calls it. */
  readonly host: string
  readonly segmentId: string
  readonly segmentName: string
  readonly onMaintenance: boolean
}

/** A failure that Masakari knows of and still works on: until it is done, it changes no host of the segment. */
export interface FailoverRecovery {
  readonly id: string
  /** What failed: the host, a process on it, or an instance. */
  readonly of: 'host' | 'process' | 'instance'
  readonly status: 'new' | 'running' | 'error'
  /** When it was reported (ISO). */
  readonly since: string | null
}

/** On a node, or the Lease of a machine outside of Kubernetes: the run that told Masakari of its maintenance, so that whoever brings it back ends that. */
export const MASAKARI_ANNOTATION = 'lockkeeper.dev/masakari-maintenance'
