import { describe, expect, test } from 'vitest'
import { evacuateInstance } from '../../../main/procedures/steps/compute/evacuate-instance.ts'
import { pendingRequest } from '../../../main/procedures/steps/compute/evacuation-facts.ts'
import { instancesRescuable } from '../../../main/procedures/steps/compute/instances-rescuable.ts'
import { rescueInstances } from '../../../main/procedures/steps/compute/rescue-instances.ts'
import { failure } from '../../../shared/domain/failure.ts'
import { must } from '../../../shared/domain/must.ts'
import type { Instance } from '../../../shared/domain/openstack.ts'
import { rescuePolicy } from '../../../shared/domain/rescue.ts'
import { failed, ok, type Result } from '../../../shared/domain/result.ts'
import type { RunFact } from '../../../shared/domain/run.ts'
import { MIGRATION_FAILED, MIGRATION_REQUESTED } from '../../../shared/domain/run-facts.ts'
import { rescueWords } from '../../../shared/words/rescues.ts'
import { fakeFact } from '../../fixtures/procedures/fake-records.ts'
import {
  COMPUTE,
  type FakeWorld,
  fakeContext,
  fakeInstance,
  fakeNode,
  fakeService,
  fakeWorld,
} from '../../fixtures/procedures/fake-world.ts'

const INPUT = { node: 'cmp-1' }
const AT = { host: 'cmp-1', isAway: async () => ok(undefined), isSilent: async () => ok(undefined) }
const RESET = 'set --state error'
const ON_VOLUME = {
  bootsFromVolume: true,
  flavor: { name: 'small', vcpus: 1, ramMib: 1024, diskGib: 10, ephemeralGib: 0, swapMib: 0, extraSpecs: {} },
}

/** A cloud whose `cmp-1` died, with a Nova that accepts a second evacuation while the first runs. */
function deadHost(ids: readonly string[], more: Partial<Instance> = {}): FakeWorld {
  return fakeWorld({
    nodes: [fakeNode('cmp-1', { labels: COMPUTE, readiness: 'unknown' }), fakeNode('elsewhere', { labels: COMPUTE })],
    services: [fakeService('cmp-1', { state: 'down', forcedDown: true, status: 'disabled' }), fakeService('elsewhere')],
    instances: ids.map(id => fakeInstance(id, 'cmp-1', { ...ON_VOLUME, ...more })),
  })
}

const cloudOf = (world: FakeWorld) => must(world.port.openstack, 'the fake world has a cloud')

/** A step that tries again what may pass, five times. */
function patientContext(world: FakeWorld, facts: RunFact[] = []) {
  const ctx = fakeContext(world, { options: { machineIsOff: 'BMC says off' }, facts })
  const retryTransient = async <T>(_what: string, read: () => Promise<Result<T>>): Promise<Result<T>> => {
    for (let tries = 0; ; tries += 1) {
      const answer = await read()
      if (answer.ok || !answer.failure.retryable || tries === 5) return answer
      await ctx.clock.sleep(1_000, ctx.signal)
    }
  }
  return { ...ctx, retryTransient }
}

const announced: RunFact = fakeFact(
  MIGRATION_REQUESTED,
  'server/a',
  { name: 'vm-a', attempt: 1, how: 'evacuate', source: 'cmp-1', statusBefore: 'ACTIVE', knownMigrationId: 0 },
  { announces: true },
)

/** Nova hears a request only some seconds after its answer was lost. */
function arrivesLate(world: FakeWorld, clock: { now(): number }, lateMs: number) {
  const port = cloudOf(world)
  const { evacuateInstance: send, getInstance } = port
  let dueMs: number | null = null
  let sent = 0
  const arrive = async () => {
    if (dueMs === null || clock.now() < dueMs) return
    dueMs = null
    await send('a')
  }
  port.getInstance = async (...asked) => {
    await arrive()
    return getInstance(...asked)
  }
  port.evacuateInstance = async () => {
    sent += 1
    dueMs = clock.now() + lateMs
    return failed(failure('timed-out', 'Nova did not answer in time.'))
  }
  return { lose: () => port.evacuateInstance('a'), sent: () => sent }
}

describe('a request to evacuate whose answer was lost', () => {
  test('is not sent again while it may be on its way: two looks have to show nothing', async () => {
    const world = deadHost(['a'])
    const ctx = patientContext(world)
    const late = arrivesLate(world, ctx.clock, 4_000)
    expect(await rescueInstances.apply?.(INPUT, ctx)).toMatchObject({ kind: 'applied' })
    expect(late.sent()).toBe(1)
    expect(world.migrations).toHaveLength(1)
  })

  test('is not sent again to a host that reported meanwhile', async () => {
    const world = deadHost(['a'])
    const port = cloudOf(world)
    let sent = 0
    port.evacuateInstance = async () => {
      sent += 1
      world.services = world.services.map(service => ({ ...service, updatedAt: '2026-01-01T00:00:00.000Z' }))
      return failed(failure('unreachable', 'The connection broke.'))
    }
    expect(await rescueInstances.apply?.(INPUT, patientContext(world))).toMatchObject({
      kind: 'failed',
      failure: { code: 'conflict' },
    })
    expect(sent).toBe(1)
  })

  test('of an earlier process neither', async () => {
    const world = deadHost(['a'])
    const ctx = patientContext(world, [announced])
    // Four seconds after the host was watched for 25.
    const late = arrivesLate(world, ctx.clock, 29_000)
    await late.lose()
    expect(await rescueInstances.apply?.(INPUT, ctx)).toMatchObject({ kind: 'applied' })
    expect(late.sent()).toBe(1)
    expect(world.migrations).toHaveLength(1)
  })

  test('and that never came is sent again as the same attempt', async () => {
    const world = deadHost(['a'])
    const port = cloudOf(world)
    const { evacuateInstance: send } = port
    let sent = 0
    port.evacuateInstance = async id => {
      sent += 1
      return sent === 1 ? failed(failure('unreachable', 'The connection broke.')) : send(id)
    }
    const ctx = patientContext(world)
    expect(await rescueInstances.apply?.(INPUT, ctx)).toMatchObject({ kind: 'applied' })
    expect(sent).toBe(2)
    const requests = ctx.facts.filter(({ fact }) => fact === MIGRATION_REQUESTED)
    expect(requests.map(({ values }) => [values.attempt, values.again ?? false])).toEqual([
      [1, false],
      [1, true],
    ])
  })
})

describe('a request that arrived while Nova cannot be read', () => {
  function blindAfterSending(world: FakeWorld, looks: number) {
    const port = cloudOf(world)
    const { evacuateInstance: send, getInstance } = port
    const blind = { left: 0 }
    port.evacuateInstance = async id => {
      await send(id)
      blind.left = looks
      return failed(failure('unreachable', 'The connection broke.'))
    }
    port.getInstance = async (...asked) => {
      if (blind.left === 0) return getInstance(...asked)
      blind.left -= 1
      return failed(failure('unreachable', 'Nova does not answer.'))
    }
    return blind
  }

  test('is followed once it can be', async () => {
    const world = deadHost(['a'])
    blindAfterSending(world, 3)
    expect(await rescueInstances.apply?.(INPUT, patientContext(world))).toMatchObject({ kind: 'applied' })
    expect(world.asked).toEqual(['evacuate a'])
  })

  test('is not reported as failed: it stays announced, and a resume follows it', async () => {
    const world = deadHost(['a'])
    const blind = blindAfterSending(world, Number.POSITIVE_INFINITY)
    const ctx = patientContext(world)
    expect(await rescueInstances.apply?.(INPUT, ctx)).toMatchObject({ kind: 'failed' })
    expect(ctx.facts.map(({ fact }) => fact)).not.toContain(MIGRATION_FAILED)
    expect(pendingRequest(ctx.facts, 'server/a')).not.toBeNull()
    blind.left = 0
    expect(await rescueInstances.apply?.(INPUT, patientContext(world, ctx.facts))).toMatchObject({ kind: 'applied' })
    expect(world.asked).toEqual(['evacuate a'])
  })
})

describe('the state of an instance in rebuild is not reset while its rebuild may continue', () => {
  test.each(['rebuilding', 'rebuild_spawning', 'rebuild_block_device_mapping'])('by the plan: %s', taskState => {
    const judged = rescuePolicy(fakeInstance('a', 'cmp-1', { ...ON_VOLUME, taskState }), {
      sharedDisks: '',
      acceptsDataLoss: false,
    })
    expect(judged).toMatchObject({ kind: 'stays', because: { code: 'RebuildMayGoOn' } })
    expect(rescueWords(judged.because)).not.toContain(RESET)
  })

  test('but one whose task is another is, because it may never end', () => {
    const judged = rescuePolicy(fakeInstance('a', 'cmp-1', { ...ON_VOLUME, taskState: 'powering-off' }), {
      sharedDisks: '',
      acceptsDataLoss: false,
    })
    expect(rescueWords(judged.because)).toContain(RESET)
  })

  test.each([
    ['its destination lives', 'accepted', 'up', false],
    ['its destination is down', 'accepted', 'down', true],
    ['its record ended in failed', 'failed', 'up', true],
    ['its record ended in error', 'error', 'up', true],
  ] as const)('when it hangs and %s', async (_what, status, state, isReset) => {
    const world = deadHost(['a'])
    world.looksToEnd = Number.POSITIVE_INFINITY
    await cloudOf(world).evacuateInstance('a')
    world.migrations = world.migrations.map(record => ({ ...record, status, destHost: 'elsewhere' }))
    world.services = world.services.map(service => (service.host === 'elsewhere' ? { ...service, state } : service))
    const hung = await evacuateInstance('a', AT, fakeContext(world, { facts: [announced] }))
    const later = await evacuateInstance('a', AT, fakeContext(world))
    for (const answer of [hung, later]) {
      expect(answer.kind).toBe('in-vain')
      expect(answer.kind === 'in-vain' && answer.why.includes(RESET)).toBe(isReset)
    }
    expect(world.asked).toEqual(['evacuate a'])
  })
})

describe('several that have room for one only', () => {
  const crowded = () => {
    const world = deadHost(['a', 'b', 'c'])
    cloudOf(world).resourceProviders = async () =>
      ok([{ id: 'e', name: 'elsewhere', capacities: { VCPU: 10, MEMORY_MB: 1024, DISK_GB: 100 }, usages: {} }])
    return world
  }

  test('block, unless it is forced', async () => {
    const answer = await instancesRescuable.check(INPUT, fakeContext(crowded()))
    expect(answer.kind === 'blocked' && answer.blockers.map(({ code, override }) => [code, override.kind])).toEqual([
      ['RescueNoDestination', 'flag'],
      ['RescueNoDestination', 'flag'],
    ])
    const actions = answer.effects.flatMap(effect => (effect.kind === 'instance' ? [effect.action] : []))
    expect(actions.toSorted()).toEqual(['evacuate', 'ignore', 'ignore'])
  })

  test('and then one is rebuilt, and the others are left rather than put into ERROR', async () => {
    const world = crowded()
    await rescueInstances.apply?.(INPUT, patientContext(world))
    expect(world.asked).toHaveLength(1)
  })

  test('cause a warning where the free space is unknown', async () => {
    const world = deadHost(['a', 'b', 'c'])
    cloudOf(world).resourceProviders = async () => failed(failure('unreachable', 'Placement does not answer.'))
    const answer = await instancesRescuable.check(INPUT, fakeContext(world))
    expect(answer.kind).toBe('ready')
    expect(answer.warnings.map(({ message }) => message).join(' ')).toContain('Cannot tell whether all 3 fit together:')
  })
})
