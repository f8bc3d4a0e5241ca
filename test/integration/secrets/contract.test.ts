import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type App, createApp } from '../../../main/app.ts'
import { type Contract, events, type RequestInput, type RequestName, requests } from '../../../shared/contract/index.ts'
import { DEFAULT_MAINTENANCE_API } from '../../../shared/domain/maintenance-api.ts'
import type { SignalEndpoint } from '../../../shared/domain/signals.ts'
import type { UpdateOptions } from '../../../shared/domain/update.ts'
import type { WindowDraft, WindowPlan } from '../../../shared/domain/window.ts'
import { valueIn } from '../../fixtures/clusters/results.ts'
import { everythingWritten } from '../../fixtures/secrets/everything-written.ts'
import { type SecretClouds, startSecretClouds, type WayName } from '../../fixtures/secrets/secret-clouds.ts'

/** The contract as every face has it: whatever crosses it is kept here and searched, answers, failures and events. */
const crossed: string[] = []
const asked = new Set<string>()
let directory: string
let clouds: SecretClouds
let app: App
let ask: Contract['ask']

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'lockkeeper-secret-contract-'))
  clouds = await startSecretClouds(join(directory, 'clouds'))
  app = valueIn(
    await createApp({
      dataDirectory: join(directory, 'data'),
      demo: false,
      face: { kind: 'serve', pickFiles: null, secrets: null },
    }),
  )
  ask = async (name, input) => {
    const answer = await app.contract.ask(name, input)
    crossed.push(JSON.stringify(answer))
    asked.add(name)
    return answer
  }
  for (const name of Object.keys(events)) {
    app.contract.listen(name as 'run.event', payload => crossed.push(JSON.stringify(payload)))
  }
})

afterAll(async () => {
  await app.close()
  await clouds.demo.stop()
  await rm(directory, { recursive: true, force: true })
})

async function found(): Promise<readonly string[]> {
  clouds.addIssuedTokens()
  const written = [...(await everythingWritten(join(directory, 'data'), ['tokens', 'dropped'])).values()]
  return [...crossed, ...written].flatMap(text => clouds.needles.foundIn(text))
}

async function add(name: WayName): Promise<void> {
  const { kubeconfig, cloudsYaml, cloud } = clouds.ways[name]
  const inspected = await ask('kubeconfig.inspect', { paths: [kubeconfig] })
  await ask('clouds.inspect', { path: cloudsYaml })
  await ask('cluster.found', { files: [kubeconfig, cloudsYaml] })
  for (const { name: context, execPlugin } of inspected.ok ? inspected.value.contexts : []) {
    const way = { kubeconfig: { paths: [kubeconfig], context }, cloud: { path: cloudsYaml, cloud } }
    await ask('cluster.try', way)
    if (execPlugin === null) continue
    await ask('exec-plugin.consent', { paths: [kubeconfig], context, fingerprint: execPlugin.fingerprint })
    await ask('cluster.try', way)
  }
  await ask('cluster.add', {
    name,
    flavour: 'plain',
    kubeconfig: { paths: [kubeconfig], context: null },
    cloud: { path: cloudsYaml, cloud },
  })
}

/** Nobody answers them as they wish: most of their time is waiting, which they do side by side. */
const BROKEN: readonly WayName[] = ['failing-command', 'wrong-password', 'refused', 'unverified', 'proxied']
/** One after the other: they are ways to one cloud. */
const WORKING: readonly WayName[] = ['certificate', 'bearer', 'command']

/** One that takes a tag, one that refuses it, one that is not there. */
function marksOfBrokenAndWhole(): RequestInput<'instance.mark'>['marks'] {
  const named = [...clouds.demo.openstack.state.servers.values()].filter(({ name }) =>
    ['web-08', 'broken-01'].includes(name),
  )
  return [...named.map(({ id }) => id), 'nowhere'].map(id => ({ id, actions: ['notify' as const] }))
}

/** The console answers for OpenStack. */
const ANSWERING = {
  ...DEFAULT_MAINTENANCE_API,
  controllers: { openstack: 'console', ceph: 'none', tungstenfabric: 'none', stacklight: 'none' },
} as const

const UPDATE: UpdateOptions = {
  scope: 'drain',
  release: null,
  reason: 'a test',
  controlNodes: [],
  groups: [{ name: 'default', index: 1, nodes: ['cmp-02'], concurrentUpdates: 1 }],
  zoneAtATime: false,
  work: { kind: 'person' },
  pauseBetweenNodes: false,
  pauseBetweenPhases: false,
}

/** Every request about one cloud, in an order in which it can succeed; for a broken cloud side by side between two changes. */
async function askEverythingOf(name: WayName): Promise<void> {
  await add(name)
  const plugin = await ask('cluster.exec-plugin', { name })
  if (plugin.ok && plugin.value !== null) {
    await ask('cluster.consent', { name, fingerprint: plugin.value.fingerprint })
  }
  const requests: readonly { [N in RequestName]?: RequestInput<N> }[] = [
    { 'cluster.connect': { name } },
    { 'cluster.test': { name } },
    { 'cluster.endpoints': { name } },
    {
      'cluster.agree-to-endpoints': {
        name,
        endpoints: [
          { service: 'compute', origin: 'https://nova.example.test', keystone: 'https://keystone.example.test' },
        ],
      },
    },
    { 'node.list': { cluster: name } },
    { 'instance.list': { cluster: name, node: null } },
    { 'plan.make': { cluster: name, node: 'cmp-02', kind: 'enter', choices: {} } },
    { 'view.open': { cluster: name } },
    { 'view.instances': { cluster: name, more: '' } },
    { 'view.shown': { clusters: [name] } },
    {
      'instance.remedy': {
        cluster: name,
        id: 'absent',
        remedy: 'reset-state',
        seen: { host: null, status: 'ERROR', taskState: null },
        reason: 'a test',
      },
    },
    { 'node.show': { cluster: name, node: 'cmp-02' } },
    { 'node.set-mode': { cluster: name, node: 'cmp-04', mode: 'manual' } },
    { 'instance.mark': { cluster: name, marks: marksOfBrokenAndWhole() } },
    { 'edit.list': { cluster: name, node: null, limit: 100 } },
    { 'cluster.update': { name, change: { colour: 'pink', cloud: { path: '/absent', cloud: 'x' } } } },
    { 'cluster.update': { name, change: { colour: 'pink' } } },
    { 'definitions.status': { cluster: name } },
    { 'definitions.install': { cluster: name } },
    { 'maintenance.list': { cluster: name } },
    {
      'request.remove': { cluster: name, kind: 'NodeMaintenanceRequest', name: 'x', uid: 'x', reason: 'a test' },
    },
    { 'controllers.detect': { cluster: name } },
    { 'cluster.update': { name, change: { flavour: 'mosk', maintenanceApi: ANSWERING } } },
    { 'controllers.start': { cluster: name } },
    { 'controllers.status': { cluster: name } },
    { 'update.observe': { cluster: name } },
    { 'update.propose': { cluster: name } },
    { 'update.plan': { cluster: name, update: UPDATE, choices: {} } },
    { 'controllers.stop': { cluster: name } },
    { 'cluster.update': { name, change: { flavour: 'plain' } } },
  ]
  const underWay: Promise<unknown>[] = []
  for (const request of requests) {
    for (const [requestName, input] of Object.entries(request)) {
      const isChange = requestName === 'cluster.update'
      if (isChange) await Promise.all(underWay.splice(0))
      const answer = ask(requestName as 'cluster.test', input as RequestInput<'cluster.test'>)
      underWay.push(answer)
      if (isChange || !BROKEN.includes(name)) await Promise.all(underWay.splice(0))
    }
  }
  await Promise.all(underWay)
}

test('no answer, failure or event of the contract holds a secret, whatever works or fails', async () => {
  // Before the others: a token that one of them keeps would let the wrong password in.
  await Promise.all(BROKEN.map(askEverythingOf))
  for (const name of WORKING) await askEverythingOf(name)
  await ask('cluster.list', {})
  await ask('console.describe', {})
  await ask('preferences.change', { theme: 'dark' })
  await ask('preferences.show', {})
  for (const kind of ['kubeconfig', 'clouds'] as const) {
    await ask('file.suggest', { kind })
    await ask('file.pick', { kind })
  }
  for (const { kubeconfig, cloudsYaml } of Object.values(clouds.ways)) {
    for (const path of [kubeconfig, cloudsYaml]) {
      // The request contains a secret file; no answer contains one.
      const kept = await ask('file.keep', { name: path, content: await readFile(path, 'utf8') })
      if (kept.ok) await ask('cluster.found', { files: [kept.value.path] })
    }
  }
  expect(crossed.length).toBeGreaterThan(50)
  expect(await found()).toEqual([])
})

test('nor do those of a run', async () => {
  const rested = new Promise<void>(resolve => {
    app.contract.listen('run.rested', () => resolve())
  })
  const plan = valueIn(await ask('plan.make', { cluster: 'command', node: 'cmp-03', kind: 'enter', choices: {} }))
  const run = valueIn(await ask('run.start', { planId: plan.plan.id, outsideWindow: 'a test' }))
  await rested
  expect(valueIn(await ask('run.show', { runId: run.id })).summary.state).toBe('done')
  await ask('run.list', { cluster: null })
  expect(await found()).toEqual([])
})

test('nor do those about a paused run', async () => {
  const plan = valueIn(await ask('plan.make', { cluster: 'command', node: 'cmp-04', kind: 'enter', choices: {} }))
  await ask('plan.forecast', { planId: plan.plan.id })
  await ask('run.start', { planId: plan.plan.id, outsideWindow: 'a test' })
  const [run] = valueIn(await ask('run.list', { cluster: 'command', limit: 1 }))
  const runId = run?.id ?? ''
  await ask('run.resume', { runId })
  await ask('run.pause', { runId })
  await ask('run.pause-after-node', { runId })
  await ask('run.skip-node', { runId, node: 'cmp-04', reason: 'a test' })
  await ask('update.timeline', { runId })
  await ask('run.unpause', { runId })
  await ask('run.answer', { runId, gateId: 'none', choice: 'continue', reason: '' })
  await ask('run.decide', { runId, instanceId: 'none', choice: 'skip', reason: 'a test' })
  await ask('run.detach', { runId })
  await ask('run.abort', { runId, reason: 'enough' })
  await ask('plan.undo', { runId, choices: {} })
  await ask('attach.describe', {})
  await ask('attach.stretch', { after: 0, limit: 2000 })
  await ask('runner.list', { cluster: 'command' })
  await ask('runner.offer', { cluster: 'command' })
  const shown = valueIn(await ask('plan.make', { cluster: 'command', node: 'cmp-02', kind: 'enter', choices: {} }))
  await ask('runner.submit', { planId: shown.plan.id, outsideWindow: 'a test' })
  await ask('runner.hand-over', { runId: 'none' })
  await ask('runner.submitted', { by: 'command', namespace: 'lockkeeper', object: 'none' })
  await ask('runner.asked', { cluster: null })
  await ask('runner.withdraw', { by: 'command', namespace: 'lockkeeper', object: 'none', reason: 'a test' })
  await ask('campaign.list', { cluster: 'command' })
  await ask('campaign.waiting', { cluster: 'command' })
  await ask('campaign.show', { cluster: 'command', name: 'none' })
  await ask('campaign.create', { cluster: 'command', name: 'none', batches: [{ runs: ['none'] }], failureBudget: 0 })
  await ask('campaign.control', { cluster: 'command', name: 'none', control: 'pause', reason: 'a test' })
  await ask('cluster.remove', { name: 'refused' })
  expect(await found()).toEqual([])
})

test('nor do those about windows, estimates, owners, reports, the history and the journal', async () => {
  const wish = { zones: 'spread', atOnce: {} } as const
  const plan: WindowPlan = {
    kind: 'batches',
    scope: 'os',
    batches: [{ nodes: ['cmp-02'] }],
    work: { kind: 'person' },
    workMinutes: 10,
    pauseBetweenBatches: false,
  }
  const askAbout = async (cluster: WayName) => {
    await ask('batches.plan', { cluster, nodes: ['cmp-02', 'cmp-03'], wish })
    await ask('batches.judge', { cluster, batches: [{ nodes: ['cmp-02', 'cmp-03'] }], wish })
    await ask('estimate.make', { cluster, plan })
    await ask('window.judge', { cluster, plan })
    await ask('owners.list', { cluster, plan })
    const draft: WindowDraft = {
      ...{ cluster, title: 'A window', ticket: '', timeZone: 'UTC', plan, notes: '' },
      startsAt: '2026-01-01T00:00:00.000Z',
      endsAt: '2099-01-01T00:00:00.000Z',
    }
    const { window } = valueIn(await ask('window.create', { draft }))
    const { id, revision } = window
    await ask('window.change', { id, revision, draft: { ...draft, title: 'Another title' } })
    await ask('window.note', { id, note: 'incident', text: 'a test' })
    const messages = await ask('window.messages', { id })
    await ask('window.notify', { id, digest: messages.ok ? messages.value.digest : '', again: true })
    const planned = await ask('window.plan', { id, choices: {} })
    const planId = planned.ok ? planned.value.plan.id : ''
    await ask('window.agree-start', { id, planId, lateByMinutes: 30 })
    await ask('window.attend-start', { id })
    await ask('window.take-back-start', { id, why: 'a test' })
    await ask('window.forecast', { id })
    await ask('window.show', { id })
    await ask('window.list', { cluster })
    for (const format of ['html', 'pdf', 'json', 'csv', 'md'] as const) {
      const made = await ask('report.make', { subject: { kind: 'window', id }, format, table: 'events', redact: false })
      if (made.ok && made.value.encoding === 'utf8') await ask('report.verify', { content: made.value.content })
    }
    await ask('window.close', { id, summary: 'a test' })
    await ask('window.cancel', { id, why: 'a test' })
    await ask('history.durations', { cluster })
    await ask('history.moves', { cluster })
    await ask('history.blockers', { cluster })
  }
  // Port 9 takes no mail; what happens to its password is in windows/notify-owners.test.ts.
  const settings = {
    host: '127.0.0.1',
    port: 9,
    security: 'plain',
    user: 'ops',
    from: 'ops@example.com',
    addresses: null,
  } as const
  await ask('mail.change', { settings, password: 'of-mail' })
  await ask('mail.show', {})
  await ask('demo.show', {})
  await ask('demo.change', { name: 'stuck', on: true })
  await Promise.all((['command', 'failing-command', 'wrong-password'] as const).map(askAbout))
  const [run] = valueIn(await ask('run.list', { cluster: 'command', limit: 1 }))
  await ask('report.make', {
    subject: { kind: 'run', id: run?.id ?? '' },
    format: 'html',
    table: 'events',
    redact: false,
  })
  await ask('history.search', { cluster: null, text: '', from: null, to: null, limit: 100 })
  await ask('journal.status', {})
  await ask('journal.check', {})
  await ask('journal.accept', { reason: 'a test' })
  const path = join(directory, 'data', 'exports', 'exported.sqlite')
  await ask('journal.export', { path })
  await ask('journal.import', { path })
  await ask('journal.prune', { before: '2000-01-01', dryRun: true })
  expect(await found()).toEqual([])
})

test('settings for outside services: addresses, keys, tokens and passwords go in and never come out', async () => {
  const secrets = ['the-path-of-the-hook', 'the-key-of-the-hook', 'the-token-of-alerts', 'the-password-of-gates']
  const [path, key, token, password] = secrets
  await add('bearer')
  const cluster = 'bearer'
  // Nobody listens there: what a refusal says is searched too.
  const url = 'http://127.0.0.1:9'
  const endpoint = (login: SignalEndpoint['login']): SignalEndpoint => ({ url, login, caFile: null })
  const hook = { cluster, name: 'ops', form: 'json', events: ['done' as const] } as const
  const kept = await ask('webhook.keep', { ...hook, events: [...hook.events], url: `${url}/${path}`, key: key ?? '' })
  expect(kept.ok).toBe(true)
  await ask('webhook.test', { cluster, name: 'ops' })
  await ask('webhook.keep', {
    ...hook,
    events: [...hook.events],
    url: `https://x:${password}@hooks.test/${path}`,
    key: null,
  })
  const matchers = { nodeMatchers: ['node="NODE"'], instanceMatchers: [] }
  await ask('alertmanager.keep', {
    cluster,
    settings: { endpoint: endpoint({ kind: 'bearer' }), ...matchers },
    secret: token ?? null,
  })
  await ask('alertmanager.test', { cluster })
  const gates = [{ name: 'errors', query: 'errors', stopsWhen: { comparison: '>' as const, threshold: 0 } }]
  const settings = { endpoint: endpoint({ kind: 'basic', user: 'eva' }), gates }
  await ask('gates.keep', { cluster, settings, secret: password ?? null })
  await ask('gates.test', { cluster })
  await ask('plan.make', { cluster, node: 'cmp-02', kind: 'enter', choices: {} })
  const written = [...(await everythingWritten(join(directory, 'data'), ['secrets'])).values()]
  const basic = Buffer.from(`eva:${password}`).toString('base64')
  expect([...crossed, ...written].flatMap(text => [...secrets, basic].filter(secret => text.includes(secret)))).toEqual(
    [],
  )
  await ask('gates.keep', { cluster, settings: null, secret: null })
  await ask('alertmanager.keep', { cluster, settings: null, secret: null })
  await ask('webhook.remove', { cluster, name: 'ops' })
  const vault = [...(await everythingWritten(join(directory, 'data', 'secrets'))).values()]
  expect(vault).toEqual([])
})

test('every request of the contract was searched', () => {
  expect(Object.keys(requests).filter(name => !asked.has(name))).toEqual([])
})

test('a face with a keychain leaves no token in the open either', async () => {
  const data = join(directory, 'sealed')
  const flipped = (bytes: Buffer) => Buffer.from(bytes.map(byte => byte ^ 0x5a))
  const sealing = valueIn(
    await createApp({
      dataDirectory: data,
      demo: false,
      face: {
        kind: 'desktop',
        pickFiles: null,
        secrets: {
          words: 'a keychain of this test',
          seal: text => flipped(Buffer.from(text)).toString('base64'),
          open: sealed => flipped(Buffer.from(sealed, 'base64')).toString(),
        },
      },
    }),
  )
  const { kubeconfig, cloudsYaml, cloud } = clouds.ways.certificate
  valueIn(
    await sealing.contract.ask('cluster.add', {
      name: 'sealed',
      flavour: 'plain',
      kubeconfig: { paths: [kubeconfig], context: null },
      cloud: { path: cloudsYaml, cloud },
    }),
  )
  valueIn(await sealing.contract.ask('cluster.connect', { name: 'sealed' }))
  await sealing.close()
  clouds.addIssuedTokens()
  const written = await everythingWritten(data)
  expect([...written.keys()].some(path => path.startsWith('tokens/'))).toBe(true)
  expect([...written.values()].flatMap(text => clouds.needles.foundIn(text))).toEqual([])
})

test('nor do inputs that are refused come back', async () => {
  const { password, bearer } = clouds
  const wrong = { name: 'x', password, [bearer]: { token: bearer } } as unknown as RequestInput<'cluster.test'>
  for (const name of ['cluster.test', 'cluster.add', 'plan.make', 'run.start'] as const) {
    await ask(name as 'cluster.test', wrong)
  }
  expect(await found()).toEqual([])
})
