import { healthAnswer, hostsOf } from './ceph-answers.ts'
import { type CephMap, status } from './ceph-map.ts'

/** Answers `ceph -s` as text. */
export function statusText(map: CephMap, busy: ReadonlySet<string>): string {
  const states = new Map<string, number>()
  for (const pg of map.pgs) {
    const { state } = status(map, pg, { busy })
    states.set(state, (states.get(state) ?? 0) + 1)
  }
  const up = map.osds.filter(osd => osd.up).length
  const inside = map.osds.filter(osd => osd.in).length
  const quorum = map.mons.filter(mon => mon.up).map(mon => mon.name)
  const pgs = [...states].map(([state, count]) => `${count} ${state}`)
  return [
    '  cluster:',
    `    health: ${healthLines(map).join('\n            ')}`,
    '',
    '  services:',
    `    mon: ${map.mons.length} daemons, quorum ${quorum.join(',')}`,
    ...mgrLine(map),
    `    osd: ${map.osds.length} osds: ${up} up, ${inside} in`,
    '',
    '  data:',
    `    pools:   1 pools, ${map.pgs.length} pgs`,
    `    pgs:     ${pgs.join('\n             ')}`,
  ].join('\n')
}

function mgrLine(map: CephMap): readonly string[] {
  if (map.mgrs.length === 0) return []
  const [active, ...standbys] = map.mgrs.filter(mgr => mgr.up)
  if (active === undefined) return ['    mgr: no daemons active']
  const waiting = standbys.length === 0 ? '' : `, standbys: ${standbys.map(({ name }) => name).join(', ')}`
  return [`    mgr: ${active.name}(active)${waiting}`]
}

/** Answers `ceph health` as text: the status and one line for each check. */
export function healthLines(map: CephMap): readonly string[] {
  const { status, checks } = healthAnswer(map)
  return [status, ...Object.values(checks).map(check => check.summary.message)]
}

/** Answers `ceph osd tree` as text. */
export function treeText(map: CephMap): string {
  const row = (id: string, type: string, name: string, state = '', reweight = '') =>
    [id.padStart(3), type.padEnd(9), name.padEnd(24), state.padEnd(6), reweight].join(' ').trimEnd()
  return [
    row('ID', 'CLASS', 'TYPE NAME', 'STATUS', 'REWEIGHT'),
    row('-1', '', 'root default'),
    ...hostsOf(map).flatMap((host, index) => [
      row(String(-3 - 2 * index), '', `    host ${host.name}`),
      ...host.osds.map(osd =>
        row(String(osd.id), 'ssd', `        osd.${osd.id}`, osd.up ? 'up' : 'down', osd.in ? '1.00000' : '0'),
      ),
    ]),
  ].join('\n')
}
