import { type CephMap, groupStatus } from './ceph-map.ts'

/** How long Ceph's background work takes, in milliseconds. */
export interface CephTimings {
  /** Repair of one group whose OSD was only away. */
  readonly recoveryMs: number
  /** First copy of one group onto a new OSD. */
  readonly backfillMs: number
  /** Time from down to out without noout (`mon_osd_down_out_interval`). */
  readonly downOutMs: number
  readonly parallel: number
}

export const CEPH_TIMINGS: CephTimings = { recoveryMs: 400, backfillMs: 4000, downOutMs: 600_000, parallel: 4 }

/** No change in Ceph needs a finer step. */
const STEP_MS = 200

/** The share of a group that an OSD misses after writes in its absence. */
const WRITES_MISSED = 0.2

/** Lets time pass: OSDs go out unless noout protects them, clients write, Ceph repairs a few groups at a time. Returns the groups under repair. */
export function passTime(map: CephMap, timings: CephTimings, from: number, until: number): ReadonlySet<string> {
  let busy: ReadonlySet<string> = new Set()
  let stirred = true
  for (let now = from; now < until; ) {
    // Without a repair, nothing changes before the next OSD goes out.
    const quiet = busy.size === 0 && !stirred
    const next = Math.min(until, quiet ? nextTimeOut(map, timings) : now + STEP_MS)
    busy = repair(map, timings, next - now)
    stirred = markOverdueOut(map, timings, next)
    now = next
  }
  writeToActiveGroups(map)
  return busy
}

/** Clients write to active groups all the time, so OSDs that should hold a group and are down fall behind. */
export function writeToActiveGroups(map: CephMap): void {
  for (const pg of map.pgs) {
    if (!groupStatus(map, pg).active) continue
    for (const [id, missing] of pg.missing) {
      const osd = map.osds.find(each => each.id === id)
      if (osd?.up !== true && missing < WRITES_MISSED) pg.missing.set(id, WRITES_MISSED)
    }
  }
}

/** Whether a noout flag of the cluster, the host or the OSD keeps it in. */
function isKeptIn(map: CephMap, osd: CephMap['osds'][number]): boolean {
  return map.flags.has('noout') || map.nooutHosts.has(osd.host) || osd.noout
}

/** Lists OSDs that will go out unless they come up, with the time. */
function nextOsdsOut(
  map: CephMap,
  timings: CephTimings,
): readonly { readonly osd: CephMap['osds'][number]; readonly at: number }[] {
  return map.osds.flatMap(osd =>
    osd.up || !osd.in || osd.downSince === null || isKeptIn(map, osd)
      ? []
      : [{ osd, at: osd.downSince + timings.downOutMs }],
  )
}

function nextTimeOut(map: CephMap, timings: CephTimings): number {
  return Math.min(...nextOsdsOut(map, timings).map(({ at }) => at), Number.POSITIVE_INFINITY)
}

function giveUp(pg: CephMap['pgs'][number], kept: readonly number[]): void {
  for (const id of [...pg.missing.keys()]) {
    if (kept.includes(id)) continue
    pg.missing.delete(id)
    pg.filling.delete(id)
  }
}

/** Marks overdue OSDs out; true if there was one. */
function markOverdueOut(map: CephMap, timings: CephTimings, now: number): boolean {
  const due = nextOsdsOut(map, timings).filter(({ at }) => at <= now)
  for (const { osd } of due) {
    osd.in = false
    map.epoch += 1
  }
  return due.length > 0
}

function repair(map: CephMap, timings: CephTimings, ms: number): ReadonlySet<string> {
  const busy = new Set<string>()
  for (const pg of map.pgs) {
    const { active, acting, behind } = groupStatus(map, pg)
    if (!active) continue
    if (behind.length === 0) {
      // The group is whole where it belongs, so the other OSDs delete their copies.
      if (acting.length === map.size) giveUp(pg, acting)
      continue
    }
    if (busy.size >= timings.parallel) continue
    busy.add(pg.id)
    for (const id of behind) {
      if (!pg.missing.has(id)) pg.filling.add(id)
      const whole = pg.filling.has(id) ? timings.backfillMs : timings.recoveryMs / WRITES_MISSED
      const missing = Math.max(0, (pg.missing.get(id) ?? 1) - ms / whole)
      pg.missing.set(id, missing)
      if (missing === 0) pg.filling.delete(id)
    }
  }
  return busy
}
