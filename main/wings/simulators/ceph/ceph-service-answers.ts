import { CEPH_RELEASES, type CephMap } from './ceph-map.ts'

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
