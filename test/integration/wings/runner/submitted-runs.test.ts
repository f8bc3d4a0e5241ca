import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import type { KubernetesObject } from '../../../../main/wings/simulators/kubernetes/store/kubernetes-object.ts'
import { must } from '../../../../shared/domain/must.ts'
import type { Plan } from '../../../../shared/domain/plan.ts'
import { inJournal } from '../../../fixtures/cli/killed-driver.ts'
import { lockkeeper } from '../../../fixtures/cli/lockkeeper-process.ts'
import { askedSince, doneTwice, markOf, plainOf } from '../../../fixtures/runner/asked-of-clouds.ts'
import {
  askRunner,
  CLOUD,
  EDGE,
  NAMESPACE,
  type RunnerClouds,
  secretOf,
  startRunnerClouds,
  startRunnerProcess,
} from '../../../fixtures/runner/runner-clouds.ts'

/** One runner in a separate process beside two clouds, controlled only by objects. */
let clouds: RunnerClouds
let runner: Awaited<ReturnType<typeof startRunnerProcess>>
let data: string
const BY_OWN_WORD = 'eva (unverified)'

beforeAll(async () => {
  clouds = await startRunnerClouds(10)
  data = join(clouds.directory, 'runner')
  runner = await startRunnerProcess(clouds, data)
})

afterAll(async () => {
  runner.child.kill('SIGKILL')
  await runner.finished
  await clouds.close()
})

function eventsOf(runId: string | null): readonly Record<string, unknown>[] {
  return inJournal(
    data,
    journal =>
      journal
        .prepare('SELECT body FROM events WHERE run_id = ? ORDER BY seq')
        .all(runId)
        .map(({ body }) => JSON.parse(String(body)) as Record<string, unknown>),
    [],
  )
}

/** Says something else in the status of a run than its runner did. */
function forge(name: string, status: object): void {
  clouds.management.objects.change('MaintenanceRun', NAMESPACE, name, run => {
    const { status: now } = run as unknown as { status: object }
    return { ...run, status: { ...now, ...status } } as KubernetesObject
  })
}

const leaseHolder = (cloud: string): unknown =>
  (
    clouds.management.objects.get('Lease', NAMESPACE, `lockkeeper-runner-${cloud}`) as {
      spec?: { holderIdentity?: unknown }
    } | null
  )?.spec?.holderIdentity ?? null

const controlStatus = async (name: string) => {
  const found = await vi.waitFor(
    async () => {
      const { value } = (await clouds.runs.objects()) as {
        value: { controls: readonly { name: string; status: object | null }[] }
      }
      const control = value.controls.find(each => each.name === name)
      return must(control?.status ?? null, `${name} was answered`)
    },
    { timeout: 20_000 },
  )
  return found
}

describe('a MaintenanceRun', () => {
  it('is carried out, and its object, the journal and the terminal tell who confirmed it', async () => {
    const plan = await clouds.plan(CLOUD, 'cmp-01', 'enter', { concurrency: 8 })
    const mark = markOf(plainOf(clouds))
    await clouds.submit(plan, {}, 'enter-cmp-01')
    const status = await clouds.until('enter-cmp-01', ['Done', 'Failed', 'Refused'])
    expect(status).toMatchObject({
      phase: 'Done',
      nodesDone: 1,
      nodesAll: 1,
      message: expect.stringContaining(`Confirmed by ${BY_OWN_WORD}.`),
      head: { hash: expect.stringMatching(/^[0-9a-f]{64}$/) },
    })
    const events = eventsOf(status.runId)
    expect(events[0]).toMatchObject({
      kind: 'run-created',
      driver: { operator: BY_OWN_WORD },
      asked: { name: 'enter-cmp-01', confirmedBy: 'eva', resumePolicy: 'Always' },
      plan: {
        id: plan.id,
        window: { kind: 'outside', reason: expect.stringContaining('MaintenanceRun enter-cmp-01') },
      },
    })
    expect(doneTwice(askedSince(mark, plainOf(clouds)))).toEqual([])
    const report = await lockkeeper(data, [
      'report',
      must(status.runId, 'it started'),
      '-o',
      join(clouds.directory, 'report.md'),
      '--format',
      'md',
    ])
    expect(report.code, report.stderr + report.stdout).toBe(0)
    expect(readFileSync(join(clouds.directory, 'report.md'), 'utf8')).toContain(BY_OWN_WORD)
    await vi.waitFor(() => expect(leaseHolder(CLOUD), 'a cloud without work has no holder').toBeNull(), {
      timeout: 20_000,
    })
  })

  it('is refused for a plan that was not confirmed, and nothing is asked of its cloud', async () => {
    const plan = await clouds.plan(CLOUD, 'cmp-02', 'enter')
    const mark = markOf(plainOf(clouds))
    await clouds.submit(plan, { planHash: 'f'.repeat(64) }, 'other-text')
    expect(await clouds.until('other-text', ['Refused'])).toMatchObject({
      runId: null,
      message: expect.stringContaining('planHash'),
    })
    await clouds.submit(plan, { notAfter: '2020-01-01T00:00:00Z' }, 'too-late')
    expect(await clouds.until('too-late', ['Refused'])).toMatchObject({
      message: expect.stringContaining('has passed'),
    })
    expect(askedSince(mark, plainOf(clouds))).toMatchObject({ services: 0, cordons: 0 })
  })

  it('is refused where somebody left a guard out of its plan, and nothing is asked of its cloud', async () => {
    const plan = await clouds.plan(CLOUD, 'cmp-02', 'enter')
    const mark = markOf(plainOf(clouds))
    const crafted: readonly (readonly [string, Plan, string])[] = [
      ['without-check', { ...plan, steps: plan.steps.filter(({ kind }) => kind !== 'no-other-run') }, 'no-other-run'],
      [
        'without-needs',
        { ...plan, steps: plan.steps.map(step => (step.kind === 'drain-node' ? { ...step, needs: [] } : step)) },
        'drain-node (needs)',
      ],
    ]
    for (const [name, asked, words] of crafted) {
      await clouds.submit({ ...asked, id: `${plan.id}-${name}` }, {}, name)
      expect(await clouds.until(name, ['Refused', 'Done', 'Failed'])).toMatchObject({
        phase: 'Refused',
        runId: null,
        message: expect.stringContaining(words),
      })
    }
    const startAfter = new Date(Date.now() + 3_600_000).toISOString()
    const [, scheduled] = must(crafted[0], 'there is one')
    await clouds.submit({ ...scheduled, id: `${plan.id}-later` }, { startAfter }, 'crafted-later')
    expect(await clouds.until('crafted-later', ['Scheduled'])).toMatchObject({
      message: expect.stringContaining('the runner will refuse it: Its plan differs from one made now'),
    })
    await clouds.control('abort-crafted', { run: 'crafted-later', control: 'abort', by: 'olga', reason: 'crafted' })
    await clouds.until('crafted-later', ['Aborted'])
    expect(askedSince(mark, plainOf(clouds))).toMatchObject({ services: 0, cordons: 0 })
  })

  it('that no longer holds is refused with the reasons of its checks, and a plan is carried out once', async () => {
    const first = await clouds.plan(CLOUD, 'cmp-01', 'leave')
    await clouds.submit(first, {}, 'leave-cmp-01')
    expect(await clouds.until('leave-cmp-01', ['Done', 'Failed', 'Refused'])).toMatchObject({ phase: 'Done' })
    await clouds.submit(first, {}, 'leave-cmp-01-again')
    expect(await clouds.until('leave-cmp-01-again', ['Refused'])).toMatchObject({
      message: expect.stringContaining('A plan runs only once'),
    })
    const broken = await clouds.plan(CLOUD, 'cmp-04', 'enter')
    await clouds.submit(broken, {}, 'enter-cmp-04')
    expect(await clouds.until('enter-cmp-04', ['Refused', 'Failed', 'Done'])).toMatchObject({
      phase: 'Refused',
      message: expect.stringContaining('broken-01'),
    })
  })

  it('waits for its time', async () => {
    const plan = await clouds.plan(CLOUD, 'cmp-01', 'enter', { concurrency: 8 })
    // The test below shows that a run is reported as scheduled: this one may start before it is read.
    const startAfter = new Date(Date.now() + 4_000).toISOString()
    await clouds.submit(plan, { startAfter }, 'at-night')
    const status = await clouds.until('at-night', ['Done', 'Failed', 'Refused'])
    expect(status.phase, status.message).toBe('Done')
    expect(Date.parse(status.startedAt ?? '')).toBeGreaterThanOrEqual(Date.parse(startAfter))
    await clouds.submit(await clouds.plan(CLOUD, 'cmp-01', 'leave'), {}, 'in-the-morning')
    expect((await clouds.until('in-the-morning', ['Done', 'Failed', 'Refused'])).phase).toBe('Done')
  })
})

describe('a question of a run', () => {
  it('is answered as agreed, as often as agreed, and then waits for a control', async () => {
    const plan = await clouds.plan(CLOUD, 'cmp-03', 'maintain', { work: { kind: 'person' }, concurrency: 8 })
    await clouds.submit(
      plan,
      { answers: [{ step: 'node-work', choice: 'continue', reason: 'nothing to do', atMost: 1 }] },
      'agreed',
    )
    const agreed = await clouds.until('agreed', ['Done', 'Failed', 'Refused'])
    expect(agreed.phase, agreed.message).toBe('Done')
    expect(eventsOf(agreed.runId).filter(({ kind }) => kind === 'gate-answered')).toMatchObject([
      { choice: 'continue', reason: 'Agreed beforehand: nothing to do', by: BY_OWN_WORD },
    ])

    const second = await clouds.plan(CLOUD, 'cmp-03', 'maintain', { work: { kind: 'person' }, concurrency: 8 })
    await clouds.submit(second, {}, 'asks')
    const waiting = await clouds.until('asks', ['Waiting', 'Failed', 'Refused'])
    const gateId = must(waiting.gateId, 'its question has an id')
    forge('asks', { phase: 'Done', gateId: null, message: 'forged' })
    expect(await clouds.until('asks', ['Waiting'])).toMatchObject({ gateId })
    await clouds.control('answer-1', {
      run: 'asks',
      control: 'answer',
      by: 'olga',
      gateId,
      choice: 'continue',
      reason: 'done by hand',
    })
    expect(await controlStatus('answer-1')).toMatchObject({ outcome: 'Accepted' })
    const over = await clouds.until('asks', ['Done', 'Failed'])
    expect(eventsOf(over.runId).filter(({ kind }) => kind === 'gate-answered')).toMatchObject([
      { choice: 'continue', reason: 'done by hand', by: 'olga (unverified)' },
    ])
    await clouds.control('answer-2', {
      run: 'asks',
      control: 'answer',
      by: 'olga',
      gateId,
      choice: 'retry',
      reason: '',
    })
    expect(await controlStatus('answer-2')).toMatchObject({
      outcome: 'Refused',
      message: expect.stringContaining('already answered the question'),
    })
  })
})

describe('a control', () => {
  it('pauses, resumes and aborts, each once, and the journal says who requested it', async () => {
    const plan = await clouds.plan(CLOUD, 'cmp-05', 'enter', { concurrency: 1 })
    // Long enough to pause and abort it on its way, and to see it continue in between.
    clouds.demo.openstack.faults.servers['*'] = { delay: 3 }
    await clouds.submit(plan, {}, 'controlled')
    await clouds.until('controlled', ['Running'])
    await clouds.control('pause-1', { run: 'controlled', control: 'pause', by: 'olga', reason: 'a storm' })
    const paused = await clouds.until('controlled', ['Paused'])
    await clouds.control('unpause-1', { run: 'controlled', control: 'unpause', by: 'olga', reason: '' })
    await clouds.until('controlled', ['Running'])
    await clouds.control('abort-1', { run: 'controlled', control: 'abort', by: 'olga', reason: 'enough' })
    const ended = await clouds.until('controlled', ['Aborted', 'Done', 'Failed'])
    delete clouds.demo.openstack.faults.servers['*']
    expect(ended).toMatchObject({ phase: 'Aborted', message: expect.stringContaining('enough') })
    for (const name of ['pause-1', 'unpause-1', 'abort-1'])
      expect(await controlStatus(name)).toMatchObject({ outcome: 'Accepted' })
    const by = 'olga (unverified)'
    const asked = ['pause-requested', 'resume-requested', 'abort-requested']
    expect(eventsOf(paused.runId).filter(({ kind }) => asked.includes(String(kind)))).toMatchObject(
      asked.map(kind => ({ kind, by })),
    )
    const back = await clouds.plan(CLOUD, 'cmp-05', 'leave')
    await clouds.submit(back, {}, 'back')
    await clouds.until('back', ['Done'])
    // What was under way as it was aborted ends: nothing is planned for a host to which something still moves.
    const moving = () => [...clouds.demo.openstack.state.servers.values()].filter(({ taskState }) => taskState !== null)
    await vi.waitFor(() => expect(moving().map(({ name }) => name)).toEqual([]), { timeout: 30_000 })
  })

  it('ends a run that has not started, and is refused where there is nothing to control', async () => {
    const plan = await clouds.plan(CLOUD, 'cmp-02', 'enter')
    await clouds.submit(plan, { startAfter: new Date(Date.now() + 3_600_000).toISOString() }, 'far')
    expect(await clouds.until('far', ['Scheduled'])).toMatchObject({ message: expect.stringContaining('Starts at') })
    await clouds.control('pause-far', { run: 'far', control: 'pause', by: 'olga', reason: '' })
    expect(await controlStatus('pause-far')).toMatchObject({
      outcome: 'Refused',
      message: expect.stringContaining('not started'),
    })
    await clouds.control('abort-far', { run: 'far', control: 'abort', by: 'olga', reason: 'no need' })
    expect(await controlStatus('abort-far')).toMatchObject({ outcome: 'Accepted' })
    expect(await clouds.until('far', ['Aborted'])).toMatchObject({
      runId: null,
      message: expect.stringContaining('no need'),
    })
    await clouds.control('of-none', { run: 'nothing', control: 'pause', by: 'olga', reason: '' })
    expect(await controlStatus('of-none')).toMatchObject({
      outcome: 'Refused',
      message: 'MaintenanceRun nothing does not exist.',
    })
  })
})

describe('clouds by their Secrets', () => {
  it('are files that the runner’s user alone can read, and no line of its log has what they hold', async () => {
    const folder = join(data, 'lockkeeper-clouds', CLOUD)
    const [content] = readdirSync(folder)
    const own = join(folder, must(content, 'it has one content'))
    for (const name of ['kubeconfig', 'clouds.yaml']) {
      expect(statSync(join(own, name)).mode & 0o777, name).toBe(0o600)
    }
    expect(runner.output()).not.toContain('embedded-only')
    expect(runner.output()).not.toMatch(/client-key-data|BEGIN [A-Z ]*PRIVATE KEY/)
  })

  it('that change are reached again, that disappear stop their runs and say so, and that return let them continue', async () => {
    const files = must(clouds.demo.clusters[0], 'demo-plain is there')
    const plan = await clouds.plan(CLOUD, 'cmp-02', 'enter', { concurrency: 1 })
    const mark = markOf(plainOf(clouds))
    // Long enough to be left twice on its way.
    clouds.demo.openstack.faults.servers['*'] = { delay: 3 }
    await clouds.submit(plan, {}, 'renewed')
    await clouds.until('renewed', ['Running'])
    const before = readdirSync(join(data, 'lockkeeper-clouds', CLOUD))
    clouds.management.objects.change('Secret', NAMESPACE, `cloud-${CLOUD}`, secret => {
      const { data: coded } = secret as unknown as { data: Record<string, string> }
      const text = Buffer.from(coded['clouds.yaml'] ?? '', 'base64').toString('utf8')
      return {
        ...secret,
        data: { ...coded, 'clouds.yaml': Buffer.from(`${text}\n# renewed\n`).toString('base64') },
      } as KubernetesObject
    })
    // Its new files are in the place of those that it had.
    await vi.waitFor(
      () => {
        expect(readdirSync(join(data, 'lockkeeper-clouds', CLOUD))).toEqual([expect.any(String)])
        expect(readdirSync(join(data, 'lockkeeper-clouds', CLOUD))).not.toEqual(before)
      },
      { timeout: 20_000 },
    )
    clouds.management.objects.remove('Secret', NAMESPACE, `cloud-${CLOUD}`)
    // While the cloud was taken off and put back, the run may have said something else.
    await vi.waitFor(
      async () =>
        expect(await clouds.status('renewed')).toMatchObject({
          phase: 'Interrupted',
          message: expect.stringContaining('The Secret of cloud plain no longer exists'),
        }),
      { timeout: 30_000, interval: 100 },
    )
    delete clouds.demo.openstack.faults.servers['*']
    clouds.management.objects.create(secretOf(CLOUD, files))
    expect((await clouds.until('renewed', ['Done', 'Failed'])).phase).toBe('Done')
    expect(doneTwice(askedSince(mark, plainOf(clouds)))).toEqual([])
    expect(askedSince(mark, plainOf(clouds))).toMatchObject({ services: 1, cordons: 1 })
    await clouds.submit(await clouds.plan(CLOUD, 'cmp-02', 'leave'), {}, 'renewed-back')
    expect((await clouds.until('renewed-back', ['Done', 'Failed'])).phase).toBe('Done')
  })
})

describe('the process of a runner', () => {
  it('answers whether it lives and is ready, and tells figures without names of nodes or people', async () => {
    expect(await askRunner(runner.port, '/livez')).toEqual({ status: 200, text: 'ok\n' })
    expect(await askRunner(runner.port, '/readyz')).toEqual({ status: 200, text: 'ok\n' })
    const metrics = must(await askRunner(runner.port, '/metrics'), 'it answers').text
    for (const line of [
      /^lockkeeper_runs\{phase="Done"\} \d+$/m,
      /^lockkeeper_api_requests_total\{system="kubernetes"\} [1-9]\d*$/m,
      /^lockkeeper_api_requests_total\{system="openstack"\} [1-9]\d*$/m,
      /^lockkeeper_steps_total\{kind="drain-node",outcome="applied"\} [1-9]/m,
      /^lockkeeper_journal_head [1-9]\d*$/m,
      /^lockkeeper_clouds 2$/m,
      /^lockkeeper_questions_waiting 0$/m,
      /^process_resident_memory_bytes /m,
    ])
      expect(metrics).toMatch(line)
    expect(metrics).not.toMatch(/cmp-0|eva|olga/)
    expect(await askRunner(runner.port, '/')).toMatchObject({ status: 404 })
  })

  it('asks an idle cloud for nothing', async () => {
    const edge = must(clouds.demo.clusters[1], 'demo-edge is there')
    expect(edge.name).toBeTruthy()
    expect(leaseHolder(EDGE)).toBeNull()
  })

  it('leaves its runs at a quiet point on SIGTERM, gives its Leases back, and another process continues them', async () => {
    const plan = await clouds.plan(CLOUD, 'cmp-03', 'enter', { concurrency: 1 })
    const mark = markOf(plainOf(clouds))
    // Long enough to be seen to run, and to be left on its way.
    clouds.demo.openstack.faults.servers['*'] = { delay: 3 }
    await clouds.submit(plan, {}, 'over-an-end')
    await clouds.until('over-an-end', ['Running'])
    const began = Date.now()
    runner.child.kill('SIGTERM')
    const { code, stdout, stderr } = await runner.finished
    delete clouds.demo.openstack.faults.servers['*']
    expect(code, stdout + stderr).toBe(0)
    expect(Date.now() - began, 'within the grace of a pod').toBeLessThan(25_000)
    expect(leaseHolder(CLOUD)).toBeNull()
    expect(await clouds.status('over-an-end')).toMatchObject({
      phase: 'Interrupted',
      message: expect.stringContaining('lockkeeper-runner detached from it'),
    })
    // Somebody who may write statuses says that it has ended: its journal proves otherwise.
    forge('over-an-end', { phase: 'Aborted', message: 'forged' })
    for (const line of stdout.trim().split('\n'))
      expect(Object.keys(JSON.parse(line) as object)).toEqual(
        expect.arrayContaining(['time', 'level', 'area', 'message']),
      )
    runner = await startRunnerProcess(clouds, data)
    expect(await clouds.until('over-an-end', ['Done', 'Failed'])).toMatchObject({ phase: 'Done', nodesDone: 1 })
    const asked = askedSince(mark, plainOf(clouds))
    expect(doneTwice(asked)).toEqual([])
    expect(asked).toMatchObject({ services: 1, cordons: 1 })
  })
})
