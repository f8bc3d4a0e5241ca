import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { isOfShard } from '../../../../main/wings/runner/shard.ts'
import type {
  MaintenanceRunControlSpec,
  MaintenanceRunPhase,
  MaintenanceRunStatus,
} from '../../../../shared/domain/maintenance-run.ts'
import { must } from '../../../../shared/domain/must.ts'
import { askedSince, doneTwice, instancesOf, markOf } from '../../../fixtures/runner/asked-of-clouds.ts'
import { type Fleet, startFleet } from '../../../fixtures/runner/fleet.ts'
import { askRunner, startRunnerProcess } from '../../../fixtures/runner/runner-clouds.ts'
import { tries } from '../../../fixtures/tries.ts'

type Runner = Awaited<ReturnType<typeof startRunnerProcess>>

/** Clouds of the campaign: a few each time, twenty with LOCKKEEPER_LONG. */
const CLOUDS = tries(5, 20)
const NAMES = Array.from({ length: CLOUDS }, (_, at) => `cloud-${String(at + 1).padStart(2, '0')}`)
/** One first, then some, then all that is left. */
const BATCHES = [NAMES.slice(0, 1), NAMES.slice(1, tries(3, 8)), NAMES.slice(tries(3, 8))]
const AT_ONCE = tries(2, 4)
/** The cloud at whose node the work is given up, as was agreed beforehand: its run ends other than done. */
const FAILS = must(BATCHES[1]?.[0], 'there is a second batch')
/** The longest wait for anything: a machine may be busy. */
const WITHIN_MS = 30_000
const CHOICES = { deleteEmptyDirData: true, concurrency: 4 }

describe(`a campaign over ${CLOUDS} clouds whose runner is killed twice`, () => {
  let fleet: Fleet
  const alive: Runner[] = []
  const start = async () => {
    const runner = await startRunnerProcess(fleet, join(fleet.directory, 'runner'))
    alive.push(runner)
    return runner
  }
  const kill = async (runner: Runner) => {
    runner.child.kill('SIGKILL')
    expect((await runner.finished).signal).toBe('SIGKILL')
  }

  beforeAll(async () => {
    fleet = await startFleet(NAMES, 4)
  })

  afterAll(async () => {
    for (const runner of alive) {
      runner.child.kill('SIGKILL')
      await runner.finished
    }
    // Where the start failed there is nothing to close, and the failure of the start is reported.
    await (fleet as Fleet | undefined)?.close()
  })

  it('empties each node once, keeps the order of its batches, and goes past the one failure that it may have', async () => {
    const before = NAMES.map(name => instancesOf(cloudOf(name)))
    const marks = new Map<string, ReturnType<typeof markOf>>()
    for (const name of NAMES) {
      const work = name === FAILS ? ({ kind: 'person' } as const) : undefined
      const kind = name === FAILS ? 'maintain' : 'enter'
      const plan = await fleet.plan(name, 'cmp-01', kind, { ...CHOICES, ...(work === undefined ? {} : { work }) })
      marks.set(name, markOf(cloudOf(name)))
      const answers = [{ step: 'node-work', choice: 'abort' as const, reason: 'no spare part', atMost: 1 }]
      await fleet.submit(`run-${name}`, plan, { campaign: 'night', ...(name === FAILS ? { answers } : {}) })
    }
    const first = await start()
    await untilRun(`run-${NAMES.at(-1)}`, ['Scheduled'])
    const began = Date.now()
    await makeCampaign('night', BATCHES, 1)

    const isMoving = (batch: number) => (status: { readonly batch: number; readonly released: readonly string[] }) =>
      status.batch === batch && status.released.length > 0
    /** A run of a batch that has disabled its compute service, which is the first thing, and is not at its end. */
    const untilUnderWay = (batch: number) =>
      until(`a run of batch ${batch} is under way`, async () => {
        const begun = (BATCHES[batch - 1] ?? []).filter(
          name => name !== FAILS && askedSince(must(marks.get(name), name), cloudOf(name)).services > 0,
        )
        for (const name of begun) if ((await statusOf(`run-${name}`))?.phase === 'Running') return `run-${name}`
        return null
      })
    await fleet.untilCampaign('night', 'in its second batch', isMoving(2))
    const inSecond = await untilUnderWay(2)
    await kill(first)
    const atFirstKill = await fleet.campaign('night')
    expect(await statusOf(inSecond), `${inSecond} at the first kill`).toMatchObject({ phase: 'Running' })
    expect(atFirstKill?.released, 'at the first kill').toContain(inSecond)
    const second = await start()
    await fleet.untilCampaign('night', 'in its third batch', isMoving(3))
    const inThird = await untilUnderWay(3)
    await kill(second)
    const atSecondKill = await fleet.campaign('night')
    expect(await statusOf(inThird), `${inThird} at the second kill`).toMatchObject({ phase: 'Running' })
    expect(atSecondKill?.released, 'at the second kill').toContain(inThird)
    await start()
    const over = await fleet.untilCampaign('night', 'over', ({ endedAt }) => endedAt !== null, 300_000)
    console.log(
      `campaign: ${JSON.stringify({
        clouds: CLOUDS,
        seconds: Math.round((Date.now() - began) / 1000),
        killedAt: [atFirstKill, atSecondKill].map(
          status => `${status?.runsDone}+${status?.runsFailed}, ${status?.released.length} under way`,
        ),
        statusWrites: writesOf('night'),
        leaseRequests: fleet.management.log.all().filter(({ path }) => path.includes('lockkeeper-campaign-night'))
          .length,
      })}`,
    )

    expect(over, over.message).toMatchObject({ phase: 'Done', runsDone: CLOUDS - 1, runsFailed: 1, released: [] })
    expect(over.ended.filter(({ phase }) => phase !== 'Done')).toMatchObject([{ run: `run-${FAILS}` }])
    for (const [at, name] of NAMES.entries()) {
      const asked = askedSince(must(marks.get(name), name), cloudOf(name))
      expect(doneTwice(asked), name).toEqual([])
      expect(asked.instances.size, `${name} was emptied`).toBeGreaterThan(0)
      if (name !== FAILS) expect(asked, name).toMatchObject({ services: 1, cordons: 1 })
      expect(instancesOf(cloudOf(name)), `${name}: every instance is there, as it was`).toEqual(before[at])
    }
    const spans = new Map(NAMES.map(name => [name, spanOf(name, began)]))
    const of = (names: readonly string[]) => names.map(name => must(spans.get(name), name))
    for (const [at, names] of BATCHES.entries()) {
      const next = BATCHES[at + 1]
      if (next !== undefined)
        expect(Math.min(...of(next).map(({ from }) => from)), `batch ${at + 2} after batch ${at + 1}`).toBeGreaterThan(
          Math.max(...of(names).map(({ to }) => to)),
        )
      for (const { from } of of(names)) {
        const beside = of(names).filter(each => each.from <= from && from <= each.to)
        expect(beside.length, 'no more at once than may be').toBeLessThanOrEqual(AT_ONCE)
      }
    }
    // Twenty clouds with LOCKKEEPER_LONG.
  }, 120_000)

  it('stops when more failed than may, is paused, resumed and aborted by controls, and leaves the clouds of what waits alone', async () => {
    const [one = '', two = ''] = NAMES
    const marks = [one, two].map(name => markOf(cloudOf(name)))
    const ofOne = await fleet.plan(one, 'cmp-05', 'enter', CHOICES)
    const ofTwo = await fleet.plan(two, 'cmp-05', 'enter', CHOICES)
    await fleet.submit('unconfirmed', ofOne, { campaign: 'strict', planHash: '0'.repeat(64) })
    await fleet.submit('waits', ofTwo, { campaign: 'strict' })
    await untilRun('waits', ['Scheduled'])
    await makeCampaign('strict', [['unconfirmed'], ['waits']], 0)
    const stopped = await fleet.untilCampaign('strict', 'stopped', ({ phase }) => phase === 'Stopped')
    // It counts the events that it received, including those of its writes.
    await vi.waitFor(
      async () => {
        const metrics = await askRunner(must(alive.at(-1), 'a runner is alive').port, '/metrics')
        expect(metrics?.text).toMatch(/^lockkeeper_campaigns\{phase="Stopped"\} 1$/m)
      },
      { timeout: 30_000, interval: 100 },
    )
    expect(stopped).toMatchObject({
      runsFailed: 1,
      endedAt: null,
      message: expect.stringContaining('Not done: unconfirmed'),
    })
    expect(await control('resume-1', 'strict', 'resume')).toMatchObject({ outcome: 'Refused' })
    expect(await control('abort-1', 'strict', 'abort')).toMatchObject({ outcome: 'Accepted' })
    await fleet.untilCampaign('strict', 'over', ({ phase, endedAt }) => phase === 'Aborted' && endedAt !== null)
    expect(await untilRun('waits', ['Aborted'])).toContain('olga (unverified) aborted its campaign strict')
    expect(await control('pause-late', 'strict', 'pause')).toMatchObject({ outcome: 'Refused' })
    expect(await control('pause-none', 'nothing', 'pause')).toMatchObject({
      message: 'MaintenanceCampaign nothing does not exist.',
    })

    const again = await fleet.plan(one, 'cmp-05', 'enter', CHOICES)
    await makeCampaign('careful', [['later']], 0)
    await fleet.untilCampaign('careful', 'waiting for its run', ({ message }) =>
      message.includes('MaintenanceRun later does not exist yet'),
    )
    expect(await control('pause-2', 'careful', 'pause')).toMatchObject({ outcome: 'Accepted' })
    await fleet.submit('later', again, { campaign: 'careful' })
    await untilRun('later', ['Scheduled'])
    // The second control is answered after the next check of its campaign, which now has its run.
    await control('pause-again', 'careful', 'pause')
    expect((await fleet.campaign('careful'))?.phase).toBe('Paused')
    for (const [at, name] of [one, two].entries()) {
      expect(askedSince(must(marks[at], name), cloudOf(name)), name).toMatchObject({ services: 0, cordons: 0 })
    }
    expect(await control('resume-2', 'careful', 'resume')).toMatchObject({ outcome: 'Accepted' })
    await fleet.untilCampaign('careful', 'done', ({ phase }) => phase === 'Done')
  })

  // It waits for a Lease to run out.
  it.skipIf(tries(0, 1) === 0)(
    'is driven on by another runner when the one that drove it is gone',
    async () => {
      for (const runner of alive) {
        runner.child.kill('SIGTERM')
        await runner.finished
      }
      const pod = async (index: number) => {
        const runner = await startRunnerProcess(fleet, join(fleet.directory, `pod-${index}`), {
          env: { POD_NAME: `lockkeeper-runner-${index}` },
          args: ['--replicas', '2'],
        })
        alive.push(runner)
        return runner
      }
      // Both clouds are the other runner's: the first one has nothing but the campaign.
      const [one = '', two = ''] = NAMES.filter(name => isOfShard(name, { index: 1, of: 2 }))
      const first = await pod(0)
      const asking = await fleet.plan(one, 'cmp-03', 'maintain', { ...CHOICES, work: { kind: 'person' } })
      await fleet.submit('asking', asking, { campaign: 'relay' })
      await fleet.submit('after', await fleet.plan(two, 'cmp-03', 'enter', CHOICES), { campaign: 'relay' })
      await makeCampaign('relay', [['asking'], ['after']], 0)
      const driven = await fleet.untilCampaign('relay', 'driven', ({ released }) => released.length > 0)
      expect(driven.driver?.runner).toMatch(/^lockkeeper-runner-0\//)
      await pod(1)
      await untilRun('asking', ['Waiting'])
      await kill(first)
      const gateId = (await statusOf('asking'))?.gateId ?? ''
      const spec = { run: 'asking', control: 'answer', by: 'olga', gateId, choice: 'continue', reason: 'done' } as const
      await fleet.runs.createControl({ name: 'answer-1', spec })
      // The other runner drives the campaign only when the Lease of 30 s has run out.
      const over = await fleet.untilCampaign('relay', 'over', ({ endedAt }) => endedAt !== null, 90_000)
      expect(over, over.message).toMatchObject({ phase: 'Done', runsDone: 2 })
      expect(over.driver?.runner).toMatch(/^lockkeeper-runner-1\//)
    },
    // It waits for a Lease to run out.
    120_000,
  )

  function cloudOf(name: string) {
    return must(fleet.clouds.get(name), name)
  }

  async function makeCampaign(name: string, batches: readonly (readonly string[])[], failureBudget: number) {
    const made = await fleet.runs.createCampaign({
      name,
      spec: {
        batches: batches.map(clouds => ({
          name: null,
          runs: clouds.map(cloud => (fleet.clouds.has(cloud) ? `run-${cloud}` : cloud)),
          atOnce: AT_ONCE,
        })),
        failureBudget,
        confirmedBy: 'eva',
      },
    })
    expect(made).toMatchObject({ ok: true })
  }

  async function control(name: string, campaign: string, what: MaintenanceRunControlSpec['control']) {
    await fleet.runs.createControl({ name, spec: { campaign, control: what, by: 'olga', reason: 'test' } })
    return until(`${name} is answered`, async () => {
      const all = await fleet.runs.objects()
      return (all.ok ? all.value.controls.find(each => each.name === name)?.status : null) ?? null
    })
  }

  /** Waits for a value; fails when it does not come in time. */
  async function until<T>(what: string, look: () => Promise<T | null>): Promise<T> {
    const endMs = Date.now() + WITHIN_MS
    for (;;) {
      const found = await look()
      if (found !== null) return found
      if (Date.now() > endMs) throw new Error(`not within ${WITHIN_MS / 1000} s: ${what}`)
      await new Promise(resolve => setTimeout(resolve, 100))
    }
  }

  async function statusOf(name: string): Promise<MaintenanceRunStatus | null> {
    const run = await fleet.runs.run(name)
    const status = run.ok ? run.value?.status : null
    return status == null || 'unreadable' in status ? null : status
  }

  function untilRun(name: string, phases: readonly MaintenanceRunPhase[]): Promise<string> {
    return until(`${name} is ${phases.join(' or ')}`, async () => {
      const status = await statusOf(name)
      return status !== null && phases.includes(status.phase) ? status.message : null
    })
  }

  /** From the first to the last change of a cloud, by its own records. */
  function spanOf(name: string, sinceMs: number): { readonly from: number; readonly to: number } {
    const { kubernetes } = cloudOf(name)
    const changes = kubernetes.log
      .all()
      .filter(({ at, method, path, dryRun, status }) => {
        const isOurs = path.includes('/eviction') || /^\/api\/v1\/nodes\//.test(path)
        return method !== 'GET' && isOurs && !dryRun && status < 300 && Date.parse(at) >= sinceMs
      })
      .map(({ at }) => Date.parse(at))
    return { from: Math.min(...changes), to: Math.max(...changes) }
  }

  function writesOf(campaign: string): number {
    return fleet.management.log
      .all()
      .filter(({ method, path }) => method === 'PATCH' && path.includes(`/maintenancecampaigns/${campaign}/status`))
      .length
  }
})
