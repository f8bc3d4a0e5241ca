import { describe, expect, test } from 'vitest'
import { nodeEmptied, nodeServes } from '../../../main/procedures/steps/general/node-verdict.ts'
import { failure } from '../../../shared/domain/failure.ts'
import { failed, ok } from '../../../shared/domain/result.ts'
import type { RunFact } from '../../../shared/domain/run.ts'
import { fakeMigration } from '../../fixtures/procedures/fake-records.ts'
import {
  COMPUTE,
  decision,
  type FakeWorld,
  fakeContext,
  fakeInstance,
  fakeNode,
  fakePod,
  fakeService,
  fakeWorld,
} from '../../fixtures/procedures/fake-world.ts'

const INPUT = { node: 'cmp-1', computes: true, stores: false }
const OFF = { status: 'SHUTOFF', vmState: 'stopped', powerState: 4 }

function emptied(more: Partial<FakeWorld> = {}): FakeWorld {
  return fakeWorld({
    nodes: [fakeNode('cmp-1', { labels: COMPUTE, unschedulable: true })],
    services: [fakeService('cmp-1', { status: 'disabled' }), fakeService('cmp-2')],
    // What proves the list of cmp-1 is asked of the whole cloud.
    instances: [fakeInstance('away', 'cmp-2')],
    ...more,
  })
}

/** Placement has no provider of the host: the whole cloud is asked instead. */
function withoutPlacement(world: FakeWorld): FakeWorld {
  Object.assign(world.port.openstack ?? {}, { consumersOn: async () => ok(null) })
  return world
}

async function reportedOf(step: typeof nodeEmptied, world: FakeWorld, history: readonly RunFact[] = []) {
  const facts: RunFact[] = [...history]
  const answer = await step.verify?.(INPUT, fakeContext(world, { facts }))
  return { answer, verdict: facts.findLast(({ fact }) => fact === 'node-verdict')?.values }
}

describe('the last look at a node that was taken out', () => {
  test.each<[what: string, world: FakeWorld, verdict: object]>([
    ['nothing is left', emptied(), { kind: 'Empty', off: [] }],
    [
      'an instance that is off stays',
      emptied({ instances: [fakeInstance('off', 'cmp-1', OFF), fakeInstance('away', 'cmp-2')] }),
      { kind: 'Empty', off: [{ id: 'off', name: 'vm-off' }] },
    ],
    [
      'one runs',
      emptied({ instances: [fakeInstance('web', 'cmp-1'), fakeInstance('away', 'cmp-2')] }),
      { kind: 'NotEmpty', instances: [{ id: 'web', code: 'StillRuns' }] },
    ],
    [
      'one left by a cold migration that nobody confirmed',
      emptied({
        instances: [fakeInstance('cold', 'cmp-2', { status: 'VERIFY_RESIZE', vmState: 'resized' })],
        migrations: [
          fakeMigration({
            instanceId: 'cold',
            type: 'migration',
            status: 'finished',
            sourceHost: 'cmp-1',
            destHost: 'cmp-2',
          }),
        ],
      }),
      { kind: 'NotEmpty', instances: [{ id: 'cold', code: 'AwaitsConfirmation' }] },
    ],
    [
      'one is brought back by a revert, which Nova calls reverted before it is back',
      emptied({
        instances: [
          fakeInstance('back', 'cmp-2', { status: 'REVERT_RESIZE', vmState: 'resized', taskState: 'resize_reverting' }),
        ],
        migrations: [
          fakeMigration({
            instanceId: 'back',
            type: 'resize',
            status: 'reverted',
            sourceHost: 'cmp-1',
            destHost: 'cmp-2',
          }),
        ],
      }),
      { kind: 'NotEmpty', instances: [{ id: 'back', code: 'Arriving' }] },
    ],
    [
      'one that left it by a resize is in a cell that does not answer',
      emptied({
        instances: [
          fakeInstance('dark', 'cmp-2', { host: null, partial: true, vmState: null, status: 'UNKNOWN' }),
          fakeInstance('away', 'cmp-2'),
        ],
        migrations: [
          fakeMigration({
            instanceId: 'dark',
            type: 'resize',
            status: 'finished',
            sourceHost: 'cmp-1',
            destHost: 'cmp-2',
          }),
        ],
      }),
      { kind: 'Unknown', unread: [{ what: 'migrations', code: 'PartialAnswer' }] },
    ],
    [
      'Nova has it under two names, and one runs under the other',
      emptied({
        services: [
          fakeService('cmp-1', { status: 'disabled' }),
          fakeService('cmp-1.example.com'),
          fakeService('cmp-2'),
        ],
        instances: [fakeInstance('web', 'cmp-1.example.com'), fakeInstance('away', 'cmp-2')],
      }),
      { kind: 'Unknown', unread: [{ what: 'instances', code: 'NotProved' }] },
    ],
    [
      'a name like its own is of another node',
      emptied({
        nodes: [fakeNode('cmp-1', { labels: COMPUTE, unschedulable: true }), fakeNode('cmp-1.example.com')],
        services: [
          fakeService('cmp-1', { status: 'disabled' }),
          fakeService('cmp-1.example.com'),
          fakeService('cmp-2'),
        ],
        instances: [fakeInstance('web', 'cmp-1.example.com'), fakeInstance('away', 'cmp-2')],
      }),
      { kind: 'Empty' },
    ],
    [
      'one is on its way to it',
      emptied({
        instances: [fakeInstance('comes', 'cmp-2', { status: 'MIGRATING', taskState: 'migrating' })],
        migrations: [fakeMigration({ instanceId: 'comes', status: 'running', sourceHost: 'cmp-2', destHost: 'cmp-1' })],
      }),
      { kind: 'NotEmpty', instances: [{ id: 'comes', code: 'Arriving' }] },
    ],
    [
      'a pod that had to leave is there',
      emptied({ decisions: [decision(fakePod('web', { nodeName: 'cmp-1' }), { fate: 'evict' })] }),
      { kind: 'NotEmpty', pods: ['openstack/web'] },
    ],
    ['Nova has lost its compute service', emptied({ services: [fakeService('cmp-2')] }), { kind: 'Unknown' }],
    [
      'nothing in the whole cloud proves the list',
      withoutPlacement(emptied({ instances: [] })),
      { kind: 'Unknown', unread: [{ what: 'instances', code: 'NotProved' }] },
    ],
  ])('%s', async (_, world, verdict) => {
    const { answer, verdict: reported } = await reportedOf(nodeEmptied, world)
    expect(reported).toMatchObject(verdict)
    // The end of the run reports what is left; it is not a failure of this check.
    expect(answer?.kind).toBe('holds')
  })

  test('it names who left an instance there', async () => {
    const decided: RunFact = {
      at: '2026-01-01T00:00:00.000Z',
      fact: 'instance-decided',
      subject: 'server/web',
      announces: false,
      values: { choice: 'skip', by: 'olga', reason: 'its owner agreed' },
    }
    const world = emptied({ instances: [fakeInstance('web', 'cmp-1'), fakeInstance('away', 'cmp-2')] })
    const { verdict } = await reportedOf(nodeEmptied, world, [decided])
    expect(verdict).toMatchObject({
      instances: [{ code: 'LeftHere', decided: { by: 'olga', reason: 'its owner agreed' } }],
    })
  })

  test('a cloud that does not answer is read again, without a report', async () => {
    const world = emptied()
    const silent = failed(failure('unreachable', 'Nova does not answer.', { retryable: true }))
    Object.assign(world.port.openstack ?? {}, { migrations: async () => silent })
    const { answer, verdict } = await reportedOf(nodeEmptied, world)
    expect(answer).toMatchObject({ kind: 'cannot-tell', passing: {} })
    expect(verdict).toBeUndefined()
  })
})

describe('the last look at a node that was brought back', () => {
  const back = (more: Partial<FakeWorld> = {}) =>
    fakeWorld({
      nodes: [fakeNode('cmp-1', { labels: COMPUTE })],
      services: [fakeService('cmp-1'), fakeService('cmp-2')],
      ...more,
    })
  const taint = { key: 'node.kubernetes.io/out-of-service', value: 'nodeshutdown', effect: 'NoExecute' }
  const role = { key: 'node-role.kubernetes.io/control-plane', value: '', effect: 'NoSchedule' }

  test.each<[what: string, world: FakeWorld, verdict: object]>([
    ['it takes work', back(), { kind: 'InService' }],
    ['a taint that says what it is for stays', back({ taints: new Map([['cmp-1', [role]]]) }), { kind: 'InService' }],
    [
      'somebody disabled nova-compute',
      back({ services: [fakeService('cmp-1', { status: 'disabled', disabledReason: 'hardware' })] }),
      { kind: 'HeldBack', by: [{ code: 'ComputeDisabled', reason: 'hardware' }] },
    ],
    [
      'somebody cordoned it',
      back({ nodes: [fakeNode('cmp-1', { labels: COMPUTE, unschedulable: true })] }),
      { kind: 'HeldBack', by: [{ code: 'Cordoned' }] },
    ],
    [
      'the taint of a machine that is off is there',
      back({ taints: new Map([['cmp-1', [taint]]]) }),
      { kind: 'HeldBack', by: [{ code: 'Tainted', owner: 'kubernetes' }] },
    ],
    [
      'medik8s keeps pods off it',
      back({ taints: new Map([['cmp-1', [{ key: 'medik8s.io/drain', value: '', effect: 'NoSchedule' }]]]) }),
      { kind: 'HeldBack', by: [{ code: 'Tainted', taint: 'medik8s.io/drain:NoSchedule', owner: 'medik8s' }] },
    ],
    [
      'it also names a taint of unknown purpose',
      back({ taints: new Map([['cmp-1', [{ key: 'gpu', value: 'yes', effect: 'NoExecute' }]]]) }),
      { kind: 'InService', taints: ['gpu=yes:NoExecute'] },
    ],
    ['Nova has lost its compute service', back({ services: [] }), { kind: 'Unknown' }],
  ])('%s', async (_, world, verdict) => {
    expect((await reportedOf(nodeServes, world)).verdict).toMatchObject(verdict)
  })
})

describe('what Nova counts by its hypervisor record', () => {
  const counting = (more: Partial<FakeWorld>) => emptied(more)
  const record = { id: 'hypervisor-cmp-1', name: 'cmp-1', host: 'cmp-1', serviceId: '1', type: 'QEMU' } as const

  test.each<[what: string, more: Partial<FakeWorld>, verdict: object]>([
    [
      'two instances that the list does not show',
      { heldBy: new Map([['cmp-1', ['lost-1', 'lost-2']]]) },
      {
        kind: 'Unknown',
        unread: [
          {
            what: 'instances',
            code: 'PartialAnswer',
            message:
              "Nova's hypervisor record of cmp-1 counts 2 instances that the instance list does not show: lost-1, lost-2.",
          },
        ],
      },
    ],
    ['one that is on another host by now', { heldBy: new Map([['cmp-1', ['away']]]) }, { kind: 'Empty' }],
    [
      'a number by a nova-compute that is down, which counts no more',
      { hypervisors: [{ ...record, state: 'down', instances: 2 }], services: [] },
      { kind: 'Unknown', unread: [{ what: 'compute-service' }] },
    ],
  ])('%s', async (_, more, verdict) => {
    expect((await reportedOf(nodeEmptied, counting(more))).verdict).toMatchObject(verdict)
  })

  test('a number beside an empty list may be a minute old: it is read again before the check reports', async () => {
    const world = counting({ hypervisors: [{ ...record, state: 'up', instances: 2 }] })
    const { answer, verdict } = await reportedOf(nodeEmptied, world)
    expect(verdict).toBeUndefined()
    expect(answer).toMatchObject({ kind: 'cannot-tell', passing: {} })
    expect(JSON.stringify(answer)).toContain('counts 2 instances that the instance list does not show')
  })

  test('credentials that may not list hypervisors lose no verdict by that', async () => {
    const world = counting({})
    const refused = failure('not-permitted', 'You may not list the hypervisors.')
    Object.assign(world.port.openstack ?? {}, { hypervisors: async () => failed(refused) })
    const { verdict } = await reportedOf(nodeEmptied, world)
    expect(verdict).toMatchObject({ kind: 'Empty' })
    expect(JSON.stringify(verdict)).not.toContain('hypervisors')
  })

  test('a Nova that does not answer for them proves nothing', async () => {
    const world = counting({})
    const silent = failure('unreachable', 'Nova does not answer.')
    Object.assign(world.port.openstack ?? {}, { hypervisors: async () => failed(silent) })
    expect(await reportedOf(nodeEmptied, world)).toMatchObject({ answer: { kind: 'cannot-tell' } })
  })
})
