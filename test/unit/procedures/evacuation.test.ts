import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { evacuate } from '../../../main/procedures/steps/compute/evacuation.ts'
import { migrateInstances } from '../../../main/procedures/steps/compute/migrate-instances.ts'
import { pollIntervalMs } from '../../../main/procedures/steps/compute/move-attempt.ts'
import { StopStepping } from '../../../main/runs/engine/step.ts'
import {
  INSTANCE_MOVED,
  MIGRATION_FAILED,
  MIGRATION_REQUESTED,
  OPERATOR_RESUMED,
  TRY_AGAIN,
} from '../../../shared/domain/run-facts.ts'
import { fakeFact } from '../../fixtures/procedures/fake-records.ts'
import {
  COMPUTE,
  fakeContext,
  fakeInstance,
  fakeNode,
  fakeService,
  fakeWorld,
} from '../../fixtures/procedures/fake-world.ts'

const LIMITS = { concurrency: 1, attempts: 3 }

function worldWith(ids: readonly string[]) {
  return fakeWorld({
    nodes: [fakeNode('cmp-1', { labels: COMPUTE })],
    services: [fakeService('cmp-1'), fakeService('cmp-2')],
    instances: ids.map(id => fakeInstance(id, 'cmp-1')),
  })
}

describe('evacuating a compute host', () => {
  it('moves every instance that has to move, each asked for once', async () => {
    const world = worldWith(['a', 'b', 'c'])
    const ctx = fakeContext(world)
    expect(await evacuate('cmp-1', LIMITS, ctx)).toEqual({ kind: 'emptied', moved: 3 })
    expect(world.asked).toEqual(['live-migrate a', 'live-migrate b', 'live-migrate c'])
    expect(world.instances.map(instance => instance.host)).toEqual(['elsewhere', 'elsewhere', 'elsewhere'])
  })

  it('announces each request before it is sent', async () => {
    const world = worldWith(['a'])
    const ctx = fakeContext(world)
    const announcedWhenAsked: number[] = []
    const port = world.port.openstack
    if (port === null) throw new Error('the fake world has a cloud')
    const liveMigrate = port.liveMigrate
    port.liveMigrate = (...args) => {
      announcedWhenAsked.push(ctx.facts.filter(fact => fact.fact === MIGRATION_REQUESTED).length)
      return liveMigrate(...args)
    }
    await evacuate('cmp-1', LIMITS, ctx)
    expect(announcedWhenAsked).toEqual([1])
  })

  it('leaves stopped, suspended and poweroff-tagged instances where they are', async () => {
    const world = worldWith(['a'])
    world.instances = [
      ...world.instances,
      fakeInstance('off', 'cmp-1', { status: 'SHUTOFF', vmState: 'stopped', powerState: 4 }),
      fakeInstance('tagged', 'cmp-1', { tags: ['openstack.lcm.mirantis.com:maintenance_action=poweroff'] }),
    ]
    expect(await evacuate('cmp-1', LIMITS, fakeContext(world))).toEqual({ kind: 'emptied', moved: 1 })
    expect(world.asked).toEqual(['live-migrate a'])
  })

  it('tries a failing instance as often as allowed, and the others are not held up', async () => {
    const world = worldWith(['bad', 'good'])
    world.behaviour = id => (id === 'bad' ? 'fail' : 'move')
    const ctx = fakeContext(world)
    const answer = await evacuate('cmp-1', LIMITS, ctx)
    expect(answer.kind).toBe('unresolved')
    expect(world.asked).toEqual(['live-migrate bad', 'live-migrate good', 'live-migrate bad', 'live-migrate bad'])
    expect(ctx.facts.filter(fact => fact.fact === MIGRATION_FAILED).map(fact => fact.values.attempt)).toEqual([1, 2, 3])
  })

  it('counts attempts from one again once a person said so, and not before', async () => {
    const world = worldWith(['bad'])
    world.behaviour = (_id, attempt) => (attempt <= 3 ? 'fail' : 'move')
    const ctx = fakeContext(world)
    expect((await evacuate('cmp-1', LIMITS, ctx)).kind).toBe('unresolved')
    expect(await evacuate('cmp-1', LIMITS, ctx), 'a driver that takes the run over').toMatchObject({
      kind: 'unresolved',
      instances: [{ why: { message: 'the migration to elsewhere failed (gave up after 3 attempts)' } }],
    })
    expect(world.asked).toHaveLength(3)
    ctx.report(TRY_AGAIN, 'migrate-instances', { choice: 'retry' })
    expect(await evacuate('cmp-1', LIMITS, ctx)).toEqual({ kind: 'emptied', moved: 1 })
  })

  it('makes one attempt more for a person who resumes a run that failed', async () => {
    const world = worldWith(['bad'])
    world.behaviour = () => 'fail'
    const ctx = fakeContext(world)
    await evacuate('cmp-1', LIMITS, ctx)
    for (const made of [4, 5]) {
      ctx.report(OPERATOR_RESUMED, 'migrate-instances')
      await evacuate('cmp-1', LIMITS, ctx)
      await evacuate('cmp-1', LIMITS, ctx)
      expect(world.asked).toHaveLength(made)
    }
  })

  it('succeeds when a later attempt does', async () => {
    const world = worldWith(['a'])
    world.behaviour = (_id, attempt) => (attempt === 1 ? 'fail' : 'move')
    expect(await evacuate('cmp-1', LIMITS, fakeContext(world))).toEqual({ kind: 'emptied', moved: 1 })
    expect(world.asked).toHaveLength(2)
  })

  it('stops at once when a rule forbids live migration', async () => {
    const world = worldWith(['a', 'b'])
    world.behaviour = () => 'forbid'
    const answer = await evacuate('cmp-1', LIMITS, fakeContext(world))
    expect(answer).toMatchObject({ kind: 'failed', failure: { code: 'not-permitted' } })
    expect(world.asked).toEqual(['live-migrate a'])
  })

  it('starts nothing once the run stops', async () => {
    const world = worldWith(['a', 'b'])
    const controller = new AbortController()
    const ctx = fakeContext(world, { signal: controller.signal })
    const port = world.port.openstack
    if (port === null) throw new Error('the fake world has a cloud')
    const liveMigrate = port.liveMigrate
    port.liveMigrate = (...args) => {
      controller.abort()
      return liveMigrate(...args)
    }
    expect(await evacuate('cmp-1', LIMITS, ctx)).toEqual({ kind: 'stopped' })
    expect(world.asked).toEqual(['live-migrate a'])
  })

  it('when every announcement is refused at once (a lost lease), nothing is requested and one refusal is passed on', async () => {
    const world = worldWith(['a', 'b', 'c'])
    const ctx = {
      ...fakeContext(world),
      announce: () => {
        throw new StopStepping('the lease is lost')
      },
    }
    await expect(evacuate('cmp-1', { concurrency: 3, attempts: 3 }, ctx)).rejects.toThrow(StopStepping)
    expect(world.asked).toEqual([])
  })

  it('never moves two members of one server group at once (domain.md E.10)', async () => {
    const world = worldWith([])
    world.instances = ['a', 'b', 'c'].map(id =>
      fakeInstance(id, 'cmp-1', { serverGroupIds: id === 'c' ? [] : ['group'] }),
    )
    const ctx = fakeContext(world)
    const atOnce: string[][] = []
    const port = world.port.openstack
    if (port === null) throw new Error('the fake world has a cloud')
    const liveMigrate = port.liveMigrate
    port.liveMigrate = async (...args) => {
      const answer = await liveMigrate(...args)
      atOnce.push(world.instances.filter(instance => instance.taskState === 'migrating').map(instance => instance.id))
      return answer
    }
    await evacuate('cmp-1', { concurrency: 3, attempts: 3 }, ctx)
    expect(atOnce.every(ids => ids.filter(id => id !== 'c').length <= 1)).toBe(true)
    expect(atOnce.some(ids => ids.length === 2)).toBe(true)
  })

  it('keeps within the concurrency, whatever the number of instances (property)', async () => {
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 1, max: 12 }), fc.integer({ min: 1, max: 5 }), async (many, concurrency) => {
        const world = worldWith(Array.from({ length: many }, (_, index) => `i${index}`))
        const port = world.port.openstack
        if (port === null) throw new Error('the fake world has a cloud')
        let most = 0
        const liveMigrate = port.liveMigrate
        port.liveMigrate = async (...args) => {
          const answer = await liveMigrate(...args)
          most = Math.max(most, world.instances.filter(instance => instance.taskState === 'migrating').length)
          return answer
        }
        expect(await evacuate('cmp-1', { concurrency, attempts: 3 }, fakeContext(world))).toEqual({
          kind: 'emptied',
          moved: many,
        })
        expect(most).toBeLessThanOrEqual(concurrency)
      }),
      { numRuns: 30 },
    )
  })
})

describe('an evacuation taken up after an interruption', () => {
  const requested = (knownMigrationId: number) =>
    fakeFact(
      MIGRATION_REQUESTED,
      'server/a',
      { name: 'vm-a', attempt: 1, source: 'cmp-1', statusBefore: 'ACTIVE', knownMigrationId },
      { announces: true },
    )

  it('follows a migration under way instead of asking for another', async () => {
    const first = worldWith(['a'])
    await first.port.openstack?.liveMigrate('a', null)
    first.asked.length = 0
    const ctx = fakeContext(first, { facts: [requested(0)], resumed: true })
    expect(await evacuate('cmp-1', LIMITS, ctx)).toEqual({ kind: 'emptied', moved: 1 })
    expect(first.asked).toEqual([])
    expect(ctx.facts.at(-1)).toMatchObject({ fact: INSTANCE_MOVED, values: { attempt: 1 } })
  })

  it('ends what is under way, and tells what arrived, before it asks for more', async () => {
    const world = worldWith(['b', 'a'])
    world.instances = [...world.instances, fakeInstance('c', 'elsewhere')]
    await world.port.openstack?.liveMigrate('a', null)
    const facts = [requested(0), { ...requested(0), subject: 'server/c' }]
    const ctx = fakeContext(world, { facts, resumed: true })
    expect(await evacuate('cmp-1', LIMITS, ctx)).toEqual({ kind: 'emptied', moved: 3 })
    const reported = ctx.facts.filter(({ fact }) => fact === INSTANCE_MOVED || fact === MIGRATION_REQUESTED)
    expect(reported.slice(2).map(({ fact, subject }) => `${fact} ${subject}`)).toEqual([
      `${INSTANCE_MOVED} server/c`,
      `${INSTANCE_MOVED} server/a`,
      `${MIGRATION_REQUESTED} server/b`,
      `${INSTANCE_MOVED} server/b`,
    ])
  })

  it('journals the arrival of an instance that left in the meantime', async () => {
    const world = worldWith([])
    world.instances = [fakeInstance('a', 'elsewhere')]
    const ctx = fakeContext(world, { facts: [requested(0)], resumed: true })
    expect(await evacuate('cmp-1', LIMITS, ctx)).toEqual({ kind: 'emptied', moved: 1 })
    expect(world.asked).toEqual([])
    expect(ctx.facts.at(-1)).toMatchObject({ fact: INSTANCE_MOVED, subject: 'server/a' })
  })

  it('asks again, as the same attempt, when the announced request never reached Nova', async () => {
    const world = worldWith(['a'])
    const ctx = fakeContext(world, { facts: [requested(0)], resumed: true })
    expect(await evacuate('cmp-1', LIMITS, ctx)).toEqual({ kind: 'emptied', moved: 1 })
    expect(world.asked).toEqual(['live-migrate a'])
    expect(ctx.facts.filter(fact => fact.fact === MIGRATION_REQUESTED).map(fact => fact.values.attempt)).toEqual([1, 1])
  })

  it('counts an attempt that failed while nobody watched', async () => {
    const world = worldWith(['a'])
    world.behaviour = (_id, attempt) => (attempt === 1 ? 'fail' : 'move')
    await world.port.openstack?.liveMigrate('a', null)
    for (let look = 0; look < 5; look += 1) await world.port.openstack?.getInstance('a')
    const ctx = fakeContext(world, { facts: [requested(0)], resumed: true })
    expect(await evacuate('cmp-1', LIMITS, ctx)).toEqual({ kind: 'emptied', moved: 1 })
    expect(ctx.facts.filter(fact => fact.fact === MIGRATION_REQUESTED).map(fact => fact.values.attempt)).toEqual([1, 2])
  })
})

describe('verifying that a host is empty of what had to move', () => {
  it('holds only when each moved instance is as it was before, on another host', async () => {
    const world = worldWith(['a'])
    const ctx = fakeContext(world)
    await evacuate('cmp-1', LIMITS, ctx)
    expect((await migrateInstances.verify?.({ node: 'cmp-1' }, ctx))?.kind).toBe('holds')
    world.instances = world.instances.map(instance => ({ ...instance, status: 'ERROR', vmState: 'error' }))
    expect((await migrateInstances.verify?.({ node: 'cmp-1' }, ctx))?.kind).toBe('fails')
  })

  it('does not hold the owner’s own stop against the run', async () => {
    const world = worldWith(['a'])
    const ctx = fakeContext(world)
    await evacuate('cmp-1', LIMITS, ctx)
    world.instances = world.instances.map(instance => ({
      ...instance,
      status: 'SHUTOFF',
      vmState: 'stopped',
      powerState: 4,
    }))
    expect((await migrateInstances.verify?.({ node: 'cmp-1' }, ctx))?.kind).toBe('fails')
    world.actions.set('a', [{ action: 'stop', requestId: 'req', startedAt: '2027-01-01T00:00:00Z', message: null }])
    expect((await migrateInstances.verify?.({ node: 'cmp-1' }, ctx))?.kind).toBe('holds')
  })

  it('fails for an instance in ERROR, also where its owner did something to it since', async () => {
    const world = worldWith(['a'])
    const ctx = fakeContext(world)
    await evacuate('cmp-1', LIMITS, ctx)
    world.instances = world.instances.map(instance => ({ ...instance, status: 'ERROR', vmState: 'error' }))
    world.actions.set('a', [{ action: 'reboot', requestId: 'req', startedAt: '2027-01-01T00:00:00Z', message: null }])
    expect((await migrateInstances.verify?.({ node: 'cmp-1' }, ctx))?.kind).toBe('fails')
  })

  it('fails while an instance that has to move is on the host', async () => {
    const world = worldWith(['a'])
    expect((await migrateInstances.verify?.({ node: 'cmp-1' }, fakeContext(world)))?.kind).toBe('fails')
  })
})

describe('how often a migration is read', () => {
  it.each([
    [0, 250],
    [500, 100],
    [3_000, 150],
    [10_000, 500],
    [600_000, 5_000],
  ])('after %i ms: every %i ms', (elapsed, interval) => {
    expect(pollIntervalMs(elapsed)).toBe(interval)
  })
})
