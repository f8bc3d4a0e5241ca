import { describe, expect, it } from 'vitest'
import { destinationsExist } from '../../../main/procedures/steps/compute/destinations-exist.ts'
import { evacuate } from '../../../main/procedures/steps/compute/evacuation.ts'
import { instancesClassified } from '../../../main/procedures/steps/compute/instances-classified.ts'
import { migrateInstances } from '../../../main/procedures/steps/compute/migrate-instances.ts'
import { StopStepping } from '../../../main/runs/engine/step.ts'
import { failure } from '../../../shared/domain/failure.ts'
import { must } from '../../../shared/domain/must.ts'
import type { Instance, InstanceAction } from '../../../shared/domain/openstack.ts'
import type { RunOptions } from '../../../shared/domain/plan.ts'
import { failed, ok } from '../../../shared/domain/result.ts'
import type { RunFact } from '../../../shared/domain/run.ts'
import {
  CONFIRM_REQUESTED,
  INSTANCE_DECIDED,
  INSTANCE_MOVED,
  INSTANCE_SETTLED,
  INSTANCE_STOPPED,
  MIGRATION_REQUESTED,
  STOP_REQUESTED,
} from '../../../shared/domain/run-facts.ts'
import { type ColdMoves, playColdMoves } from '../../fixtures/procedures/cold-moves.ts'
import { fakeFact, fakeMigration } from '../../fixtures/procedures/fake-records.ts'
import {
  COMPUTE,
  fakeCluster,
  fakeContext,
  fakeInstance,
  fakeNode,
  fakeService,
  fakeWorld,
} from '../../fixtures/procedures/fake-world.ts'

const LIMITS = { concurrency: 1, attempts: 2 }
const COLD: Partial<RunOptions> = { strategy: 'nova', coldMigration: true }
const NEITHER: Partial<RunOptions> = { strategy: 'nova', disableMigration: 'both' }
const INPUT = { node: 'cmp-1' }

function stopped(id: string): Instance {
  return fakeInstance(id, 'cmp-1', { status: 'SHUTOFF', vmState: 'stopped', powerState: 4 })
}

function worldOf(instances: readonly Instance[], moves: Partial<ColdMoves> = {}) {
  const world = fakeWorld({
    nodes: [fakeNode('cmp-1', { labels: COMPUTE })],
    services: [fakeService('cmp-1'), fakeService('cmp-2')],
    instances: [...instances],
  })
  playColdMoves(world, { behaviour: 'arrives', stopBehaviour: 'stops', ...moves })
  return world
}

describe('stopped instances that are to move too', () => {
  it('are migrated cold, confirmed once, and stay stopped', async () => {
    const world = worldOf([stopped('off')])
    const ctx = fakeContext(world, { options: COLD })
    expect(await evacuate('cmp-1', LIMITS, ctx)).toEqual({ kind: 'emptied', moved: 1 })
    expect(world.asked).toEqual(['cold-migrate off', 'confirm off'])
    expect(world.instances[0]).toMatchObject({ host: 'elsewhere', status: 'SHUTOFF' })
    expect(await migrateInstances.verify?.(INPUT, ctx)).toMatchObject({ kind: 'holds' })
  })

  it('are left alone unless asked for', async () => {
    const world = worldOf([stopped('off')])
    await evacuate('cmp-1', LIMITS, fakeContext(world, { options: { strategy: 'nova' } }))
    expect(world.asked).toEqual([])
  })

  it('are Watcher’s or the OpenStack Controller’s matter where these do the moving', async () => {
    const byWatcher = worldOf([stopped('off')])
    await evacuate('cmp-1', LIMITS, fakeContext(byWatcher, { options: { ...COLD, strategy: 'watcher' } }))
    const mosk = worldOf([stopped('off')])
    Object.assign(mosk.port, { cluster: fakeCluster({ flavour: 'mosk' }) })
    await evacuate('cmp-1', LIMITS, fakeContext(mosk, { options: COLD }))
    expect([byWatcher.asked, mosk.asked]).toEqual([[], []])
  })

  it('that Nova confirmed meanwhile are not confirmed again', async () => {
    const world = worldOf([stopped('off')], { behaviour: 'auto' })
    const ctx = fakeContext(world, { options: COLD })
    expect(await evacuate('cmp-1', LIMITS, ctx)).toEqual({ kind: 'emptied', moved: 1 })
    expect(world.asked).toEqual(['cold-migrate off'])
  })

  it('for which Nova finds no host are tried as often as allowed, then an operator is asked', async () => {
    const world = worldOf([stopped('off')], { behaviour: 'no-host' })
    const answer = await evacuate('cmp-1', LIMITS, fakeContext(world, { options: COLD }))
    expect(answer).toMatchObject({ kind: 'unresolved', instances: [{ name: 'vm-off', id: 'off' }] })
    expect(world.asked).toEqual(['cold-migrate off', 'cold-migrate off'])
  })

  it('that end in ERROR are not tried again', async () => {
    const world = worldOf([stopped('off')], { behaviour: 'error-on-arrival' })
    const answer = await evacuate('cmp-1', LIMITS, fakeContext(world, { options: COLD }))
    expect(answer).toMatchObject({
      kind: 'unresolved',
      instances: [{ why: { message: expect.stringContaining('ERROR') } }],
    })
    expect(world.asked).toEqual(['cold-migrate off'])
  })

  it('whose arrival cannot be confirmed are named, with their place', async () => {
    const world = worldOf([stopped('off')], { behaviour: 'confirm-refused' })
    const answer = await evacuate('cmp-1', LIMITS, fakeContext(world, { options: COLD }))
    expect(answer).toMatchObject({
      instances: [{ why: { message: expect.stringMatching(/it arrived on elsewhere/) } }],
    })
    expect(world.asked.filter(asked => asked.startsWith('cold'))).toHaveLength(1)
  })

  it('that Nova’s policy forbids to migrate end the step at once', async () => {
    const world = worldOf([stopped('a'), stopped('b')], { behaviour: 'forbid' })
    const answer = await evacuate('cmp-1', LIMITS, fakeContext(world, { options: COLD }))
    expect(answer).toMatchObject({ kind: 'failed', failure: { code: 'not-permitted' } })
    expect(world.asked).toEqual(['cold-migrate a'])
  })
})

describe('a death at any moment of a cold migration', () => {
  /** The process dies after the given number of readings or requests; Nova continues what it requested. */
  async function dieAfter(calls: number) {
    const world = worldOf([stopped('off')])
    const facts: RunFact[] = []
    const controller = new AbortController()
    const port = must(world.port.openstack, 'the fake world has a cloud')
    let made = 0
    for (const name of ['getInstance', 'coldMigrate', 'confirmResize', 'migrations'] as const) {
      const real = port[name] as (...args: unknown[]) => unknown
      Object.assign(port, {
        [name]: (...args: unknown[]) => {
          made += 1
          if (made === calls) controller.abort()
          return real(...args)
        },
      })
    }
    const first = await evacuate(
      'cmp-1',
      LIMITS,
      fakeContext(world, { options: COLD, facts, signal: controller.signal }),
    )
    const ctx = fakeContext(world, { options: COLD, facts, resumed: true })
    if (first.kind === 'stopped') await evacuate('cmp-1', LIMITS, ctx)
    return { world, ctx, diedInTheMiddle: first.kind === 'stopped' }
  }

  it.each(Array.from({ length: 14 }, (_, index) => index + 1))(
    'after %i calls: it is migrated once, confirmed once and holds',
    async calls => {
      const { world, ctx } = await dieAfter(calls)
      expect(world.asked).toEqual(['cold-migrate off', 'confirm off'])
      expect(world.instances[0]).toMatchObject({ host: 'elsewhere', status: 'SHUTOFF' })
      expect(ctx.facts.filter(({ fact }) => fact === INSTANCE_MOVED)).toHaveLength(1)
      expect(await migrateInstances.verify?.(INPUT, ctx)).toMatchObject({ kind: 'holds' })
    },
  )

  it('happens in the middle for most of these moments', async () => {
    const deaths = await Promise.all(Array.from({ length: 14 }, (_, index) => dieAfter(index + 1)))
    expect(deaths.filter(({ diedInTheMiddle }) => diedInTheMiddle).length).toBeGreaterThan(8)
  })

  it('between the announcement and the request: the request counts as the same attempt', async () => {
    const world = worldOf([stopped('off')])
    const facts: RunFact[] = []
    const dying = fakeContext(world, { options: COLD, facts })
    const died = {
      ...dying,
      announce: (...args: Parameters<typeof dying.announce>) => {
        dying.announce(...args)
        throw new StopStepping('the process ended here')
      },
    }
    await expect(evacuate('cmp-1', LIMITS, died)).rejects.toThrow(StopStepping)
    expect(world.asked).toEqual([])
    await evacuate('cmp-1', LIMITS, fakeContext(world, { options: COLD, facts, resumed: true }))
    expect(world.asked).toEqual(['cold-migrate off', 'confirm off'])
    const attempts = facts.filter(({ fact }) => fact === MIGRATION_REQUESTED).map(({ values }) => values.attempt)
    expect(attempts).toEqual([1, 1])
  })

  it('each confirmation is announced before it is sent', async () => {
    const world = worldOf([stopped('off')])
    const ctx = fakeContext(world, { options: COLD })
    const port = must(world.port.openstack, 'the fake world has a cloud')
    const confirm = port.confirmResize
    const announced: number[] = []
    port.confirmResize = (...args) => {
      announced.push(ctx.facts.filter(({ fact }) => fact === CONFIRM_REQUESTED).length)
      return confirm(...args)
    }
    await evacuate('cmp-1', LIMITS, ctx)
    expect(announced).toEqual([1])
  })
})

describe('migration ruled out by the operator', () => {
  it('of both ways: running instances are stopped, stopped ones stay, and exactly these are left', async () => {
    const world = worldOf([fakeInstance('on', 'cmp-1'), stopped('off')])
    const ctx = fakeContext(world, { options: NEITHER })
    const applied = await migrateInstances.apply?.(INPUT, ctx)
    expect(applied).toMatchObject({ kind: 'applied', note: expect.stringContaining('vm-on (on)') })
    expect(world.asked).toEqual(['stop on'])
    expect(world.instances.map(({ host, status }) => `${host} ${status}`)).toEqual(['cmp-1 SHUTOFF', 'cmp-1 SHUTOFF'])
    const answer = await migrateInstances.verify?.(INPUT, ctx)
    expect(answer).toMatchObject({
      kind: 'holds',
      evidence: [
        { values: { staying: ['off', 'on'] } },
        { subject: 'second look at the instances on cmp-1', values: { by: 'Placement', named: 2 } },
        { subject: 'server/off (vm-off)', values: { now: 'SHUTOFF', host: 'cmp-1' } },
        { subject: 'server/on (vm-on)', values: { now: 'SHUTOFF', host: 'cmp-1' } },
      ],
    })
  })

  it('an instance that runs again afterwards is found by verify', async () => {
    const world = worldOf([fakeInstance('on', 'cmp-1')])
    const ctx = fakeContext(world, { options: NEITHER })
    await migrateInstances.apply?.(INPUT, ctx)
    world.instances = [fakeInstance('on', 'cmp-1')]
    expect(await migrateInstances.verify?.(INPUT, ctx)).toMatchObject({
      kind: 'fails',
      reason: expect.stringContaining('vm-on (on)'),
    })
  })

  it('the run waits for the stop of an earlier process, and does not repeat it', async () => {
    const world = worldOf([fakeInstance('on', 'cmp-1')])
    const facts: RunFact[] = []
    const controller = new AbortController()
    const port = must(world.port.openstack, 'the fake world has a cloud')
    const stop = port.stopInstance
    port.stopInstance = (...args) => {
      controller.abort()
      return stop(...args)
    }
    const first = await evacuate(
      'cmp-1',
      LIMITS,
      fakeContext(world, { options: NEITHER, facts, signal: controller.signal }),
    )
    expect(first).toEqual({ kind: 'stopped' })
    const ctx = fakeContext(world, { options: NEITHER, facts, resumed: true })
    expect(await evacuate('cmp-1', LIMITS, ctx)).toEqual({ kind: 'emptied', moved: 0 })
    expect(world.asked).toEqual(['stop on'])
    expect(facts.filter(({ fact }) => fact === INSTANCE_STOPPED)).toHaveLength(1)
  })

  it('one that a killed process asked to migrate, and that its owner resized meanwhile is not confirmed: a person decides', async () => {
    const world = worldOf([fakeInstance('a', 'elsewhere', { status: 'VERIFY_RESIZE', vmState: 'resized' })])
    const record = { sourceHost: 'cmp-1', destHost: 'elsewhere' }
    world.migrations = [
      fakeMigration({ ...record, id: 1, type: 'migration', status: 'confirmed' }),
      fakeMigration({ ...record, id: 2, type: 'resize', status: 'finished' }),
    ]
    const values = {
      name: 'vm-a',
      how: 'cold',
      attempt: 1,
      statusBefore: 'SHUTOFF',
      knownMigrationId: 0,
      source: 'cmp-1',
    }
    const facts = [fakeFact(MIGRATION_REQUESTED, 'server/a', values, { announces: true })]
    const ctx = fakeContext(world, { options: COLD, facts, resumed: true })
    expect(await evacuate('cmp-1', LIMITS, ctx)).toMatchObject({
      kind: 'unresolved',
      instances: [{ why: { message: expect.stringContaining('until they confirm or revert that') } }],
    })
    expect(world.asked).toEqual([])
  })

  describe('a stop requested by a killed process', () => {
    const stopped = (requestId: string) => ({
      action: 'stop',
      requestId,
      startedAt: '2026-01-01T00:00:00Z',
      message: null,
    })
    const started = { action: 'start', requestId: 'req-9', startedAt: '2026-01-01T00:05:00Z', message: null }
    const asked = (more: RunFact['values']) =>
      fakeFact(
        STOP_REQUESTED,
        'server/on',
        { name: 'vm-on', attempt: 1, statusBefore: 'ACTIVE', ...more },
        { announces: true },
      )
    const resumed = async (log: InstanceAction[], more: RunFact['values']) => {
      const world = worldOf([fakeInstance('on', 'cmp-1')])
      world.actions.set('on', log)
      const ctx = fakeContext(world, { options: NEITHER, facts: [asked(more)], resumed: true })
      return { answer: await evacuate('cmp-1', LIMITS, ctx), world, ctx }
    }

    it('and carried out is not requested again where somebody started the instance since: an operator decides', async () => {
      const { answer, world } = await resumed([stopped('req-1'), stopped('req-2'), started], { stopsBefore: 1 })
      expect(answer).toMatchObject({
        kind: 'unresolved',
        instances: [{ why: { message: expect.stringContaining('someone started it since') } }],
      })
      expect(world.asked).toEqual([])
    })

    it('and never received is requested again, however often it was stopped long before', async () => {
      const { answer, world } = await resumed([stopped('req-1'), started], { stopsBefore: 1 })
      expect(answer).toMatchObject({ kind: 'emptied' })
      expect(world.asked).toEqual(['stop on'])
    })

    it('by an earlier version, which did not count, is judged by the instance alone', async () => {
      const { world } = await resumed([stopped('req-1'), started], {})
      expect(world.asked).toEqual(['stop on'])
    })

    it('with a new choice to migrate is distinguished from old moves', async () => {
      const world = worldOf([fakeInstance('on', 'cmp-1')])
      world.migrations = [
        fakeMigration({ id: 5, instanceId: 'on', status: 'completed', sourceHost: 'cmp-3', destHost: 'cmp-1' }),
      ]
      const decided = fakeFact(INSTANCE_DECIDED, 'server/on', { choice: 'cold', by: 'eva', reason: '' })
      must(world.port.openstack, 'the fake world has a cloud').coldMigrate = async () =>
        failed(failure('conflict', 'No valid host was found.'))
      const ctx = fakeContext(world, { options: COLD, facts: [asked({}), decided], resumed: true })
      expect(await evacuate('cmp-1', LIMITS, ctx)).toMatchObject({ kind: 'unresolved' })
      const request = ctx.facts.find(({ fact }) => fact === MIGRATION_REQUESTED)
      expect(request?.values).toMatchObject({ how: 'cold', knownMigrationId: 5 })
    })

    it('tells how often Nova had been asked before', async () => {
      const world = worldOf([fakeInstance('on', 'cmp-1')])
      world.actions.set('on', [stopped('req-1'), started])
      const ctx = fakeContext(world, { options: NEITHER })
      await evacuate('cmp-1', LIMITS, ctx)
      expect(ctx.facts.find(({ fact }) => fact === STOP_REQUESTED)?.values.stopsBefore).toBe(1)
      expect(ctx.facts.find(({ fact }) => fact === INSTANCE_STOPPED)?.values.powerActs).toBe(2)
    })
  })

  it('an instance that left right before it would be stopped runs on', async () => {
    const world = worldOf([fakeInstance('on', 'cmp-1')])
    const port = must(world.port.openstack, 'the fake world has a cloud')
    const { getInstance } = port
    let looks = 0
    port.getInstance = async (...args) => {
      looks += 1
      if (looks === 1) world.instances = [fakeInstance('on', 'cmp-2')]
      return getInstance(...args)
    }
    const ctx = fakeContext(world, { options: NEITHER })
    expect(await evacuate('cmp-1', LIMITS, ctx)).toMatchObject({ kind: 'emptied' })
    expect(world.asked).toEqual([])
    expect(ctx.facts.map(({ fact }) => fact)).toEqual([INSTANCE_SETTLED])
  })

  it('an instance that left while a stop of it was refused is not asked to stop again', async () => {
    const world = worldOf([fakeInstance('on', 'cmp-1')])
    const port = must(world.port.openstack, 'the fake world has a cloud')
    let sent = 0
    port.stopInstance = async () => {
      sent += 1
      world.instances = [fakeInstance('on', 'cmp-2')]
      return failed(failure('server-fault', 'Nova is busy.'))
    }
    const ctx = fakeContext(world, { options: NEITHER })
    const patient: typeof ctx = {
      ...ctx,
      retryTransient: async (_what, work) => {
        const first = await work()
        return first.ok ? first : work()
      },
    }
    await evacuate('cmp-1', LIMITS, patient)
    expect(sent).toBe(1)
  })

  it('an instance whose record says that it went elsewhere is not stopped: a person is asked', async () => {
    const world = worldOf([fakeInstance('on', 'cmp-1', { updatedAt: '2026-01-01T00:00:00.000Z' })])
    const port = must(world.port.openstack, 'the fake world has a cloud')
    port.migrations = async () =>
      ok([
        fakeMigration({
          instanceId: 'on',
          status: 'completed',
          createdAt: '2026-01-01T00:00:00.000Z',
          updatedAt: '2026-01-01T00:05:00.000Z',
        }),
      ])
    const answer = await evacuate('cmp-1', LIMITS, fakeContext(world, { options: NEITHER }))
    expect(answer).toMatchObject({ kind: 'unresolved' })
    expect(world.asked).toEqual([])
  })

  it.each(['stays-active', 'refuse'] as const)(
    'a stop that comes to nothing (%s) is tried again, then asked about',
    async how => {
      const world = worldOf([fakeInstance('on', 'cmp-1')], { stopBehaviour: how })
      const answer = await evacuate('cmp-1', LIMITS, fakeContext(world, { options: NEITHER }))
      expect(answer).toMatchObject({ kind: 'unresolved' })
      expect(world.asked).toEqual(['stop on', 'stop on'])
    },
  )

  it('of live migration alone: running instances move cold and run again', async () => {
    const world = worldOf([fakeInstance('on', 'cmp-1')])
    const ctx = fakeContext(world, { options: { strategy: 'nova', disableMigration: 'live' } })
    expect(await evacuate('cmp-1', LIMITS, ctx)).toEqual({ kind: 'emptied', moved: 1 })
    expect(world.asked).toEqual(['cold-migrate on', 'confirm on'])
    expect(world.instances[0]).toMatchObject({ host: 'elsewhere', status: 'ACTIVE' })
  })

  it('the plan says what happens to each instance, by whose choice', async () => {
    const world = worldOf([fakeInstance('on', 'cmp-1'), stopped('off')])
    const effectsOf = async (options: Partial<RunOptions>) => {
      const answer = await instancesClassified.check?.(INPUT, fakeContext(world, { options }))
      return answer?.effects.map(effect =>
        effect.kind === 'instance' ? `${effect.id} ${effect.action} ${effect.source}` : '',
      )
    }
    expect(await effectsOf(COLD)).toEqual(['off cold_migrate operator', 'on live_migrate host-mode'])
    expect(await effectsOf(NEITHER)).toEqual(['off ignore state', 'on stop operator'])
  })

  it('instances that only stop need no destination, but those that move with downtime do', async () => {
    const world = worldOf([stopped('off'), fakeInstance('on', 'cmp-1')])
    world.services = [fakeService('cmp-1')]
    const kindOf = async (options: Partial<RunOptions>) =>
      (await destinationsExist.check?.(INPUT, fakeContext(world, { options })))?.kind
    expect([await kindOf(NEITHER), await kindOf({ ...NEITHER, disableMigration: 'live' })]).toEqual([
      'ready',
      'blocked',
    ])
  })
})
