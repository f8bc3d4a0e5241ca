import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { type App, createApp } from '../../../../main/app.ts'
import { systemClock } from '../../../../main/platform/clock/clock.ts'
import { type DemoClouds, startDemoClouds } from '../../../../main/wings/simulators/demo-clouds.ts'
import type { MailSettings } from '../../../../shared/domain/mail.ts'
import { must } from '../../../../shared/domain/must.ts'
import { lockkeeper } from '../../../fixtures/cli/lockkeeper-process.ts'
import { failureIn, valueIn } from '../../../fixtures/clusters/results.ts'
import { type SmtpSink, startSmtpSink } from '../../../fixtures/mail/smtp-sink.ts'
import { batches, draft } from '../../../fixtures/windows/window-drafts.ts'

/** Messages to owners over the embedded cloud, to a mail server on loopback. */
const PASSWORD = 'a-pa55word-nobody-may-see'
let directory: string
let demo: DemoClouds
let app: App
let sink: SmtpSink
let window: string
let computes: readonly string[]

const call: App['contract']['ask'] = (name, input) => app.contract.ask(name, input)
const settings = (more: Partial<MailSettings> = {}): MailSettings => ({
  host: '127.0.0.1',
  port: sink.port,
  security: 'plain',
  user: 'ops',
  from: 'ops@example.com',
  addresses: join(directory, 'owners.yaml'),
  ...more,
})

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'lockkeeper-notify-'))
  demo = await startDemoClouds({ clock: systemClock, directory: join(directory, 'clouds') })
  app = valueIn(
    await createApp({
      dataDirectory: join(directory, 'data'),
      demo: false,
      face: { kind: 'serve', pickFiles: null, secrets: null },
    }),
  )
  const { kubeconfigPath, context, cloudsYamlPath, cloud } = must(demo.clusters[0], 'it was started')
  valueIn(
    await call('cluster.add', {
      name: 'plain',
      flavour: 'plain',
      kubeconfig: { paths: [kubeconfigPath], context },
      cloud: { path: cloudsYamlPath, cloud },
    }),
  )
  const { nodes } = valueIn(await call('node.list', { cluster: 'plain' }))
  computes = nodes.filter(({ roles }) => roles.includes('compute')).map(({ name }) => name)
})

beforeEach(async () => {
  await sink?.stop()
  sink = await startSmtpSink()
  writeFileSync(join(directory, 'owners.yaml'), 'template: "{project}@tenants.example.com"\n')
  valueIn(await call('mail.change', { settings: settings(), password: PASSWORD }))
  const plan = batches({ kind: 'person' }, [...computes])
  window = valueIn(await call('window.create', { draft: draft('plain', 'Kernel\r\nBcc: x@y.z', plan) })).window.id
})

afterAll(async () => {
  await app.close()
  await sink.stop()
  await demo.stop()
  await rm(directory, { recursive: true, force: true })
})

async function notified(again = false) {
  const made = valueIn(await call('window.messages', { id: window }))
  return valueIn(await call('window.notify', { id: window, digest: made.digest, again })).sent
}

const remarks = async () => valueIn(await call('window.show', { id: window })).window.remarks

test('each project gets its own message, once; the window and its report show what was sent, when and to whom', async () => {
  const { messages } = valueIn(await call('window.messages', { id: window }))
  expect(messages.length).toBeGreaterThan(0)
  const sent = await notified()
  expect(sent.map(({ outcome }) => outcome)).toEqual(messages.map(() => 'sent'))
  expect(sink.mails.map(({ to }) => to)).toEqual(
    messages.map(({ projectName }) => [`${projectName}@tenants.example.com`]),
  )
  for (const { text } of sink.mails) expect(text).not.toMatch(/^Bcc:/im)
  expect((await remarks()).map(({ kind, text }) => [kind, text])).toEqual(
    messages.map(({ projectName }) => [
      'remark',
      expect.stringMatching(`Sent to the owners of project ${projectName} `),
    ]),
  )
  expect(await notified()).toEqual([])
  expect(sink.mails).toHaveLength(messages.length)
  const before = valueIn(await call('window.messages', { id: window })).messages
  expect(before.every(({ before: reported }) => reported[0]?.outcome === 'sent')).toBe(true)
  expect(await notified(true)).toHaveLength(messages.length)
  const report = valueIn(
    await call('report.make', {
      subject: { kind: 'window', id: window },
      format: 'md',
      table: 'instances',
      redact: false,
    }),
  )
  expect(report.content).toContain(`Sent to the owners of project ${messages[0]?.projectName}`)
})

test('a server that hangs up after the message leaves delivery unknown, and Lockkeeper does not send it again automatically', async () => {
  sink.mood = 'after-data'
  const sent = await notified()
  expect(new Set(sent.map(({ outcome }) => outcome))).toEqual(new Set(['unknown']))
  expect(
    (await remarks()).every(({ kind, text }) => kind === 'incident' && text.startsWith('May have been sent')),
  ).toBe(true)
  sink.mood = 'good'
  const mails = sink.mails.length
  expect(await notified()).toEqual([])
  expect(sink.mails).toHaveLength(mails)
})

test.each(['refuse', 'reject'] as const)(
  'what a server does not take (%s) was not sent, and may be tried again',
  async mood => {
    sink.mood = mood
    expect(new Set((await notified()).map(({ outcome }) => outcome))).toEqual(new Set(['failed']))
    expect(sink.mails).toEqual([])
    sink.mood = 'good'
    expect((await notified()).every(({ outcome }) => outcome === 'sent')).toBe(true)
  },
)

test('nothing is sent to a server without encryption where encryption is required', async () => {
  valueIn(await call('mail.change', { settings: settings({ security: 'starttls' }) }))
  expect((await notified()).every(({ outcome }) => outcome === 'failed')).toBe(true)
  expect(sink.commands.some(line => /^(AUTH|MAIL|DATA)/i.test(line))).toBe(false)
  expect(failureIn(await call('mail.change', { settings: settings({ host: 'mail.example.com' }) })).message).toContain(
    'must be encrypted',
  )
})

test('a password that is kept goes to no other server than the one that it was given for', async () => {
  const elsewhere = settings({ host: 'mail.example.com', security: 'tls' })
  expect(failureIn(await call('mail.change', { settings: elsewhere })).message).toContain('given for another server')
  expect(valueIn(await call('mail.show', {}))?.settings.host).toBe('127.0.0.1')
  expect((await call('mail.change', { settings: { ...elsewhere, user: null } })).ok).toBe(false)
  valueIn(await call('mail.change', { settings: { ...elsewhere, user: null }, password: '' }))
  valueIn(await call('mail.change', { settings: elsewhere, password: 'another' }))
})

test('what is not what was shown is not sent, and who has no address is not guessed', async () => {
  const made = valueIn(await call('window.messages', { id: window }))
  writeFileSync(join(directory, 'owners.yaml'), `projects: { "${made.messages[0]?.projectName}": boss@example.com }\n`)
  expect(failureIn(await call('window.notify', { id: window, digest: made.digest, again: false })).code).toBe(
    'conflict',
  )
  expect(sink.mails).toEqual([])
  const now = valueIn(await call('window.messages', { id: window })).messages
  expect(now.map(({ to }) => to)).toEqual(made.messages.map((_, at) => (at === 0 ? ['boss@example.com'] : [])))
  expect(await notified()).toHaveLength(1)
})

test('the password is kept for this user only, and is in no answer, log or journal', async () => {
  await notified()
  expect(sink.commands.some(line => line.startsWith('AUTH'))).toBe(true)
  const data = join(directory, 'data')
  expect(statSync(join(data, 'mail-password')).mode & 0o777).toBe(0o600)
  const files = readdirSync(data, { recursive: true, encoding: 'utf8' }).filter(name =>
    statSync(join(data, name)).isFile(),
  )
  const encoded = Buffer.from(`\u0000ops\u0000${PASSWORD}`).toString('base64')
  const holding = files.filter(name => {
    const text = readFileSync(join(data, name), 'latin1')
    return text.includes(PASSWORD) || text.includes(encoded)
  })
  expect(holding).toEqual(['mail-password'])
  expect(JSON.stringify(await call('mail.show', {}))).not.toContain(PASSWORD)
})

test('from the terminal: mail files, and the same messages sent with --yes', async () => {
  const folder = await mkdtemp(join(directory, 'eml-'))
  const data = join(directory, 'data')
  const files = await lockkeeper(data, ['window', 'owners', window, '--mail', folder])
  expect(files.code, files.stderr).toBe(0)
  const [first] = readdirSync(folder)
  const file = readFileSync(join(folder, must(first, 'one was written')), 'utf8')
  expect(file).toMatch(/^From: ops@example\.com\r\nTo: /m)
  expect(file).toMatch(/^X-Unsent: 1\r\n/m)
  const twice = await lockkeeper(data, ['window', 'owners', window, '--mail', folder])
  expect(twice.stderr).toContain('name another folder with --mail')
  expect(twice.stderr).not.toContain('--force')
  const asked = await lockkeeper(data, ['window', 'notify', window])
  expect(asked.code).toBe(2)
  expect(sink.mails).toEqual([])
  const sent = await lockkeeper(data, ['window', 'notify', window, '--yes'])
  expect(sent.code, sent.stderr).toBe(0)
  expect(sink.mails.length).toBeGreaterThan(0)
  const again = await lockkeeper(data, ['window', 'notify', window, '--yes'])
  expect(again.stdout).toContain('Nothing to send: all projects got it')
})
