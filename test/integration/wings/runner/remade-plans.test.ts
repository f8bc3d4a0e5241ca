import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { type App, createApp } from '../../../../main/app.ts'
import { systemClock } from '../../../../main/platform/clock/clock.ts'
import { whyOtherPlan } from '../../../../main/wings/runner/other-plan.ts'
import { type DemoClouds, startDemoClouds } from '../../../../main/wings/simulators/demo-clouds.ts'
import type { PlanChoices } from '../../../../shared/contract/index.ts'
import { must } from '../../../../shared/domain/must.ts'
import { Plan, type PlannedNodeRunKind } from '../../../../shared/domain/plan.ts'
import { valueIn } from '../../../fixtures/clusters/results.ts'

/**
 * A console that makes plans, and a runner of another name that makes them again: what a console made is never refused for another plan, of any kind, on any
 * flavour, with any choice.
 */
let directory: string
let demo: DemoClouds
let console: App
let runner: App

beforeAll(async () => {
  directory = mkdtempSync(join(tmpdir(), 'lockkeeper-remade-'))
  demo = await startDemoClouds({
    clock: systemClock,
    directory: join(directory, 'clouds'),
    speed: 30,
    edge: true,
    mosk: { controllers: true, lcm: 'waits' },
    sunbeam: {},
  })
  const app = async (name: string) => {
    const made = valueIn(
      await createApp({
        dataDirectory: join(directory, name),
        demo: false,
        face: { kind: 'serve', pickFiles: null, secrets: null },
        operator: { name, machine: name },
      }),
    )
    for (const { name: of, flavour, maintenanceApi, roleMaintenance, ...files } of demo.clusters) {
      const kubeconfig = { paths: [files.kubeconfigPath], context: files.context }
      const cloud = { path: files.cloudsYamlPath, cloud: files.cloud }
      const wish = { name: of, flavour, kubeconfig, cloud, maintenanceApi, roleMaintenance }
      valueIn(await made.contract.ask('cluster.add', wish))
    }
    return made
  }
  console = await app('ada')
  runner = await app('lockkeeper-runner')
})

afterAll(async () => {
  await runner.close()
  await console.close()
  await demo.stop()
  rmSync(directory, { recursive: true, force: true })
})

/** As a MaintenanceRun brings it. */
const submitted = (plan: Plan): Plan => Plan.parse(JSON.parse(JSON.stringify(plan)))

async function whyOther(plan: Plan, by: App = runner): Promise<string | null> {
  return whyOtherPlan(submitted(plan), valueIn(await by.runnerApp.remake(submitted(plan))))?.message ?? null
}

async function nodesOf(cluster: string): Promise<readonly string[]> {
  return valueIn(await console.contract.ask('node.list', { cluster })).nodes.map(({ name }) => name)
}

const CHOICES: readonly PlanChoices[] = [
  {},
  { scope: 'drain' },
  { home: true, startInstances: true },
  { stopOsds: true, crushRebalancing: true, reason: 'disks', concurrency: 7, attempts: 2 },
  { outOfServiceTaint: true, machineIsOff: 'seen', sharedDisks: 'Ceph', coldMigration: true },
]

describe.each(['demo-plain', 'demo-edge', 'demo-mosk', 'demo-sunbeam'])('on %s', cluster => {
  it.each<PlannedNodeRunKind>(['enter', 'leave', 'maintain', 'home', 'rescue'])(
    'a plan of kind %s is made again as it was, on every node',
    async kind => {
      let made = 0
      for (const node of await nodesOf(cluster)) {
        for (const choices of CHOICES) {
          const planned = await console.contract.ask('plan.make', { cluster, node, kind, choices })
          // What is chosen may not suit a flavour.
          if (!planned.ok) continue
          made += 1
          expect(await whyOther(planned.value.plan), `${kind} ${node} ${JSON.stringify(choices)}`).toBeNull()
        }
      }
      expect(made).toBeGreaterThan(0)
    },
    // A plan of each node of the cloud, with each set of choices, twice.
    90_000,
  )

  it('a plan over many nodes is made again as it was', async () => {
    const { options } = valueIn(await console.contract.ask('update.propose', { cluster }))
    const planned = await console.contract.ask('update.plan', {
      cluster,
      update: { ...options, reason: 'r' },
      choices: {},
    })
    expect(await whyOther(valueIn(planned).plan)).toBeNull()
  })
})

it('a plan that Watcher empties the node by is made again without asking Watcher', async () => {
  const cluster = 'demo-sunbeam'
  let made = 0
  for (const node of await nodesOf(cluster)) {
    const choices: PlanChoices = { strategy: 'watcher' }
    const planned = await console.contract.ask('plan.make', { cluster, node, kind: 'enter', choices })
    if (!planned.ok || !planned.value.plan.steps.some(({ kind }) => kind === 'run-watcher-plan')) continue
    made += 1
    expect(await whyOther(planned.value.plan), node).toBeNull()
  }
  expect(made).toBeGreaterThan(0)
})

describe('what only the journal of the console knows', () => {
  let entered: string

  beforeAll(async () => {
    const cluster = 'demo-plain'
    const choices: PlanChoices = { concurrency: 8 }
    const { plan } = valueIn(
      await console.contract.ask('plan.make', { cluster, node: 'cmp-01', kind: 'enter', choices }),
    )
    entered = valueIn(await console.contract.ask('run.start', { planId: plan.id, outsideWindow: 'a test' })).id
    await vi.waitFor(
      async () => {
        const { summary } = valueIn(await console.contract.ask('run.show', { runId: entered }))
        expect(summary.state).toBe('done')
      },
      { timeout: 30_000, interval: 500 },
    )
  })

  it.each<readonly [PlannedNodeRunKind, PlanChoices, string]>([
    ['leave', {}, 'instances-return'],
    ['leave', { home: true }, 'bring-home'],
    ['home', {}, 'bring-home'],
  ])('is taken from a plan of kind %s with %j', async (kind, choices, step) => {
    const made = await console.contract.ask('plan.make', { cluster: 'demo-plain', node: 'cmp-01', kind, choices })
    const { plan } = valueIn(made)
    const input = must(plan.steps.find(each => each.kind === step)?.input, `it has ${step}`)
    expect(
      Object.values(input).some(value => Array.isArray(value) && value.length > 0),
      JSON.stringify(input),
    ).toBe(true)
    expect(await whyOther(plan)).toBeNull()
  })

  it('cannot be made again of an undo but where the run that it undoes is', async () => {
    const aborted = await console.contract.ask('plan.make', {
      cluster: 'demo-plain',
      node: 'cmp-02',
      kind: 'enter',
      choices: {},
    })
    const planId = valueIn(aborted).plan.id
    const { id: runId } = valueIn(await console.contract.ask('run.start', { planId, outsideWindow: 'a test' }))
    await vi.waitFor(
      async () => {
        const shown = valueIn(await console.contract.ask('run.show', { runId }))
        expect(shown.events.some(({ body }) => body.kind === 'step-applied')).toBe(true)
      },
      { timeout: 30_000, interval: 100 },
    )
    valueIn(await console.contract.ask('run.abort', { runId, reason: 'a test' }))
    const undo = await vi.waitFor(
      async () => valueIn(await console.contract.ask('plan.undo', { runId, choices: {} })).plan,
      { timeout: 30_000, interval: 500 },
    )
    expect(await whyOther(undo, console)).toBeNull()
    expect(await runner.runnerApp.remake(submitted(undo))).toMatchObject({ ok: false, failure: { code: 'not-found' } })
  })
})
