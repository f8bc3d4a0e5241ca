import { afterAll, beforeAll, expect, test } from 'vitest'
import type { App } from '../../../main/app.ts'
import { valueIn } from '../../fixtures/clusters/results.ts'
import { startDemoConsole } from '../../fixtures/demo-console.ts'

const REASON = 'Ceph was looked at by hand'
let place: Awaited<ReturnType<typeof startDemoConsole>>
let app: App

/** osd-1 enters with its checks overridden, and comes back, twice. */
beforeAll(async () => {
  place = await startDemoConsole()
  app = place.app
  for (const kind of ['enter', 'leave', 'enter', 'leave'] as const) await run(kind)
})

afterAll(async () => {
  await app.close()
  await place.end()
})

async function run(kind: 'enter' | 'leave'): Promise<void> {
  const overrides = kind === 'enter' ? [{ flag: 'force' as const, reason: REASON }] : []
  const choices = { reason: 'CHG-9 new disks', overrides }
  const { plan } = valueIn(await app.contract.ask('plan.make', { cluster: 'lab', node: 'osd-1', kind, choices }))
  const rested = new Promise<string>(resolve => {
    const stop = app.contract.listen('run.rested', ({ runId, outcome }) => {
      stop()
      resolve(`${runId} ${outcome}`)
    })
  })
  const started = valueIn(await app.contract.ask('run.start', { planId: plan.id, outsideWindow: 'a test' }))
  expect(await rested).toBe(`${started.id} done`)
}

const search = async (text: string) =>
  valueIn(await app.contract.ask('history.search', { cluster: null, text, from: null, to: null, limit: 100 })).runs

test('what was overridden twice is a recurring blocker, with both runs', async () => {
  const [blocker] = valueIn(await app.contract.ask('history.blockers', { cluster: 'lab' }))
  const entered = (await search('enter')).map(({ id }) => id)
  expect(entered).toHaveLength(2)
  expect(blocker).toMatchObject({ cluster: 'lab', nodes: ['osd-1'], times: 2, overridden: 2, runIds: entered })
})

test('runs are found by why they were made, by why a check was overridden, and by why no window was needed', async () => {
  expect(await search('CHG-9')).toHaveLength(4)
  expect(await search('looked at by hand')).toHaveLength(2)
  expect(await search('a test enter')).toHaveLength(2)
})

test('every way in and every way back was measured, and a console that starts anew says the same', async () => {
  const before = valueIn(await app.contract.ask('history.durations', { cluster: 'lab' }))
  expect(before.unreadable).toEqual([])
  expect(before.measured.map(({ node, kind }) => `${node} ${kind}`)).toEqual([
    'osd-1 enter',
    'osd-1 leave',
    'osd-1 enter',
    'osd-1 leave',
  ])
  for (const { kind, totalMs, drainMs, returnMs } of before.measured) {
    expect(kind === 'enter' ? drainMs : returnMs).toBeGreaterThan(0)
    expect(totalMs).toBeGreaterThan(0)
  }
  await app.close()
  app = await place.open()
  expect(valueIn(await app.contract.ask('history.durations', { cluster: 'lab' }))).toEqual(before)
  expect(await search('CHG-9')).toHaveLength(4)
})
