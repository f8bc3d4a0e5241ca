import { describe, expect, it } from 'vitest'
import { tagOf } from '../../../../shared/domain/instance-tags.ts'
import type { CheckAnswer } from '../../../../shared/domain/step-answers.ts'
import { fakeInstance } from '../../../fixtures/procedures/fake-world.ts'
import {
  check,
  PAUSED,
  SHUTOFF,
  SUSPENDED,
  type WatcherRun,
  watcherRun,
} from '../../../fixtures/procedures/watcher-run.ts'

const on = (id: string, more = {}) => fakeInstance(id, 'cmp-1', more)

function blockersOf(answer: CheckAnswer) {
  return answer.kind === 'blocked' ? answer.blockers.map(({ code, override }) => [code, override.kind]) : answer.kind
}

function fateOf(answer: CheckAnswer) {
  return Object.fromEntries(
    answer.effects.flatMap(effect => (effect.kind === 'instance' ? [[effect.id, [effect.action, effect.source]]] : [])),
  )
}

describe("checking Watcher's plan", () => {
  it('shows one line an action: the service, and each instance with what happens to it', async () => {
    const run = await watcherRun([on('a'), on('b', SHUTOFF)])
    const answer = await check(run)
    expect(answer.kind).toBe('ready')
    expect(answer.effects[0]).toEqual({
      kind: 'change',
      target: 'nova-compute on cmp-1',
      from: 'enabled',
      to: 'disabled',
    })
    expect(fateOf(answer)).toEqual({ a: ['live_migrate', 'watcher'], b: ['cold_migrate', 'watcher'] })
    expect(run.watcher.asked).toEqual([])
  })

  it('names the host an instance goes to where Watcher does, and says when the backup host has no room', async () => {
    const run = await watcherRun([on('a'), on('b')], { backupNode: 'cmp-2' })
    const to = (id: string) => (action: { readonly resourceId: string }) => action.resourceId === id
    run.watcher.plans = run.watcher.plans.map(plan => ({
      ...plan,
      actions: plan.actions.map(action => (to('a')(action) ? { ...action, destination: 'cmp-2' } : action)),
    }))
    const answer = await check(run)
    const reasons = answer.effects.flatMap(effect => (effect.kind === 'instance' ? [effect.reason] : []))
    expect(reasons).toEqual(['moves to cmp-2 by live migration', 'moves to another host by live migration'])
    expect(answer.warnings.map(({ message }) => message)).toEqual([
      expect.stringContaining('Not everything goes to cmp-2'),
    ])
  })

  it.each([
    ['PAUSED', PAUSED],
    ['SUSPENDED', SUSPENDED],
    ['ERROR', { status: 'ERROR', vmState: 'error' }],
  ])('%s is planned cold by Watcher and refused by Nova: blocks, forceable', async (_status, state) => {
    expect(blockersOf(await check(await watcherRun([on('a', state)])))).toEqual([['InstanceMoveImpossible', 'flag']])
  })

  it('a paused one is moved through Nova when the operator says so', async () => {
    const answer = await check(await watcherRun([on('a', PAUSED)], { novaForRest: true }))
    expect(answer.kind).toBe('ready')
    expect(fateOf(answer)).toEqual({ a: ['live_migrate', 'operator'] })
  })

  it.each([
    [
      'an instance came onto the host since',
      (run: WatcherRun) => run.world.instances.push(on('new')),
      'InstanceNotInPlan',
      'flag',
    ],
    [
      'an instance left the host since and this Watcher cannot leave its action out',
      (run: WatcherRun) => {
        run.world.instances = run.world.instances.map(instance => ({ ...instance, host: 'cmp-2' }))
        run.watcher.canSkip = false
      },
      'InstanceLeftSincePlan',
      'never',
    ],
    [
      'an instance was stopped since',
      (run: WatcherRun) => {
        run.world.instances = run.world.instances.map(instance => ({ ...instance, ...SHUTOFF }))
      },
      'InstanceChangedSincePlan',
      'never',
    ],
    [
      'the plan is superseded',
      (run: WatcherRun) => {
        run.watcher.plans = run.watcher.plans.map(plan => ({ ...plan, state: 'SUPERSEDED' }))
      },
      'WatcherPlanSuperseded',
      'never',
    ],
    [
      'somebody else started it',
      (run: WatcherRun) => {
        run.watcher.plans = run.watcher.plans.map(plan => ({ ...plan, state: 'ONGOING' }))
      },
      'WatcherPlanStartedElsewhere',
      'never',
    ],
    [
      'the plan is gone',
      (run: WatcherRun) => {
        run.watcher.plans = []
      },
      'NotRead',
      'never',
    ],
    [
      'there is no other host to go to',
      (run: WatcherRun) => {
        run.world.services = run.world.services.slice(0, 1)
      },
      'NoOtherHostForInstances',
      'flag',
    ],
    [
      'nova-compute is down',
      (run: WatcherRun) => {
        run.world.services = run.world.services.map(service =>
          service.host === 'cmp-1' ? { ...service, state: 'down' } : service,
        )
      },
      'NovaComputeDown',
      'never',
    ],
    [
      'the plan disables no service while it is enabled',
      (run: WatcherRun) => {
        run.watcher.plans = run.watcher.plans.map(plan => ({ ...plan, actions: plan.actions.slice(1) }))
        run.input.actions.shift()
      },
      'WatcherPlanDisablesNothing',
      'never',
    ],
    [
      'the plan is of another host',
      (run: WatcherRun) => {
        Object.assign(run.input, { host: 'cmp-2' })
      },
      'WatcherPlanOfOtherHost',
      'never',
    ],
    [
      'an action is of a type nobody knows',
      (run: WatcherRun) => {
        run.watcher.plans = run.watcher.plans.map(plan => ({
          ...plan,
          actions: plan.actions.map((action, index) =>
            index === 0 ? action : { ...action, kind: 'other' as const, type: 'nop' },
          ),
        }))
        run.world.instances = []
      },
      'WatcherActionUnknown',
      'flag',
    ],
  ] as const)('blocks when %s', async (_what, breakIt, code, override) => {
    const run = await watcherRun([on('a')])
    expect((await check(run)).kind).toBe('ready')
    breakIt(run)
    expect(blockersOf(await check(run))).toEqual([[code, override]])
  })

  it('an action whose instance left is skipped where Watcher can, and the run says so', async () => {
    const run = await watcherRun([on('a'), on('b')])
    run.world.instances = run.world.instances.map(instance =>
      instance.id === 'a' ? { ...instance, host: 'cmp-2' } : instance,
    )
    const answer = await check(run)
    expect(answer.kind).toBe('ready')
    expect(answer.warnings.map(({ message }) => message)).toEqual([expect.stringContaining('vm-a (a)')])
  })

  it('one that is left out stays; where Watcher cannot leave it out, nothing lifts that', async () => {
    const excluded = { excludedInstances: ['a'] }
    const able = await check(await watcherRun([on('a'), on('b')], excluded))
    expect(fateOf(able)).toEqual({ a: ['ignore', 'operator'], b: ['live_migrate', 'watcher'] })
    const unable = await check(await watcherRun([on('a'), on('b')], excluded, { canSkip: false }))
    expect(blockersOf(unable)).toEqual([['InstanceCannotBeLeftOut', 'never']])
  })

  it('says when what is left out is not on the host: a name in place of an id would leave nothing out', async () => {
    const answer = await check(await watcherRun([on('a')], { excludedInstances: ['vm-a'] }))
    expect(answer).toMatchObject({
      kind: 'blocked',
      blockers: [{ code: 'LeftOutInstanceNotFound', override: { kind: 'never' } }],
    })
    expect(fateOf(answer)).toEqual({ a: ['live_migrate', 'watcher'] })
  })

  it("says that an owner's tag is not followed: Watcher does not know of tags", async () => {
    const answer = await check(await watcherRun([on('a', { tags: [tagOf('poweroff')] }), on('b')]))
    const warned = answer.effects.flatMap(effect => (effect.kind === 'instance' ? [[effect.id, effect.warnings]] : []))
    expect(warned).toEqual([
      ['a', ["Watcher ignores tags, so it does not follow its owner's poweroff"]],
      ['b', []],
    ])
  })

  it.each([
    ['is off already', SHUTOFF, {}],
    ['is stopped here by the plan', {}, { disableMigration: 'both' }],
  ] as const)('says nothing of an owner’s poweroff where the instance %s', async (_why, state, options) => {
    const answer = await check(await watcherRun([on('a', { ...state, tags: [tagOf('poweroff')] })], options))
    const warned = answer.effects.flatMap(effect => (effect.kind === 'instance' ? effect.warnings : []))
    expect(warned.filter(words => words.includes('poweroff'))).toEqual([])
  })

  it('an empty plan for an empty and disabled host is nothing to do, for an occupied one it is stale', async () => {
    const run = await watcherRun([])
    run.input.actions.length = 0
    run.world.services = run.world.services.map(service => ({
      ...service,
      status: 'disabled',
      disabledReason: 'watcher_maintaining',
    }))
    expect((await check(run)).kind).toBe('done')
    run.world.instances.push(on('a'))
    expect(blockersOf(await check(run))).toEqual([['InstanceNotInPlan', 'flag']])
  })

  it('evidence names every instance by its id', async () => {
    const { evidence } = await check(await watcherRun([on('a', { name: 'web' }), on('b', { name: 'web' })]))
    expect(evidence.map(({ subject }) => subject)).toEqual(
      expect.arrayContaining(['watcher-plan/plan-1', 'server/a (web)', 'server/b (web)']),
    )
  })
})
