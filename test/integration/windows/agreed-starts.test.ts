import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest'
import { type App, createApp } from '../../../main/app.ts'
import { openJournal } from '../../../main/journal/journal.ts'
import { systemClock } from '../../../main/platform/clock/clock.ts'
import { earlierSealOf } from '../../../main/windows/plan-seal.ts'
import { type DemoClouds, startDemoClouds } from '../../../main/wings/simulators/demo-clouds.ts'
import type { Contract } from '../../../shared/contract/index.ts'
import { must } from '../../../shared/domain/must.ts'
import type { CheckedPlan } from '../../../shared/domain/plan.ts'
import { openBlockers } from '../../../shared/domain/plan-effects.ts'
import { foldRun } from '../../../shared/domain/run-fold.ts'
import type { SignalNews } from '../../../shared/domain/signals.ts'
import type { MaintenanceWindow } from '../../../shared/domain/window.ts'
import { briefClock } from '../../fixtures/brief-clock.ts'
import { type CliAnswer, lockkeeper, startLockkeeper } from '../../fixtures/cli/lockkeeper-process.ts'
import { failureIn, valueIn } from '../../fixtures/clusters/results.ts'
import { type FakePrometheus, startFakePrometheus } from '../../fixtures/signals/fake-prometheus.ts'
import { startReceiver } from '../../fixtures/signals/receiver.ts'
import { batches, draft } from '../../fixtures/windows/window-drafts.ts'

/** Windows that start automatically, on two embedded clouds, with a Prometheus and a webhook receiver. */
let directory: string
let demo: DemoClouds
let prometheus: FakePrometheus
let receiver: Awaited<ReturnType<typeof startReceiver>>
let app: App
/** Every wall's: it is set ahead, so that nobody waits for a window to begin; a console looks for such windows every five seconds, short ones. */
const clock = briefClock(5_000)

const ask: Contract['ask'] = (name, input) => app.contract.ask(name, input)
/** A console; a terminal starts no window automatically. */
const open = async (kind: 'terminal' | 'serve', data = 'data') =>
  valueIn(
    await createApp({
      dataDirectory: join(directory, data),
      demo: false,
      face: { kind, pickFiles: null, secrets: null },
      clock,
    }),
  )

async function register(contract: Contract, clouds: DemoClouds): Promise<void> {
  for (const [at, name] of ['plain', 'edge'].entries()) {
    const { kubeconfigPath, context, cloudsYamlPath, cloud, production } = must(
      clouds.clusters[at],
      'both were started',
    )
    valueIn(
      await contract.ask('cluster.add', {
        name,
        flavour: 'plain',
        production,
        kubeconfig: { paths: [kubeconfigPath], context },
        cloud: { path: cloudsYamlPath, cloud },
      }),
    )
  }
}

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'lockkeeper-agreed-'))
  demo = await startDemoClouds({ clock, directory: join(directory, 'clouds'), speed: 20, edge: true })
  prometheus = await startFakePrometheus(clock.now)
  prometheus.teach('job:errors', { '{}': '0' })
  receiver = await startReceiver(() => ({ status: 200 }))
  app = await open('terminal')
  await register(app.contract, demo)
  const endpoint = { url: prometheus.url, login: { kind: 'none' as const }, caFile: null }
  const gates = [{ name: 'errors', query: 'job:errors', stopsWhen: { comparison: '>' as const, threshold: 0.01 } }]
  valueIn(await ask('gates.keep', { cluster: 'plain', settings: { endpoint, gates }, secret: null }))
  valueIn(
    await ask('webhook.keep', {
      cluster: 'plain',
      name: 'ops',
      form: 'json',
      events: ['waiting', 'started'],
      url: `${receiver.url}/hook`,
      key: 'the-key-of-this-very-test',
    }),
  )
})

afterAll(async () => {
  await app.close()
  await receiver.stop()
  await prometheus.stop()
  await demo.stop()
  await rm(directory, { recursive: true, force: true })
})

/** A window for one node that begins after the given time. */
async function planned(node: string, inMs: number, cluster = 'plain'): Promise<MaintenanceWindow> {
  const startsAt = new Date(clock.now() + inMs).toISOString()
  const endsAt = new Date(clock.now() + inMs + 3_600_000).toISOString()
  const made = draft(cluster, `Of ${node}`, batches({ kind: 'person' }, [node]), { startsAt, endsAt })
  return valueIn(await ask('window.create', { draft: made })).window
}

async function shown({ id }: MaintenanceWindow): Promise<CheckedPlan> {
  const checked = valueIn(await ask('window.plan', { id, choices: {} }))
  expect(openBlockers(checked).map(({ blocker }) => blocker.message)).toEqual([])
  return checked
}

/** The same with an agreed start: it starts automatically, at most a minute late. */
async function agreed(node: string, inMs: number): Promise<MaintenanceWindow> {
  const window = await planned(node, inMs)
  const { plan } = await shown(window)
  return valueIn(await ask('window.agree-start', { id: window.id, planId: plan.id, lateByMinutes: 1 })).window
}

/** The same as soon as this machine can look at its plan before it begins: a busy one takes longer. */
async function agreedSoon(node: string, inMs: number): Promise<MaintenanceWindow> {
  const window = await planned(node, inMs)
  const { plan } = await shown(window)
  const made = await ask('window.agree-start', { id: window.id, planId: plan.id, lateByMinutes: 1 })
  if (made.ok) return made.value.window
  expect(made.failure.message).toContain('has already begun')
  valueIn(await ask('window.cancel', { id: window.id, why: 'this machine is busy' }))
  return agreedSoon(node, 2 * inMs)
}

const status = async (id: string) => valueIn(await ask('window.show', { id }))
const attend = async (id: string) => valueIn(await ask('window.attend-start', { id }))
const reported = (id: string): readonly SignalNews[] =>
  receiver.received.map(({ body }): SignalNews => JSON.parse(body)).filter(({ window }) => window?.id === id)

/** As a console on another machine would write it. */
function takenByAnother(window: MaintenanceWindow): void {
  const journal = valueIn(openJournal({ path: join(directory, 'data/journal.db'), clock }))
  const { seq } = must(window.start, 'agreed')
  valueIn(journal.windows.record(window, { kind: 'start-taken', agreed: seq, by: 'eva', machine: 'bastion' }, null))
  journal.close()
}

/** The agreement again, with a seal as an earlier version wrote it. */
function sealedEarlier(
  window: MaintenanceWindow,
  parts: (plan: CheckedPlan) => Record<string, string>,
  plan: CheckedPlan,
) {
  const journal = valueIn(openJournal({ path: join(directory, 'data/journal.db'), clock }))
  const { seq: _, at: __, state: ___, ...agreement } = must(window.start, 'agreed')
  const seal = { ...earlierSealOf(plan), parts: parts(plan) }
  valueIn(journal.windows.record(window, { kind: 'start-agreed', ...agreement, seal }, null))
  journal.close()
}

/** Moves the clock to a second after its beginning. */
function begins({ startsAt }: MaintenanceWindow): void {
  clock.ahead(Math.max(0, Date.parse(startsAt) + 1_000 - clock.now()))
}

async function aborted(runId: string, by: Contract['ask'] = ask): Promise<void> {
  valueIn(await by('run.abort', { runId, reason: 'only a test' }))
  await vi.waitFor(
    async () => expect(foldRun(valueIn(await ask('run.show', { runId })).events).state.kind).toBe('finished'),
    { timeout: 30_000 },
  )
}

test('one of two open consoles starts it at its beginning, once; run, window and report name who agreed', async () => {
  const served = await open('serve')
  const { ask: askServed } = served.contract
  try {
    const window = await agreedSoon('cmp-01', 4_000)
    expect(window.start).toMatchObject({ state: { kind: 'waits' } })
    const terminal = startLockkeeper(join(directory, 'data'), ['window', 'wait', window.id])
    await terminal.finished
    // The other one has looked again since.
    await clock.roundsPass()
    const { runs, window: now } = await status(window.id)
    expect(runs).toHaveLength(1)
    expect(now.start?.state.kind).toBe('taken')
    const { id } = must(runs[0], 'it began')
    const { events } = valueIn(await ask('run.show', { runId: id }))
    expect(terminal.output(), 'any of them may have started it').toContain(id)
    const created = must(events[0], 'it has a beginning')
    expect(Date.parse(created.at)).toBeGreaterThanOrEqual(Date.parse(window.startsAt))
    expect(foldRun(events).plan.window).toMatchObject({ kind: 'in', id: window.id, agreed: { by: window.start?.by } })
    const asked = {
      subject: { kind: 'window' as const, id: window.id },
      format: 'md' as const,
      table: 'instances' as const,
    }
    const report = valueIn(await ask('report.make', { ...asked, redact: false }))
    expect(report.content).toContain('started it automatically, as')
    expect(report.content).toContain(`as ${window.start?.by} agreed at`)
    await vi.waitFor(() => expect(reported(window.id).map(({ event }) => event)).toContain('started'), {
      timeout: 20_000,
    })
    // By the process that may drive it: two consoles of one process take each other for gone.
    await aborted(id, askServed)
  } finally {
    await served.close()
  }
})

describe('it does not start, and says why in the journal and to the webhook, once,', () => {
  async function missed(window: MaintenanceWindow, words: string | RegExp): Promise<void> {
    const came = await attend(window.id)
    expect(came).toMatchObject({ kind: 'missed', why: expect.stringMatching(words) })
    expect(await attend(window.id), 'it has ended').toEqual({ kind: 'not-ours' })
    const { window: now, runs } = await status(window.id)
    expect(runs).toEqual([])
    expect(now.start?.state).toMatchObject({ kind: 'missed', why: expect.stringMatching(words) })
    expect(now.remarks.at(-1)).toMatchObject({ kind: 'incident', text: expect.stringMatching(words) })
    await vi.waitFor(() => expect(reported(window.id)).toHaveLength(1), { timeout: 20_000 })
    expect(reported(window.id)).toMatchObject([{ event: 'waiting', run: null, text: expect.stringMatching(words) }])
    const asked = {
      subject: { kind: 'window' as const, id: window.id },
      format: 'md' as const,
      table: 'instances' as const,
    }
    const report = valueIn(await ask('report.make', { ...asked, redact: false }))
    expect(report.content, 'what was sent is in the report').toContain('Sending "waiting" to 127.0.0.1')
  }

  test('when an earlier version sealed its plan and a text has changed: before its time', async () => {
    const window = await planned('cmp-05', 600_000)
    const checked = await shown(window)
    const made = await ask('window.agree-start', { id: window.id, planId: checked.plan.id, lateByMinutes: 1 })
    const { window: waiting } = valueIn(made)
    sealedEarlier(waiting, plan => earlierSealOf(plan).parts, checked)
    expect(await attend(window.id), 'no text has changed').toMatchObject({ kind: 'waits', trouble: null })
    sealedEarlier(
      waiting,
      plan => Object.fromEntries(Object.keys(earlierSealOf(plan).parts).map(n => [n, 'x'])),
      checked,
    )
    await missed(window, /earlier version.*confirm the automatic start again/)
    const again = await shown(window)
    const second = await ask('window.agree-start', { id: window.id, planId: again.plan.id, lateByMinutes: 1 })
    expect(valueIn(second).window.start?.state.kind).toBe('waits')
    valueIn(await ask('window.cancel', { id: window.id, why: 'only a test' }))
  })

  test('when a health gate no longer passes', async () => {
    const window = await agreed('cmp-05', 60_000)
    begins(window)
    prometheus.teach('job:errors', { '{}': '0.5' })
    await missed(window, /Health gate errors fails.*start it: `lockkeeper window start/)
    prometheus.teach('job:errors', { '{}': '0' })
  })

  test('when an instance would go down of which nothing was shown', async () => {
    const window = await planned('cmp-05', 60_000)
    const checked = await shown(window)
    const moving = must(
      checked.checks
        .flatMap(({ answer }) => answer.effects)
        .find(effect => effect.kind === 'instance' && effect.action === 'live_migrate'),
      'one moves live',
    )
    const [id, name] = moving.kind === 'instance' ? [moving.id, moving.name] : ['', '']
    valueIn(await ask('window.agree-start', { id: window.id, planId: checked.plan.id, lateByMinutes: 1 }))
    valueIn(await ask('instance.mark', { cluster: 'plain', marks: [{ id, actions: ['poweroff'] }] }))
    begins(window)
    await missed(window, `${name} would go down or wait for an owner`)
    valueIn(await ask('instance.mark', { cluster: 'plain', marks: [{ id, actions: [] }] }))
  })

  test('when another run has changed the cloud since', async () => {
    const window = await agreed('cmp-05', 60_000)
    const gates = [{ name: 'errors', query: 'job:errors', stopsWhen: { comparison: '>' as const, threshold: 0.5 } }]
    const endpoint = { url: prometheus.url, login: { kind: 'none' as const }, caFile: null }
    valueIn(await ask('gates.keep', { cluster: 'plain', settings: { endpoint, gates }, secret: null }))
    begins(window)
    await missed(window, 'differ from the confirmed ones')
  })

  test('when the console woke too late', async () => {
    const window = await agreed('cmp-05', 60_000)
    begins(window)
    clock.ahead(120_000)
    await missed(window, 'No console was open and awake to start it by')
  })

  test('unless another console took it while this one still looked: what it finds is of that one’s doing', async () => {
    const window = await agreed('cmp-05', 60_000)
    begins(window)
    prometheus.teach('job:errors', { '{}': '0.5' })
    const asked = prometheus.asked.length
    const answerIt = prometheus.hold()
    const looking = attend(window.id)
    await vi.waitFor(() => expect(prometheus.asked.length).toBeGreaterThan(asked), { timeout: 20_000 })
    takenByAnother(window)
    answerIt()
    expect(await looking).toEqual({ kind: 'not-ours' })
    expect((await status(window.id)).window.start?.state.kind).toBe('taken')
    prometheus.teach('job:errors', { '{}': '0' })
  })

  test('when the console that took it died before the run began', async () => {
    const window = await agreed('cmp-05', 600_000)
    takenByAnother(window)
    expect(await attend(window.id)).toEqual({ kind: 'not-ours' })
    clock.ahead(180_000)
    await missed(window, 'ended just when it should have started it')
  })
})

test('what may pass is tried again until it holds', async () => {
  const window = await agreed('cmp-05', 60_000)
  begins(window)
  prometheus.trouble({ status: 503 })
  expect(await attend(window.id)).toMatchObject({ kind: 'waits', trouble: expect.stringContaining('errors') })
  prometheus.trouble(null)
  clock.ahead(21_000)
  const came = await attend(window.id)
  expect(came).toMatchObject({ kind: 'started' })
  if (came.kind === 'started') await aborted(came.runId)
})

test('a start that is taken back, changed, cancelled or made by hand does not happen automatically', async () => {
  const [back, changed, cancelled, byHand] = [
    await agreed('cmp-05', 60_000),
    await agreed('cmp-05', 60_000),
    await agreed('cmp-05', 60_000),
    await agreed('cmp-05', 60_000),
  ]
  valueIn(await ask('window.take-back-start', { id: back.id, why: 'no spare part.' }))
  expect(failureIn(await ask('window.take-back-start', { id: back.id, why: 'again' })).code).toBe('conflict')
  const { cluster, ticket, timeZone, plan, notes, startsAt, endsAt } = changed
  const title = 'Another title'
  const asked = {
    id: changed.id,
    revision: changed.revision,
    draft: { cluster, ticket, timeZone, plan, notes, startsAt, endsAt, title },
  }
  expect(valueIn(await ask('window.change', asked)).warnings[0]).toContain('no longer starts automatically')
  valueIn(await ask('window.cancel', { id: cancelled.id, why: 'no' }))
  begins(byHand)
  const made = await shown(byHand)
  const run = valueIn(await ask('run.start', { planId: made.plan.id, windowId: byHand.id }))
  for (const { id } of [back, changed, cancelled, byHand]) expect(await attend(id)).toEqual({ kind: 'not-ours' })
  expect((await status(byHand.id)).runs).toHaveLength(1)
  await aborted(run.id)
})

test('it needs the same confirmation as a run: the shown plan, a future window, the name of a production cloud', async () => {
  const window = await planned('cmp-05', 60_000)
  const agree = (planId: string, more: { lateByMinutes?: number; id?: string; typedCluster?: string } = {}) =>
    ask('window.agree-start', { id: window.id, planId, lateByMinutes: 15, ...more })
  expect(failureIn(await agree('nothing')).message).toContain('since you saw the plan')
  const other = await shown(await planned('cmp-05', 60_000))
  expect(failureIn(await agree(other.plan.id)).message).toContain('since you saw the plan')
  const stale = await shown(window)
  clock.ahead(301_000)
  expect(failureIn(await agree(stale.plan.id)).message).toContain('has already begun')
  const edge = await planned(
    must(
      valueIn(await ask('node.list', { cluster: 'edge' })).nodes.find(({ roles }) => roles.includes('compute')),
      'it has one',
    ).name,
    // Ahead, however busy this machine is.
    600_000,
    'edge',
  )
  const { plan } = await shown(edge)
  expect(failureIn(await agree(plan.id, { id: edge.id })).message).toContain('type its name')
  const written = valueIn(await agree(plan.id, { id: edge.id, typedCluster: 'edge' }))
  expect(written.window.start).toMatchObject({ typedCluster: true })
  valueIn(await ask('window.take-back-start', { id: edge.id, why: 'only a test' }))
})

test('the terminal agrees, waits and starts it where no other console is open; another terminal takes it back', async () => {
  const data = join(directory, 'terminal')
  // Its processes go by the machine's own clock, and so do its clouds.
  const clouds = await startDemoClouds({ clock: systemClock, directory: join(directory, 'own'), speed: 20, edge: true })
  onTestFinished(clouds.stop)
  const registering = await open('terminal', 'terminal')
  await register(registering.contract, clouds)
  await registering.close()
  const windowOf = async (inMs: number) => {
    const startsAt = new Date(systemClock.now() + inMs).toISOString()
    const endsAt = new Date(systemClock.now() + inMs + 3_600_000).toISOString()
    const made = draft('plain', 'By terminal', batches({ kind: 'person' }, ['cmp-05']), { startsAt, endsAt })
    const mine = await open('terminal', 'terminal')
    const { window } = valueIn(await mine.contract.ask('window.create', { draft: made }))
    await mine.close()
    return window.id
  }
  const far = await windowOf(600_000)
  const start = (id: string, ...more: string[]) =>
    startLockkeeper(data, ['window', 'start', id, '--when-it-begins', '--yes', ...more])
  const kept = await start(far, '--no-wait').finished
  expect(kept).toMatchObject({ code: 0 })
  expect(kept.stdout).toContain('This computer must then be awake, with Lockkeeper open on it')
  expect(kept.stdout.replaceAll(/\s+/g, ' ')).toContain('at most 15 min later, as')
  const waiting = startLockkeeper(data, ['window', 'wait', far])
  await vi.waitFor(() => expect(waiting.output()).toContain('Waiting.'), { timeout: 20_000 })
  expect(await lockkeeper(data, ['window', 'take-back', far])).toMatchObject({ code: 0 })
  const gone = await waiting.finished
  expect(gone.code).toBe(3)
  expect(gone.stdout).toContain('no longer starts automatically')
  // As soon as this machine can look at its plan before it begins: a busy one takes longer.
  const startedIn = async (inMs: number): Promise<CliAnswer> => {
    const answer = await start(await windowOf(inMs)).finished
    return (answer.stdout + answer.stderr).includes('has already begun') ? startedIn(2 * inMs) : answer
  }
  const began = await startedIn(5_000)
  expect(began.stdout).toMatch(/^Run [a-z0-9]+$/m)
  expect(began.code, 'nobody answers its question here').toBe(4)
})
