import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { type App, createApp } from '../../../main/app.ts'
import { systemClock } from '../../../main/platform/clock/clock.ts'
import { sealOf } from '../../../main/windows/plan-seal.ts'
import { type DemoClouds, startDemoClouds } from '../../../main/wings/simulators/demo-clouds.ts'
import { must } from '../../../shared/domain/must.ts'
import { foldRun } from '../../../shared/domain/run-fold.ts'
import { valueIn } from '../../fixtures/clusters/results.ts'

/** A window of batches where there is the node maintenance API: the five phases, the batches as its groups. */
let directory: string
let demo: DemoClouds
let app: App

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'lockkeeper-mosk-batches-'))
  demo = await startDemoClouds({
    clock: systemClock,
    directory: join(directory, 'clouds'),
    speed: 30,
    // A batch takes two computes: the operator of this cloud raised the limit.
    mosk: { controllers: true, computeMax: 2 },
  })
  const dataDirectory = join(directory, 'data')
  app = valueIn(
    await createApp({ dataDirectory, demo: false, face: { kind: 'serve', pickFiles: null, secrets: null } }),
  )
  const { kubeconfigPath, context, cloudsYamlPath, cloud, maintenanceApi } = must(demo.mosk, 'it was asked for').cluster
  valueIn(
    await app.contract.ask('cluster.add', {
      name: 'm',
      flavour: 'mosk',
      kubeconfig: { paths: [kubeconfigPath], context },
      cloud: { path: cloudsYamlPath, cloud },
      maintenanceApi,
    }),
  )
})

afterAll(async () => {
  await app?.close()
  await demo?.stop()
  await rm(directory, { recursive: true, force: true })
})

it('control-plane nodes of the batches come first, one by one, then the workers batch by batch; its run belongs to the window', async () => {
  const { contract } = app
  const { nodes } = valueIn(await contract.ask('node.list', { cluster: 'm' }))
  const version = must(nodes[0], 'it has nodes').kubeletVersion
  const { window } = valueIn(
    await contract.ask('window.create', {
      draft: {
        cluster: 'm',
        title: 'Racks',
        ticket: 'CHG-2',
        startsAt: new Date(Date.now() - 60_000).toISOString(),
        endsAt: new Date(Date.now() + 3_600_000).toISOString(),
        timeZone: 'UTC',
        plan: {
          kind: 'batches',
          scope: 'drain',
          batches: [{ nodes: ['mosk-cmp-01', 'mosk-cmp-04'] }, { nodes: ['mosk-ctl-1', 'mosk-cmp-05'] }],
          work: { kind: 'kubelet-version', version },
          workMinutes: null,
          pauseBetweenBatches: false,
        },
        notes: '',
      },
    }),
  )
  // The controllers of the demo make their locks first.
  const checked = await vi.waitFor(
    async () => {
      const made = valueIn(await contract.ask('window.plan', { id: window.id, choices: {} }))
      expect(made.startable).toBe(true)
      return made
    },
    { timeout: 30_000, interval: 500 },
  )
  expect(checked.plan).toMatchObject({ flavour: 'mosk', window: { kind: 'in', id: window.id } })
  const again = valueIn(await contract.ask('window.plan', { id: window.id, choices: checked.plan.options }))
  expect(sealOf(again), 'made again it is the same, so it may start automatically').toEqual(sealOf(checked))
  expect(checked.plan.options.reason).toBe('CHG-2: Racks')
  const { id: runId } = valueIn(await contract.ask('run.start', { planId: checked.plan.id }))
  const view = async () => foldRun(valueIn(await contract.ask('run.show', { runId })).events)
  await vi.waitFor(async () => expect((await view()).state.kind).toBe('finished'), { timeout: 30_000, interval: 500 })
  expect((await view()).state).toMatchObject({ outcome: 'done' })
  const { lanes } = valueIn(await contract.ask('update.timeline', { runId }))
  expect(lanes.map(({ node, group, stage }) => [node, group, stage])).toEqual([
    ['mosk-ctl-1', null, 'done'],
    ['mosk-cmp-01', 'batch-1', 'done'],
    ['mosk-cmp-04', 'batch-1', 'done'],
    ['mosk-cmp-05', 'batch-2', 'done'],
  ])
  const closed = valueIn(await contract.ask('window.close', { id: window.id, summary: 'All back.' }))
  expect(closed).toMatchObject({ status: 'closed', runs: [{ id: runId }] })
})
