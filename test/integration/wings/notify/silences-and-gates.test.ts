import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import type { App } from '../../../../main/app.ts'
import { systemClock } from '../../../../main/platform/clock/clock.ts'
import { must } from '../../../../shared/domain/must.ts'
import { briefClock } from '../../../fixtures/brief-clock.ts'
import { lockkeeper, startLockkeeper } from '../../../fixtures/cli/lockkeeper-process.ts'
import { valueIn } from '../../../fixtures/clusters/results.ts'
import { startDemoConsole } from '../../../fixtures/demo-console.ts'
import { everythingWritten } from '../../../fixtures/secrets/everything-written.ts'
import { startFakeAlertmanager } from '../../../fixtures/signals/fake-alertmanager.ts'
import { type FakePrometheus, startFakePrometheus } from '../../../fixtures/signals/fake-prometheus.ts'

/** The terminal on a demo cloud, with an Alertmanager and a Prometheus beside it, and a console that looks on. */
const TOKEN = 'the-token-of-this-very-test'
/** The console that looks on does so every twenty seconds: short ones. */
const clock = briefClock(20_000)
let directory: string
let data: string
let app: App
let end: () => Promise<void>
let alerts: Awaited<ReturnType<typeof startFakeAlertmanager>>
let prometheus: FakePrometheus

beforeAll(async () => {
  const place = await startDemoConsole(clock)
  ;({ directory, data, app, end } = place)
  alerts = await startFakeAlertmanager(systemClock)
  prometheus = await startFakePrometheus()
  await writeFile(join(directory, 'token'), TOKEN)
})

afterAll(async () => {
  await app.close()
  await alerts.stop()
  await prometheus.stop()
  await end()
})

test('an Alertmanager is named with a token, which goes to it and nowhere else', async () => {
  const set = await lockkeeper(data, [
    ...['cluster', 'alertmanager', 'set', 'lab', '--url', alerts.url, '--token-file', join(directory, 'token')],
  ])
  expect(set).toMatchObject({ code: 0, stderr: '' })
  expect(await lockkeeper(data, ['cluster', 'alertmanager', 'test', 'lab'])).toMatchObject({ code: 0 })
  expect(alerts.state.authorization).toBe(`Bearer ${TOKEN}`)
  const moved = await lockkeeper(data, ['cluster', 'alertmanager', 'set', 'lab', '--url', prometheus.url])
  expect(moved.code).toBe(2)
  expect(moved.stderr).toContain('give its token or password again')
})

test('a health gate that fails blocks, and so does one whose health is unknown', async () => {
  const add = ['cluster', 'gate', 'add', 'lab', 'errors', '--url', prometheus.url, '--query', 'job:errors']
  expect(await lockkeeper(data, [...add, '--stops-when', '> 0.01'])).toMatchObject({ code: 0, stderr: '' })
  prometheus.teach('job:errors', { '{"job":"api"}': '0.2' })
  expect((await lockkeeper(data, ['cluster', 'gate', 'test', 'lab'])).code).toBe(3)
  const blocked = await lockkeeper(data, ['enter', 'lab', 'cmp-01', '--yes'])
  expect(blocked).toMatchObject({ code: 3 })
  expect(blocked.stdout).toContain('Health gate errors fails: it is 0.2 of {job="api"}, and > 0.01 stops.')
  prometheus.teach('job:errors', {})
  const unreported = await lockkeeper(data, ['enter', 'lab', 'cmp-01', '--yes'])
  expect(unreported).toMatchObject({ code: 3 })
  expect(unreported.stdout).toContain('Cannot tell whether errors is healthy: the answer has no value.')
  expect(alerts.silences.size).toBe(0)
})

test('the plan says what is silenced; the silence covers the node and its instances during the run, and ends with it', async () => {
  prometheus.teach('job:errors', { '{"job":"api"}': '0' })
  const run = startLockkeeper(data, ['enter', 'lab', 'cmp-01', '--yes', '--concurrency', '2'])
  await vi.waitFor(() => expect(alerts.active().length).toBe(3), { timeout: 30_000, interval: 5 })
  expect(JSON.stringify(alerts.active().map(({ matchers }) => matchers))).toMatch(/\^cmp-01\(.*"node".*instance_id/)
  const done = await run.finished
  expect(done.code).toBe(0)
  expect(done.stdout).toContain('silences the alerts of cmp-01 during the run')
  expect(alerts.active()).toEqual([])
})

test('the report shows gates and silences, and can be verified', async () => {
  const [run] = valueIn(await app.contract.ask('run.list', { cluster: 'lab' }))
  const { id } = must(run, 'there is one')
  const text = (await lockkeeper(data, ['report', id, '--format', 'md', '-o', '-'])).stdout
  expect(text).toContain('It ended with the work on its node.')
  const file = join(directory, 'report.json')
  expect((await lockkeeper(data, ['report', id, '--format', 'json', '-o', file])).code).toBe(0)
  expect(await lockkeeper(data, ['report', 'verify', file])).toMatchObject({ code: 0 })
})

test('a killed terminal leaves silences that nobody prolongs and that end within ten minutes', async () => {
  const terminal = startLockkeeper(data, ['leave', 'lab', 'cmp-01', '--yes'])
  await vi.waitFor(() => expect(alerts.active().length).toBeGreaterThan(0), { timeout: 30_000, interval: 2 })
  terminal.child.kill('SIGKILL')
  await terminal.finished
  // What it had sent by then has arrived; now they are so old that their own console would prolong them.
  await clock.roundsPass()
  const asked = alerts.requests.filter(({ method }) => method !== 'GET').length
  clock.ahead(300_000)
  await clock.roundsPass()
  expect(alerts.requests.filter(({ method }) => method !== 'GET')).toHaveLength(asked)
  for (const { endsAt } of alerts.active()) expect(Date.parse(endsAt) - systemClock.now()).toBeLessThan(600_000)
})

test('the token is written only in the vault', async () => {
  const written = await everythingWritten(data, ['secrets'])
  expect([...written].filter(([, text]) => text.includes(TOKEN)).map(([path]) => path)).toEqual([])
})
