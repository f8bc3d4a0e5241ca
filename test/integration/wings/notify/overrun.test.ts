import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import type { App } from '../../../../main/app.ts'
import { systemClock } from '../../../../main/platform/clock/clock.ts'
import { must } from '../../../../shared/domain/must.ts'
import { foldRun } from '../../../../shared/domain/run-fold.ts'
import type { SignalNews } from '../../../../shared/domain/signals.ts'
import { briefClock } from '../../../fixtures/brief-clock.ts'
import { valueIn } from '../../../fixtures/clusters/results.ts'
import { startDemoConsole } from '../../../fixtures/demo-console.ts'
import { startReceiver } from '../../../fixtures/signals/receiver.ts'
import { batches, draft } from '../../../fixtures/windows/window-drafts.ts'

/** A window whose work takes longer than it lasts, at a console whose minutes are short. */
const MINUTE_MS = 60_000
const clock = briefClock(MINUTE_MS)
let place: Awaited<ReturnType<typeof startDemoConsole>>
let receiver: Awaited<ReturnType<typeof startReceiver>>
let app: App

beforeAll(async () => {
  place = await startDemoConsole(clock)
  app = place.app
  receiver = await startReceiver(() => ({ status: 200 }))
  valueIn(
    await app.contract.ask('webhook.keep', {
      cluster: 'lab',
      name: 'ops',
      form: 'json',
      events: ['started', 'overrun'],
      url: `${receiver.url}/hook`,
      key: 'the-key-of-this-very-test',
    }),
  )
})

afterAll(async () => {
  await app.close()
  await receiver.stop()
  await place.end()
})

/** Takes a node out of service and brings it back: estimates are made of what was measured. */
async function measured(node: string): Promise<void> {
  for (const kind of ['enter', 'leave'] as const) {
    const { plan } = valueIn(await app.contract.ask('plan.make', { cluster: 'lab', node, kind, choices: {} }))
    const { id } = valueIn(await app.contract.ask('run.start', { planId: plan.id, outsideWindow: 'to be measured' }))
    await vi.waitFor(
      async () =>
        expect(foldRun(valueIn(await app.contract.ask('run.show', { runId: id })).events).state).toMatchObject({
          outcome: 'done',
        }),
      { timeout: 30_000 },
    )
  }
}

const overruns = (): readonly SignalNews[] =>
  receiver.received.map(({ body }): SignalNews => JSON.parse(body)).filter(({ event }) => event === 'overrun')

test('an expected overrun is reported once, also after the console is closed and opened again', async () => {
  await measured('cmp-01')
  const plan = batches({ kind: 'person' }, ['cmp-01'])
  const [startsAt, endsAt] = [-10, 60].map(minutes => new Date(systemClock.now() + minutes * MINUTE_MS).toISOString())
  const made = draft('lab', 'Too short', plan.kind === 'batches' ? { ...plan, workMinutes: 240 } : plan, {
    startsAt: must(startsAt, 'of two'),
    endsAt: must(endsAt, 'of two'),
  })
  const { id } = valueIn(await app.contract.ask('window.create', { draft: made })).window
  expect(valueIn(await app.contract.ask('window.forecast', { id })).verdict).toBe('overruns')
  await clock.roundsPass()
  expect(overruns(), 'nothing is under way yet').toEqual([])
  const checked = valueIn(await app.contract.ask('window.plan', { id, choices: {} }))
  const run = valueIn(await app.contract.ask('run.start', { planId: checked.plan.id, windowId: id }))
  await vi.waitFor(() => expect(overruns()).toHaveLength(1), { timeout: 30_000 })
  const [news] = overruns()
  expect(news).toMatchObject({ id: `${run.id}.overrun`, window: { id }, run: { id: run.id }, outcome: null })
  expect(news?.text).toContain('Ends late: it will end at')
  await clock.roundsPass()
  expect(overruns(), 'the forecast says so every minute').toHaveLength(1)
  await app.close()
  app = await place.open()
  valueIn(await app.contract.ask('run.resume', { runId: run.id }))
  await clock.roundsPass()
  const view = foldRun(valueIn(await app.contract.ask('run.show', { runId: run.id })).events)
  expect(view.state.kind, 'the run continues').not.toBe('finished')
  expect(valueIn(await app.contract.ask('window.forecast', { id })).verdict).toBe('overruns')
  expect(overruns()).toHaveLength(1)
  expect(overruns().map(({ id: of }) => of)).toEqual([`${run.id}.overrun`])
})
