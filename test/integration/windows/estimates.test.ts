import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { type App, createApp } from '../../../main/app.ts'
import { systemClock } from '../../../main/platform/clock/clock.ts'
import { type DemoClouds, startDemoClouds } from '../../../main/wings/simulators/demo-clouds.ts'
import type { Span } from '../../../shared/domain/estimate.ts'
import type { MeasuredNode } from '../../../shared/domain/history.ts'
import { must } from '../../../shared/domain/must.ts'
import type { RunView } from '../../../shared/domain/run.ts'
import { foldRun } from '../../../shared/domain/run-fold.ts'
import type { NodeWorkGate } from '../../../shared/domain/update.ts'
import type { WindowPlan } from '../../../shared/domain/window.ts'
import { lockkeeper } from '../../fixtures/cli/lockkeeper-process.ts'
import { valueIn } from '../../fixtures/clusters/results.ts'

/** Estimates, forecast and owners over the embedded clouds: what a run really took is what the next estimate says. */
let directory: string
let data: string
let demo: DemoClouds
let app: App

const HOUR_MS = 3_600_000

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'lockkeeper-estimates-'))
  data = join(directory, 'data')
  demo = await startDemoClouds({
    clock: systemClock,
    directory: join(directory, 'clouds'),
    speed: 30,
    mosk: { controllers: false },
  })
  app = valueIn(
    await createApp({ dataDirectory: data, demo: false, face: { kind: 'serve', pickFiles: null, secrets: null } }),
  )
  for (const [at, flavour] of (['plain', 'mosk'] as const).entries()) {
    const { kubeconfigPath, context, cloudsYamlPath, cloud } = must(demo.clusters[at], 'both were started')
    valueIn(
      await app.contract.ask('cluster.add', {
        name: flavour,
        flavour,
        production: false,
        kubeconfig: { paths: [kubeconfigPath], context },
        cloud: { path: cloudsYamlPath, cloud },
      }),
    )
  }
})

afterAll(async () => {
  await app.close()
  await demo.stop()
  await rm(directory, { recursive: true, force: true })
})

const ask: App['contract']['ask'] = (name, input) => app.contract.ask(name, input)

function batches(work: NodeWorkGate, ...nodes: readonly string[][]): WindowPlan {
  const each = nodes.map(names => ({ nodes: names }))
  return { kind: 'batches', scope: 'os', batches: each, work, workMinutes: null, pauseBetweenBatches: false }
}

async function opened(plan: WindowPlan, endsInMs = HOUR_MS): Promise<string> {
  const draft = {
    cluster: 'plain',
    title: 'Kernel',
    ticket: '',
    startsAt: new Date(Date.now() - HOUR_MS).toISOString(),
    endsAt: new Date(Date.now() + endsInMs).toISOString(),
    timeZone: 'Europe/Berlin',
    plan,
    notes: '',
  }
  return valueIn(await ask('window.create', { draft })).window.id
}

async function viewOf(runId: string): Promise<RunView> {
  return foldRun(valueIn(await ask('run.show', { runId })).events)
}

async function over(runId: string): Promise<void> {
  await vi.waitFor(async () => expect((await viewOf(runId)).state.kind).toBe('finished'), { timeout: 30_000 })
  expect((await viewOf(runId)).state).toMatchObject({ outcome: 'done' })
}

async function started(windowId: string): Promise<string> {
  const { plan } = valueIn(await ask('window.plan', { id: windowId, choices: { concurrency: 2 } }))
  return valueIn(await ask('run.start', { planId: plan.id })).id
}

/** The gate that is passed at once: every kubelet has this version already. */
async function noWork(): Promise<NodeWorkGate> {
  const { nodes } = valueIn(await ask('node.list', { cluster: 'plain' }))
  return { kind: 'kubelet-version', version: must(nodes[0], 'the cloud has nodes').kubeletVersion }
}

function expectWithin(span: Span | null, measured: readonly MeasuredNode[], ms: (each: MeasuredNode) => number | null) {
  const all = measured.flatMap(each => ms(each) ?? [])
  expect(all.length).toBeGreaterThan(0)
  expect(span?.lowMs).toBeGreaterThanOrEqual(Math.min(...all))
  expect(span?.highMs).toBeLessThanOrEqual(Math.max(...all))
}

describe('an estimate', () => {
  it('of a cluster on which nothing was measured makes nothing up, and the forecast says why nothing is known', async () => {
    const plan = batches(await noWork(), ['cmp-03'])
    const { own, vendor } = valueIn(await ask('estimate.make', { cluster: 'plain', plan }))
    expect([own.total, vendor]).toEqual([null, null])
    expect(own.basis).toContain('Nothing was measured on this cloud yet')
    expect(own.missing).toContain("The vendor's formula is only for clouds of flavour mosk.")
    const id = await opened(plan)
    expect(valueIn(await ask('window.forecast', { id }))).toMatchObject({
      verdict: 'not-known',
      eta: null,
      leaveOut: [],
    })
    valueIn(await ask('window.cancel', { id, why: 'only a test' }))
  })

  it('after runs is what they measured, and the forecast of the next window is taken from it', async () => {
    const work = await noWork()
    const first = await opened(batches(work, ['cmp-03'], ['cmp-05']))
    const run = await started(first)
    await vi.waitFor(
      async () => expect((await viewOf(run)).steps.some(({ state }) => state === 'applying')).toBe(true),
      { timeout: 30_000, interval: 20 },
    )
    expect(valueIn(await ask('window.forecast', { id: first })).words).not.toBe('')
    await over(run)
    // What the report will hold against what happened.
    expect(valueIn(await ask('window.show', { id: first })).window.estimate?.estimate.own.total).toBeNull()
    expect(valueIn(await ask('window.forecast', { id: first }))).toMatchObject({
      verdict: 'in-time',
      eta: null,
      words: expect.stringMatching(/^Its work ended at (\d{4}-\d\d-\d\d )?\d\d:\d\d/),
    })
    valueIn(await ask('window.close', { id: first, summary: 'All back.' }))

    const { measured } = valueIn(await ask('history.durations', { cluster: 'plain' }))
    expect(measured.map(({ node }) => node).toSorted()).toEqual(['cmp-03', 'cmp-05'])
    const plan = batches(work, ['cmp-03'], ['cmp-05'])
    const { own } = valueIn(await ask('estimate.make', { cluster: 'plain', plan }))
    for (const node of own.nodes) {
      expectWithin(node.drain, measured, ({ drainMs }) => drainMs)
      expectWithin(node.work, measured, ({ workMs }) => workMs)
      expectWithin(node.back, measured, ({ returnMs }) => returnMs)
      expect(node.total?.lowMs).toBeGreaterThan(0)
    }
    expect(own.basis).toMatch(/^2 nodes measured on this cloud in 1 run, \d+ migrations/)
    expect(own.total?.lowMs).toBe(own.batches.reduce((sum, { span }) => sum + (span?.lowMs ?? 0), 0))

    const long = { ...plan, workMinutes: 10 }
    const roomy = await opened(long)
    expect(valueIn(await ask('window.forecast', { id: roomy }))).toMatchObject({ verdict: 'in-time', leaveOut: [] })
    const tight = await opened(long, HOUR_MS / 4)
    const forecast = valueIn(await ask('window.forecast', { id: tight }))
    expect(forecast).toMatchObject({ verdict: 'overruns', leaveOut: ['cmp-05'] })
    const reported = await lockkeeper(data, ['window', 'forecast', tight])
    expect(reported.code, reported.stdout + reported.stderr).toBe(3)
    const shown = await lockkeeper(data, ['window', 'estimate', roomy])
    expect(shown.code, shown.stderr).toBe(0)
    expect(shown.stdout).toContain('2 nodes measured on this cloud in 1 run')
    for (const id of [roomy, tight]) valueIn(await ask('window.cancel', { id, why: 'only a test' }))
  })

  it('a node that is entered by hand has to be back by the end of the window as well', async () => {
    const id = await opened({ kind: 'open' })
    const { plan } = valueIn(await ask('plan.make', { cluster: 'plain', node: 'cmp-05', kind: 'enter', choices: {} }))
    await over(valueIn(await ask('run.start', { planId: plan.id })).id)
    const forecast = valueIn(await ask('window.forecast', { id }))
    expect(forecast.verdict).toBe('in-time')
    expect(forecast.eta).not.toBeNull()
    expect(forecast.words).toContain('The times do not include the work on cmp-05')
    const back = valueIn(await ask('plan.make', { cluster: 'plain', node: 'cmp-05', kind: 'leave', choices: {} }))
    await over(valueIn(await ask('run.start', { planId: back.plan.id })).id)
    expect(valueIn(await ask('window.forecast', { id })).words).toMatch(/^Its work ended at/)
    valueIn(await ask('window.close', { id, summary: 'Back.' }))
  })

  it("of a mosk update has the vendor's formula with what this cluster has, in both readings", async () => {
    const { options } = valueIn(await ask('update.propose', { cluster: 'mosk' }))
    const { vendor, own } = valueIn(
      await ask('estimate.make', { cluster: 'mosk', plan: { kind: 'update', update: options } }),
    )
    const { nodes } = valueIn(await ask('node.list', { cluster: 'mosk' }))
    const count = (role: string) => nodes.filter(({ roles }) => roles.some(each => each === role)).length
    expect(vendor?.inputs).toMatchObject({ NC: count('compute'), NG: count('gateway'), RE: 1 })
    expect((vendor?.inputs.NKC ?? 0) + (vendor?.inputs.NKM ?? 0)).toBe(nodes.length)
    expect(vendor?.readings).toHaveLength(2)
    expect(own.total).toBeNull()
  })
})

describe('owners', () => {
  it('are named by their projects as Keystone names them, with every instance that waits or goes down', async () => {
    const { nodes } = valueIn(await ask('node.list', { cluster: 'plain' }))
    const computes = nodes.filter(({ roles }) => roles.includes('compute')).map(({ name }) => name)
    const plan = batches({ kind: 'person' }, ...computes.map(name => [name]))
    const list = valueIn(await ask('owners.list', { cluster: 'plain', plan }))
    expect(list.unreachable).toEqual([])
    const instances = valueIn(await ask('instance.list', { cluster: 'plain', node: null }))
    const expected = instances.instances
      .filter(({ action }) => action === 'notify' || action === 'poweroff')
      .map(({ id }) => id)
    expect(expected.length).toBeGreaterThan(0)
    expect(list.projects.flatMap(project => project.instances.map(({ id }) => id)).toSorted()).toEqual(
      expected.toSorted(),
    )
    for (const { projectName, instances: own, message } of list.projects) {
      expect(projectName).toMatch(/^[a-z]/)
      expect(message).toContain(`To the owners of project ${projectName}`)
      for (const { id, batch } of own) {
        expect(message).toContain(id)
        expect(batch).not.toBeNull()
      }
    }
    expect(list.csv.trimEnd().split('\r\n')).toHaveLength(expected.length + 1)
    const cli = await lockkeeper(data, [
      'window',
      'owners',
      '--cluster',
      'plain',
      '--batch',
      computes.join(','),
      '--message',
    ])
    expect(cli.code, cli.stderr).toBe(0)
    expect(cli.stdout).toContain('To the owners of project')
  })

  it('estimate nothing for work with scope drain', async () => {
    const plan = { ...batches({ kind: 'person' }, ['cmp-02']), scope: 'drain' } as const
    expect(valueIn(await ask('owners.list', { cluster: 'plain', plan })).projects).toEqual([])
  })
})
