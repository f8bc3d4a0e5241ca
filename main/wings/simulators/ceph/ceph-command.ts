import type { CommandResult } from '../kubernetes/transport/exec-stream.ts'
import {
  dumpAnswer,
  fsAnswer,
  healthAnswer,
  hostsOf,
  mgrAnswer,
  nodesAnswer,
  okToStopAnswer,
  quorumAnswer,
  statusAnswer,
  treeAnswer,
  versionsAnswer,
} from './ceph-answers.ts'
import { type CephMap, groupStatus } from './ceph-map.ts'

const EBUSY = 16
const EINVAL = 22

/** Answers `ceph …` in the JSON of the real command; status, health and tree are text unless the command requests JSON. Null for any other program. */
export function answerCeph(map: CephMap, busy: ReadonlySet<string>, command: readonly string[]): CommandResult | null {
  if (command[0] !== 'ceph') return null
  const words = wordsOf(command.slice(1))
  const asText = !command.some(word => /^(-f|--format(=.*)?)$/.test(word))
  if (map.mons.filter(mon => mon.up).length * 2 <= map.mons.length) {
    return refusal(1, '[errno 110] RADOS timed out (error connecting to the cluster)')
  }
  const [first = '', second = '', ...rest] = words
  switch (`${first} ${second}`.trim()) {
    case 'status':
    case '-s':
      return asText ? text(statusText(map, busy)) : json(statusAnswer(map, busy))
    case 'health':
    case 'health detail':
      return asText ? text(healthLines(map).join('\n')) : json(healthAnswer(map))
    case 'versions':
      return json(versionsAnswer(map))
    case 'quorum_status':
      return json(quorumAnswer(map))
    case 'node ls':
      return json(nodesAnswer(map))
    case 'mgr dump':
      return json(mgrAnswer(map))
    case 'fs dump':
      return json(fsAnswer(map))
    case 'osd tree':
      return asText ? text(treeText(map)) : json(treeAnswer(map))
    case 'osd dump':
      return json(dumpAnswer(map))
    case 'osd ls':
      return json(map.osds.map(osd => osd.id))
    case 'osd ls-tree':
      return json(map.osds.filter(osd => osd.host === rest[0]).map(osd => osd.id))
    case 'osd ok-to-stop':
      return okToStop(map, rest)
    case 'osd set':
    case 'osd unset':
      return setFlag(map, rest[0] ?? '', second === 'set')
    case 'osd set-group':
    case 'osd unset-group':
      return setGroup(map, rest[0] ?? '', rest.slice(1), second === 'set-group')
    case 'osd add-noout':
    case 'osd rm-noout':
      return setGroup(map, 'noout', rest, second === 'add-noout')
    default:
      return refusal(EINVAL, 'Error EINVAL: invalid command')
  }
}

/** Drops the options: those that the simulator accepts do not change an answer. */
export function wordsOf(given: readonly string[]): readonly string[] {
  const words: string[] = []
  const withValue = ['--format', '-f', '--connect-timeout', '--conf', '-c', '--name', '-n', '--id', '--keyring']
  for (let index = 0; index < given.length; index += 1) {
    const word = given[index] ?? ''
    if (withValue.includes(word)) index += 1
    else if (!/^--\w/.test(word)) words.push(word)
  }
  return words
}

function okToStop(map: CephMap, names: readonly string[]): CommandResult {
  const ids = names.map(name => Number(name.replace(/^osd\./, '')))
  if (ids.length === 0 || ids.some(Number.isNaN))
    return refusal(EINVAL, `Error EINVAL: unable to parse osd ids ${names.join(' ')}`)
  const answer = okToStopAnswer(map, ids)
  if (answer.ok_to_stop) return json(answer)
  const { num_not_ok_pgs } = answer
  const why = `Error EBUSY: unsafe to stop osd(s) at this time (${num_not_ok_pgs} PGs are or would become offline)`
  return { ...json(answer), exitCode: EBUSY, stderr: `${why}\n` }
}

function setFlag(map: CephMap, flag: string, on: boolean): CommandResult {
  if (flag !== 'noout') return refusal(EINVAL, `Error EINVAL: the demo cloud has no flag ${flag}`)
  if (on) map.flags.add(flag)
  else map.flags.delete(flag)
  return changed(map, flag, on)
}

function setGroup(map: CephMap, flag: string, names: readonly string[], on: boolean): CommandResult {
  if (flag !== 'noout') return refusal(EINVAL, `Error EINVAL: the demo cloud has no flag ${flag}`)
  const hosts = hostsOf(map).map(host => host.name)
  const osdOf = (name: string) => map.osds.find(osd => `osd.${osd.id}` === name || String(osd.id) === name)
  const unknown = names.find(name => !hosts.includes(name) && osdOf(name) === undefined)
  if (unknown !== undefined || names.length === 0) {
    return refusal(EINVAL, `Error EINVAL: unable to parse osd id or crush node or device class: "${unknown ?? ''}".`)
  }
  for (const name of names) {
    const osd = osdOf(name)
    if (osd !== undefined) osd.noout = on
    else if (on) map.nooutHosts.add(name)
    else map.nooutHosts.delete(name)
  }
  return changed(map, flag, on)
}

function changed(map: CephMap, flag: string, on: boolean): CommandResult {
  map.epoch += 1
  return { exitCode: 0, stdout: '', stderr: `${flag} is ${on ? 'set' : 'unset'}\n` }
}

function json(answer: unknown): CommandResult {
  return { exitCode: 0, stdout: `\n${JSON.stringify(answer)}\n`, stderr: '' }
}

function text(answer: string): CommandResult {
  return { exitCode: 0, stdout: `${answer}\n`, stderr: '' }
}

function refusal(exitCode: number, text: string): CommandResult {
  return { exitCode, stdout: '', stderr: `${text}\n` }
}

/** Answers `ceph -s` as text. */
function statusText(map: CephMap, busy: ReadonlySet<string>): string {
  const states = new Map<string, number>()
  for (const pg of map.pgs) {
    const { state } = groupStatus(map, pg, { busy })
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
function healthLines(map: CephMap): readonly string[] {
  const { status: groupStatus, checks } = healthAnswer(map)
  return [groupStatus, ...Object.values(checks).map(check => check.summary.message)]
}

/** Answers `ceph osd tree` as text. */
function treeText(map: CephMap): string {
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
