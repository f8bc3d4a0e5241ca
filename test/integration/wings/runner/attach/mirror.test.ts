import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import type { App } from '../../../../../main/app.ts'
import type { EventPayload, RunSummary } from '../../../../../shared/contract/index.ts'
import {
  CLOUD,
  NAMESPACE,
  POD,
  type RunnerInCloud,
  startRunnerInCloud,
} from '../../../../fixtures/attach/runner-in-cloud.ts'
import { valueIn } from '../../../../fixtures/clusters/results.ts'

/** A runner in a cloud, and a console that sees its runs beside its own: connected, cut, closed and opened again. */

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

const attach = async (app: Pick<App, 'contract'>) => valueIn(await app.contract.ask('runner.list', { cluster: CLOUD }))
const listed = async (app: Pick<App, 'contract'>): Promise<readonly RunSummary[]> =>
  valueIn(await app.contract.ask('run.list', { cluster: null }))

async function startOn(app: Pick<App, 'contract'>, node: string): Promise<string> {
  const { plan } = valueIn(
    await app.contract.ask('plan.make', { cluster: CLOUD, node, kind: 'enter', choices: { concurrency: 8 } }),
  )
  return valueIn(await app.contract.ask('run.start', { planId: plan.id, outsideWindow: 'a test' })).id
}

const hasEnded = async (app: Pick<App, 'contract'>, runId: string) =>
  vi.waitFor(async () => expect((await listed(app)).find(({ id }) => id === runId)?.condition.kind).toBe('over'), {
    timeout: 30_000,
    interval: 200,
  })

test('a runner is found by its pod, and says which clouds it knows', async () => {
  expect(await attach(console)).toEqual([
    {
      by: CLOUD,
      namespace: NAMESPACE,
      name: POD,
      clouds: [CLOUD],
      connection: { kind: 'connected', since: expect.any(String) },
    },
  ])
})

test('the events of the runner’s run arrive here once each and in order, also over a connection that breaks in between', async () => {
  const received: EventPayload<'run.event'>[] = []
  const stop = console.contract.listen('run.event', event => received.push(event))
  const runId = await startOn(place.runner, 'cmp-01')
  await vi.waitFor(() => expect(received.length).toBeGreaterThan(5), { timeout: 20_000 })
  place.demo.kubernetes.cutForwards()
  await hasEnded(place.runner, runId)
  const theirs = valueIn(await place.runner.contract.ask('run.show', { runId }))
  await vi.waitFor(() => expect(received.at(-1)?.seq).toBe(theirs.events.at(-1)?.seq), { timeout: 30_000 })
  expect(received.filter(event => event.runId === runId)).toEqual(theirs.events)
  const ours = async () => valueIn(await console.contract.ask('run.show', { runId }))
  expect((await ours()).events).toEqual(theirs.events)
  await vi.waitFor(
    async () =>
      expect((await ours()).summary).toMatchObject({
        state: 'done',
        runner: { name: POD, namespace: NAMESPACE, by: CLOUD, connected: true },
      }),
    { timeout: 20_000 },
  )
  stop()
})

test('it is never in this console’s own journal, whose chain holds', async () => {
  const { chain } = valueIn(await console.contract.ask('journal.check', {}))
  expect(chain.kind).toBe('holds')
  const status = valueIn(await console.contract.ask('journal.status', {}))
  expect(status).toMatchObject({ runs: 0 })
})

test('its report uses the runner’s chain, and verifies here and there', async () => {
  const [run] = await listed(console)
  const subject = { kind: 'run', id: run?.id ?? '' } as const
  const file = valueIn(
    await console.contract.ask('report.make', { subject, format: 'json', table: 'instances', redact: false }),
  )
  const there = valueIn(
    await place.runner.contract.ask('report.make', { subject, format: 'json', table: 'instances', redact: false }),
  )
  expect(file.hash).toBe(there.hash)
  for (const app of [console, place.runner]) {
    const verdict = valueIn(await app.contract.ask('report.verify', { content: file.content }))
    expect(verdict.findings.filter(({ holds }) => holds === false)).toEqual([])
    expect(verdict.findings).toContainEqual(expect.objectContaining({ what: 'journal', holds: true }))
  }
})

test('the history finds it, and it is the runner’s', async () => {
  const found = valueIn(
    await console.contract.ask('history.search', { cluster: CLOUD, text: 'cmp-01', from: null, to: null, limit: 10 }),
  )
  expect(found.runs.map(({ node, runner }) => [node, runner?.name])).toEqual([['cmp-01', POD]])
})

test('what a runner does while no console is open is all there when one is opened', async () => {
  await console.close()
  const runId = await startOn(place.runner, 'cmp-05')
  await hasEnded(place.runner, runId)
  console = await place.console()
  await attach(console)
  const theirs = valueIn(await place.runner.contract.ask('run.show', { runId }))
  await vi.waitFor(
    async () => {
      const shown = await console.contract.ask('run.show', { runId })
      expect(shown.ok && shown.value.events).toEqual(theirs.events)
    },
    { timeout: 20_000 },
  )
})

test('a runner without an answer is never shown as live: its runs show their last state, and continue from there when it answers again', async () => {
  const runId = await startOn(place.runner, 'cmp-06')
  const ours = async () => (await listed(console)).find(({ id }) => id === runId)
  valueIn(await place.runner.contract.ask('run.pause', { runId }))
  await vi.waitFor(async () => expect((await ours())?.condition.kind).toBe('paused'), { timeout: 20_000 })
  const again = await place.silence()
  await vi.waitFor(async () => expect((await ours())?.runner?.connected).toBe(false), { timeout: 20_000 })
  const cut = await ours()
  expect(cut).toMatchObject({ state: 'unheard', condition: { kind: 'unheard', runner: POD, was: 'paused' } })
  expect(cut?.summary).toMatch(/^Not connected to runner lockkeeper-runner-0 since .*: the run was paused then/)
  valueIn(await place.runner.contract.ask('run.unpause', { runId }))
  await hasEnded(place.runner, runId)
  expect((await ours())?.condition.kind).toBe('unheard')
  await again()
  await hasEnded(console, runId)
})

test('offline everything is readable: list, run, history and report, as of the last answer', async () => {
  await console.close()
  const again = await place.silence()
  console = await place.console()
  const runs = await listed(console)
  expect(runs.map(({ node }) => node)).toEqual(['cmp-06', 'cmp-05', 'cmp-01'])
  expect(runs.every(({ runner }) => runner?.connected === false)).toBe(true)
  const [run] = runs
  const shown = valueIn(await console.contract.ask('run.show', { runId: run?.id ?? '' }))
  expect(shown.summary.condition.kind).toBe('over')
  const subject = { kind: 'run', id: run?.id ?? '' } as const
  valueIn(await console.contract.ask('report.make', { subject, format: 'md', table: 'instances', redact: false }))
  await again()
})
