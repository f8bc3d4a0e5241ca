import { describe, expect, it } from 'vitest'
import { WATCHER_ACTION, WATCHER_PLAN_OVER } from '../../../../shared/domain/run-facts.ts'
import { fakeInstance } from '../../../fixtures/procedures/fake-world.ts'
import { apply, check, SHUTOFF, verify, type WatcherRun, watcherRun } from '../../../fixtures/procedures/watcher-run.ts'

const on = (id: string, more = {}) => fakeInstance(id, 'cmp-1', more)

/** Facts of one name, each as its subject and state. */
function reported(run: Pick<WatcherRun, 'ctx'>, name: string): readonly (readonly unknown[])[] {
  return run.ctx.facts.filter(({ fact }) => fact === name).map(({ subject, values }) => [subject, values.state])
}

describe('verifying that a host is empty', () => {
  it.each([
    [
      'nova-compute is enabled again',
      (run: WatcherRun) => {
        run.world.services = run.world.services.map(service => ({ ...service, status: 'enabled' }))
      },
      'enabled',
    ],
    [
      'nova-compute is down',
      (run: WatcherRun) => {
        run.world.services = run.world.services.map(service => ({ ...service, state: 'down' }))
      },
      'down',
    ],
    [
      'an instance is back',
      (run: WatcherRun) => {
        run.world.instances = run.world.instances.map(instance => ({ ...instance, host: 'cmp-1' }))
      },
      'vm-a (a)',
    ],
    [
      'a moved instance is in ERROR',
      (run: WatcherRun) => {
        run.world.instances = run.world.instances.map(instance => ({ ...instance, status: 'ERROR' }))
      },
      'ERROR on elsewhere',
    ],
    [
      'a cold migration waits to be confirmed',
      (run: WatcherRun) => {
        run.world.instances = run.world.instances.map(instance => ({ ...instance, status: 'VERIFY_RESIZE' }))
      },
      'VERIFY_RESIZE',
    ],
  ])('fails when %s', async (_what, breakIt, named) => {
    const run = await watcherRun([on('a')])
    await apply(run)
    expect((await verify(run)).kind).toBe('holds')
    breakIt(run)
    expect(await verify(run)).toMatchObject({ kind: 'fails', reason: expect.stringContaining(named) })
  })
})

describe('defects of docs/domain.md B.1', () => {
  it('(1) with both migrations ruled out active instances are stopped by the plan, and it does not stumble over that', async () => {
    const run = await watcherRun([on('a')], { disableMigration: 'both' })
    const looked = await check(run)
    expect(looked.effects).toContainEqual(expect.objectContaining({ id: 'a', action: 'stop', source: 'watcher' }))
    expect((await apply(run)).kind).toBe('applied')
    expect(run.world.instances).toMatchObject([{ id: 'a', host: 'cmp-1', status: 'SHUTOFF' }])
  })

  it('(2) two instances of one name keep their own results', async () => {
    const run = await watcherRun(
      [on('a', { name: 'web' }), on('b', { name: 'web' })],
      {},
      {
        outcome: ({ resourceId }) => (resourceId === 'a' ? 'FAILED' : 'SUCCEEDED'),
      },
    )
    const asked = await apply(run)
    expect(reported(run, WATCHER_ACTION).filter(([, state]) => state !== 'ONGOING')).toEqual([
      ['nova-compute/cmp-1', 'SUCCEEDED'],
      ['server/a', 'FAILED'],
      ['server/b', 'SUCCEEDED'],
    ])
    expect(asked.kind === 'question' && asked.question).toContain('1 instance still on cmp-1: web (a)')
  })

  it('(3) with migration ruled out, verify expects exactly the stopped ones on the host, without force', async () => {
    const run = await watcherRun([on('a'), on('b', SHUTOFF)], { disableMigration: 'both' })
    await apply(run)
    expect(await verify(run)).toMatchObject({
      kind: 'holds',
      reason: expect.stringContaining('only what stays by choice (2 instances)'),
    })
    run.world.instances = run.world.instances.map(instance =>
      instance.id === 'a' ? { ...instance, status: 'ACTIVE', vmState: 'active' } : instance,
    )
    expect(await verify(run)).toMatchObject({ kind: 'fails', reason: expect.stringContaining('vm-a (a), ACTIVE') })
  })

  it('(4) after a partial failure nothing is left half done in silence: what is left is asked about, with a way on', async () => {
    const run = await watcherRun(
      [on('a'), on('b')],
      {},
      { outcome: ({ resourceId }) => (resourceId === 'a' ? 'FAILED' : 'SUCCEEDED') },
    )
    expect(await apply(run)).toMatchObject({ kind: 'question', choices: ['retry', 'skip', 'abort'] })
    expect(await verify(run)).toMatchObject({ kind: 'fails' })
  })

  it.each([
    [
      'an instance came',
      (run: WatcherRun) => {
        run.world.instances = [...run.world.instances, on('new')]
      },
    ],
    [
      'an instance was stopped',
      (run: WatcherRun) => {
        run.world.instances = run.world.instances.map(instance => ({ ...instance, ...SHUTOFF }))
      },
    ],
    [
      'the plan was cancelled',
      (run: WatcherRun) => {
        run.watcher.plans = run.watcher.plans.map(plan => ({ ...plan, state: 'CANCELLED' }))
      },
    ],
  ])('(5) what changed between plan and apply is seen: %s, so nothing is started', async (_what, change) => {
    const run = await watcherRun([on('a')])
    expect((await check(run)).kind).toBe('ready')
    change(run)
    expect(await apply(run)).toMatchObject({ kind: 'failed', failure: { code: 'conflict' } })
    expect(run.watcher.asked).toEqual([])
  })

  it('a plan that calls itself SUCCEEDED although an action failed is not believed (LP 2106407)', async () => {
    const run = await watcherRun([on('a')], {}, { outcome: () => 'FAILED', callsEverythingSucceeded: true })
    expect((await apply(run)).kind).toBe('question')
    expect(run.watcher.plans[0]?.state).toBe('SUCCEEDED')
    expect(run.ctx.facts.find(({ fact }) => fact === WATCHER_PLAN_OVER)?.values).toMatchObject({
      state: 'SUCCEEDED',
      failed: 1,
    })
  })

  it('an action that says SUCCEEDED while the instance is still there is not believed either', async () => {
    const run = await watcherRun([on('a')], {}, { outcome: () => 'stays' })
    expect((await apply(run)).kind).toBe('question')
    expect((await verify(run)).kind).toBe('fails')
  })
})
