import { describe, expect, it } from 'vitest'
import { instancesReturn } from '../../../main/procedures/steps/compute/instances-return.ts'
import { must } from '../../../shared/domain/must.ts'
import type { Instance } from '../../../shared/domain/openstack.ts'
import { downAtLast } from '../../../shared/domain/ran-before.ts'
import type { RunFact } from '../../../shared/domain/run.ts'
import {
  INSTANCE_SEEN,
  INSTANCE_STARTED,
  INSTANCES_NOTED,
  NODE_BEFORE,
  START_REQUESTED,
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

const OFF = { status: 'SHUTOFF', vmState: 'stopped', powerState: 4 } as const
const RAN = ['a', 'b', 'gone'].map(id => ({ id, name: `vm-${id}` }))
const INPUT = { node: 'cmp-1', ran: RAN }
const { check, apply, verify } = instancesReturn

function back(instances: readonly Instance[], startInstances = false, facts: RunFact[] = []) {
  const world = fakeWorld({
    nodes: [fakeNode('cmp-1', { labels: COMPUTE })],
    services: [fakeService('cmp-1'), fakeService('cmp-2')],
    instances: [...instances],
  })
  return { world, ctx: fakeContext(world, { options: { startInstances }, facts }) }
}

// A guest that was powered off with its host stays so (nova, resume_guests_state_on_host_boot: false by default); Rockoon starts none either.
describe('instances of a node that comes back', () => {
  const afterReboot = [fakeInstance('a', 'cmp-1', OFF), fakeInstance('b', 'cmp-1'), fakeInstance('off', 'cmp-1', OFF)]

  it('that ran before and are down are named, and nothing is started unasked', async () => {
    const { world, ctx } = back(afterReboot)
    expect(await check?.(INPUT, ctx)).toMatchObject({
      kind: 'ready',
      warnings: [{ message: expect.stringContaining('vm-a (a), SHUTOFF') }],
    })
    expect(await apply?.(INPUT, ctx)).toMatchObject({
      note: '1 instance that ran when the maintenance began is down: vm-a (a), SHUTOFF. It stays off until someone starts it: choose --start-instances, or leave it to its owner.',
    })
    expect(await verify?.(INPUT, ctx)).toMatchObject({ kind: 'holds', reason: expect.stringContaining('vm-a (a)') })
    expect(world.asked).toEqual([])
    const seen = ctx.facts.filter(({ fact }) => fact === INSTANCE_SEEN)
    expect(seen.map(({ subject, values }) => [subject, values.status])).toEqual([
      ['server/a', 'SHUTOFF'],
      ['server/b', 'ACTIVE'],
      ['server/off', 'SHUTOFF'],
    ])
  })

  it('are started where that was chosen: those that ran before, announced, and no others', async () => {
    const { world, ctx } = back(afterReboot, true)
    expect(await check?.(INPUT, ctx)).toMatchObject({
      effects: [{ target: 'instance vm-a (a)', from: 'SHUTOFF', to: 'ACTIVE' }],
    })
    expect(await apply?.(INPUT, ctx)).toMatchObject({ kind: 'applied' })
    expect(world.asked).toEqual(['start a'])
    expect(ctx.facts.map(({ fact }) => fact).slice(0, 2)).toEqual([START_REQUESTED, INSTANCE_STARTED])
    expect(await verify?.(INPUT, ctx)).toMatchObject({ kind: 'holds' })
  })

  it('that do not start become a question with the reason', async () => {
    const { world, ctx } = back(afterReboot, true)
    world.port = {
      ...world.port,
      openstack: {
        ...must(world.port.openstack, 'the fake world has a cloud'),
        startInstance: async () => ({
          ok: false,
          failure: { code: 'conflict', message: 'Nova refuses it: the image is gone.', retryable: false },
        }),
      },
    }
    const ctx2 = fakeContext(world, { options: { startInstances: true }, facts: ctx.facts })
    expect(await apply?.(INPUT, ctx2)).toMatchObject({
      kind: 'question',
      code: 'InstancesNotStarted',
      question: expect.stringContaining('vm-a (a): Nova refuses it: the image is gone.'),
    })
  })

  it('that were moved away meanwhile are their owners\u2019: one that is down elsewhere is not started', async () => {
    const { world, ctx } = back([fakeInstance('a', 'cmp-2', OFF)], true)
    expect(await apply?.(INPUT, ctx)).toMatchObject({
      note: expect.stringContaining('no instance on it that ran when the maintenance began is down'),
    })
    expect(world.asked).toEqual([])
  })

  describe('that a run stopped, and that are down when the stop is taken back,', () => {
    const act = (action: string, at: number) => ({
      action,
      requestId: `req-${at}`,
      startedAt: `2026-01-01T00:0${at}:00Z`,
      message: null,
    })
    const input = { node: 'cmp-1', ran: [{ id: 'a', name: 'vm-a', powerActs: 1 }] }
    const touched = (log: ReturnType<typeof act>[], facts: RunFact[] = []) => {
      const made = back([fakeInstance('a', 'cmp-1', OFF)], true, facts)
      made.world.actions.set('a', log)
      return made
    }

    it('are their owners’ where somebody started and stopped them since: they are not started', async () => {
      const { world, ctx } = touched([act('stop', 1), act('start', 2), act('stop', 3)])
      expect(await check?.(input, ctx)).toMatchObject({ kind: 'done' })
      expect(await apply?.(input, ctx)).toMatchObject({ kind: 'applied' })
      expect(await verify?.(input, ctx)).toMatchObject({ kind: 'holds' })
      expect(world.asked).toEqual([])
    })

    it('are started where nothing but the stop of that run was asked of Nova', async () => {
      const { world, ctx } = touched([act('stop', 1)])
      expect(await apply?.(input, ctx)).toMatchObject({ kind: 'applied' })
      expect(world.asked).toEqual(['start a'])
    })

    it('are watched where a killed process of this run had requested their start', async () => {
      const asked = fakeFact(START_REQUESTED, 'server/a', { name: 'vm-a' }, { announces: true })
      const { ctx } = touched([act('stop', 1), act('start', 2)], [asked])
      expect(await apply?.(input, ctx)).toMatchObject({
        kind: 'question',
        question: expect.stringContaining('it is SHUTOFF although Nova accepted the start'),
      })
    })
  })

  it('are those that this very run noted, where it took the node out of service itself', async () => {
    const noted: RunFact = fakeFact(
      INSTANCES_NOTED,
      'node/cmp-1',
      { host: 'cmp-1', ids: ['off'], running: [{ id: 'off', name: 'vm-off' }] },
      { at: '2026-01-01T00:00:00Z' },
    )
    const { ctx } = back(afterReboot, false, [noted])
    expect(await apply?.({ node: 'cmp-1', ran: null }, ctx)).toMatchObject({
      note: expect.stringContaining('vm-off (off)'),
    })
    expect(downAtLast(ctx.facts, [{ ran: null }])).toEqual([{ id: 'off', name: 'vm-off' }])
  })

  it('are those that the plan knows of the run that took the node out of service, where it was another', async () => {
    const ran = [{ id: 'off', name: 'vm-off' }]
    const { ctx } = back(afterReboot, false)
    await apply?.({ node: 'cmp-1', ran }, ctx)
    expect(downAtLast(ctx.facts, [{ node: 'cmp-1' }, { node: 'cmp-1', ran }])).toEqual(ran)
    expect(downAtLast(ctx.facts, [{ node: 'cmp-1' }])).toEqual([])
  })

  it('that were paused are named where they are down at last: what they had in memory is gone', () => {
    const about = { at: '2026-01-01T00:00:00Z', announces: false }
    const noted: RunFact = {
      ...about,
      fact: INSTANCES_NOTED,
      subject: 'node/cmp-1',
      values: { host: 'cmp-1', ids: ['p'], running: [], paused: [{ id: 'p', name: 'vm-p' }] },
    }
    const seen = (powerState: number): RunFact => ({
      ...about,
      fact: INSTANCE_SEEN,
      subject: 'server/p',
      values: { powerState },
    })
    expect(downAtLast([noted, seen(4)], [])).toEqual([{ id: 'p', name: 'vm-p' }])
    expect(downAtLast([noted, seen(3)], [])).toEqual([])
  })

  it('that Nova has not yet seen go down are started once it has, and never count as requested before', async () => {
    const { world, ctx } = back([fakeInstance('a', 'cmp-1', { powerState: 4 })], true)
    expect(await apply?.(INPUT, ctx)).toMatchObject({
      kind: 'question',
      question: expect.stringContaining('it is ACTIVE, and Nova starts only stopped instances.'),
    })
    expect(world.asked).toEqual([])
  })

  describe('that Nova says still run', () => {
    const noted = (bootId: string) => fakeFact(NODE_BEFORE, 'node/cmp-1', { bootId, kubeletVersion: '', osImage: '' })
    const still = (bootId: string) =>
      back([fakeInstance('a', 'cmp-1'), fakeInstance('b', 'cmp-2')], false, [noted(bootId)])
    const bootId = fakeNode('cmp-1').bootId

    it('after a reboot are read until Nova has compared them with the host, and no longer', async () => {
      const { ctx } = still('before the reboot')
      await apply?.(INPUT, ctx)
      expect(await verify?.(INPUT, ctx)).toMatchObject({
        kind: 'fails',
        reason: expect.stringContaining('vm-a (a), ACTIVE'),
        mayStillHold: true,
      })
      await ctx.clock.sleep(599_000, ctx.signal)
      expect(await verify?.(INPUT, ctx)).toMatchObject({ kind: 'fails', mayStillHold: true })
      await ctx.clock.sleep(1_000, ctx.signal)
      expect(await verify?.(INPUT, ctx)).toMatchObject({ kind: 'holds' })
      // A look that ends a moment before that is not the last one.
      const looksOnMs = must(instancesReturn.verifyWithinMs, 'its own limit')
      expect(looksOnMs).toBeGreaterThan(660_000)
      expect(instancesReturn.withinMs).toBeGreaterThanOrEqual(looksOnMs)
      expect(instancesReturn.verifyEarly).toBe(true)
    })

    it('after a reboot are named as down as soon as Nova has seen it', async () => {
      const { world, ctx } = still('before the reboot')
      await apply?.(INPUT, ctx)
      expect(await verify?.(INPUT, ctx)).toMatchObject({ kind: 'fails' })
      world.instances = [fakeInstance('a', 'cmp-1', OFF)]
      expect(await verify?.(INPUT, ctx)).toMatchObject({
        kind: 'holds',
        reason: expect.stringContaining('vm-a (a), SHUTOFF'),
      })
    })

    it('are believed at once where the node was not rebooted', async () => {
      const { ctx } = still(bootId)
      await apply?.(INPUT, ctx)
      expect(await verify?.(INPUT, ctx)).toMatchObject({ kind: 'holds' })
    })

    it('and that this run started are believed at once', async () => {
      const { world, ctx } = back([fakeInstance('a', 'cmp-1', OFF)], true, [noted('before the reboot')])
      await apply?.(INPUT, ctx)
      expect(world.asked).toEqual(['start a'])
      expect(await verify?.(INPUT, ctx)).toMatchObject({ kind: 'holds' })
    })
  })

  it('without a note that they ran are left alone, and not named', async () => {
    const { world, ctx } = back(afterReboot, true)
    const unknown = { node: 'cmp-1', ran: 'unknown' }
    expect(await check?.(unknown, ctx)).toMatchObject({
      warnings: [{ message: expect.stringContaining('It starts none') }],
    })
    expect(await apply?.(unknown, ctx)).toMatchObject({ note: expect.stringContaining('It starts none') })
    expect(world.asked).toEqual([])
  })

  it('are not started against their owners: the run does not repeat a start without an answer', async () => {
    const { world, ctx } = back(afterReboot, true)
    await apply?.(INPUT, ctx)
    world.instances = afterReboot
    expect(await apply?.(INPUT, ctx)).toMatchObject({ note: 'No instance had to be started.' })
    expect(await verify?.(INPUT, ctx)).toMatchObject({ kind: 'holds' })
    const asked = ctx.facts.filter(({ fact }) => fact === START_REQUESTED)
    const resumed = fakeContext(world, { options: { startInstances: true }, facts: [...asked] })
    expect(await apply?.(INPUT, resumed)).toMatchObject({
      kind: 'question',
      question: expect.stringContaining('its owner may have stopped it again'),
    })
    expect(world.asked).toEqual(['start a'])
  })
})
