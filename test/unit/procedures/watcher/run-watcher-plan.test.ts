import { describe, expect, it } from 'vitest'
import { WATCHER_ACTION, WATCHER_PLAN_CANCELLED, WATCHER_PLAN_STARTED } from '../../../../shared/domain/run-facts.ts'
import { fakeContext, fakeInstance } from '../../../fixtures/procedures/fake-world.ts'
import {
  answer,
  apply,
  check,
  FORCED,
  hosts,
  PAUSED,
  SHUTOFF,
  SUSPENDED,
  verify,
  type WatcherRun,
  watcherRun,
} from '../../../fixtures/procedures/watcher-run.ts'

const on = (id: string, more = {}) => fakeInstance(id, 'cmp-1', more)

/** Facts of one name, each as its subject and state. */
function reported(run: Pick<WatcherRun, 'ctx'>, name: string): readonly (readonly unknown[])[] {
  return run.ctx.facts.filter(({ fact }) => fact === name).map(({ subject, values }) => [subject, values.state])
}

describe("running Watcher's plan", () => {
  it('starts the plan that was shown once, follows its actions, and leaves the host empty and disabled', async () => {
    const run = await watcherRun([on('a'), on('b', SHUTOFF)])
    expect(await apply(run)).toMatchObject({ kind: 'applied', note: 'cmp-1 is empty.' })
    expect(run.watcher.asked).toEqual(['start plan-1'])
    expect(hosts(run)).toEqual({ a: 'elsewhere', b: 'elsewhere' })
    expect(run.world.asked).toEqual([])
    expect((await verify(run)).kind).toBe('holds')
  })

  it('announces the start before it, and journals every change of an action once', async () => {
    const run = await watcherRun([on('a')])
    let announced = 0
    const { start } = run.watcher.port
    run.watcher.port.start = uuid => {
      announced = run.ctx.facts.filter(({ fact, announces }) => fact === WATCHER_PLAN_STARTED && announces).length
      return start(uuid)
    }
    await apply(run)
    expect(announced).toBe(1)
    expect(reported(run, WATCHER_ACTION)).toEqual([
      ['nova-compute/cmp-1', 'ONGOING'],
      ['nova-compute/cmp-1', 'SUCCEEDED'],
      ['server/a', 'ONGOING'],
      ['server/a', 'SUCCEEDED'],
    ])
  })

  it('leaves out by the API what the operator left out, before the start', async () => {
    const run = await watcherRun([on('a'), on('b')], { excludedInstances: ['a'] })
    expect((await apply(run)).kind).toBe('applied')
    expect(run.watcher.asked).toEqual(['skip 1-a', 'start plan-1'])
    expect(hosts(run)).toEqual({ a: 'cmp-1', b: 'elsewhere' })
    expect((await verify(run)).kind).toBe('holds')
  })

  it('never runs what the operator left out where Watcher cannot leave it out, not even forced', async () => {
    const run = await watcherRun([on('a'), on('b')], { excludedInstances: ['a'], ...FORCED }, { canSkip: false })
    expect((await apply(run)).kind).toBe('failed')
    expect(run.watcher.asked).toEqual([])
  })

  it.each([true, false])(
    'moves through Nova what Watcher would get wrong (single actions left out: %s)',
    async canSkip => {
      const run = await watcherRun([on('a'), on('b', PAUSED)], { novaForRest: true }, { canSkip })
      expect((await apply(run)).kind).toBe('applied')
      expect(run.world.asked).toEqual(['live-migrate b'])
      expect(hosts(run)).toEqual({ a: 'elsewhere', b: 'elsewhere' })
      expect(run.world.instances.find(({ id }) => id === 'b')?.status).toBe('PAUSED')
      expect((await verify(run)).kind).toBe('holds')
    },
  )

  it('a suspended one that the operator forced past stays, and nothing is asked', async () => {
    const run = await watcherRun([on('a'), on('b', SUSPENDED)], FORCED, { canSkip: false })
    expect((await apply(run)).kind).toBe('applied')
    expect(hosts(run)).toEqual({ a: 'elsewhere', b: 'cmp-1' })
    expect((await verify(run)).kind).toBe('holds')
  })

  it('a failed action is asked about, named with its reason; retry moves the instance through Nova', async () => {
    const run = await watcherRun(
      [on('a'), on('b')],
      {},
      { outcome: ({ resourceId }) => (resourceId === 'a' ? 'FAILED' : 'SUCCEEDED') },
    )
    const asked = await apply(run)
    expect(asked).toMatchObject({ kind: 'question', choices: ['retry', 'skip', 'abort'], leansOnAnswer: true })
    expect(asked.kind === 'question' && asked.question).toContain("vm-a (a), ACTIVE: Watcher's live-migrate FAILED")
    expect(run.world.asked).toEqual([])
    // Asked again without an answer (a resumed run), it asks again.
    expect((await apply(run)).kind).toBe('question')
    answer(run)
    expect((await apply(run)).kind).toBe('applied')
    expect(run.world.asked).toEqual(['live-migrate a'])
    expect(run.watcher.asked).toEqual(['start plan-1'])
  })

  it('an action that Watcher calls FAILED while Nova moved the instance is not a fault', async () => {
    // Watcher gives up after 900 s; Nova continues (docs/domain.md B.2).
    const run = await watcherRun(
      [on('a')],
      {},
      {
        outcome: () => {
          run.world.instances = run.world.instances.map(instance => ({ ...instance, host: 'cmp-2' }))
          return 'FAILED'
        },
      },
    )
    expect((await apply(run)).kind).toBe('applied')
    expect((await verify(run)).kind).toBe('holds')
  })

  it('an instance that came onto the host while the plan ran is not overlooked', async () => {
    const run = await watcherRun([on('a')])
    run.watcher.onRead = () => {
      if (!hosts(run).late) run.world.instances = [...run.world.instances, on('late')]
      run.watcher.onRead = () => {}
    }
    const looked = await check(run)
    expect(looked.kind).toBe('blocked')
    run.world.instances = run.world.instances.filter(({ id }) => id !== 'late')
    run.watcher.outcome = () => {
      run.world.instances = [...run.world.instances, on('late')]
      return 'SUCCEEDED'
    }
    const asked = await apply(run)
    expect(asked.kind === 'question' && asked.question).toContain(
      "vm-late (late), ACTIVE: Watcher's plan did not have it",
    )
    expect(await verify(run)).toMatchObject({ kind: 'fails' })
  })

  it.each(['pause', 'abort'] as const)(
    'on %s the plan is cancelled, and the run names what still finishes',
    async why => {
      const run = await watcherRun([on('a'), on('b'), on('c')])
      const stop = new AbortController()
      const ctx = fakeContext(run.world, { facts: run.ctx.facts, signal: stop.signal, stoppedBy: () => why })
      let reads = 0
      run.watcher.onRead = () => {
        reads += 1
        if (reads === 4) stop.abort()
      }
      expect(await apply(run, ctx)).toEqual({ kind: 'stopped' })
      expect(run.watcher.asked).toEqual(['start plan-1', 'cancel plan-1'])
      const said = run.ctx.facts.find(({ fact }) => fact === WATCHER_PLAN_CANCELLED)
      expect(said?.values).toMatchObject({
        finishing: ['vm-a (a)', 'vm-b (b)'],
        why: expect.stringContaining('these actions still finish: vm-a (a), vm-b (b)'),
      })
      // After the resume: what was under way has finished, and the run asks about the rest.
      const resumed = await apply(run)
      expect(resumed.kind === 'question' && resumed.question).toContain(
        "vm-c (c), ACTIVE: Watcher's live-migrate was cancelled",
      )
      expect(hosts(run)).toEqual({ a: 'elsewhere', b: 'elsewhere', c: 'cmp-1' })
      expect(run.watcher.asked).toEqual(['start plan-1', 'cancel plan-1'])
    },
  )

  it.each(['detach', 'lease-lost', 'replaced', null] as const)(
    'on %s the plan continues in Watcher, and is followed when the run is resumed',
    async why => {
      const run = await watcherRun([on('a'), on('b')])
      const stop = new AbortController()
      const ctx = fakeContext(run.world, { facts: run.ctx.facts, signal: stop.signal, stoppedBy: () => why })
      let reads = 0
      run.watcher.onRead = () => {
        reads += 1
        if (reads === 4) stop.abort()
      }
      expect(await apply(run, ctx)).toEqual({ kind: 'stopped' })
      expect((await apply(run)).kind).toBe('applied')
      expect(run.watcher.asked).toEqual(['start plan-1'])
    },
  )

  it('says that nothing changes when Watcher is silent for longer than any migration may take, and continues when it answers', async () => {
    const run = await watcherRun([on('a')])
    const { plan } = run.watcher.port
    let reads = 0
    run.watcher.port.plan = async uuid => {
      reads += 1
      const found = run.watcher.plans[0]
      return reads > 4 && reads < 300 && found !== undefined ? { ok: true, value: found } : plan(uuid)
    }
    expect((await apply(run)).kind).toBe('applied')
    const said = run.ctx.facts.filter(({ fact }) => fact === 'waits-for').map(({ values }) => values.what)
    expect(said).toEqual([expect.stringContaining('a change for 16 min 3 s:'), null])
  })
})
