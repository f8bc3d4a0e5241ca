import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import type { App } from '../../../main/app.ts'
import type { EventPayload } from '../../../shared/contract/index.ts'
import { must } from '../../../shared/domain/must.ts'
import { type CliProcess, startLockkeeper } from '../../fixtures/cli/lockkeeper-process.ts'
import { valueIn } from '../../fixtures/clusters/results.ts'
import { startDemoConsole } from '../../fixtures/demo-console.ts'

/** A console and the terminal face on one data directory: two processes, one journal. */
let place: Awaited<ReturnType<typeof startDemoConsole>>
let app: App
let terminal: CliProcess | null = null

beforeAll(async () => {
  place = await startDemoConsole()
  app = place.app
})

afterAll(async () => {
  if (terminal?.child.exitCode === null) terminal.child.kill('SIGKILL')
  await app.close()
  await place.end()
})

test('the page learns of a cloud that the terminal changes', async () => {
  let changed = 0
  const stop = app.contract.listen('cluster.changed', () => {
    changed += 1
  })
  const set = startLockkeeper(place.data, ['cluster', 'set', 'lab', '--colour', 'lemon'])
  expect((await set.finished).code).toBe(0)
  await vi.waitFor(() => expect(changed).toBeGreaterThan(0), { timeout: 20_000 })
  expect(valueIn(await app.contract.ask('cluster.list', {}))[0]?.colour).toBe('lemon')
  stop()
})

test('the page gets the events of a run of the terminal within two seconds, each once and in order, between its own', async () => {
  const received: (EventPayload<'run.event'> & { readonly lateMs: number })[] = []
  const rested: string[] = []
  app.contract.listen('run.event', event => received.push({ ...event, lateMs: Date.now() - Date.parse(event.at) }))
  app.contract.listen('run.rested', ({ runId }) => rested.push(runId))

  terminal = startLockkeeper(place.data, ['enter', 'lab', 'cmp-01', '--yes', '--concurrency', '8'])
  const own = valueIn(
    await app.contract.ask('plan.make', { cluster: 'lab', node: 'cmp-05', kind: 'enter', choices: { concurrency: 8 } }),
  )
  const ours = valueIn(await app.contract.ask('run.start', { planId: own.plan.id, outsideWindow: 'a test' }))
  expect((await terminal.finished).code).toBe(0)
  await vi.waitFor(() => expect(rested).toContain(ours.id), { timeout: 30_000 })

  const runs = valueIn(await app.contract.ask('run.list', { cluster: 'lab' }))
  const theirs = must(
    runs.find(({ id }) => id !== ours.id),
    'the terminal made a run',
  )
  expect(theirs).toMatchObject({ node: 'cmp-01', state: 'done' })
  const written = await Promise.all(
    [ours.id, theirs.id].map(async runId => valueIn(await app.contract.ask('run.show', { runId })).events),
  )
  const all = written.flat().sort((a, b) => a.seq - b.seq)
  await vi.waitFor(() => expect(received).toHaveLength(all.length), { timeout: 20_000 })
  expect(received.map(({ seq }) => seq)).toEqual(all.map(({ seq }) => seq))
  // A busy machine may pause for a moment: some events come late, but never in part.
  const late = received.map(({ lateMs }) => lateMs).sort((a, b) => a - b)
  expect(late[Math.floor(late.length / 2)]).toBeLessThan(2_000)
  expect(late.at(-1)).toBeLessThan(10_000)
  expect(rested).not.toContain(theirs.id)
})
