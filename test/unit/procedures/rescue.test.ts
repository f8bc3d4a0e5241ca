import { describe, expect, test } from 'vitest'
import { makePlan } from '../../../main/procedures/plans/node/make-plan.ts'
import { maintenanceSteps } from '../../../main/procedures/registry.ts'
import { computeServiceDown } from '../../../main/procedures/steps/compute/compute-service-down.ts'
import { forceDownCompute } from '../../../main/procedures/steps/compute/force-down-compute.ts'
import { forceUpCompute } from '../../../main/procedures/steps/compute/force-up-compute.ts'
import { instancesRescuable } from '../../../main/procedures/steps/compute/instances-rescuable.ts'
import { rescueInstances } from '../../../main/procedures/steps/compute/rescue-instances.ts'
import { machineOff } from '../../../main/procedures/steps/general/machine-off.ts'
import { outOfServiceTaint } from '../../../main/procedures/steps/general/out-of-service-taint.ts'
import { takeBackTaint } from '../../../main/procedures/steps/general/take-back-taint.ts'
import type { Cluster } from '../../../shared/domain/cluster.ts'
import { failure } from '../../../shared/domain/failure.ts'
import { must } from '../../../shared/domain/must.ts'
import type { Instance } from '../../../shared/domain/openstack.ts'
import { DEFAULT_RUN_OPTIONS, type RunOptions } from '../../../shared/domain/plan.ts'
import { FORCED_DOWN_ANNOTATION, OUT_OF_SERVICE_ANNOTATION } from '../../../shared/domain/rescue.ts'
import { failed } from '../../../shared/domain/result.ts'
import {
  ATTEMPTS_EXHAUSTED,
  COMPUTE_FORCE_DOWN_REQUESTED,
  COMPUTE_LAST_REPORT,
  INSTANCE_MOVED,
  INSTANCE_SETTLED,
  MIGRATION_FAILED,
  MIGRATION_REQUESTED,
  OPERATOR_ANSWERED,
} from '../../../shared/domain/run-facts.ts'
import { fakeFact, fakeMigration } from '../../fixtures/procedures/fake-records.ts'
import {
  COMPUTE,
  type FakeWorld,
  fakeCluster,
  fakeContext,
  fakeInstance,
  fakeNode,
  fakeService,
  fakeWorld,
} from '../../fixtures/procedures/fake-world.ts'

const INPUT = { node: 'cmp-1' }
const OFF = { machineIsOff: 'BMC says power off 10:04' }
const ON_VOLUME = {
  bootsFromVolume: true,
  flavor: { name: 'small', vcpus: 1, ramMib: 1024, diskGib: 10, ephemeralGib: 0, swapMib: 0, extraSpecs: {} },
}

/** A cloud whose `cmp-1` died. */
function deadHost(instances: readonly Instance[], more: Parameters<typeof fakeWorld>[0] = {}): FakeWorld {
  return fakeWorld({
    nodes: [fakeNode('cmp-1', { labels: COMPUTE, readiness: 'unknown' }), fakeNode('elsewhere', { labels: COMPUTE })],
    services: [fakeService('cmp-1', { state: 'down' }), fakeService('elsewhere')],
    instances: [...instances],
    ...more,
  })
}

const onVolume = (id: string, more: Partial<Instance> = {}) => fakeInstance(id, 'cmp-1', { ...ON_VOLUME, ...more })

async function checked(step: typeof machineOff, world: FakeWorld, options: Partial<RunOptions> = OFF) {
  return step.check(INPUT, fakeContext(world, { options }))
}

const codesOf = (answer: Awaited<ReturnType<typeof checked>>) =>
  answer.kind === 'blocked' ? answer.blockers.map(({ code, override }) => [code, override.kind]) : []

describe('a machine is taken to be off', () => {
  test('when an operator says so and Kubernetes has no sign of it', async () => {
    expect(await checked(machineOff, deadHost([]))).toMatchObject({ kind: 'ready' })
  })

  test('never because it does not answer: somebody has to say so', async () => {
    for (const machineIsOff of ['', '   ']) {
      expect(codesOf(await checked(machineOff, deadHost([]), { machineIsOff }))).toEqual([
        ['MachineNotSaidOff', 'never'],
      ])
    }
  })

  test.each(['ready', 'not-ready'] as const)('never while its kubelet reports, be it %s', async readiness => {
    const world = deadHost([], { nodes: [fakeNode('cmp-1', { readiness })] })
    expect(codesOf(await checked(machineOff, world))).toEqual([['MachineReports', 'never']])
  })

  test.each([
    ['is up', { state: 'up' as const }, 'ComputeServiceUp'],
    [
      'was forced down by somebody and reported just now',
      { state: 'down' as const, forcedDown: true, updatedAt: '2025-12-31T23:59:30.000Z' },
      'ComputeServiceReports',
    ],
    [
      'was forced down by somebody, and Nova does not tell when it changed',
      { state: 'down' as const, forcedDown: true, updatedAt: null },
      'ComputeServiceReports',
    ],
    ['is of a cell that does not answer', { state: 'down' as const, id: '' }, 'CellDown'],
  ])('never while its nova-compute %s', async (_what, service, code) => {
    const world = deadHost([], { services: [fakeService('cmp-1', service)] })
    expect(codesOf(await checked(computeServiceDown, world))).toEqual([[code, 'never']])
  })

  test('also when somebody forced its nova-compute down long ago, and it changed no more', async () => {
    const service = fakeService('cmp-1', { state: 'down', forcedDown: true, updatedAt: '2025-12-31T23:00:00.000Z' })
    expect(await checked(computeServiceDown, deadHost([], { services: [service] }))).toMatchObject({ kind: 'ready' })
  })
})

describe('a local clock ahead of Nova’s', () => {
  test('makes no nova-compute silent that reports during the reading', async () => {
    const service = fakeService('cmp-1', { state: 'down', forcedDown: true, updatedAt: '2025-12-31T23:00:00.000Z' })
    const world = deadHost([], { services: [service] })
    const cloud = must(world.port.openstack, 'the fake world has a cloud')
    const { computeServices } = cloud
    let looks = 0
    cloud.computeServices = async () => {
      looks += 1
      if (looks === 3) world.services = [{ ...service, updatedAt: '2025-12-31T23:00:10.000Z' }]
      return computeServices()
    }
    expect(codesOf(await checked(computeServiceDown, world))).toEqual([['ComputeServiceReports', 'never']])
  })
})

describe('the plan says what can be rescued before anything starts', () => {
  test('who would lose a local disk is left by default, and named', async () => {
    const world = deadHost([onVolume('vol'), fakeInstance('local', 'cmp-1')])
    const answer = await checked(instancesRescuable, world)
    expect(answer.kind).toBe('ready')
    expect(answer.effects.map(effect => effect.kind === 'instance' && [effect.id, effect.action])).toEqual([
      ['local', 'ignore'],
      ['vol', 'evacuate'],
    ])
    expect(answer.warnings.map(({ message }) => message).join(' ')).toContain('vm-local (local) stays on the dead node')
  })

  test('and named as one that loses it, once that is accepted', async () => {
    const overrides: RunOptions['overrides'] = [{ flag: 'allow-data-loss', reason: 'caches only' }]
    const answer = await checked(instancesRescuable, deadHost([fakeInstance('local', 'cmp-1')]), { ...OFF, overrides })
    expect(answer.warnings.map(({ message }) => message)).toContain(
      '1 instance will lose the data on the local disk: vm-local (local).',
    )
  })

  test('what is not sure of the places of those that go, with whose places they are', async () => {
    const services = [fakeService('cmp-1', { state: 'down', zone: 'az1' }), fakeService('elsewhere', { zone: 'az2' })]
    const free = { pinnedZone: undefined }
    const answer = await checked(instancesRescuable, deadHost([onVolume('a', free), onVolume('b', free)], { services }))
    const unsure = answer.warnings.filter(({ code }) => code === 'PlacesLessThanCertain')
    expect(unsure.map(({ message }) => message)).toEqual([expect.stringMatching(/^vm-a, vm-b: .*zone az1/)])
  })

  test('one without a place blocks, and with force is left rather than put into ERROR', async () => {
    const world = deadHost([onVolume('a')], { services: [fakeService('cmp-1', { state: 'down' })] })
    expect(codesOf(await checked(instancesRescuable, world))).toEqual([['RescueNoDestination', 'flag']])
    await rescued(world)
    expect(world.asked).toEqual([])
  })
})

async function rescued(world: FakeWorld, more: Parameters<typeof fakeContext>[1] = {}) {
  const ctx = fakeContext(world, { ...more, options: { ...OFF, ...more.options } })
  const answer = await rescueInstances.apply?.(INPUT, ctx)
  return { ctx, answer }
}

describe('instances of a dead host', () => {
  const down = {
    services: [
      fakeService('cmp-1', { state: 'down', forcedDown: true, status: 'disabled' as const }),
      fakeService('elsewhere'),
    ],
  }

  test('run elsewhere, or are stopped there as they were; each was requested once', async () => {
    const stopped = { status: 'SHUTOFF', vmState: 'stopped', powerState: 4 }
    const world = deadHost(
      [onVolume('a'), onVolume('b', stopped), onVolume('c', { status: 'ERROR', vmState: 'error' })],
      down,
    )
    const { ctx, answer } = await rescued(world)
    expect(answer).toMatchObject({ kind: 'applied', note: '3 instances rebuilt on other nodes.' })
    expect(world.asked).toEqual(['evacuate a', 'evacuate b', 'evacuate c'])
    expect(await rescueInstances.verify?.(INPUT, ctx)).toMatchObject({ kind: 'holds' })
    expect(world.instances.map(({ host, status }) => [host, status])).toEqual([
      ['elsewhere', 'ACTIVE'],
      ['elsewhere', 'SHUTOFF'],
      ['elsewhere', 'ACTIVE'],
    ])
  })

  test('are requested again where Nova failed, at most as often as allowed, and then an operator decides', async () => {
    const world = deadHost([onVolume('a')], { ...down, behaviour: () => 'fail' })
    const { ctx, answer } = await rescued(world)
    expect(answer).toMatchObject({ kind: 'question', choices: ['retry', 'skip', 'abort'] })
    expect(world.asked).toEqual(['evacuate a', 'evacuate a'])
    expect(ctx.facts.filter(({ fact }) => fact === MIGRATION_FAILED)).toHaveLength(2)
    const again = await rescued(world, { facts: ctx.facts })
    expect(again.answer).toMatchObject({ kind: 'question' })
    expect(world.asked).toHaveLength(2)
    expect(ctx.facts.filter(({ fact }) => fact === ATTEMPTS_EXHAUSTED)).toHaveLength(1)
  })

  const ASKED_BEFORE = fakeFact(
    MIGRATION_REQUESTED,
    'server/a',
    { name: 'vm-a', attempt: 1, how: 'evacuate', source: 'cmp-1', statusBefore: 'ACTIVE', knownMigrationId: 0 },
    { announces: true },
  )

  test('are not called gone where a requested one cannot be read, and nothing passes before its end is seen', async () => {
    const world = deadHost([fakeInstance('a', 'elsewhere', { taskState: 'rebuilding' })], down)
    const cloud = must(world.port.openstack, 'the fake world has a cloud')
    cloud.getInstance = async () => failed(failure('unreachable', 'Nova does not answer.'))
    const { ctx, answer } = await rescued(world, { facts: [ASKED_BEFORE], resumed: true })
    expect(answer).toMatchObject({ kind: 'failed', failure: { code: 'unreachable' } })
    expect(await rescueInstances.verify?.(INPUT, ctx)).toMatchObject({
      kind: 'fails',
      reason: '1 instance requested without a known result: a.',
    })
  })

  test('are no longer followed where a requested one is deleted', async () => {
    const { ctx, answer } = await rescued(deadHost([], down), { facts: [ASKED_BEFORE], resumed: true })
    expect(answer).toMatchObject({ kind: 'applied' })
    expect(ctx.facts.filter(({ fact }) => fact === INSTANCE_SETTLED).map(({ values }) => values)).toEqual([
      { name: 'vm-a', why: 'it was deleted meanwhile', code: 'DeletedMeanwhile', values: {} },
    ])
    expect(await rescueInstances.verify?.(INPUT, ctx)).toMatchObject({ kind: 'holds' })
  })

  test('are no longer touched once the machine reports again', async () => {
    const world = deadHost([onVolume('a')], { ...down, nodes: [fakeNode('cmp-1', { labels: COMPUTE })] })
    const { answer } = await rescued(world)
    expect(answer).toMatchObject({ kind: 'failed', failure: { code: 'conflict' } })
    expect(world.asked).toEqual([])
  })

  test('are no longer touched once nova-compute reports, although it is forced down', async () => {
    const world = deadHost([onVolume('a'), onVolume('b')], down)
    const cloud = must(world.port.openstack, 'the fake world has a cloud')
    const { evacuateInstance } = cloud
    cloud.evacuateInstance = async (...asked) => {
      world.services = world.services.map(service =>
        service.host === 'cmp-1' ? { ...service, updatedAt: '2026-01-01T00:00:10.000Z' } : service,
      )
      return evacuateInstance(...asked)
    }
    const { answer } = await rescued(world, { options: { concurrency: 1 } })
    expect(answer).toMatchObject({ kind: 'failed', failure: { code: 'conflict' } })
    expect(world.asked.filter(each => each.startsWith('evacuate'))).toHaveLength(1)
  })

  test('the end names what was lost with the machine', async () => {
    const world = deadHost([fakeInstance('a', 'cmp-1')], down)
    const overrides: RunOptions['overrides'] = [{ flag: 'allow-data-loss', reason: 'caches only' }]
    const { ctx, answer } = await rescued(world, { options: { overrides } })
    expect(answer).toMatchObject({ note: '1 instance rebuilt on other nodes. Local disks lost: vm-a.' })
    expect(await rescueInstances.verify?.(INPUT, ctx)).toMatchObject({
      kind: 'holds',
      reason: expect.stringContaining('Local disks lost: vm-a.'),
    })
  })

  test('a verify finds the one that stopped running on its way', async () => {
    const world = deadHost([onVolume('a')], down)
    const { ctx } = await rescued(world)
    world.instances = world.instances.map(instance => ({ ...instance, status: 'SHUTOFF', vmState: 'stopped' }))
    expect(await rescueInstances.verify?.(INPUT, ctx)).toMatchObject({ kind: 'fails' })
  })

  // Killed with the announcement on disk: Nova had the request, had it and ended it, or never received it.
  test.each([
    ['sent, and running', 'sent', 1],
    ['sent, and over', 'over', 1],
    ['never sent', 'unsent', 1],
  ] as const)(
    'a run that was killed after it announced, its request %s, asks Nova once in all',
    async (_what, how, asked) => {
      const world = deadHost([onVolume('a')], down)
      const announced = fakeContext(world, { options: OFF })
      announced.announce(MIGRATION_REQUESTED, 'server/a', {
        name: 'vm-a',
        attempt: 1,
        how: 'evacuate',
        source: 'cmp-1',
        statusBefore: 'ACTIVE',
        knownMigrationId: 0,
        loses: false,
      })
      if (how !== 'unsent') await world.port.openstack?.evacuateInstance('a')
      if (how === 'over') for (let look = 0; look < 5; look += 1) await world.port.openstack?.getInstance('a')
      const { ctx, answer } = await rescued(world, { facts: announced.facts, resumed: true })
      expect(answer).toMatchObject({ kind: 'applied' })
      expect(world.asked).toHaveLength(asked)
      expect(ctx.facts.filter(({ fact }) => fact === INSTANCE_MOVED)).toHaveLength(1)
    },
  )
})

describe('nova-compute of a dead host', () => {
  test('is forced down and disabled by one request, after the node was noted', async () => {
    const world = deadHost([])
    const ctx = fakeContext(world, { options: { ...OFF, reason: 'PSU' } })
    expect(await forceDownCompute.apply?.(INPUT, ctx)).toMatchObject({ kind: 'applied' })
    expect(world.asked).toEqual([`annotate cmp-1 {"${FORCED_DOWN_ANNOTATION}":"run-1"}`, 'force-down service-cmp-1'])
    expect(world.services[0]).toMatchObject({ forcedDown: true, status: 'disabled' })
    expect(world.services[0]?.disabledReason).toContain('run-1: PSU')
    expect(ctx.facts.find(({ announces }) => announces)?.values.machineIsOff).toBe(OFF.machineIsOff)
    expect(await forceDownCompute.verify?.(INPUT, ctx)).toMatchObject({ kind: 'holds' })
  })

  test('that somebody else disabled keeps its reason, and one that they forced down gets no note', async () => {
    const theirs = fakeService('cmp-1', { state: 'down', forcedDown: true, status: 'enabled' })
    const world = deadHost([], { services: [theirs] })
    await forceDownCompute.apply?.(INPUT, fakeContext(world, { options: OFF }))
    expect(world.asked).toEqual(['force-down service-cmp-1'])
    const disabled = fakeService('cmp-1', { state: 'down', status: 'disabled', disabledReason: 'theirs' })
    const other = deadHost([], { services: [disabled] })
    await forceDownCompute.apply?.(INPUT, fakeContext(other, { options: OFF }))
    expect(other.services[0]).toMatchObject({ forcedDown: true, disabledReason: 'theirs' })
  })

  test('that is up is not forced down, whatever was planned', async () => {
    const world = deadHost([], { services: [fakeService('cmp-1')] })
    const answer = await forceDownCompute.apply?.(INPUT, fakeContext(world, { options: OFF }))
    expect(answer).toMatchObject({ kind: 'failed' })
    expect(world.asked).toEqual([])
  })

  test.each([
    ['holds', {}],
    ['fails', { forcedDown: false }],
    ['fails', { status: 'enabled' as const }],
    ['fails', { state: 'up' as const }],
  ])(
    'is verified as forced down only while it is down, disabled and forced down: it %s with %j',
    async (kind, more) => {
      const forced = { state: 'down' as const, forcedDown: true, status: 'disabled' as const }
      const world = deadHost([], { services: [fakeService('cmp-1', { ...forced, ...more })] })
      expect(await forceDownCompute.verify?.(INPUT, fakeContext(world, { options: OFF }))).toMatchObject({ kind })
    },
  )

  test('is no longer forced down once it reports and has cleaned up, and not before', async () => {
    const forced = fakeService('cmp-1', { state: 'down', forcedDown: true, updatedAt: '2026-01-01T00:00:00.000Z' })
    const world = deadHost([], {
      services: [forced],
      nodes: [fakeNode('cmp-1', { labels: COMPUTE, annotations: { [FORCED_DOWN_ANNOTATION]: 'run-1' } })],
    })
    world.migrations = [fakeMigration({ type: 'evacuation', status: 'done', destHost: 'elsewhere' })]
    const cloud = world.port.openstack
    if (cloud === null) throw new Error('the fake world has a cloud')
    let looks = 0
    const port = {
      ...world.port,
      openstack: {
        ...cloud,
        computeServices: async () => {
          looks += 1
          if (looks === 3) world.services = [{ ...forced, updatedAt: '2026-01-01T00:01:00.000Z' }]
          if (looks === 6) world.migrations = world.migrations.map(record => ({ ...record, status: 'completed' }))
          return cloud.computeServices()
        },
      },
    }
    const ctx = { ...fakeContext(world), world: port }
    expect(await forceUpCompute.apply?.(INPUT, ctx)).toMatchObject({ kind: 'applied' })
    expect(looks).toBeGreaterThanOrEqual(6)
    expect(world.asked).toEqual(['force-up service-cmp-1', `annotate cmp-1 {"${FORCED_DOWN_ANNOTATION}":null}`])
    expect(await forceUpCompute.verify?.(INPUT, ctx)).toMatchObject({ kind: 'holds' })
  })

  test('that never reports stays forced down', async () => {
    const forced = fakeService('cmp-1', { state: 'down', forcedDown: true, updatedAt: '2026-01-01T00:00:00.000Z' })
    const world = deadHost([], { services: [forced] })
    expect(await forceUpCompute.apply?.(INPUT, fakeContext(world))).toMatchObject({
      kind: 'failed',
      failure: { code: 'timed-out' },
    })
    expect(world.asked).toEqual([])
  })
})

describe('a host that was forced down is evacuated only while it is silent', () => {
  const SILENT_AT = '2025-12-31T23:00:00.000Z'
  const LATER = '2025-12-31T23:30:00.000Z'
  const forcedDown = (updatedAt: string | null) =>
    fakeService('cmp-1', { state: 'down', status: 'disabled', forcedDown: true, updatedAt })
  const host = (updatedAt: string | null) =>
    deadHost([onVolume('a')], { services: [forcedDown(updatedAt), fakeService('elsewhere')] })
  const seenSilent = fakeFact(COMPUTE_LAST_REPORT, 'nova-compute/cmp-1', { id: 'service-cmp-1', updatedAt: SILENT_AT })
  const refused = { kind: 'failed', failure: { code: 'conflict' } }

  test('the run records once how it saw it', async () => {
    const { answer, ctx } = await rescued(host(SILENT_AT))
    expect(answer).toMatchObject({ kind: 'applied' })
    const again = await rescued(host(SILENT_AT), { facts: ctx.facts })
    const records = again.ctx.facts.filter(({ fact }) => fact === COMPUTE_LAST_REPORT)
    expect(records.map(({ values }) => values)).toEqual([{ id: 'service-cmp-1', updatedAt: SILENT_AT }])
  })

  test('the record is kept as soon as it is forced down, before anybody can miss a report', async () => {
    const world = deadHost([], { services: [fakeService('cmp-1', { state: 'down' })] })
    const ctx = fakeContext(world, { options: OFF })
    expect(await forceDownCompute.apply?.(INPUT, ctx)).toMatchObject({ kind: 'applied' })
    expect(ctx.facts.map(({ fact }) => fact)).toContain(COMPUTE_LAST_REPORT)
  })

  test('a later process compares with that record, and evacuates nothing from one that reported since', async () => {
    const world = host(LATER)
    expect((await rescued(world, { facts: [seenSilent] })).answer).toMatchObject(refused)
    expect(world.asked).toEqual([])
  })

  test('also with what the step recorded that forced it down, before this one began', async () => {
    const world = host(LATER)
    const ctx = { ...fakeContext(world, { options: OFF, facts: [seenSilent] }), history: () => [] }
    expect(await rescueInstances.apply?.(INPUT, ctx)).toMatchObject(refused)
    expect(world.asked).toEqual([])
  })

  test('a record created again belongs to a nova-compute that started', async () => {
    const other = fakeFact(COMPUTE_LAST_REPORT, 'nova-compute/cmp-1', { id: 'service-before', updatedAt: SILENT_AT })
    const world = host(LATER)
    expect((await rescued(world, { facts: [other] })).answer).toMatchObject(refused)
    expect(world.asked).toEqual([])
  })

  test.each([
    ['by a run that recorded nothing yet', []],
    ['again by each later process', [seenSilent]],
  ])('it is watched for longer than two reports: %s', async (_, facts) => {
    const world = host(SILENT_AT)
    const cloud = must(world.port.openstack, 'the fake world has a cloud')
    const { computeServices } = cloud
    let looks = 0
    cloud.computeServices = async () => {
      looks += 1
      if (looks === 4) world.services = [forcedDown(LATER), fakeService('elsewhere')]
      return computeServices()
    }
    expect((await rescued(world, { facts: [...facts] })).answer).toMatchObject(refused)
    expect(world.asked).toEqual([])
  })

  test('and not at all where Nova does not say when it last reported', async () => {
    const world = host(null)
    expect((await rescued(world)).answer).toMatchObject(refused)
    expect(world.asked).toEqual([])
  })
})

describe('a run that was ended between its force-down and the record of it', () => {
  const asked = fakeFact(
    COMPUTE_FORCE_DOWN_REQUESTED,
    'nova-compute/cmp-1',
    { id: 'service-cmp-1' },
    { announces: true },
  )
  const down = () =>
    deadHost([], { services: [fakeService('cmp-1', { state: 'down', status: 'disabled', forcedDown: true })] })

  test('does not take Nova’s present answer for the earlier one: an operator checks the machine again', async () => {
    const ctx = fakeContext(down(), { options: OFF, facts: [asked], resumed: true })
    expect(await forceDownCompute.check?.(INPUT, ctx)).toMatchObject({ kind: 'ready' })
    expect(await forceDownCompute.apply?.(INPUT, ctx)).toMatchObject({
      kind: 'question',
      choices: ['continue', 'abort'],
    })
    expect(ctx.facts.map(({ fact }) => fact)).not.toContain(COMPUTE_LAST_REPORT)
  })

  test('records it once a person said that the machine is off', async () => {
    const said = fakeFact(OPERATOR_ANSWERED, 'step', { choice: 'continue' })
    const ctx = fakeContext(down(), { options: OFF, facts: [asked, said], resumed: true })
    expect(await forceDownCompute.apply?.(INPUT, ctx)).toMatchObject({ kind: 'applied' })
    expect(ctx.facts.map(({ fact }) => fact)).toContain(COMPUTE_LAST_REPORT)
    expect(await forceDownCompute.check?.(INPUT, ctx)).toMatchObject({ kind: 'done' })
  })

  test('one that somebody else forced down is recorded at the first look', async () => {
    const ctx = fakeContext(down(), { options: OFF })
    expect(await forceDownCompute.check?.(INPUT, ctx)).toMatchObject({ kind: 'ready' })
    expect(await forceDownCompute.apply?.(INPUT, ctx)).toMatchObject({ kind: 'applied' })
    expect(ctx.facts.map(({ fact }) => fact)).toEqual(expect.arrayContaining([COMPUTE_LAST_REPORT]))
  })
})

describe('a machine that came back after it was decided that it is off, and was lost again', () => {
  // A kill, a pause, a question or a night is between the two.
  const DECIDED = { node: 'cmp-1', silentSince: '2025-12-31T22:00:00Z' }
  const down = { state: 'down', status: 'disabled', forcedDown: true } as const
  const refused = {
    kind: 'failed',
    failure: { code: 'conflict', message: expect.stringContaining('after this rescue was decided') },
  }
  const machine = (readinessSince: string) => ({
    nodes: [
      fakeNode('cmp-1', { labels: COMPUTE, readiness: 'unknown', readinessSince }),
      fakeNode('elsewhere', { labels: COMPUTE }),
    ],
  })
  const back = machine('2025-12-31T23:59:00Z')

  test('is not forced down', async () => {
    const world = deadHost([], back)
    expect(await forceDownCompute.apply?.(DECIDED, fakeContext(world, { options: OFF }))).toMatchObject(refused)
    expect(world.asked).toEqual([])
  })

  test('has none of its instances rebuilt', async () => {
    const world = deadHost([onVolume('a')], {
      ...back,
      services: [fakeService('cmp-1', down), fakeService('elsewhere')],
    })
    expect(await rescueInstances.apply?.(DECIDED, fakeContext(world, { options: OFF }))).toMatchObject(refused)
    expect(world.asked).toEqual([])
  })

  test('gets no taint', async () => {
    const world = deadHost([], back)
    expect(await outOfServiceTaint.apply?.(DECIDED, fakeContext(world, { options: OFF }))).toMatchObject(refused)
    expect(world.asked).toEqual([])
  })

  test('one without a later report is rescued as decided, by any process', async () => {
    const world = deadHost([onVolume('a')], {
      ...machine(DECIDED.silentSince),
      services: [fakeService('cmp-1', down), fakeService('elsewhere')],
    })
    const ctx = fakeContext(world, { options: OFF, resumed: true })
    expect(await rescueInstances.apply?.(DECIDED, ctx)).toMatchObject({ kind: 'applied' })
    expect(await outOfServiceTaint.apply?.(DECIDED, ctx)).toMatchObject({ kind: 'applied' })
  })

  test('a plan of an earlier version has no start time: the present answer decides', async () => {
    const world = deadHost([], back)
    expect(await outOfServiceTaint.apply?.(INPUT, fakeContext(world, { options: OFF }))).toMatchObject({
      kind: 'applied',
    })
  })
})

describe('the taint of a machine that is off', () => {
  test('is not put on one whose nova-compute reported since it was forced down, though its kubelet is silent', async () => {
    const world = deadHost([], {
      services: [fakeService('cmp-1', { state: 'down', forcedDown: true, updatedAt: '2026-01-01T00:10:00.000Z' })],
    })
    const recorded = { id: 'service-cmp-1', updatedAt: '2026-01-01T00:00:00.000Z' }
    const seen = fakeFact(COMPUTE_LAST_REPORT, 'nova-compute/cmp-1', recorded)
    const ctx = { ...fakeContext(world, { options: OFF, facts: [seen] }), history: () => [] }
    expect(await outOfServiceTaint.apply?.(INPUT, ctx)).toMatchObject({ kind: 'failed', failure: { code: 'conflict' } })
    expect(world.asked).toEqual([])
  })

  test('is put on it with a note, and taken back by the same', async () => {
    const world = deadHost([])
    const ctx = fakeContext(world, { options: OFF })
    expect(await outOfServiceTaint.apply?.(INPUT, ctx)).toMatchObject({ kind: 'applied' })
    expect(await outOfServiceTaint.verify?.(INPUT, ctx)).toMatchObject({ kind: 'holds' })
    expect(world.nodes[0]?.annotations[OUT_OF_SERVICE_ANNOTATION]).toBe('run-1')
    expect(await takeBackTaint.apply?.(INPUT, ctx)).toMatchObject({ kind: 'applied' })
    expect(await takeBackTaint.verify?.(INPUT, ctx)).toMatchObject({ kind: 'holds' })
    expect(world.nodes[0]?.annotations).toEqual({})
    expect(world.taints.get('cmp-1')).toEqual([])
  })

  test('is put on no node that reports', async () => {
    const world = deadHost([], { nodes: [fakeNode('cmp-1')] })
    expect(await outOfServiceTaint.apply?.(INPUT, fakeContext(world, { options: OFF }))).toMatchObject({
      kind: 'failed',
      failure: { reason: 'GetsNoTaint' },
    })
    expect(world.asked).toEqual([])
  })
})

describe('plans of a rescue', () => {
  const planned = async (
    kind: 'rescue' | 'leave',
    cluster: Partial<Cluster>,
    options: Partial<RunOptions>,
    annotations = {},
  ) => {
    const world = deadHost([])
    world.nodes = world.nodes.map(node => (node.name === 'cmp-1' ? { ...node, annotations } : node))
    const port = { ...world.port, cluster: fakeCluster(cluster) }
    const wish = {
      id: 'p',
      kind,
      node: 'cmp-1',
      madeAt: '2026-01-01T00:00:00.000Z',
      options: { ...DEFAULT_RUN_OPTIONS, ...options },
    }
    const made = await makePlan(wish, port)
    if (!made.ok) throw new Error(made.failure.message)
    return made.value.steps
  }

  test.each(['plain', 'sunbeam', 'mosk'] as const)('goes through Nova and Kubernetes alone on %s', async flavour => {
    const steps = await planned('rescue', { flavour }, { ...OFF, outOfServiceTaint: true })
    const acts = steps.filter(({ verbs }) => verbs.includes('apply')).map(({ kind }) => kind)
    expect(acts).toEqual(['cordon-node', 'force-down-compute', 'rescue-instances', 'out-of-service-taint'])
    const looks = steps.filter(({ verbs }) => !verbs.includes('apply')).map(({ kind }) => kind)
    expect(looks).toEqual(expect.arrayContaining(['machine-off', 'compute-service-down', 'instances-rescuable']))
    expect(looks.includes('request-is-ours')).toBe(flavour === 'mosk')
    for (const { kind } of steps) expect(maintenanceSteps.has(kind)).toBe(true)
  })

  test('keeps the time of the machine’s last report, for each step that is right only for a machine that is off', async () => {
    const steps = await planned('rescue', { flavour: 'plain' }, { ...OFF, outOfServiceTaint: true })
    const reported = steps.flatMap(({ kind, input }) => (input.silentSince === '2026-01-01T00:00:00Z' ? [kind] : []))
    expect(reported).toEqual(['force-down-compute', 'rescue-instances', 'out-of-service-taint'])
  })

  test.each(['plain', 'sunbeam', 'mosk'] as const)(
    'rebuilds nothing before nova-compute is forced down: %s',
    async flavour => {
      const steps = await planned('rescue', { flavour }, { ...OFF, outOfServiceTaint: true })
      const needs = (kind: string) => steps.find(step => step.kind === kind)?.needs
      expect(needs('rescue-instances')).toEqual(['force-down-compute'])
      expect(needs('out-of-service-taint')).toEqual(['rescue-instances'])
    },
  )

  test.each(['plain', 'sunbeam', 'mosk'] as const)(
    'is undone on %s by bringing the node back, where it was noted',
    async flavour => {
      const noted = { [FORCED_DOWN_ANNOTATION]: 'run-1', [OUT_OF_SERVICE_ANNOTATION]: 'run-1' }
      const kinds = (await planned('leave', { flavour }, {}, noted)).map(({ kind }) => kind)
      const at = (kind: string) => kinds.indexOf(kind)
      expect(at('take-back-taint')).toBeGreaterThan(-1)
      expect(at('take-back-taint')).toBeLessThan(at('uncordon-node'))
      expect(at('force-up-compute')).toBeGreaterThan(at('uncordon-node'))
      expect(at('enable-compute')).toBeGreaterThan(at('force-up-compute'))
      const usual = (await planned('leave', { flavour }, {})).map(({ kind }) => kind)
      expect(usual).not.toContain('force-up-compute')
      expect(usual).not.toContain('take-back-taint')
    },
  )
})
