export interface CephStatus {
  readonly health: 'HEALTH_OK' | 'HEALTH_WARN' | 'HEALTH_ERR' | 'unknown'
  /** For example, `OSD_DOWN: 1 osds down`. */
  readonly checks: readonly { readonly code: string; readonly summary: string; readonly muted: boolean }[]
  readonly monsInQuorum: readonly string[]
  readonly monsTotal: number
  readonly osds: { readonly total: number; readonly up: number; readonly in: number }
  readonly pgs: { readonly total: number; readonly byState: Readonly<Record<string, number>> }
  readonly flags: readonly string[]
}

export interface CephOsd {
  readonly id: number
  /** CRUSH host bucket; null if the OSD has none. */
  readonly host: string | null
  /** CRUSH rack of its host; absent if the map has no rack above it. */
  readonly rack?: string
  readonly up: boolean
  readonly in: boolean
  /** noout covers it: set for the cluster, its host, or the OSD. */
  readonly noout: boolean
  /** noout is set for its CRUSH host (`ceph osd set-group`). */
  readonly hostNoout: boolean
}

export interface CephOkToStop {
  readonly ok: boolean
  readonly osds: readonly number[]
  /** Placement groups that would become unavailable; null if an old release does not count them. */
  readonly pgsAtRisk: number | null
  readonly message: string
}

/** Daemons other than OSDs, by node (docs/domain.md C.1). */
export interface CephServices {
  /** Major release, such as 16; null if Ceph does not say. */
  readonly release: number | null
  readonly daemons: readonly CephDaemon[]
  readonly monsTotal: number
  readonly filesystems: number
}

/** `node`: the host it reports; null if unknown. `active` false: a standby, or a monitor out of quorum. */
export interface CephDaemon {
  readonly kind: 'mon' | 'mgr' | 'mds'
  readonly name: string
  readonly node: string | null
  readonly active: boolean
}

/** On a node that needs the cluster-wide noout: the run that requested it. By host, Ceph's own flag shows it. */
export const NOOUT_ANNOTATION = 'lockkeeper.dev/noout'

export type NooutReach = { readonly kind: 'host'; readonly host: string } | { readonly kind: 'cluster' }

export function isActiveClean(status: CephStatus): boolean {
  const clean = Object.entries(status.pgs.byState)
    .filter(([state]) => state.split('+').includes('active') && state.split('+').includes('clean'))
    .reduce((sum, [, count]) => sum + count, 0)
  return clean === status.pgs.total
}
