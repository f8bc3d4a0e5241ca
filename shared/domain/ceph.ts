/** The Ceph facts that rules are written over: plain values, read by main/adapters/ceph from the `ceph` command's JSON. */

/** The cluster as `ceph status` tells it. */
export interface CephStatus {
  readonly health: 'HEALTH_OK' | 'HEALTH_WARN' | 'HEALTH_ERR' | 'unknown'
  /** Codes and summaries of what is not well, such as `OSD_DOWN: 1 osds down`. */
  readonly checks: readonly { readonly code: string; readonly summary: string; readonly muted: boolean }[]
  readonly monsInQuorum: readonly string[]
  readonly monsTotal: number
  readonly osds: { readonly total: number; readonly up: number; readonly in: number }
  /** Placement groups by state, such as `active+clean`: 96. */
  readonly pgs: { readonly total: number; readonly byState: Readonly<Record<string, number>> }
  /** Cluster-wide flags, such as `noout`. */
  readonly flags: readonly string[]
}

/** One OSD with the CRUSH host it belongs to. */
export interface CephOsd {
  readonly id: number
  /** CRUSH host bucket; null for an OSD outside of any. */
  readonly host: string | null
  /** CRUSH rack its host is in; absent where the map has none above it. */
  readonly rack?: string
  readonly up: boolean
  readonly in: boolean
  /** Protected by noout: of the cluster, its host, or its own. */
  readonly noout: boolean
  /** noout is set for its CRUSH host (`ceph osd set-group`). */
  readonly hostNoout: boolean
}

/** Whether these OSDs may be stopped at once (`ceph osd ok-to-stop`). */
export interface CephOkToStop {
  readonly ok: boolean
  readonly osds: readonly number[]
  /** Placement groups that would become unavailable; null where an old release does not count. */
  readonly pgsAtRisk: number | null
  readonly message: string
}

/** The daemons of Ceph that are no OSDs and that its maps know, by the node they run on (docs/domain.md C.1). */
export interface CephServices {
  /** Major release, such as 16; null when Ceph does not tell. */
  readonly release: number | null
  readonly daemons: readonly CephDaemon[]
  /** All monitors of the map, in quorum or not. */
  readonly monsTotal: number
  /** File systems, which need an mds each. */
  readonly filesystems: number
}

/** One daemon. `node` is the host it reports; null when it cannot be told. `active` is false for a standby or one out of quorum. */
export interface CephDaemon {
  readonly kind: 'mon' | 'mgr' | 'mds'
  readonly name: string
  readonly node: string | null
  readonly active: boolean
}

/** On a node that needs noout of all of Ceph: the run that asked for it. Where noout is set by host, Ceph's own flag tells. */
export const NOOUT_ANNOTATION = 'lockkeeper.dev/noout'

/** What noout covers: one CRUSH host, or all of Ceph. */
export type NooutReach = { readonly kind: 'host'; readonly host: string } | { readonly kind: 'cluster' }

/** Whether every placement group is active and clean: the cluster is whole again. */
export function isActiveClean(status: CephStatus): boolean {
  const clean = Object.entries(status.pgs.byState)
    .filter(([state]) => state.split('+').includes('active') && state.split('+').includes('clean'))
    .reduce((sum, [, count]) => sum + count, 0)
  return clean === status.pgs.total
}
