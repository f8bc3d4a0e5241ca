/** One simulated OSD. */
export interface SimulatedOsd {
  readonly id: number
  readonly host: string
  up: boolean
  in: boolean
  /** When it went down, on the simulator's clock; null while up. */
  downSince: number | null
  /** `ceph osd add-noout osd.N`. */
  noout: boolean
}

/** One placement group: who should hold it, and who does. */
export interface SimulatedPg {
  /** As Ceph writes it: pool, dot, number in hex. */
  readonly id: string
  /** What each of its OSDs is missing, from 0 (nothing) to 1 (everything). */
  readonly missing: Map<number, number>
  /** OSDs that never held it whole: they are filled, and serve nothing until then. */
  readonly filling: Set<number>
}

/** Releases by their number. */
export const CEPH_RELEASES: Readonly<Record<number, string>> = {
  16: 'pacific',
  17: 'quincy',
  18: 'reef',
  19: 'squid',
}

/** A daemon that is no OSD, on a host. */
export interface SimulatedDaemon {
  readonly name: string
  readonly host: string
  up: boolean
}

/** Everything a simulated Ceph cluster is. Times are milliseconds of its clock. */
export interface CephMap {
  readonly osds: SimulatedOsd[]
  readonly pgs: readonly SimulatedPg[]
  /** Monitors with their host, whether they run. */
  readonly mons: readonly SimulatedDaemon[]
  readonly mgrs: readonly SimulatedDaemon[]
  /** Metadata servers; none: no file system. */
  readonly mdss: readonly SimulatedDaemon[]
  /** Major release, such as 17. */
  readonly release: number
  /** Whether its daemons were upgraded within that release. */
  upgraded: boolean
  /** Replicas of a pool, and how many it needs to serve. */
  readonly size: number
  readonly minSize: number
  /** Cluster-wide flags that an operator set. */
  readonly flags: Set<string>
  /** CRUSH hosts under `set-group noout`. */
  readonly nooutHosts: Set<string>
  epoch: number
  /** Where groups belong while exactly these OSDs are in; worked out once. */
  placements: { readonly key: string; readonly byPg: Map<string, readonly number[]> }
}

/** What of Ceph's state a placement group shows. */
interface PgStatus {
  /** Such as `active+undersized+degraded`. */
  readonly state: string
  readonly active: boolean
  /** Up OSDs that should hold it, in CRUSH order. */
  readonly acting: readonly number[]
  /** OSDs that serve it, also such as it is moving away from. */
  readonly serving: readonly number[]
  /** Those of the acting that still miss something. */
  readonly behind: readonly number[]
  /** At least one replica fewer than wanted is whole. */
  readonly degraded: boolean
}

/** The OSDs that should hold a group: of as many different hosts as there are replicas, chosen by hash among what is `in`. */
export function placed(map: CephMap, pg: SimulatedPg): readonly number[] {
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

/** Where a group stands, with `stopped` OSDs thought away (`ok-to-stop`). `busy` groups are being repaired; others wait their turn. */
export function status(
  map: CephMap,
  pg: SimulatedPg,
  more: { readonly stopped?: ReadonlySet<number>; readonly busy?: ReadonlySet<string> } = {},
): PgStatus {
  const isUp = (id: number) => map.osds.some(osd => osd.id === id && osd.up) && more.stopped?.has(id) !== true
  const acting = placed(map, pg).filter(isUp)
  const missing = (id: number) => pg.missing.get(id) ?? 1
  const whole = [...pg.missing.keys()].filter(id => isUp(id) && missing(id) === 0)
  const isNew = (id: number) => !pg.missing.has(id) || pg.filling.has(id)
  const behind = acting.filter(id => missing(id) > 0)
  // Who was only away serves while it catches up; who never held the group does not, and who it moves away from does until then.
  const serving = [...new Set([...whole, ...acting.filter(id => !isNew(id))])]
  const lost = { active: false, acting, serving, behind, degraded: true }
  if (serving.length === 0) return { ...lost, state: 'stale+undersized+degraded+peered' }
  // Everybody who has the newest writes is away.
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

/** FNV-1a: the same cloud every time it is started. */
function hash(text: string): number {
  let value = 0x811c9dc5
  for (const byte of Buffer.from(text)) value = Math.imul(value ^ byte, 0x01000193)
  // The last bytes of a text hardly reach the upper bits without this.
  value = Math.imul(value ^ (value >>> 15), 0x2c1b3c6d)
  return (value ^ (value >>> 13)) >>> 0
}
