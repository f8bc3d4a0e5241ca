import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import type { App } from '../../../../../main/app.ts'
import { packHistory } from '../../../../../main/runs/handed-over-history.ts'
import { planHashOf } from '../../../../../main/wings/runner/plan-of-spec.ts'
import type { KubernetesObject } from '../../../../../main/wings/simulators/kubernetes/store/kubernetes-object.ts'
import type { RunSummary } from '../../../../../shared/contract/index.ts'
import { must } from '../../../../../shared/domain/must.ts'
import { openGatesOf } from '../../../../../shared/domain/open-gate.ts'
import type { RunEvent } from '../../../../../shared/domain/run.ts'
import {
  CLOUD,
  NAMESPACE,
  type RunnerInCloud,
  startRunnerInCloud,
} from '../../../../fixtures/attach/runner-in-cloud.ts'
import { valueIn } from '../../../../fixtures/clusters/results.ts'
import { askedSince, doneTwice, markOf } from '../../../../fixtures/runner/asked-of-clouds.ts'

/** The runner continues a run that a console started, from where it paused: with the same id, its whole history, and nothing done twice. */

let place: RunnerInCloud
let console: App

beforeAll(async () => {
  place = await startRunnerInCloud(20)
})
beforeEach(async () => {
  console = await place.console()
})
afterEach(() => console.close())
afterAll(() => place.close())

async function begin(node: string, kind: 'enter' | 'maintain', concurrency = 8): Promise<string> {
  const { contract } = console
  const { plan } = valueIn(await contract.ask('plan.make', { cluster: CLOUD, node, kind, choices: { concurrency } }))
  return valueIn(await contract.ask('run.start', { planId: plan.id, outsideWindow: 'a test' })).id
}

const show = async (runId: string) => valueIn(await console.contract.ask('run.show', { runId }))
const ofId = async (runId: string): Promise<readonly RunSummary[]> =>
  valueIn(await console.contract.ask('run.list', { cluster: CLOUD })).filter(({ id }) => id === runId)

const becomes = (runId: string, kind: RunSummary['condition']['kind']) =>
  vi.waitFor(
    async () => {
      const { condition, summary } = (await show(runId)).summary
      expect(condition.kind, summary).toBe(kind)
    },
    { timeout: 30_000, interval: 100 },
  )
/** Waits until this console's mirror has a run of the runner. */
const isTheRunners = (runId: string) =>
  vi.waitFor(async () => expect((await show(runId)).summary.runner).toMatchObject({ namespace: NAMESPACE }), {
    timeout: 30_000,
    interval: 100,
  })

async function pause(runId: string): Promise<void> {
  valueIn(await console.contract.ask('run.pause', { runId }))
  await becomes(runId, 'paused')
}

const handOver = (runId: string) => console.contract.ask('runner.hand-over', { runId })
const specOf = (object: string) =>
  must(place.demo.kubernetes.objects.get('MaintenanceRun', NAMESPACE, object), object).spec as Record<string, unknown>
const factsOf = (events: readonly RunEvent[]) => events.flatMap(({ body }) => (body.kind === 'fact' ? [body] : []))

test('in the middle of emptying a node: the rest moves, each instance once, in one history', async () => {
  const mark = markOf(place.demo)
  const runId = await begin('cmp-01', 'enter', 1)
  await vi.waitFor(
    async () => {
      const moved = factsOf((await show(runId)).events).filter(({ fact }) => fact === 'instance-moved')
      expect(moved.length).toBeGreaterThan(0)
    },
    { timeout: 30_000, interval: 50 },
  )
  expect(await handOver(runId)).toMatchObject({ ok: false, failure: { message: expect.stringContaining('Pause it') } })
  await pause(runId)
  const before = (await show(runId)).events
  const handed = valueIn(await handOver(runId))
  expect(handed).toMatchObject({ namespace: NAMESPACE, object: expect.stringMatching(/^enter-cmp-01-[0-9a-f]{12}$/) })
  await isTheRunners(runId)
  await becomes(runId, 'over')
  const { summary, events } = await show(runId)
  expect(summary).toMatchObject({ id: runId, state: 'done' })
  expect(doneTwice(askedSince(mark, place.demo))).toEqual([])
  // First the events of the console, unchanged and with their times; then who took the run over.
  const reported = before.map(({ at, body }) => ({ at, body }))
  expect(events.slice(0, reported.length).map(({ at, body }) => ({ at, body }))).toEqual(reported)
  expect(
    events
      .slice(reported.length)
      .map(({ body: { kind } }) => kind)
      .slice(0, 3),
  ).toEqual(['driver-left', 'run-taken-over', 'run-driven'])
  const takenOver = must(events.find(({ body }) => body.kind === 'run-taken-over')?.body, 'it was taken over')
  expect(takenOver).toMatchObject({
    driver: { operator: 'demo-admin (unverified)' },
    asked: { name: handed.object },
  })
  // The list has the run once, and this console's journal says where it went.
  expect(await ofId(runId)).toHaveLength(1)
  await vi.waitFor(
    () =>
      expect(place.demo.kubernetes.objects.get('MaintenanceRun', NAMESPACE, handed.object)).toMatchObject({
        status: { phase: 'Done', runId },
      }),
    { timeout: 20_000 },
  )
  const subject = { kind: 'run', id: runId } as const
  valueIn(await console.contract.ask('report.make', { subject, format: 'json', table: 'instances', redact: false }))
  // Bringing the node back knows all instances that left, also those that left before the hand-over.
  const away = valueIn(
    await place.runner.contract.ask('plan.make', { cluster: CLOUD, node: 'cmp-01', kind: 'home', choices: {} }),
  )
  const home = must(
    away.plan.steps.find(({ kind }) => kind === 'bring-home'),
    'there is a way home',
  )
  const moved = new Set(factsOf(events).flatMap(({ fact, subject }) => (fact === 'instance-moved' ? [subject] : [])))
  expect((home.input.away as readonly { id: string }[]).length).toBe(moved.size)
})

test('with its question open: it is asked by the runner, answered from here, and the node comes back as it was', async () => {
  const mark = markOf(place.demo)
  const runId = await begin('cmp-05', 'maintain')
  await becomes(runId, 'waiting')
  const gate = must(openGatesOf((await show(runId)).events)[0], 'it asks whether the work has finished')
  await pause(runId)
  valueIn(await handOver(runId))
  await isTheRunners(runId)
  await becomes(runId, 'waiting')
  expect(openGatesOf((await show(runId)).events).map(({ gateId }) => gateId)).toEqual([gate.gateId])
  valueIn(await console.contract.ask('run.answer', { runId, gateId: gate.gateId, choice: 'continue', reason: '' }))
  await becomes(runId, 'over')
  expect((await show(runId)).summary.state).toBe('done')
  expect(doneTwice(askedSince(mark, place.demo))).toEqual([])
})

test('that no runner takes returns to this console: it continues here, and is handed over again from there', async () => {
  const runId = await begin('cmp-05', 'maintain')
  await becomes(runId, 'waiting')
  await pause(runId)
  // A settings file with another flavour makes another plan there: it is refused.
  const secret = must(place.demo.kubernetes.objects.get('Secret', NAMESPACE, `cloud-${CLOUD}`), 'the cloud’s Secret')
  const settings = (value: object | null): KubernetesObject => ({
    ...secret,
    data: {
      ...(secret.data as object),
      ...(value === null ? {} : { 'settings.json': Buffer.from(JSON.stringify(value)).toString('base64') }),
    },
  })
  const set = (value: object | null) => {
    place.demo.kubernetes.objects.change('Secret', NAMESPACE, `cloud-${CLOUD}`, ({ metadata }) => ({
      ...settings(value),
      metadata,
    }))
  }
  set({ flavour: 'sunbeam' })
  const first = valueIn(await handOver(runId))
  const statusOf = (object: string) =>
    place.demo.kubernetes.objects.get('MaintenanceRun', NAMESPACE, object)?.status as
      | { readonly phase?: string; readonly message?: string }
      | undefined
  await vi.waitFor(() => expect(statusOf(first.object)?.phase).toBe('Refused'), { timeout: 30_000 })
  expect(statusOf(first.object)?.message).toContain('differs from one made now')
  // It needs an operator, and every list says so; the run shows the refused object, and no separate entry does.
  await becomes(runId, 'interrupted')
  expect(await ofId(runId)).toMatchObject([
    {
      state: 'interrupted',
      condition: {
        left: { code: 'HandOverFailed', cause: expect.stringContaining(`refused MaintenanceRun ${first.object}`) },
      },
    },
  ])
  expect((await show(runId)).summary.summary).toContain('differs from one made now')
  const asked = valueIn(await console.contract.ask('runner.asked', { cluster: CLOUD }))
  expect(asked.runs.map(({ object }) => object)).not.toContain(first.object)
  expect((await show(runId)).events.filter(({ body }) => body.kind === 'hand-over-failed')).toHaveLength(1)
  valueIn(await console.contract.ask('run.resume', { runId }))
  await becomes(runId, 'waiting')
  await pause(runId)
  set(null)
  const second = valueIn(await handOver(runId))
  expect(second.object).not.toBe(first.object)
  await isTheRunners(runId)
  await becomes(runId, 'waiting')
  // What a runner has is taken back by nobody.
  expect(specOf(second.object)).toMatchObject({ handedOver: { run: runId } })
  valueIn(await console.contract.ask('run.abort', { runId, reason: 'enough' }))
  await becomes(runId, 'over')
  expect((await show(runId)).summary.state).toBe('aborted')
})

test('whose answer is lost is in one place only: nobody continues it here, and it ends here once the runner reports it', async () => {
  const { faults, objects } = place.demo.kubernetes
  const made = () =>
    objects.list('MaintenanceRun', NAMESPACE).filter(({ metadata }) => metadata.name.startsWith('maintain-cmp-02-'))
  const runId = await begin('cmp-02', 'maintain')
  await becomes(runId, 'waiting')
  await pause(runId)
  const post = { path: /\/maintenanceruns(\?(?!.*dryRun)|$)/, method: 'POST' }
  const undo = faults.drop(post, 'before')
  expect(await handOver(runId)).toMatchObject({
    ok: false,
    failure: { message: expect.stringContaining('Cannot tell whether') },
  })
  expect(made()).toEqual([])
  expect(await console.contract.ask('run.resume', { runId })).toMatchObject({
    ok: false,
    failure: { message: expect.stringContaining('may still be created. Try again in') },
  })
  expect(await console.contract.ask('run.abort', { runId, reason: 'a test' })).toMatchObject({ ok: false })
  undo()
  faults.drop({ ...post, times: 1 }, 'after')
  expect(await handOver(runId)).toMatchObject({
    ok: false,
    failure: { message: expect.stringContaining('Cannot tell whether') },
  })
  await isTheRunners(runId)
  await becomes(runId, 'waiting')
  expect(made()).toHaveLength(1)
  expect(await ofId(runId)).toMatchObject([{ state: 'waiting' }])
  expect(await handOver(runId)).toMatchObject({ ok: false, failure: { message: expect.stringContaining('already') } })
  valueIn(await console.contract.ask('run.abort', { runId, reason: 'enough' }))
  await becomes(runId, 'over')
  expect((await show(runId)).summary.state).toBe('aborted')
})

test('a history with another hash or another plan is refused, and the cloud gets no request', async () => {
  const runId = await begin('cmp-02', 'maintain')
  await becomes(runId, 'waiting')
  await pause(runId)
  const { events } = await show(runId)
  const [first] = events
  const plan = first?.body.kind === 'run-created' ? first.body.plan : null
  const text = JSON.stringify(plan)
  const mark = markOf(place.demo)
  const history = valueIn(packHistory(events))
  const forged: readonly (readonly [string, Readonly<Record<string, string>>, string])[] = [
    ['other-hash', { ...history, storyHash: 'f'.repeat(64) }, 'does not match its hash'],
    ['other-run', valueIn(packHistory(events.map(event => ({ ...event, runId: 'other' })).slice(1))), 'does not begin'],
    [
      'no-time',
      valueIn(packHistory(events.map((event, at) => (at === 1 ? { ...event, at: 'yesterday' } : event)))),
      'has no valid time',
    ],
    ['no-story', { ...history, story: Buffer.from('nothing').toString('base64') }, 'cannot be unpacked'],
    [
      'over',
      valueIn(
        packHistory([
          ...events,
          {
            ...must(events.at(-1), 'it began'),
            seq: (events.at(-1)?.seq ?? 0) + 1,
            body: { kind: 'run-finished', outcome: 'done', summary: '', leftBehind: [] },
          },
        ]),
      ),
      'the run has ended',
    ],
  ]
  for (const [name, handedOver, words] of forged) {
    place.demo.kubernetes.objects.create({
      apiVersion: 'lockkeeper.dev/v1alpha1',
      kind: 'MaintenanceRun',
      metadata: { name, namespace: NAMESPACE },
      spec: {
        kind: 'maintain',
        cluster: CLOUD,
        node: 'cmp-02',
        plan: text,
        planHash: planHashOf(text),
        confirmedBy: 'eva',
        handedOver,
      },
    })
    await vi.waitFor(
      () =>
        expect(place.demo.kubernetes.objects.get('MaintenanceRun', NAMESPACE, name)?.status).toMatchObject({
          phase: 'Refused',
          message: expect.stringContaining(words),
        }),
      { timeout: 20_000 },
    )
  }
  const asked = askedSince(mark, place.demo)
  expect({ services: asked.services, cordons: asked.cordons, instances: asked.instances.size }).toEqual({
    services: 0,
    cordons: 0,
    instances: 0,
  })
  valueIn(await console.contract.ask('run.abort', { runId, reason: 'a test' }))
})
