import { CEPH_RELEASES, type CephMap, groupStatus, type SimulatedPg } from './ceph-map.ts'

const FSID = '2a7c288c-e7da-42f3-88e1-635859a41665'
const STATUS_FLAGS = ['sortbitwise', 'recovery_deletes', 'purged_snapdirs', 'pglog_hardlimit']

type Check = {
  readonly severity: string
  readonly summary: { readonly message: string; readonly count: number }
  readonly muted: boolean
}

/** Groups the OSDs by host; hosts are in the order of their first OSD. */
export function hostsOf(map: CephMap): readonly { readonly name: string; readonly osds: CephMap['osds'] }[] {
  return [...new Set(map.osds.map(osd => osd.host))].map(name => ({
    name,
    osds: map.osds.filter(osd => osd.host === name),
  }))
}

/** Answers `ceph status --format json`. */
export function statusAnswer(map: CephMap, busy: ReadonlySet<string>): object {
  const states = new Map<string, number>()
  for (const pg of map.pgs) {
    const { state } = groupStatus(map, pg, { busy })
    states.set(state, (states.get(state) ?? 0) + 1)
  }
  const quorum = map.mons.flatMap((mon, rank) => (mon.up ? [rank] : []))
  return {
    fsid: FSID,
    health: healthAnswer(map),
    election_epoch: map.epoch,
    quorum,
    quorum_names: map.mons.filter(mon => mon.up).map(mon => mon.name),
    monmap: { epoch: 1, min_mon_release_name: CEPH_RELEASES[map.release], num_mons: map.mons.length },
    osdmap: {
      epoch: map.epoch,
      num_osds: map.osds.length,
      num_up_osds: map.osds.filter(osd => osd.up).length,
      num_in_osds: map.osds.filter(osd => osd.in).length,
      num_remapped_pgs: 0,
    },
    pgmap: {
      pgs_by_state: [...states].map(([state_name, count]) => ({ state_name, count })),
      num_pgs: map.pgs.length,
      num_pools: 1,
    },
    fsmap: { epoch: 1, by_rank: [], 'up:standby': 0 },
    mgrmap: {
      available: map.mgrs.some(mgr => mgr.up),
      num_standbys: Math.max(0, map.mgrs.filter(mgr => mgr.up).length - 1),
      modules: [],
      services: {},
    },
    progress_events: {},
  }
}

/** Answers `ceph health --format json`. */
export function healthAnswer(map: CephMap): {
  readonly status: string
  readonly checks: Readonly<Record<string, Check>>
  readonly mutes: readonly string[]
} {
  const checks: Record<string, Check> = {}
  const warn = (code: string, message: string, count: number, severity = 'HEALTH_WARN') => {
    if (count > 0) checks[code] = { severity, summary: { message, count }, muted: false }
  }
  const statuses = map.pgs.map(pg => groupStatus(map, pg))
  const count = (holds: (one: (typeof statuses)[number]) => boolean) => statuses.filter(holds).length
  const down = map.osds.filter(osd => osd.in && !osd.up)
  const downHosts = hostsOf(map).filter(host => host.osds.every(osd => !osd.up))
  const monsDown = map.mons.filter(mon => !mon.up)
  const inQuorum = map.mons.filter(mon => mon.up).map(mon => mon.name)
  const inactive = count(one => !one.active)
  const degraded = count(one => one.degraded)
  warn('MON_DOWN', `${monsDown.length}/${map.mons.length} mons down, quorum ${inQuorum.join(',')}`, monsDown.length)
  warn('OSDMAP_FLAGS', `${[...map.flags].join(',')} flag(s) set`, map.flags.size)
  const flagged = map.nooutHosts.size + map.osds.filter(osd => osd.noout).length
  warn('OSD_FLAGS', `${flagged} OSDs or CRUSH {nodes, device-classes} have {NOUP,NODOWN,NOIN,NOOUT} flags set`, flagged)
  warn('OSD_DOWN', `${down.length} osds down`, down.length)
  warn(
    'OSD_HOST_DOWN',
    `${downHosts.length} hosts (${downHosts.flatMap(host => host.osds).length} osds) down`,
    downHosts.length,
  )
  warn('PG_AVAILABILITY', `Reduced data availability: ${inactive} pgs inactive`, inactive)
  const undersized = count(one => one.acting.length < map.size)
  warn(
    'PG_DEGRADED',
    `Degraded data redundancy: ${degraded} pgs degraded${undersized > 0 ? `, ${undersized} pgs undersized` : ''}`,
    degraded,
  )
  return { status: Object.keys(checks).length === 0 ? 'HEALTH_OK' : 'HEALTH_WARN', checks, mutes: [] }
}

/** Answers `ceph osd tree --format json` with the root, its hosts and their OSDs. */
export function treeAnswer(map: CephMap): object {
  const hosts = hostsOf(map).map((host, index) => ({ ...host, id: -3 - 2 * index }))
  return {
    nodes: [
      { id: -1, name: 'default', type: 'root', type_id: 11, children: hosts.map(host => host.id) },
      ...hosts.flatMap(host => [
        {
          id: host.id,
          name: host.name,
          type: 'host',
          type_id: 1,
          pool_weights: {},
          children: host.osds.map(osd => osd.id),
        },
        ...host.osds.map(osd => ({
          id: osd.id,
          device_class: 'ssd',
          name: `osd.${osd.id}`,
          type: 'osd',
          type_id: 0,
          crush_weight: 1,
          depth: 2,
          pool_weights: {},
          exists: 1,
          status: osd.up ? 'up' : 'down',
          reweight: osd.in ? 1 : 0,
          primary_affinity: 1,
        })),
      ]),
    ],
    stray: [],
  }
}

/** Answers `ceph osd dump --format json`. */
export function dumpAnswer(map: CephMap): object {
  const flags = [...map.flags, ...STATUS_FLAGS]
  return {
    epoch: map.epoch,
    fsid: FSID,
    flags: flags.join(','),
    flags_set: [...flags].sort(),
    max_osd: map.osds.length,
    pools: [{ pool: 1, pool_name: 'vms', type: 1, size: map.size, min_size: map.minSize, pg_num: map.pgs.length }],
    osds: map.osds.map(osd => ({
      osd: osd.id,
      up: osd.up ? 1 : 0,
      in: osd.in ? 1 : 0,
      weight: osd.in ? 1 : 0,
      primary_affinity: 1,
      state: ['exists', ...(osd.noout ? ['noout'] : []), ...(osd.up ? ['up'] : [])],
    })),
    crush_node_flags: Object.fromEntries([...map.nooutHosts].map(host => [host, ['noout']])),
    device_class_flags: {},
  }
}

/** Answers `ceph osd ok-to-stop` with the state that each group on these OSDs would get. */
export function okToStopAnswer(map: CephMap, osds: readonly number[]) {
  const stopped = new Set(osds)
  const already: string[] = []
  const inactive: string[] = []
  const degraded: string[] = []
  const more: string[] = []
  const touched = map.pgs.filter(pg => groupStatus(map, pg).serving.some(id => stopped.has(id)))
  for (const pg of touched) {
    const now = groupStatus(map, pg)
    if (!now.active) already.push(pg.id)
    else if (!groupStatus(map, pg, { stopped }).active) inactive.push(pg.id)
    else (now.degraded ? more : degraded).push(pg.id)
  }
  const bad = already.length + inactive.length
  const some = (name: string, pgs: readonly SimulatedPg['id'][]) => (pgs.length === 0 ? {} : { [name]: pgs })
  return {
    ok_to_stop: bad === 0,
    osds,
    num_ok_pgs: touched.length - bad,
    num_not_ok_pgs: bad,
    ...some('bad_already_inactive', already),
    ...some('bad_become_inactive', inactive),
    ...some('ok_become_degraded', degraded),
    ...some('ok_become_more_degraded', more),
  }
}

/** Answers `ceph versions --format json`. */
export function versionsAnswer(map: CephMap): object {
  const release = `ceph version ${map.release}.2.${map.upgraded ? 8 : 7} (demo) ${CEPH_RELEASES[map.release]} (stable)`
  const of = (count: number) => (count === 0 ? {} : { [release]: count })
  const up = (daemons: readonly { readonly up: boolean }[]) => daemons.filter(each => each.up).length
  const [mons, mgrs, osds, mdss] = [up(map.mons), up(map.mgrs), up(map.osds), up(map.mdss)]
  return { mon: of(mons), mgr: of(mgrs), osd: of(osds), mds: of(mdss), overall: of(mons + mgrs + osds + mdss) }
}

/** Answers `ceph quorum_status --format json`. */
export function quorumAnswer(map: CephMap): object {
  const inQuorum = map.mons.filter(mon => mon.up)
  return {
    election_epoch: map.epoch,
    quorum: map.mons.flatMap((mon, rank) => (mon.up ? [rank] : [])),
    quorum_names: inQuorum.map(mon => mon.name),
    quorum_leader_name: inQuorum[0]?.name ?? '',
    monmap: {
      epoch: 1,
      min_mon_release: map.release,
      min_mon_release_name: CEPH_RELEASES[map.release],
      mons: map.mons.map((mon, rank) => ({ rank, name: mon.name, priority: 0, weight: 0 })),
    },
  }
}

/** Answers `ceph mgr dump --format json`: the first running manager is active, the others are standbys. */
export function mgrAnswer(map: CephMap): object {
  const [active, ...standbys] = map.mgrs.filter(mgr => mgr.up)
  return {
    epoch: map.epoch,
    available: active !== undefined,
    active_name: active?.name ?? '',
    standbys: standbys.map(({ name }) => ({ name })),
  }
}

/** Answers `ceph fs dump --format json`: one file system if there are metadata servers. */
export function fsAnswer(map: CephMap): object {
  const [active, ...standbys] = map.mdss.filter(mds => mds.up)
  return {
    epoch: map.epoch,
    standbys: standbys.map(({ name }) => ({ name, state: 'up:standby' })),
    filesystems:
      map.mdss.length === 0
        ? []
        : [
            {
              id: 1,
              mdsmap: {
                fs_name: 'cephfs',
                max_mds: 1,
                info: active === undefined ? {} : { gid_4100: { name: active.name, rank: 0, state: 'up:active' } },
              },
            },
          ],
  }
}

/** Answers `ceph node ls --format json`, without kinds that have no daemon. */
export function nodesAnswer(map: CephMap): object {
  const byHost = (daemons: readonly { readonly host: string; readonly name: string | number }[]) =>
    Object.fromEntries(
      [...new Set(daemons.map(({ host }) => host))].map(host => [
        host,
        daemons.filter(each => each.host === host).map(({ name }) => name),
      ]),
    )
  const kinds = {
    mon: byHost(map.mons),
    osd: byHost(map.osds.map(({ id, host }) => ({ host, name: id }))),
    mds: byHost(map.mdss.filter(mds => mds.up)),
    mgr: byHost(map.mgrs.filter(mgr => mgr.up)),
  }
  return Object.fromEntries(Object.entries(kinds).filter(([, hosts]) => Object.keys(hosts).length > 0))
}
