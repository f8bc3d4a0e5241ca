import { describe, expect, it } from 'vitest'
import type { MaintenanceWorld } from '../../../../main/ports/world.ts'
import type { MaintenanceContext } from '../../../../main/procedures/node-input.ts'
import { instancesStatus } from '../../../../main/procedures/steps/compute/instances-status.ts'
import { noEphemeralDisks } from '../../../../main/procedures/steps/compute/no-ephemeral-disks.ts'
import { watcherAvailable } from '../../../../main/procedures/steps/watcher/watcher-available.ts'
import type { Step } from '../../../../main/runs/engine/step.ts'
import { failure } from '../../../../shared/domain/failure.ts'
import type { RunOptions } from '../../../../shared/domain/plan.ts'
import { failed } from '../../../../shared/domain/result.ts'
import { WATCHER_PLAN_STARTED } from '../../../../shared/domain/run-facts.ts'
import type { CheckAnswer } from '../../../../shared/domain/step-answers.ts'
import { fakeFlavor } from '../../../fixtures/procedures/fake-records.ts'
import { fakeWatcher } from '../../../fixtures/procedures/fake-watcher.ts'
import { fakeContext, fakeInstance } from '../../../fixtures/procedures/fake-world.ts'
import { computeWorld, SHUTOFF } from '../../../fixtures/procedures/watcher-run.ts'

const on = (id: string, more = {}) => fakeInstance(id, 'cmp-1', more)
const WATCHER = { strategy: 'watcher' } as const
const flavor = (more: object) => fakeFlavor({ ramMib: 512, ...more })

async function look(step: Step<MaintenanceWorld>, ctx: MaintenanceContext): Promise<CheckAnswer> {
  if (step.check === undefined) throw new Error('the step checks')
  return step.check({ node: 'cmp-1' }, ctx)
}

function blockersOf(answer: CheckAnswer) {
  return answer.kind === 'blocked' ? answer.blockers.map(({ code, override }) => [code, override.kind]) : answer.kind
}

describe('Watcher exists (seed 004, compute role)', () => {
  it('holds when it is in the catalogue, answers and knows the strategy', async () => {
    const world = computeWorld([])
    fakeWatcher(world)
    const answer = await look(watcherAvailable, fakeContext(world))
    expect(answer.kind).toBe('ready')
    expect(answer.evidence).toEqual([expect.objectContaining({ subject: 'watcher' })])
  })

  it('is never overridable when there is none, and says how it is enabled or done without', async () => {
    const world = computeWorld([])
    const watcher = fakeWatcher(world)
    watcher.port.about = async () => failed(failure('not-found', 'This cloud has no Watcher.'))
    const answer = await look(watcherAvailable, fakeContext(world))
    expect(blockersOf(answer)).toEqual([['NoWatcher', 'never']])
    const remedy = answer.kind === 'blocked' ? answer.blockers[0]?.remedy : ''
    expect(remedy).toContain('sunbeam enable resource-optimization')
    expect(remedy).toContain('--strategy nova')
  })

  it('a cluster without a cloud has none', async () => {
    expect(blockersOf(await look(watcherAvailable, fakeContext(computeWorld([]))))).toEqual([['NoWatcher', 'never']])
  })

  it('is never overridable when it does not answer, or does not know the strategy', async () => {
    const world = computeWorld([])
    const watcher = fakeWatcher(world, { parameters: [] })
    expect(blockersOf(await look(watcherAvailable, fakeContext(world)))).toEqual([['WatcherCannotEmptyHosts', 'never']])
    watcher.port.about = async () => failed(failure('unreachable', 'No connection.'))
    expect(blockersOf(await look(watcherAvailable, fakeContext(world)))).toEqual([['NotRead', 'never']])
  })
})

describe('instances status (seed 004, compute role)', () => {
  it.each([
    ['ERROR', { status: 'ERROR', vmState: 'error' }, 'InstanceInError'],
    ['MIGRATING', { status: 'MIGRATING', taskState: 'migrating' }, 'InstanceMigrating'],
    ['SHUTOFF', SHUTOFF, 'InstanceShutOff'],
  ])('%s blocks, forceable, and passes when repaired', async (_status, state, code) => {
    const world = computeWorld([on('a', state), on('b')])
    expect(blockersOf(await look(instancesStatus, fakeContext(world, { options: WATCHER })))).toEqual([[code, 'flag']])
    world.instances = [on('a'), on('b')]
    expect((await look(instancesStatus, fakeContext(world, { options: WATCHER }))).kind).toBe('ready')
  })

  it('two of one name differ by their ids', async () => {
    const world = computeWorld([on('a', { name: 'web', ...SHUTOFF }), on('b', { name: 'web' })])
    const answer = await look(instancesStatus, fakeContext(world, { options: WATCHER }))
    expect(answer.evidence.map(({ subject }) => subject)).toEqual([
      'second look at the instances on cmp-1',
      'server/a (web)',
      'server/b (web)',
    ])
    expect(answer.kind === 'blocked' && answer.blockers.map(({ message }) => message)).toEqual([
      'Instance web (a) on cmp-1 is SHUTOFF.',
    ])
  })

  it('says of a stopped one that it moves once cold migration is allowed', async () => {
    const options = { ...WATCHER, coldMigration: true }
    const answer = await look(instancesStatus, fakeContext(computeWorld([on('a', SHUTOFF)]), { options }))
    expect(answer.kind).toBe('ready')
    expect(answer.warnings.map(({ message }) => message)).toEqual([
      'Instance vm-a (a) is stopped and moves by cold migration.',
    ])
  })

  it("an instance that this run's own plan moves is not a blocker when the run is resumed", async () => {
    const world = computeWorld([on('a', { status: 'MIGRATING', taskState: 'migrating' })])
    const values = { instances: ['a'] }
    const facts = [{ at: '', fact: WATCHER_PLAN_STARTED, subject: 'watcher-plan/plan-1', announces: true, values }]
    expect((await look(instancesStatus, fakeContext(world, { facts }))).kind).toBe('ready')
  })
})

describe('no ephemeral disks (seed 004, compute role)', () => {
  it('a flavor with an ephemeral disk blocks, forceable, and passes without it', async () => {
    const world = computeWorld([on('a', { flavor: flavor({ ephemeralGib: 5 }) })])
    const answer = await look(noEphemeralDisks, fakeContext(world, { options: WATCHER }))
    expect(blockersOf(answer)).toEqual([['EphemeralDisk', 'flag']])
    world.instances = [on('a', { flavor: flavor({}), volumeIds: ['volume'] })]
    const mended = await look(noEphemeralDisks, fakeContext(world, { options: WATCHER }))
    expect(mended).toMatchObject({ kind: 'ready', warnings: [] })
  })

  it.each<readonly [string, Partial<RunOptions>, object]>([
    ['is left out', { excludedInstances: ['a'] }, {}],
    ['is stopped where it is', { disableMigration: 'both' }, {}],
    ['rests and stays', { disableMigration: 'cold' }, SHUTOFF],
  ])('one that does not move because it %s is not a blocker', async (_why, options, state) => {
    const world = computeWorld([on('a', { flavor: flavor({ ephemeralGib: 5 }), ...state })])
    expect((await look(noEphemeralDisks, fakeContext(world, { options: { ...WATCHER, ...options } }))).kind).toBe(
      'ready',
    )
  })

  it('names root disks on the host, and swap that a cold migration creates again', async () => {
    const world = computeWorld([
      on('local', { flavor: flavor({ diskGib: 10 }), volumeIds: ['data'], bootsFromVolume: false }),
      on('swap', { flavor: flavor({ swapMib: 512 }), volumeIds: ['volume'] }),
    ])
    const live = await look(noEphemeralDisks, fakeContext(world, { options: WATCHER }))
    expect(live.warnings.map(({ message }) => message)).toEqual([
      expect.stringContaining('Root disk on the hypervisor: vm-local (local).'),
    ])
    const cold = await look(noEphemeralDisks, fakeContext(world, { options: { ...WATCHER, disableMigration: 'live' } }))
    expect(cold.warnings[1]?.message).toContain('Nova creates a new swap disk on the other host: vm-swap (swap).')
  })

  it('says nothing where a flavor is unknown: that blocks, and may be forced', async () => {
    const answer = await look(noEphemeralDisks, fakeContext(computeWorld([on('a')]), { options: WATCHER }))
    expect(answer).toMatchObject({
      kind: 'blocked',
      blockers: [
        {
          code: 'EphemeralDiskUnknown',
          message: expect.stringContaining('Nova does not show the flavor of instance vm-a (a)'),
          override: { kind: 'flag', flag: 'force' },
        },
      ],
    })
  })
})
