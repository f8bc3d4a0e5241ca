import { createHash } from 'node:crypto'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { type Cluster, DEFAULT_LIMITS } from '../../shared/domain/cluster.ts'
import { DEFAULT_MAINTENANCE_API } from '../../shared/domain/maintenance-api.ts'
import { DEFAULT_ROLE_MAINTENANCE } from '../../shared/domain/role-maintenance.ts'
import { DEFAULT_ROLE_LABELS } from '../../shared/domain/roles.ts'
import { drawWorld, startCloud } from './cloud.ts'
import { startConsole } from './console.ts'
import { createDice } from './dice.ts'
import { drawFaults } from './faults.ts'
import { createJudge, type Violation } from './judge.ts'
import { createMachine } from './machine.ts'
import { drawIntent, type Outcome, operate } from './operator.ts'
import type { ProcessChance } from './process-chance.ts'
import { createTimeline } from './timeline.ts'
import { createWires } from './wire.ts'

/** What came of one seed. */
export interface Simulated {
  readonly seed: number
  /** Of everything that was asked, answered and journaled, with its time: equal for equal seeds, or the simulation is not deterministic. */
  readonly hash: string
  readonly violations: readonly Violation[]
  readonly outcomes: readonly Outcome[]
  readonly turns: number
  readonly messages: number
  readonly virtualMs: number
  /** Only when it was asked for. */
  readonly trace: readonly string[]
}

/** One way of an undisturbed message: a bastion beside the cloud, an office, a laptop on a train. */
const LATENCIES: readonly [Latency, ...Latency[]] = [
  [1, 4],
  [3, 40],
  [20, 250],
]
type Latency = readonly [number, number]

const START_MS = Date.parse('2026-01-01T00:00:00Z')

/** Runs the schedule of one seed, within `folder`, and judges it. */
export async function simulate(
  seed: number,
  more: {
    readonly chance: ProcessChance
    readonly folder: string
    readonly keepTrace?: boolean
    readonly calm?: boolean
  },
): Promise<Simulated> {
  const dice = createDice(seed)
  const timeline = createTimeline(START_MS, more.chance)
  const hash = createHash('sha256')
  const trace: string[] = []
  let messages = 0
  const tell = (line: string) => {
    const said = `${((timeline.now() - START_MS) / 1000).toFixed(3)} ${line}`
    hash.update(said)
    if (more.keepTrace === true) trace.push(said)
  }
  const servers = createMachine('servers', timeline, dice.of('servers'))
  more.chance.use(dice.of('ids'), timeline.now)
  const cloud = startCloud(drawWorld(dice.of('world')), servers)
  const judge = createJudge(cloud, timeline)
  const faults = more.calm
    ? { episodes: [], overAtMs: START_MS, meet: () => null }
    : drawFaults(dice.of('faults'), START_MS, 180_000)
  for (const { fromMs, untilMs, topic, weather, probability } of faults.episodes) {
    tell(
      `weather: ${weather} of ${topic.name} from ${(fromMs - START_MS) / 1000} to ${(untilMs - START_MS) / 1000} s, ${probability}`,
    )
  }
  const cluster = clusterOf()
  const path = join(more.folder, `${seed}.db`)
  const machine = createMachine('a', timeline, dice.of('machine a'))
  const name = 'a-1'
  const wires = createWires({
    timeline,
    machine,
    from: name,
    cloud,
    faults,
    dice: dice.of(`wire ${name}`),
    latencyMs: dice.pick(LATENCIES),
    isAlive: () => true,
    judge,
    onMessage: () => {
      messages += 1
    },
    trace: tell,
  })
  const started = startConsole({
    name,
    machine,
    pid: 100,
    wires,
    dice: dice.of(`console ${name}`),
    cluster,
    journalPath: path,
    pidAlive: () => true,
    onAppended: event => {
      tell(`${name} journals ${JSON.stringify(event.body).slice(0, 400)}`)
      judge.journaled(name, event)
    },
  })
  if (!started.ok) throw new Error(started.failure.message)
  let outcomes: readonly Outcome[] | null = null
  void operate(started.value, drawIntent(dice.of('intent'), cloud.nodes), dice.of('operator'), null).then(
    all => {
      outcomes = all
    },
    error => {
      judge.found('every run ends or waits', `the console crashed: ${error?.stack ?? error}`)
      outcomes = []
    },
  )
  const ended = await timeline.runUntil(() => outcomes !== null, { untilMs: START_MS + 4 * 3_600_000, turns: 60_000 })
  if (ended !== 'over') judge.found('every run ends or waits', `${ended} after ${timeline.turns()} turns`)
  const virtualMs = timeline.now() - START_MS
  started.value.journal.close()
  for (const file of [path, `${path}-wal`, `${path}-shm`]) rmSync(file, { force: true })
  return {
    seed,
    hash: hash.digest('hex'),
    violations: judge.violations,
    outcomes: outcomes ?? [],
    turns: timeline.turns(),
    messages,
    virtualMs,
    trace,
  }
}

function clusterOf(): Cluster {
  return {
    name: 'sim',
    flavour: 'plain',
    kubeconfig: { paths: ['/nowhere'], context: 'sim' },
    cloud: { path: '/nowhere', cloud: 'sim' },
    roleLabels: DEFAULT_ROLE_LABELS,
    limits: { ...DEFAULT_LIMITS, drainTimeoutMs: 5 * 60_000, returnTimeoutMs: 120_000 },
    openstackNamespace: 'openstack',
    leaseNamespace: 'default',
    production: false,
    colour: null,
    maintenanceApi: DEFAULT_MAINTENANCE_API,
    roleMaintenance: DEFAULT_ROLE_MAINTENANCE,
    addedAt: '2026-01-01T00:00:00.000Z',
  }
}
