export interface SimulatedOsd {
  readonly id: number
  readonly host: string
  up: boolean
  in: boolean
  downSince: number | null
  /** True after `ceph osd add-noout osd.N`. */
  noout: boolean
}

/** One placement group, with what each OSD has of it. */
export interface SimulatedPg {
  readonly id: string
  /** The share that each OSD misses, from 0 (nothing) to 1 (everything). */
  readonly missing: Map<number, number>
  /** OSDs that receive their first copy; they serve nothing until it is whole. */
  readonly filling: Set<number>
}

export const CEPH_RELEASES: Readonly<Record<number, string>> = {
  16: 'pacific',
  17: 'quincy',
  18: 'reef',
  19: 'squid',
}

/** A monitor, manager or metadata server on a host. */
export interface SimulatedDaemon {
  readonly name: string
  readonly host: string
  up: boolean
}

/** The state of a simulated Ceph cluster. Times are milliseconds of its clock. */
export interface CephMap {
  readonly osds: SimulatedOsd[]
  readonly pgs: readonly SimulatedPg[]
  readonly mons: readonly SimulatedDaemon[]
  readonly mgrs: readonly SimulatedDaemon[]
  /** Metadata servers; an empty list means that there is no file system. */
  readonly mdss: readonly SimulatedDaemon[]
  readonly release: number
  /** Whether the daemons run the next version of the release. */
  upgraded: boolean
  readonly size: number
  readonly minSize: number
  /** Cluster-wide flags that an operator set, such as `noout`. */
  readonly flags: Set<string>
  readonly nooutHosts: Set<string>
  epoch: number
  /** Cached for each set of OSDs that are in. */
  placements: { readonly key: string; readonly byPg: Map<string, readonly number[]> }
}

/** The state that Ceph reports for a placement group. */
interface PgStatus {
  readonly state: string
  readonly active: boolean
  /** Up OSDs that should hold the group, in CRUSH order. */
  readonly acting: readonly number[]
  readonly serving: readonly number[]
  readonly behind: readonly number[]
  /** Whether fewer whole replicas exist than the pool wants. */
  readonly degraded: boolean
}

/** Chooses the OSDs of a group by hash, on as many different hosts as the pool has replicas. */
export function osdsForGroup(map: CephMap, pg: SimulatedPg): readonly number[] {
  const inside = map.osds.filter(osd => osd.in)
  const key = inside.map(osd => osd.id).join()
  if (map.placements.key !== key) map.placements = { key, byPg: new Map() }
  const known = map.placements.byPg.get(pg.id)
  if (known !== undefined) return known
  const chosen = chooseOsds(map, pg)
  map.placements.byPg.set(pg.id, chosen)
  return chosen
}

function chooseOsds(map: CephMap, pg: SimulatedPg): readonly number[] {
  const hosts = [...new Set(map.osds.filter(osd => osd.in).map(osd => osd.host))]
  const byRank = (names: readonly string[]) => [...names].sort((a, b) => hash(`${pg.id}/${b}`) - hash(`${pg.id}/${a}`))
  return byRank(hosts)
    .slice(0, map.size)
    .flatMap(host => {
      const ids = map.osds.filter(osd => osd.in && osd.host === host).map(osd => String(osd.id))
      return byRank(ids).slice(0, 1).map(Number)
    })
}

/** Computes a group's state as if the `stopped` OSDs were down (`ok-to-stop`). Groups in `busy` are under repair; others wait. */
export function groupStatus(
  map: CephMap,
  pg: SimulatedPg,
  more: { readonly stopped?: ReadonlySet<number>; readonly busy?: ReadonlySet<string> } = {},
): PgStatus {
  const isUp = (id: number) => map.osds.some(osd => osd.id === id && osd.up) && more.stopped?.has(id) !== true
  const acting = osdsForGroup(map, pg).filter(isUp)
  const missing = (id: number) => pg.missing.get(id) ?? 1
  const whole = [...pg.missing.keys()].filter(id => isUp(id) && missing(id) === 0)
  const isNew = (id: number) => !pg.missing.has(id) || pg.filling.has(id)
  const behind = acting.filter(id => missing(id) > 0)
  // A returning OSD serves while it catches up; a new one does not, and the old one serves until the copy is whole.
  const serving = [...new Set([...whole, ...acting.filter(id => !isNew(id))])]
  const lost = { active: false, acting, serving, behind, degraded: true }
  if (serving.length === 0) return { ...lost, state: 'stale+undersized+degraded+peered' }
  // No OSD with the newest writes is up.
  if (whole.length === 0) return { ...lost, state: 'down' }
  const active = serving.length >= map.minSize
  const degraded = whole.length < map.size
  const words = [active ? 'active' : 'peered']
  if (acting.length < map.size) words.push('undersized')
  if (degraded) words.push('degraded')
  if (active && behind.length > 0) {
    const busy = more.busy?.has(pg.id) === true
    if (behind.some(isNew)) words.push('remapped', busy ? 'backfilling' : 'backfill_wait')
    else words.push(busy ? 'recovering' : 'recovery_wait')
  }
  if (words.length === 1 && active) words.push('clean')
  return { state: words.join('+'), active, acting, serving, behind, degraded }
}

/** FNV-1a: the same cloud is built on every start. */
function hash(text: string): number {
  let value = 0x811c9dc5
  for (const byte of Buffer.from(text)) value = Math.imul(value ^ byte, 0x01000193)
  // The last bytes of a text hardly reach the upper bits without this mixing.
  value = Math.imul(value ^ (value >>> 15), 0x2c1b3c6d)
  return (value ^ (value >>> 13)) >>> 0
}
