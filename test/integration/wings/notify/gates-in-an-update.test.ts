import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { type App, createApp } from '../../../../main/app.ts'
import { systemClock } from '../../../../main/platform/clock/clock.ts'
import { type DemoClouds, startDemoClouds } from '../../../../main/wings/simulators/demo-clouds.ts'
import { must } from '../../../../shared/domain/must.ts'
import type { CheckedPlan } from '../../../../shared/domain/plan.ts'
import type { OpenGate, RunView } from '../../../../shared/domain/run.ts'
import { foldRun } from '../../../../shared/domain/run-fold.ts'
import type { SignalNews } from '../../../../shared/domain/signals.ts'
import { valueIn } from '../../../fixtures/clusters/results.ts'
import { type FakePrometheus, startFakePrometheus } from '../../../fixtures/signals/fake-prometheus.ts'
import { startReceiver } from '../../../fixtures/signals/receiver.ts'

/** The update of demo-mosk with two health gates, and an operator who decides when one fails between nodes. */
const ERRORS = 'job:errors'
const LATENCY = 'job:latency'
const [FIRST, BESIDE, SECOND, THIRD] = ['mosk-cmp-01', 'mosk-cmp-04', 'mosk-cmp-05', 'mosk-cmp-06']
const GROUPS = [[FIRST, BESIDE], [SECOND], [THIRD]]
let directory: string
let demo: DemoClouds
let prometheus: FakePrometheus
let receiver: Awaited<ReturnType<typeof startReceiver>>
let app: App

const call: App['contract']['ask'] = (name, input) => app.contract.ask(name, input)

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'lockkeeper-gates-'))
  demo = await startDemoClouds({
    clock: systemClock,
    directory: join(directory, 'clouds'),
    speed: 30,
    // Its waves take two computes at once: the operator of this cloud raised the limit.
    mosk: { controllers: true, computeMax: 2 },
  })
  prometheus = await startFakePrometheus()
  receiver = await startReceiver(() => ({ status: 200 }))
  app = valueIn(
    await createApp({
      dataDirectory: join(directory, 'data'),
      demo: false,
      face: { kind: 'serve', pickFiles: null, secrets: null },
    }),
  )
  const { kubeconfigPath, context, cloudsYamlPath, cloud, maintenanceApi } = must(
    demo.mosk,
    'the demo has MOSK',
  ).cluster
  valueIn(
    await call('cluster.add', {
      name: 'm',
      flavour: 'mosk',
      kubeconfig: { paths: [kubeconfigPath], context },
      cloud: { path: cloudsYamlPath, cloud },
      maintenanceApi,
    }),
  )
  healthy()
  const endpoint = { url: prometheus.url, login: { kind: 'none' as const }, caFile: null }
  const gates = [
    { name: 'errors', query: ERRORS, stopsWhen: { comparison: '>' as const, threshold: 0.01 } },
    { name: 'latency', query: LATENCY, stopsWhen: { comparison: '>' as const, threshold: 2 } },
  ]
  valueIn(await call('gates.keep', { cluster: 'm', settings: { endpoint, gates }, secret: null }))
  const key = 'the-key-of-this-very-test'
  const hook = { cluster: 'm', name: 'ops', form: 'json' as const, url: `${receiver.url}/hook`, key }
  valueIn(await call('webhook.keep', { ...hook, events: ['waiting'] }))
})

afterAll(async () => {
  await app.close()
  await receiver.stop()
  await prometheus.stop()
  await demo.stop()
  await rm(directory, { recursive: true, force: true })
})

function healthy(): void {
  prometheus.teach(ERRORS, { '{"job":"api"}': '0' })
  prometheus.teach(LATENCY, { '{"job":"api"}': '1' })
}

/** A checked plan of these groups of nodes, one after the other. */
async function planned(groups: readonly (readonly string[])[], force: string | null): Promise<CheckedPlan> {
  const { options } = valueIn(await call('update.propose', { cluster: 'm' }))
  const overrides = force === null ? [] : [{ flag: 'force' as const, reason: force }]
  const update = {
    ...options,
    scope: 'drain' as const,
    controlNodes: [],
    groups: groups.map((nodes, at) => ({
      name: `group-${at}`,
      index: at + 1,
      nodes: [...nodes],
      concurrentUpdates: nodes.length,
    })),
    work: { kind: 'person' as const },
  }
  return valueIn(await call('update.plan', { cluster: 'm', choices: { overrides }, update }))
}

/** What an operator at the console sees of a run, and says. */
async function started(plan: CheckedPlan) {
  const { id: runId } = valueIn(await call('run.start', { planId: plan.plan.id, outsideWindow: 'a test' }))
  const view = async (): Promise<RunView> => foldRun(valueIn(await call('run.show', { runId })).events)
  return {
    runId,
    view,
    /** The question of a step, other than the one that was seen before. */
    asked: (stepId: string, before?: OpenGate): Promise<OpenGate> =>
      vi.waitFor(
        async () => {
          const open = (await view()).openGates.find(gate => gate.stepId === stepId && gate.gateId !== before?.gateId)
          return must(open ?? null, `${stepId} asks`)
        },
        { timeout: 30_000, interval: 100 },
      ),
    answer: async ({ gateId }: OpenGate, choice: 'continue' | 'retry', reason: string) => {
      valueIn(await call('run.answer', { runId, gateId, choice, reason }))
    },
    stages: async () =>
      valueIn(await call('update.timeline', { runId })).lanes.map(({ node, stage }) => `${node} ${stage}`),
    /** To its end; whether the applications were updated is for the operator to say too. */
    over: () =>
      vi.waitFor(
        async () => {
          const { state, openGates } = await view()
          for (const { gateId, choices } of openGates) {
            if (!choices.includes('continue')) continue
            await call('run.answer', { runId, gateId, choice: 'continue', reason: 'they are updated' })
          }
          return must(state.kind === 'finished' ? state : null, `the run has finished, not ${state.kind}`)
        },
        { timeout: 30_000, interval: 500 },
      ),
  }
}

/** Nodes that were ever asked to be maintained, by the API server's own log. */
function requested(): readonly string[] {
  return must(demo.mosk, 'it runs')
    .kubernetes.log.all()
    .filter(
      ({ method, path, status }) => method === 'POST' && /\/nodemaintenancerequests(\?|$)/.test(path) && status < 300,
    )
    .map(({ path }) => path)
}

test('a gate that fails between nodes stops the waves with evidence; the operator decides, and the update continues', async () => {
  const checked = await vi.waitFor(
    async () => {
      const made = await planned(GROUPS, null)
      expect(made.startable).toBe(true)
      return made
    },
    { timeout: 30_000, interval: 500 },
  )
  const before = requested().length
  const run = await started(checked)
  const work = [await run.asked(`node-work@${FIRST}`), await run.asked(`node-work@${BESIDE}`)]
  // An alert fires during the first wave: its nodes continue and come back into service.
  prometheus.teach(ERRORS, { '{"job":"api"}': '0.2' })
  for (const gate of work) await run.answer(gate, 'continue', 'the work is done')

  const stopped = await run.asked(`health-gates@${SECOND}`)
  expect(stopped.question).toContain(`${SECOND} cannot start now: Health gate errors fails`)
  expect(stopped.question).toContain('it is 0.2 of {job="api"}, and > 0.01 stops')
  expect(stopped.choices).toEqual(['retry', 'continue', 'skip', 'abort'])
  expect(await run.stages()).toEqual([`${FIRST} done`, `${BESIDE} done`, `${SECOND} pending`, `${THIRD} pending`])
  expect(requested().length - before, 'no further node is touched').toBe(2)
  const { steps } = await run.view()
  const shown = steps.find(({ step }) => step.id === `health-gates@${SECOND}`)?.check
  expect(shown?.evidence).toMatchObject([
    {
      subject: 'health gate errors',
      values: { query: ERRORS, stopsWhen: '> 0.01', values: ['{job="api"} 0.2'], count: 1 },
    },
    { subject: 'health gate latency', values: { query: LATENCY } },
  ])
  const reported = (): readonly SignalNews[] => receiver.received.map(({ body }) => JSON.parse(body))
  await vi.waitFor(() => expect(reported().some(({ text }) => text.includes('Health gate errors'))).toBe(true), {
    timeout: 20_000,
  })

  // The second check fails too, so the run waits again; when the check passes, the run continues automatically.
  await run.answer(stopped, 'retry', '')
  const again = await run.asked(`health-gates@${SECOND}`, stopped)
  healthy()
  await run.answer(again, 'retry', '')
  const second = await run.asked(`node-work@${SECOND}`)
  prometheus.teach(LATENCY, { '{"job":"api"}': '9' })
  await run.answer(second, 'continue', 'the work is done')

  const third = await run.asked(`health-gates@${THIRD}`)
  await run.answer(third, 'continue', 'the slow job is a backup')
  await run.answer(await run.asked(`node-work@${THIRD}`), 'continue', 'the work is done')
  expect(await run.over()).toMatchObject({ outcome: 'done' })
  expect(await run.stages()).toEqual([FIRST, BESIDE, SECOND, THIRD].map(node => `${node} done`))
  const report = valueIn(
    await call('report.make', {
      subject: { kind: 'run', id: run.runId },
      format: 'md',
      table: 'instances',
      redact: false,
    }),
  )
  expect(report.content).toContain('Health gate errors fails')
  expect(report.content).toContain('the slow job is a backup')
  healthy()
})

test('--force lifts the gate that was shown to fail, for the whole run; another that fails later stops the waves all the same', async () => {
  prometheus.teach(ERRORS, { '{"job":"api"}': '0.3' })
  const checked = await planned([[FIRST], [SECOND]], 'the known fault of rack 2')
  expect(checked.startable, 'the gate that fails is lifted').toBe(true)
  const run = await started(checked)
  const first = await run.asked(`node-work@${FIRST}`)
  prometheus.teach(LATENCY, { '{"job":"api"}': '7' })
  await run.answer(first, 'continue', 'the work is done')
  const stopped = await run.asked(`health-gates@${SECOND}`)
  expect(stopped.question).toContain('Health gate latency fails')
  prometheus.teach(LATENCY, { '{"job":"api"}': '1' })
  await run.answer(stopped, 'retry', '')
  await run.answer(await run.asked(`node-work@${SECOND}`), 'continue', 'the work is done')
  expect(await run.over(), 'the first gate still fails, and is lifted').toMatchObject({ outcome: 'done' })
  healthy()
})
