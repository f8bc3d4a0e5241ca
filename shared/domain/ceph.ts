/** Facts about Ceph that rules use; main/adapters/ceph reads them from the JSON of the `ceph` command. */

/** The answer of `ceph status`. */
export interface CephStatus {
  readonly health: 'HEALTH_OK' | 'HEALTH_WARN' | 'HEALTH_ERR' | 'unknown'
  /** Codes and summaries of health warnings, such as `OSD_DOWN: 1 osds down`. */
  readonly checks: readonly { readonly code: string; readonly summary: string; readonly muted: boolean }[]
  readonly monsInQuorum: readonly string[]
  readonly monsTotal: number
  readonly osds: { readonly total: number; readonly up: number; readonly in: number }
  /** Placement groups by state, such as `active+clean`: 96. */
  readonly pgs: { readonly total: number; readonly byState: Readonly<Record<string, number>> }
  /** Cluster-wide flags, such as `noout`. */
  readonly flags: readonly string[]
}

export interface CephOsd {
  readonly id: number
  /** CRUSH host bucket; null: the OSD has no host bucket. */
  readonly host: string | null
  /** CRUSH rack of its host; absent: the map has no rack above it. */
  readonly rack?: string
  readonly up: boolean
  readonly in: boolean
  /** noout covers it: set for the cluster, its host, or the OSD. */
  readonly noout: boolean
  /** noout is set for its CRUSH host (`ceph osd set-group`). */
  readonly hostNoout: boolean
}

/** Whether these OSDs may stop together (`ceph osd ok-to-stop`). */
export interface CephOkToStop {
  readonly ok: boolean
  readonly osds: readonly number[]
  /** Placement groups that would become unavailable; null: an old release does not count them. */
  readonly pgsAtRisk: number | null
  readonly message: string
}

/** The daemons of Ceph other than OSDs that its maps list, by node (docs/domain.md C.1). */
export interface CephServices {
  /** Major release, such as 16; null: Ceph does not say. */
  readonly release: number | null
  readonly daemons: readonly CephDaemon[]
  /** All monitors of the map, in quorum or not. */
  readonly monsTotal: number
  /** File systems, which need an mds each. */
  readonly filesystems: number
}

/** One daemon. `node` is the host it reports, null if unknown. `active` is false for a standby and for a monitor out of quorum. */
export interface CephDaemon {
  readonly kind: 'mon' | 'mgr' | 'mds'
  readonly name: string
  readonly node: string | null
  readonly active: boolean
}

/** On a node that needs noout for all of Ceph: the run that requested it. Where noout is set by host, Ceph's own flag shows it. */
export const NOOUT_ANNOTATION = 'lockkeeper.dev/noout'

/** What noout covers: one CRUSH host, or all of Ceph. */
export type NooutReach = { readonly kind: 'host'; readonly host: string } | { readonly kind: 'cluster' }

export function isActiveClean(status: CephStatus): boolean {
  const clean = Object.entries(status.pgs.byState)
    .filter(([state]) => state.split('+').includes('active') && state.split('+').includes('clean'))
    .reduce((sum, [, count]) => sum + count, 0)
  return clean === status.pgs.total
}
