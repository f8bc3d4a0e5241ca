import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import type { App } from '../../../../../main/app.ts'
import type { RunSummary, SubmittedRun } from '../../../../../shared/contract/index.ts'
import { must } from '../../../../../shared/domain/must.ts'
import { openGatesOf } from '../../../../../shared/domain/open-gate.ts'
import {
  CLOUD,
  NAMESPACE,
  POD,
  type RunnerInCloud,
  startRunnerInCloud,
} from '../../../../fixtures/attach/runner-in-cloud.ts'
import { valueIn } from '../../../../fixtures/clusters/results.ts'

/** A plan that was shown here is carried out in the cluster, while this console is open, and while it is not. */

let place: RunnerInCloud
let console: App

beforeAll(async () => {
  place = await startRunnerInCloud()
  console = await place.console()
})

afterAll(async () => {
  await console.close()
  await place.close()
})

async function shown(node: string, kind: 'enter' | 'maintain' = 'enter'): Promise<string> {
  const { plan } = valueIn(
    await console.contract.ask('plan.make', { cluster: CLOUD, node, kind, choices: { concurrency: 8 } }),
  )
  return plan.id
}

const submit = async (planId: string) => console.contract.ask('runner.submit', { planId, outsideWindow: 'a test' })

const ofId = async (runId: string): Promise<RunSummary | undefined> =>
  valueIn(await console.contract.ask('run.list', { cluster: CLOUD })).find(({ id }) => id === runId)

/** The run that a MaintenanceRun became, as this console has it. */
async function mirrored({ by, namespace, object }: SubmittedRun): Promise<string> {
  return vi.waitFor(
    async () => {
      const now = valueIn(await console.contract.ask('runner.submitted', { by, namespace, object }))
      expect(now).toMatchObject({ mirrored: true })
      return now.runId ?? ''
    },
    { timeout: 20_000, interval: 200 },
  )
}

const submittedOf = ({ by, namespace, object }: SubmittedRun) => ({ by, namespace, object })

const becomes = (runId: string, kind: RunSummary['condition']['kind']) =>
  vi.waitFor(async () => expect((await ofId(runId))?.condition.kind).toBe(kind), { timeout: 30_000, interval: 200 })

test('a runner that answers and knows the cloud is offered, with the user name that the API server returns', async () => {
  expect(valueIn(await console.contract.ask('runner.offer', { cluster: CLOUD }))).toEqual({
    kind: 'offered',
    by: CLOUD,
    namespace: NAMESPACE,
    runner: POD,
    as: 'demo-admin',
    proved: false,
  })
})

test('a runner that was found once is known to the next console, though nothing is in its journal yet', async () => {
  await console.close()
  console = await place.console()
  expect(valueIn(await console.contract.ask('runner.list', { cluster: null }))).toMatchObject([
    { name: POD, connection: { kind: 'connected' } },
  ])
})

test('a plan runs in the cluster while no console is open; a console opened later has the whole history and a report', async () => {
  const asked = valueIn(await submit(await shown('cmp-01')))
  expect(asked).toMatchObject({ by: CLOUD, namespace: NAMESPACE, object: expect.stringMatching(/^enter-cmp-01-/) })
  await console.close()
  const runner = place.runner.contract
  await vi.waitFor(
    async () => expect(valueIn(await runner.ask('run.list', { cluster: CLOUD }))[0]?.state).toBe('done'),
    { timeout: 30_000, interval: 200 },
  )
  console = await place.console()
  const known = valueIn(await console.contract.ask('runner.list', { cluster: CLOUD }))
  expect(known[0]?.connection.kind).toBe('connected')
  const runId = await mirrored(asked)
  const run = valueIn(await console.contract.ask('run.show', { runId }))
  expect(run.summary).toMatchObject({
    state: 'done',
    operator: expect.stringContaining('demo-admin'),
    runner: { name: POD },
  })
  expect(run.events).toEqual(valueIn(await runner.ask('run.show', { runId })).events)
  const subject = { kind: 'run', id: runId } as const
  valueIn(await console.contract.ask('report.make', { subject, format: 'json', table: 'instances', redact: false }))
  // This console's own journal has no event of it.
  expect(valueIn(await console.contract.ask('journal.status', {}))).toMatchObject({ runs: 0 })
})

test('a control of such a run is an object with who and why, and a refusal has the runner’s words', async () => {
  // It waits until the operator says that the work on the node has finished, however fast the cloud is.
  const runId = await mirrored(valueIn(await submit(await shown('cmp-05', 'maintain'))))
  await becomes(runId, 'waiting')
  const { events } = valueIn(await console.contract.ask('run.show', { runId }))
  const gate = must(openGatesOf(events)[0], 'it asks whether the work has finished')
  const answer = (gateId: string) =>
    console.contract.ask('run.answer', { runId, gateId, choice: 'continue', reason: 'the work is done' })
  expect((await answer('none')).ok).toBe(false)
  valueIn(await answer(gate.gateId))
  await becomes(runId, 'over')
  const late = await console.contract.ask('run.pause', { runId })
  expect(late).toMatchObject({
    ok: false,
    failure: { code: 'conflict', message: expect.stringContaining('has ended') },
  })
  const controls = place.demo.kubernetes.objects.list('MaintenanceRunControl', NAMESPACE)
  expect(
    controls
      .map(each => (each as unknown as { spec: { by: string; control: string } }).spec)
      .map(spec => [spec.control, spec.by]),
  ).toContainEqual(['answer', 'demo-admin'])
})

test('asked twice for one plan, it is one MaintenanceRun', async () => {
  const planId = await shown('cmp-06')
  valueIn(await submit(planId))
  // The plan was confirmed: it is no longer at hand, here as for a run of this console.
  expect(await submit(planId)).toMatchObject({ ok: false, failure: { code: 'not-found' } })
  const runs = place.demo.kubernetes.objects.list('MaintenanceRun', NAMESPACE)
  expect(runs.filter(({ metadata }) => metadata.name.startsWith('enter-cmp-06-'))).toHaveLength(1)
})

test('a run of a campaign waits for it, and the campaign is made, paused, resumed and shown from here', async () => {
  const planId = await shown('cmp-03')
  const asked = valueIn(
    await console.contract.ask('runner.submit', { planId, outsideWindow: 'a test', campaign: 'night' }),
  )
  const ofCampaign = { cluster: CLOUD, name: 'night' }
  const waits = (why: string) =>
    vi.waitFor(
      async () =>
        expect(valueIn(await console.contract.ask('runner.submitted', submittedOf(asked))).message).toContain(why),
      { timeout: 20_000, interval: 200 },
    )
  await waits('It starts when MaintenanceCampaign night allows it, which does not exist')
  // Asked at the place of the runner, as a screen does, or through a cloud that it knows.
  const atRunner = { cluster: CLOUD, namespace: NAMESPACE }
  for (const place of [atRunner, { cluster: CLOUD }]) {
    expect(valueIn(await console.contract.ask('campaign.waiting', place))).toMatchObject({
      unreadable: [],
      runs: [{ name: asked.object, campaign: 'night', cluster: CLOUD, node: 'cmp-03', kind: 'enter' }],
    })
  }
  const twice = { ...ofCampaign, batches: [{ runs: ['a'] }, { runs: ['a'] }], failureBudget: 0 }
  expect(await console.contract.ask('campaign.create', twice)).toMatchObject({
    ok: false,
    failure: { code: 'bad-input' },
  })
  const made = {
    ...ofCampaign,
    batches: [{ runs: ['not-there'] }, { runs: [asked.object], atOnce: 1 }],
    failureBudget: 0,
  }
  expect(valueIn(await console.contract.ask('campaign.create', made))).toMatchObject({
    confirmedBy: 'demo-admin',
    runsAll: 2,
  })
  await waits('It starts when MaintenanceCampaign night allows it (batch 2 of 2)')
  expect(valueIn(await console.contract.ask('campaign.create', made)), 'asked twice, it is one').toMatchObject({
    runsAll: 2,
  })
  expect(await console.contract.ask('campaign.create', { ...made, failureBudget: 3 })).toMatchObject({
    ok: false,
    failure: {
      code: 'conflict',
      message: expect.stringMatching(/another MaintenanceCampaign night, submitted by demo-admin .*another name/),
    },
  })
  const control = (what: 'pause' | 'resume' | 'abort') =>
    console.contract.ask('campaign.control', { ...ofCampaign, control: what, reason: 'a test' })
  expect(valueIn(await control('pause')).message).toContain('The campaign starts no more runs')
  expect(await control('pause')).toMatchObject({ ok: false, failure: { code: 'conflict' } })
  expect(valueIn(await console.contract.ask('campaign.list', atRunner))).toMatchObject([
    {
      name: 'night',
      phase: 'Paused',
      hold: { kind: 'paused', by: expect.stringContaining('demo-admin'), reason: 'a test', since: expect.any(String) },
    },
  ])
  valueIn(await control('resume'))
  expect(valueIn(await console.contract.ask('campaign.list', { cluster: CLOUD }))).toMatchObject([
    { name: 'night', phase: 'Pending' },
  ])
  valueIn(await control('abort'))
  await waits('demo-admin (unverified) aborted its campaign night')
  const { batches } = valueIn(await console.contract.ask('campaign.show', ofCampaign))
  expect(batches[1]?.runs).toMatchObject([
    { name: asked.object, cluster: CLOUD, phase: 'Aborted', runId: null, mirrored: false },
  ])
  expect(valueIn(await console.contract.ask('campaign.waiting', atRunner)).runs).toEqual([])
  expect(await console.contract.ask('campaign.show', { ...ofCampaign, name: 'none' })).toMatchObject({ ok: false })
})

test('a scheduled run is listed by its object, withdrawn in the runner’s words, and never started', async () => {
  const planId = await shown('cmp-03')
  const startAfter = new Date(Date.now() + 3_600_000).toISOString()
  const { object, by, namespace } = valueIn(
    await console.contract.ask('runner.submit', { planId, outsideWindow: 'a test', startAfter }),
  )
  const listed = async (wanted: { cluster: string | null; object?: string }) => {
    const { runs, unread } = valueIn(await console.contract.ask('runner.asked', wanted))
    expect(unread).toEqual([])
    return runs
  }
  await vi.waitFor(
    async () => expect((await listed({ cluster: CLOUD })).find(run => run.object === object)?.phase).toBe('Scheduled'),
    { timeout: 20_000, interval: 200 },
  )
  expect((await listed({ cluster: null, object })).find(run => run.object === object)).toMatchObject({
    kind: 'enter',
    cluster: CLOUD,
    node: 'cmp-03',
    confirmedBy: 'demo-admin',
    startAfter,
    message: expect.stringContaining('Starts at'),
    runId: null,
    over: false,
  })
  // A request that became a run is shown from its journal, and is still found by the name of its object.
  const begun = (await listed({ cluster: null, object: 'enter-cmp-01-' }))[0]
  expect(begun).toMatchObject({ mirrored: true, over: true })
  expect((await listed({ cluster: null })).map(run => run.object)).not.toContain(begun?.object)
  const withdraw = { by, namespace, object, reason: 'a test' }
  expect(valueIn(await console.contract.ask('runner.withdraw', withdraw))).toEqual({
    message: 'Nothing was started.',
  })
  expect((await listed({ cluster: CLOUD, object }))[0]).toMatchObject({
    phase: 'Aborted',
    message: expect.stringContaining('before it started: a test'),
    runId: null,
    over: true,
  })
  expect(await console.contract.ask('runner.withdraw', withdraw)).toMatchObject({
    ok: false,
    failure: { code: 'conflict', message: expect.stringContaining('has ended: Aborted') },
  })
  expect(await console.contract.ask('runner.withdraw', { ...withdraw, object: 'none' })).toMatchObject({
    ok: false,
    failure: { code: 'not-found' },
  })
})

test('where MaintenanceRuns may not be read, the list says so with the Role that lets, and never that there are none', async () => {
  const undo = place.demo.kubernetes.faults.deny({ verb: 'list', resource: 'maintenanceruns' })
  expect(valueIn(await console.contract.ask('runner.asked', { cluster: CLOUD }))).toMatchObject({
    runs: [],
    unread: [{ by: CLOUD, namespace: NAMESPACE, values: { remedy: { values: { role: 'lockkeeper-reader' } } } }],
  })
  undo()
})

test('a user who may not create MaintenanceRuns is not offered it, and sees which right is missing', async () => {
  const undo = place.demo.kubernetes.faults.deny({ verb: 'create', resource: 'maintenanceruns' })
  expect(valueIn(await console.contract.ask('runner.offer', { cluster: CLOUD }))).toMatchObject({
    kind: 'not-offered',
    why: expect.stringContaining('create MaintenanceRuns'),
  })
  undo()
})

test('a runner that does not answer is not offered, and said so', async () => {
  const again = await place.silence()
  await vi.waitFor(
    async () =>
      expect(valueIn(await console.contract.ask('runner.offer', { cluster: CLOUD }))).toMatchObject({
        kind: 'not-offered',
        why: expect.stringContaining('does not answer'),
      }),
    { timeout: 20_000 },
  )
  await again()
})
