import type { Clock } from '../../../platform/clock/clock.ts'
import type { CommandHandler, CommandResult } from '../kubernetes/transport/exec-stream.ts'
import { type Lie, lieAbout, madeUpText } from '../lie.ts'
import { answerCeph, wordsOf } from './ceph-command.ts'
import { type CephMap, osdsForGroup, type SimulatedDaemon, type SimulatedOsd } from './ceph-map.ts'
import { CEPH_TIMINGS, type CephTimings, passTime, writeToActiveGroups } from './ceph-time.ts'

interface CephSimulatorOptions {
  readonly clock: Clock
  readonly hosts: readonly string[]
  readonly osdsPerHost: number
  /** Nodes with a monitor; the monitors are named a, b, c… */
  readonly monHosts: readonly string[]
  /** Nodes with a manager; the default is `monHosts`. */
  readonly mgrHosts?: readonly string[]
  /** Nodes with a metadata server; without them there is no file system. */
  readonly mdsHosts?: readonly string[]
  /** Major release; the default is 17. */
  readonly release?: number
  readonly placementGroups?: number
  /** Replicas, each on another host; the default is 3. A pool serves with one fewer, but at least 1. */
  readonly size?: number
  readonly speed?: number
  readonly timings?: Partial<CephTimings>
}

/** A Ceph cluster in this process. It computes its answers from its groups and from the OSDs that are up. */
export interface CephSimulator {
  /** Answers the command `ceph`; pass it to `onExec` of the Kubernetes simulator. */
  readonly command: CommandHandler
  osds(): readonly Readonly<SimulatedOsd>[]
  /** Starts or stops an OSD's daemon. An OSD that starts is `in` again, as in real Ceph. */
  setOsdUp(id: number, up: boolean): void
  setMonsUp(host: string, up: boolean): void
  /** Upgrades the daemons to the next version of their release. */
  upgrade(): void
  /** Makes matching commands (`osd tree`, without options) exit 0 with a false answer, until the returned function is called. */
  lieAbout(command: RegExp, lie: Lie): () => void
}

interface CephState {
  readonly clock: Clock
  readonly timings: CephTimings
  readonly map: CephMap
  at: number
  busy: ReadonlySet<string>
  readonly lies: { readonly command: RegExp; readonly lie: Lie; readonly firsts: Map<string, string> }[]
}

/** Makes a simulated Ceph whose groups are all active+clean. It has no timer: each question first lets the elapsed time pass. */
export function createCephSimulator(options: CephSimulatorOptions): CephSimulator {
  const { clock } = options
  const timings = scaled({ ...CEPH_TIMINGS, ...options.timings }, options.speed ?? 1)
  const map = newMap(options)
  const state: CephState = { clock, timings, map, at: clock.now(), busy: new Set(), lies: [] }
  return {
    command: command => answerCommand(state, command),
    lieAbout: (command, lie) => {
      const entry = { command, lie, firsts: new Map<string, string>() }
      state.lies.push(entry)
      return () => {
        state.lies.splice(state.lies.indexOf(entry), 1)
      }
    },
    osds: () => {
      letTimePass(state)
      return map.osds.map(osd => ({ ...osd }))
    },
    setOsdUp: (id, up) => setOsdUp(state, id, up),
    upgrade() {
      map.upgraded = true
    },
    setMonsUp: (host, up) => {
      for (const daemon of [...map.mons, ...map.mgrs, ...map.mdss]) if (daemon.host === host) daemon.up = up
    },
  }
}

function newMap(options: CephSimulatorOptions): CephMap {
  const { hosts, osdsPerHost, monHosts, size = 3 } = options
  const map: CephMap = {
    osds: hosts.flatMap((host, index) =>
      Array.from({ length: osdsPerHost }, (_, disk) => ({
        id: index * osdsPerHost + disk,
        host,
        up: true,
        in: true,
        downSince: null,
        noout: false,
      })),
    ),
    pgs: Array.from({ length: options.placementGroups ?? 96 }, (_, index) => ({
      id: `1.${index.toString(16)}`,
      missing: new Map<number, number>(),
      filling: new Set<number>(),
    })),
    mons: daemonsOn(monHosts),
    mgrs: daemonsOn(options.mgrHosts ?? monHosts),
    mdss: daemonsOn(options.mdsHosts ?? []),
    release: options.release ?? 17,
    upgraded: false,
    size,
    minSize: Math.max(1, size - 1),
    flags: new Set(),
    nooutHosts: new Set(),
    epoch: 1,
    placements: { key: '', byPg: new Map() },
  }
  for (const pg of map.pgs) for (const id of osdsForGroup(map, pg)) pg.missing.set(id, 0)
  return map
}

function letTimePass(state: CephState): void {
  const now = state.clock.now()
  if (now > state.at) state.busy = passTime(state.map, state.timings, state.at, now)
  state.at = now
}

function answerCommand(state: CephState, command: readonly string[]): CommandResult | null {
  letTimePass(state)
  const words = wordsOf(command.slice(1)).join(' ')
  const lying = command[0] === 'ceph' ? state.lies.find(each => each.command.test(words)) : undefined
  const made = lying === undefined ? null : madeUpText(lying.lie)
  if (made !== null) return { exitCode: 0, stdout: made, stderr: '' }
  const answer = answerCeph(state.map, state.busy, command)
  if (lying === undefined || answer === null || answer.exitCode !== 0) return answer
  const first = lying.firsts.get(words) ?? answer.stdout
  lying.firsts.set(words, first)
  return { ...answer, stdout: lying.lie === 'stale' ? first : lieAbout(lying.lie, jsonOf(answer.stdout)) }
}

function setOsdUp(state: CephState, id: number, up: boolean): void {
  letTimePass(state)
  const { map } = state
  const osd = map.osds.find(each => each.id === id)
  if (osd === undefined || osd.up === up) return
  osd.up = up
  osd.downSince = up ? null : state.at
  if (up) osd.in = true
  map.epoch += 1
  writeToActiveGroups(map)
}

function daemonsOn(hosts: readonly string[]): SimulatedDaemon[] {
  return hosts.map((host, index) => ({ name: String.fromCharCode('a'.charCodeAt(0) + index), host, up: true }))
}

function scaled(timings: CephTimings, speed: number): CephTimings {
  return {
    recoveryMs: timings.recoveryMs / speed,
    backfillMs: timings.backfillMs / speed,
    downOutMs: timings.downOutMs / speed,
    parallel: timings.parallel,
  }
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}
