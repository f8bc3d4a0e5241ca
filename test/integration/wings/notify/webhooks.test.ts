import { createHmac } from 'node:crypto'
import { readdirSync, statSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import type { App } from '../../../../main/app.ts'
import { must } from '../../../../shared/domain/must.ts'
import type { SignalNews } from '../../../../shared/domain/signals.ts'
import { briefClock } from '../../../fixtures/brief-clock.ts'
import { lockkeeper, startLockkeeper } from '../../../fixtures/cli/lockkeeper-process.ts'
import { valueIn } from '../../../fixtures/clusters/results.ts'
import { startDemoConsole } from '../../../fixtures/demo-console.ts'
import { everythingWritten } from '../../../fixtures/secrets/everything-written.ts'
import { startReceiver } from '../../../fixtures/signals/receiver.ts'

/** A console and the terminal face on one data directory, and a receiver of what they tell. */
const KEY = 'the-key-of-this-very-test'
const PATH = '/services/T0SECRET/the-address-is-secret'
let directory: string
let data: string
let app: App
let end: () => Promise<void>
let receiver: Awaited<ReturnType<typeof startReceiver>>

beforeAll(async () => {
  // It looks after what other consoles left every twenty seconds: short ones.
  const place = await startDemoConsole(briefClock(20_000))
  ;({ directory, data, app, end } = place)
  receiver = await startReceiver((_, nth) => ({ status: nth === 2 ? 503 : 200 }))
  await writeFile(join(directory, 'url'), `${receiver.url}${PATH}\n`)
  await writeFile(join(directory, 'key'), KEY)
})

afterAll(async () => {
  await app.close()
  await receiver.stop()
  await end()
})

const reported = (): readonly SignalNews[] => receiver.received.map(({ body }) => JSON.parse(body))

test('the terminal names a receiver by files, and both faces show its host alone', async () => {
  const files = ['--url-file', join(directory, 'url'), '--key-file', join(directory, 'key')]
  const added = await lockkeeper(data, ['cluster', 'webhook', 'add', 'lab', 'ops', ...files])
  expect(added).toMatchObject({ code: 0, stderr: '' })
  const listed = await lockkeeper(data, ['cluster', 'webhook', 'list', 'lab', '-o', 'json'])
  const host = new URL(receiver.url).host
  expect(JSON.parse(listed.stdout)).toMatchObject([{ name: 'ops', form: 'json', host }])
  expect(added.stdout + listed.stdout).not.toMatch(/T0SECRET|the-key-of/)
  expect(valueIn(await app.contract.ask('cluster.list', {}))[0]?.signals?.webhooks).toMatchObject([{ host }])
  const [folder] = readdirSync(join(data, 'secrets'))
  const modes = readdirSync(join(data, 'secrets', folder ?? ''), { withFileTypes: true }).map(
    ({ parentPath, name }) => statSync(join(parentPath, name)).mode & 0o777,
  )
  expect(modes).toEqual([0o600, 0o600])
})

test.each([
  ['http elsewhere', { url: 'http://hooks.example.org/x' }],
  ['a password before the host', { url: 'https://eva:pw-of-eva@hooks.example.org/x' }],
  ['no address', { url: 'hooks' }],
  ['a key that is too short', { url: 'https://hooks.example.org/x', key: 'short' }],
  ['no key', { url: 'https://hooks.example.org/x', key: null }],
])(
  'an address or a key that is unfit is refused without being repeated: %s',
  async (_, { url, key = KEY }: { url: string; key?: string | null }) => {
    const asked = { cluster: 'lab', name: 'bad', form: 'json', events: ['done'], url, key } as const
    const answer = await app.contract.ask('webhook.keep', { ...asked, events: [...asked.events] })
    expect(answer).toMatchObject({ ok: false, failure: { code: 'bad-input' } })
    expect(JSON.stringify(answer)).not.toMatch(/pw-of-eva|the-key-of/)
  },
)

test('a test is sent once and says how the receiver answered', async () => {
  const tested = await lockkeeper(data, ['cluster', 'webhook', 'test', 'lab', 'ops'])
  expect(tested).toMatchObject({ code: 0, stdout: 'Webhook ops accepted the test (HTTP 200).\n' })
  expect(reported()).toMatchObject([{ event: 'test', cluster: 'lab' }])
})

test('only the terminal that drives a run reports it, signed, and again after a 503', async () => {
  const before = receiver.received.length
  const entered = await lockkeeper(data, ['enter', 'lab', 'cmp-01', '--yes', '--concurrency', '8'])
  expect(entered.code).toBe(0)
  const run = must(valueIn(await app.contract.ask('run.list', { cluster: 'lab' }))[0], 'it made a run')
  await vi.waitFor(
    () => {
      const news = reported().slice(before)
      // What is sent again may come after what happened meanwhile.
      expect(news.map(({ event }) => event).sort()).toEqual(['done', 'started', 'started'])
    },
    { timeout: 20_000 },
  )
  const news = reported().slice(before)
  const [first, again] = news.filter(({ event }) => event === 'started')
  const done = news.find(({ event }) => event === 'done')
  expect(again).toEqual(first)
  expect(first).toMatchObject({ id: `${run.id}.started`, run: { id: run.id, node: 'cmp-01' }, demo: false })
  expect(done).toMatchObject({ outcome: 'done', title: 'Taking cmp-01 of lab out of service: done' })
  for (const { headers, body, path } of receiver.received) {
    expect(path).toBe(PATH)
    const [, t = '', v1 = ''] = /^t=(\d+),v1=([0-9a-f]{64})$/.exec(String(headers['lockkeeper-signature'])) ?? []
    expect(createHmac('sha256', KEY).update(`${t}.${body}`).digest('hex')).toBe(v1)
  }
})

test('the report shows who received which message, and can be verified', async () => {
  const run = must(valueIn(await app.contract.ask('run.list', { cluster: 'lab' }))[0], 'there is one')
  const file = join(directory, 'report.json')
  expect((await lockkeeper(data, ['report', run.id, '--format', 'json', '-o', file])).code).toBe(0)
  expect(await lockkeeper(data, ['report', 'verify', file])).toMatchObject({ code: 0 })
  const text = (await lockkeeper(data, ['report', run.id, '--format', 'md', '-o', '-'])).stdout
  expect(text).toContain('The receiver refused it, and Lockkeeper sends it again (HTTP 503).')
  expect(text).toContain('The receiver accepted it (HTTP 200).')
})

test('the remaining console reports a killed terminal once', async () => {
  const before = receiver.received.length
  const terminal = startLockkeeper(data, ['leave', 'lab', 'cmp-01', '--yes'])
  await vi.waitFor(
    () =>
      expect(
        reported()
          .slice(before)
          .map(({ event }) => event),
      ).toContain('started'),
    {
      timeout: 20_000,
      interval: 5,
    },
  )
  terminal.child.kill('SIGKILL')
  await terminal.finished
  await vi.waitFor(() => expect(reported().at(-1)).toMatchObject({ event: 'failed', outcome: 'interrupted' }), {
    timeout: 30_000,
    interval: 200,
  })
  expect(
    reported()
      .slice(before)
      .filter(({ outcome }) => outcome === 'interrupted'),
  ).toHaveLength(1)
})

test('the address and the key are written only in the vault', async () => {
  const written = await everythingWritten(data, ['secrets'])
  const places = [...written].filter(([, text]) => /T0SECRET|the-key-of-this/.test(text)).map(([path]) => path)
  expect(places).toEqual([])
})

test('a removed webhook leaves no secret behind', async () => {
  expect((await lockkeeper(data, ['cluster', 'webhook', 'remove', 'lab', 'ops', '--yes'])).code).toBe(0)
  const [folder = ''] = readdirSync(join(data, 'secrets'))
  expect(readdirSync(join(data, 'secrets', folder))).toEqual([])
})
