import { describe, expect, it } from 'vitest'
import { replicasRedundancy } from '../../../main/procedures/steps/general/replicas-redundancy.ts'
import { failure } from '../../../shared/domain/failure.ts'
import type { ControllerRef, Pod } from '../../../shared/domain/kubernetes.ts'
import { failed, ok } from '../../../shared/domain/result.ts'
import {
  decision,
  fakeContext,
  fakeNode,
  fakePod,
  fakeWorld,
  withSilentNova,
} from '../../fixtures/procedures/fake-world.ts'

const SET: ControllerRef = { apiVersion: 'apps/v1', kind: 'ReplicaSet', name: 'api-6f', uid: 'set-new' }
const OLD_SET: ControllerRef = { ...SET, name: 'api-5e', uid: 'set-old' }
const DEPLOYMENT: ControllerRef = { apiVersion: 'apps/v1', kind: 'Deployment', name: 'api', uid: 'deployment' }
const STATEFUL: ControllerRef = { apiVersion: 'apps/v1', kind: 'StatefulSet', name: 'db', uid: 'stateful' }
const REPLICATION: ControllerRef = { apiVersion: 'v1', kind: 'ReplicationController', name: 'rc', uid: 'replication' }
const JOB: ControllerRef = { apiVersion: 'batch/v1', kind: 'Job', name: 'job', uid: 'job' }

interface Setting {
  readonly pods: readonly Pod[]
  readonly cordoned?: readonly string[]
  readonly notReady?: readonly string[]
  readonly isNovaSilent?: boolean
  readonly input?: { readonly warns: boolean }
}

/** What the check says of draining n-1, with these pods in the cluster. */
async function checked({ pods, cordoned = [], notReady = [], isNovaSilent = false, input }: Setting) {
  const world = fakeWorld({
    nodes: ['n-1', 'n-2', 'n-3'].map(name =>
      fakeNode(name, {
        unschedulable: cordoned.includes(name),
        readiness: notReady.includes(name) ? 'not-ready' : 'ready',
      }),
    ),
    decisions: pods.filter(({ nodeName }) => nodeName === 'n-1').map(pod => decision(pod)),
    workloads: [SET, OLD_SET].map(set => ({
      ...set,
      kind: 'ReplicaSet',
      namespace: 'openstack',
      controller: DEPLOYMENT,
      replicas: 2,
      readyReplicas: 2,
    })),
  })
  const { kubernetes } = world.port
  world.port = { ...world.port, kubernetes: { ...kubernetes, listPods: async () => ok(pods) } }
  if (isNovaSilent) world.port = withSilentNova(world.port)
  return replicasRedundancy.check?.({ node: 'n-1', ...input }, fakeContext(world))
}

let serial = 0
function pod(controller: ControllerRef, nodeName: string, more: Partial<Pod> = {}): Pod {
  serial += 1
  return fakePod(`pod-${serial}`, { controller, nodeName, ...more })
}

const twice = (controller: ControllerRef, ...nodes: readonly string[]) => nodes.map(name => pod(controller, name))

it('in an update it warns of the only replica, and blocks nothing', async () => {
  const alone = await checked({ pods: [pod(SET, 'n-1')], input: { warns: true } })
  expect(alone).toMatchObject({ kind: 'ready', warnings: [{ message: expect.stringContaining('api') }] })
})

it('it names a Nova that is silent about the nodes of the other replicas', async () => {
  expect(await checked({ pods: twice(SET, 'n-1', 'n-2'), isNovaSilent: true })).toMatchObject({
    kind: 'ready',
    warnings: [{ message: expect.stringMatching(/so Lockkeeper counts none as out: Nova does not answer/) }],
  })
})

describe('a service keeps a ready replica on another node that is not in maintenance (seed 004, ReplicasRedundancy; domain.md B.1)', () => {
  it.each<Setting & { rule: string }>([
    { rule: 'one of two stays elsewhere', pods: twice(SET, 'n-1', 'n-2') },
    {
      rule: 'the other belongs to another ReplicaSet of the same Deployment',
      pods: [pod(SET, 'n-1'), pod(OLD_SET, 'n-2')],
    },
    { rule: 'a StatefulSet', pods: twice(STATEFUL, 'n-1', 'n-2') },
    { rule: 'a ReplicationController', pods: twice(REPLICATION, 'n-1', 'n-3') },
    { rule: 'one of three is on a node in maintenance', pods: twice(SET, 'n-1', 'n-2', 'n-3'), cordoned: ['n-2'] },
    { rule: 'a finished pod serves nobody', pods: [pod(SET, 'n-1', { phase: 'Succeeded' })] },
    { rule: 'a Job is not a service', pods: [pod(JOB, 'n-1')] },
    { rule: 'what leaves is not ready, and serves nobody', pods: [pod(SET, 'n-1', { ready: false })] },
    {
      rule: 'what leaves is not ready, and the ready one is on a node in maintenance',
      pods: [pod(SET, 'n-1', { ready: false }), pod(SET, 'n-2')],
      cordoned: ['n-2'],
    },
  ])('kept: $rule', async setting => {
    expect(await checked(setting)).toMatchObject({ kind: 'ready' })
  })

  it.each<Setting & { rule: string; says: string }>([
    {
      rule: 'six of six on the node',
      pods: twice(SET, ...Array(6).fill('n-1')),
      says: 'Deployment openstack/api keeps no ready replica elsewhere: 6 pods of it leave n-1',
    },
    { rule: 'a StatefulSet of two on the node', pods: twice(STATEFUL, 'n-1', 'n-1'), says: 'StatefulSet openstack/db' },
    {
      rule: 'a ReplicationController of two on the node',
      pods: twice(REPLICATION, 'n-1', 'n-1'),
      says: 'ReplicationController openstack/rc',
    },
    {
      rule: 'the other is not ready',
      pods: [pod(SET, 'n-1'), pod(SET, 'n-2', { ready: false })],
      says: '1 pod of it leaves n-1',
    },
    {
      rule: 'the other terminates',
      pods: [pod(SET, 'n-1'), pod(SET, 'n-2', { deletionAt: '2026-01-01T00:00:00Z' })],
      says: 'leaves n-1',
    },
    {
      rule: 'the other is on a node in maintenance',
      pods: twice(SET, 'n-1', 'n-2'),
      cordoned: ['n-2'],
      says: 'n-2 (in maintenance: cordoned)',
    },
    {
      rule: 'the other is on a node that is not ready',
      pods: twice(SET, 'n-1', 'n-2'),
      notReady: ['n-2'],
      says: 'n-2 (not ready)',
    },
  ])('lost: $rule', async ({ says, ...setting }) => {
    expect(await checked(setting)).toMatchObject({
      kind: 'blocked',
      blockers: [
        {
          code: 'OnlyReplica',
          message: expect.stringContaining(says),
          override: { kind: 'flag', flag: 'allow-downtime' },
        },
      ],
    })
  })

  it('a service without any ready replica loses none, and is named', async () => {
    const unready = { ready: false }
    const answer = await checked({ pods: [pod(SET, 'n-1', unready), pod(SET, 'n-2', unready)] })
    expect(answer).toMatchObject({
      kind: 'ready',
      reason: 'No service loses its only ready replica.',
      warnings: [
        {
          message:
            'Deployment openstack/api has no ready replica on any node: draining n-1 neither removes one nor brings one back.',
        },
      ],
    })
  })

  const GUARD = {
    name: 'api',
    disruptionsAllowed: 1,
    currentHealthy: 2,
    desiredHealthy: 1,
    status: 'allows',
  } as const
  it.each<{ rule: string; more: Parameters<typeof decision>[1]; kept: boolean }>([
    { rule: 'one may go, and one stays healthy', more: { budgets: [GUARD] }, kept: true },
    { rule: 'none may go', more: { budgets: [{ ...GUARD, disruptionsAllowed: 0 }] }, kept: false },
    { rule: 'none has to stay', more: { budgets: [{ ...GUARD, desiredHealthy: 0 }] }, kept: false },
    { rule: 'it counts pods of others too', more: { budgets: [{ ...GUARD, currentHealthy: 3 }] }, kept: false },
    { rule: 'pods are deleted past it', more: { budgets: [GUARD], fate: 'delete' }, kept: false },
    { rule: 'there is none', more: { budgets: [] }, kept: false },
  ])('two of two on the node, with a budget: $rule', async ({ more, kept }) => {
    const leaving = twice(SET, 'n-1', 'n-1')
    const world = fakeWorld({ nodes: [fakeNode('n-1')], decisions: leaving.map(one => decision(one, more)) })
    world.port = { ...world.port, kubernetes: { ...world.port.kubernetes, listPods: async () => ok(leaving) } }
    const answer = await replicasRedundancy.check?.({ node: 'n-1' }, fakeContext(world))
    expect(answer).toMatchObject(
      kept
        ? {
            kind: 'ready',
            warnings: [{ message: expect.stringContaining('Its budget api keeps 1 pod healthy') }],
          }
        : { kind: 'blocked', blockers: [{ code: 'OnlyReplica' }] },
    )
  })

  it.each([
    { rule: 'the one that it keeps may be the one on a node in maintenance', desiredHealthy: 1, kept: false },
    { rule: 'it keeps more than are on nodes in maintenance', desiredHealthy: 2, kept: true },
  ])('two on the node and one on a node in maintenance: $rule', async ({ desiredHealthy, kept }) => {
    const all = [pod(SET, 'n-1'), pod(SET, 'n-1'), pod(SET, 'n-2')]
    const budgets = [{ ...GUARD, currentHealthy: 3, desiredHealthy }]
    const world = fakeWorld({
      nodes: [fakeNode('n-1'), fakeNode('n-2', { unschedulable: true })],
      decisions: all.slice(0, 2).map(one => decision(one, { budgets })),
    })
    world.port = { ...world.port, kubernetes: { ...world.port.kubernetes, listPods: async () => ok(all) } }
    const answer = await replicasRedundancy.check?.({ node: 'n-1' }, fakeContext(world))
    expect(answer).toMatchObject({ kind: kept ? 'ready' : 'blocked' })
  })

  it('a budget that guards one of its pods alone guards none', async () => {
    const leaving = twice(SET, 'n-1', 'n-1')
    const decisions = leaving.map((one, index) => decision(one, { budgets: index === 0 ? [GUARD] : [] }))
    const world = fakeWorld({ nodes: [fakeNode('n-1')], decisions })
    world.port = { ...world.port, kubernetes: { ...world.port.kubernetes, listPods: async () => ok(leaving) } }
    expect(await replicasRedundancy.check?.({ node: 'n-1' }, fakeContext(world))).toMatchObject({ kind: 'blocked' })
  })

  it('pods that cannot be listed are not taken for replicas that stay', async () => {
    const world = fakeWorld({ nodes: [fakeNode('n-1')], decisions: [decision(pod(SET, 'n-1'))] })
    const listPods = async () => failed(failure('unreachable', 'The API server is silent.'))
    world.port = { ...world.port, kubernetes: { ...world.port.kubernetes, listPods } }
    expect(await replicasRedundancy.check?.({ node: 'n-1' }, fakeContext(world))).toMatchObject({
      kind: 'blocked',
      blockers: [{ code: 'NotRead' }],
    })
  })
})
