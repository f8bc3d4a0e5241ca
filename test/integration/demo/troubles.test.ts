import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { type App, createApp } from '../../../main/app.ts'
import type { Clock } from '../../../main/platform/clock/clock.ts'
import { systemClock } from '../../../main/platform/clock/clock.ts'
import { type DemoClouds, startDemoClouds } from '../../../main/wings/simulators/demo-clouds.ts'
import type { PlanChoices } from '../../../shared/contract/index.ts'
import type { Trouble } from '../../../shared/domain/demo-troubles.ts'
import type { GateChoice } from '../../../shared/domain/gate-choice.ts'
import type { InstanceChoice } from '../../../shared/domain/instance-choice.ts'
import { must } from '../../../shared/domain/must.ts'
import type { NodeVerdict } from '../../../shared/domain/node-verdict.ts'
import type { PlannedNodeRunKind } from '../../../shared/domain/plan.ts'
import { conditionOf, type RunCondition } from '../../../shared/domain/run-condition.ts'
import { foldRun } from '../../../shared/domain/run-fold.ts'
import { valueIn } from '../../fixtures/clusters/results.ts'
import { hurriedClock } from '../../fixtures/hurried-clock.ts'

const TIMES = 20
const LAB = 'lab'

/** The demo's ordinary cloud and a console over it, both of one clock. How long a request may take is judged by the machine's own. */
interface Stage {
  readonly demo: DemoClouds
  readonly app: App
  readonly clock: Clock
}

async function stage(): Promise<Stage> {
  const hurried = hurriedClock(TIMES)
  const clock: Clock = { ...hurried, sleep: (ms, signal) => (ms === 15_000 ? systemClock : hurried).sleep(ms, signal) }
  const directory = await mkdtemp(join(tmpdir(), 'lockkeeper-troubles-'))
  const demo = await startDemoClouds({ clock, directory: join(directory, 'clouds') })
  const face = { kind: 'serve', pickFiles: null, secrets: null } as const
  const app = valueIn(await createApp({ dataDirectory: join(directory, 'data'), demo: false, face, clock }))
  onTestFinished(async () => {
    await app.close()
    await demo.stop()
    await rm(directory, { recursive: true, force: true })
  })
  const cloud = must(demo.clusters[0], 'the demo has demo-plain')
  valueIn(
    await app.contract.ask('cluster.add', {
      name: LAB,
      flavour: 'plain',
      kubeconfig: { paths: [cloud.kubeconfigPath], context: cloud.context },
      cloud: { path: cloud.cloudsYamlPath, cloud: cloud.cloud },
      roleMaintenance: cloud.roleMaintenance,
    }),
  )
  return { demo, app, clock }
}

function shown({ demo }: Stage, name: Trouble) {
  return must(
    demo.troubles.list().find(trouble => trouble.name === name),
    `${name} is listed`,
  )
}

const BUSY: PlanChoices = { concurrency: 8, stuck: { afterMs: 60_000, do: 'ask' } }

async function planned(on: Stage, name: Trouble, choices: PlanChoices = {}) {
  const kind: PlannedNodeRunKind = name === 'silent-node' ? 'rescue' : 'enter'
  const node = must(shown(on, name).node, 'it is met at a node')
  return valueIn(await on.app.contract.ask('plan.make', { cluster: LAB, node, kind, choices: { ...BUSY, ...choices } }))
}

/** Why a plan cannot start, by the codes of its checks. */
async function blockersOf(on: Stage, name: Trouble, choices: PlanChoices = {}): Promise<readonly string[]> {
  const { checks } = await planned(on, name, choices)
  return checks.flatMap(({ answer }) => (answer.kind === 'blocked' ? answer.blockers.map(each => each.code ?? '') : []))
}

async function conditionNow({ app }: Stage, runId: string): Promise<RunCondition> {
  return conditionOf(foldRun(valueIn(await app.contract.ask('run.show', { runId })).events), false)
}

/** Looks until the run is as wanted; an hour of its clock is three minutes of the machine's. */
async function until(on: Stage, runId: string, wanted: (now: RunCondition) => boolean): Promise<RunCondition> {
  for (const givesUpAt = on.clock.now() + 3_600_000; ; ) {
    const now = await conditionNow(on, runId)
    if (wanted(now) || now.kind === 'over') return now
    if (on.clock.now() > givesUpAt) throw new Error(`The run stays ${JSON.stringify(now)}`)
    await on.clock.sleep(500)
  }
}

/** What ends a trouble: an answer to the run's question, a decision about the instance, the run is stopped, or the trouble is switched off. */
type Way =
  | { readonly answer: GateChoice }
  | { readonly decide: InstanceChoice }
  | { readonly stop: true }
  | { readonly off: true }

interface Row {
  readonly trouble: Trouble
  /** `during`: it begins when the run has begun to change the node. */
  readonly begins: 'before' | 'during'
  readonly choices?: PlanChoices
  /** In this order; each comes when the run waits. */
  readonly ways: readonly Way[]
  /** What the run offers when it waits. */
  readonly offers?: readonly string[]
  /** The instances that are still on the node when the run has finished; null: it stopped before. */
  readonly left: readonly string[] | null
}

const OF_A_MOVE = ['wait', 'abort-and-retry', 'abort-and-leave', 'force-complete', 'cold', 'stop']
const OF_A_STEP = ['retry', 'skip', 'abort']
const OFF: Way = { off: true }

const stuck = (left: Row['left'], ...ways: readonly Way[]): Row => ({
  ...{ trouble: 'stuck', begins: 'before', offers: OF_A_MOVE, ways, left },
})
const fails = (trouble: 'fails' | 'full', left: Row['left'], ...ways: readonly Way[]): Row => ({
  ...{ trouble, begins: trouble === 'full' ? 'during' : 'before', offers: OF_A_STEP, ways, left },
})
const cut = (trouble: 'html' | 'lost', left: Row['left'], ...ways: readonly Way[]): Row => ({
  ...{ trouble, begins: 'during', ways, left },
})
const asked = (...row: Parameters<typeof cut>): Row => ({ ...cut(...row), offers: ['retry', 'abort'] })

/** Those that stop with their node are on it until then. */
const CMP_01 = ['cache-01']
const CMP_03 = ['report-01']

const ROWS: readonly Row[] = [
  stuck(CMP_01, OFF),
  stuck(CMP_01, { decide: 'wait' }, OFF),
  stuck(CMP_01, { decide: 'abort-and-retry' }, OFF),
  stuck([...CMP_01, 'db-01'], { decide: 'abort-and-leave' }),
  stuck(CMP_01, { decide: 'force-complete' }),
  stuck(CMP_01, { decide: 'cold' }),
  stuck(CMP_01, { decide: 'stop' }),
  stuck(null, { stop: true }),
  fails('fails', [], OFF, { answer: 'retry' }),
  fails('fails', ['web-09'], { answer: 'skip' }),
  fails('fails', null, { answer: 'abort' }),
  fails('full', CMP_03, OFF, { answer: 'retry' }),
  fails('full', null, { answer: 'abort' }),
  cut('html', CMP_03, OFF),
  cut('lost', CMP_03, OFF),
  asked('html', CMP_03, OFF, { answer: 'retry' }),
  asked('html', null, { answer: 'abort' }),
  asked('lost', CMP_03, OFF, { answer: 'retry' }),
  asked('lost', null, { answer: 'abort' }),
  { trouble: 'budget', begins: 'before', ways: [OFF], left: CMP_01 },
  { trouble: 'budget', begins: 'before', ways: [{ stop: true }], left: null },
]

/** What the first question offers. On a busy machine a second instance may be as slow as the one in trouble. */
function choicesOf(now: RunCondition): readonly string[] {
  const waits = now.kind === 'waiting' ? now.waits : []
  return (
    waits.flatMap(wait => (wait.code === 'Question' || wait.code === 'InstanceAsks' ? [wait.choices] : []))[0] ?? []
  )
}

function namesLeft(verdict: NodeVerdict): readonly string[] {
  return 'instances' in verdict ? verdict.instances.map(({ name }) => name).toSorted() : []
}

async function take(on: Stage, runId: string, { trouble }: Row, way: Way): Promise<void> {
  const { contract } = on.app
  const reason = 'tried out'
  if ('off' in way) on.demo.troubles.set(trouble, false)
  else if ('stop' in way) valueIn(await contract.ask('run.abort', { runId, reason }))
  else {
    const now = await conditionNow(on, runId)
    const waits = now.kind === 'waiting' ? now.waits : []
    if ('decide' in way) {
      const asked = waits.flatMap(wait => (wait.code === 'InstanceAsks' ? wait.instances : []))
      expect(asked).not.toEqual([])
      for (const { id: instanceId } of asked)
        valueIn(await contract.ask('run.decide', { runId, instanceId, choice: way.decide, reason }))
    } else {
      const [gateId] = waits.flatMap(wait => (wait.code === 'Question' ? [wait.gateId] : []))
      valueIn(
        await contract.ask('run.answer', {
          ...{ runId, gateId: must(gateId, 'the run asks'), choice: way.answer, reason },
        }),
      )
    }
  }
}

const nameOf = (way: Way) =>
  'off' in way ? 'switched off' : 'stop' in way ? 'stopped' : 'decide' in way ? way.decide : way.answer

test.each(ROWS.map(row => [row.trouble, row.ways.map(nameOf).join(', then '), row] as const))(
  '%s is ended by: %s',
  // An unanswered API asks after five minutes of this clock, and a busy machine is slow.
  { timeout: 120_000 },
  async (name, _, row) => {
    const on = await stage()
    if (row.begins === 'before') on.demo.troubles.set(name, true)
    const { plan, startable } = await planned(on, name, row.choices)
    expect(startable).toBe(true)
    const begun = Promise.withResolvers<void>()
    on.app.contract.listen('run.event', ({ body }) => {
      if (body.kind === 'step-applied') begun.resolve()
    })
    const runId = valueIn(await on.app.contract.ask('run.start', { planId: plan.id, outsideWindow: 'a test' })).id
    if (row.begins === 'during') {
      await begun.promise
      on.demo.troubles.set(name, true)
    }
    for (const way of row.ways) {
      const asks = await until(on, runId, now =>
        row.offers === undefined ? now.kind === 'waiting' : choicesOf(now).length > 0,
      )
      if (row.offers !== undefined) expect(choicesOf(asks)).toEqual(row.offers)
      await take(on, runId, row, way)
    }
    const over = await until(on, runId, now => now.kind === 'over')
    if (over.kind !== 'over') throw new Error('the run continues')
    const { ending, summary } = over
    expect({ left: 'verdict' in ending ? namesLeft(ending.verdict) : null, summary }).toEqual({
      left: row.left,
      summary: expect.any(String),
    })
  },
)

const AT_THE_PLAN = [
  ['silent-owner', {}, 'OwnerMustAct'],
  ['ceph', {}, 'CephNotWhole'],
  ['full', {}, 'NoDestination'],
] as const

test.each(AT_THE_PLAN)(
  '%s blocks the plan until it is switched off',
  // A demo starts, and the clouds notice a trouble at their own pace.
  { timeout: 60_000 },
  async (name, choices, code) => {
    const on = await stage()
    on.demo.troubles.set(name, true)
    expect(await blockersOf(on, name, choices)).toContain(code)
    on.demo.troubles.set(name, false)
    // Ceph copies for a while what it missed.
    for (let look = 0; (await blockersOf(on, name, choices)).includes(code); look += 1) {
      expect(look).toBeLessThan(200)
      await on.clock.sleep(1000)
    }
    expect(await blockersOf(on, name, choices)).toEqual([])
  },
)
