import { describe, expect, test } from 'vitest'
import {
  NOTHING_KNOWN,
  type NodeKnowledge,
  nodeInUpdateOf,
  phaseOf,
  type SeenCluster,
  type SeenNode,
  sortByNode,
} from '../../../../main/lcm/observer/derive.ts'
import type { LockState, NodeMaintenanceRequest, NodeWorkloadLock } from '../../../../shared/domain/maintenance-api.ts'
import type { NodeStage, UpdatePhase } from '../../../../shared/domain/update.ts'
import { at, clusterLock, clusterRequest, known, node, nodeLock, nodeRequest, seen } from './seen.ts'

interface Case {
  readonly locks?: readonly NodeWorkloadLock[]
  readonly state?: LockState
  readonly request?: Partial<NodeMaintenanceRequest> | null
  readonly node?: Partial<SeenNode>
  readonly pods?: readonly string[] | null
  readonly before?: Partial<NodeKnowledge> | null
}

function stageOf({ locks, state = 'active', request = null, node: more, pods = [], before = null }: Case): NodeStage {
  const cluster: SeenCluster = seen({
    nodes: [node('cmp-1', more)],
    pods: pods === null ? null : new Map([['cmp-1', new Set(pods)]]),
    objects: {
      nodeLocks: [...(locks ?? [nodeLock('openstack', 'cmp-1', state)])],
      nodeRequests: request === null ? [] : [nodeRequest('cmp-1', request)],
    },
  })
  return nodeInUpdateOf(
    node('cmp-1', more),
    sortByNode(cluster),
    before === null ? NOTHING_KNOWN : known('cmp-1', before),
  ).knowledge.stage
}

const cordoned = { unschedulable: true } as const
const inactive = 'inactive' as const

describe('the stage of a node that was not seen before', () => {
  test.each<[string, Case, NodeStage]>([
    ['nobody asked for it', {}, 'pending'],
    ['it is cordoned for nobody knows what', { node: cordoned }, 'pending'],
    ['its request is there and no controller has begun', { request: {} }, 'requested'],
    [
      'its controller says that it has begun (A.2 inner_state)',
      { request: {}, locks: [nodeLock('openstack', 'cmp-1', 'active', { innerState: 'active' })] },
      'locks',
    ],
    [
      'its controller says something',
      { request: {}, locks: [nodeLock('openstack', 'cmp-1', 'active', { errorMessage: 'Starting migration for x' })] },
      'locks',
    ],
    [
      'one controller has finished, another has not started',
      { request: {}, locks: [nodeLock('openstack', 'cmp-1', inactive), nodeLock('ceph', 'cmp-1')] },
      'locks',
    ],
    [
      'a lock failed',
      { request: {}, locks: [nodeLock('openstack', 'cmp-1', 'failed', { errorMessage: 'x' })] },
      'locks',
    ],
    ['all its locks are inactive', { request: {}, state: inactive }, 'draining'],
    ['no controller keeps a lock of it', { request: {}, locks: [] }, 'draining'],
    ['it is cordoned and pods are left', { request: {}, state: inactive, node: cordoned, pods: ['a'] }, 'draining'],
    [
      'it is cordoned and nobody may count pods',
      { request: {}, state: inactive, node: cordoned, pods: null },
      'draining',
    ],
    ['it is cordoned and empty', { request: {}, state: inactive, node: cordoned }, 'work'],
    [
      'it is cordoned and not Ready',
      { request: {}, state: inactive, node: { ...cordoned, ready: false }, pods: ['a'] },
      'work',
    ],
    ['its request is Terminating (A.3)', { request: { deletingSince: at(9) }, state: inactive }, 'returning'],
    ['a lock is inactive for no request', { state: inactive }, 'returning'],
  ])('%s', (_what, given, stage) => {
    expect(stageOf(given)).toBe(stage)
  })

  test('an FQDN in a request or a lock means the node of its first label (A.1)', () => {
    const locks = [nodeLock('openstack', 'cmp-1.kaas.local', inactive)]
    expect(stageOf({ locks, request: { nodeName: 'cmp-1.kaas.local' } })).toBe('draining')
    expect(stageOf({ locks, request: { nodeName: 'cmp-11.kaas.local' } })).toBe('returning')
  })
})

describe('the stage of a node that was seen before', () => {
  test.each<[string, Case, NodeStage]>([
    [
      'it was rebooted: the work is on, whatever pods came back',
      {
        request: {},
        state: inactive,
        node: { ...cordoned, bootId: 'boot-2' },
        pods: ['a'],
        before: { stage: 'draining', released: true, cordoned: true },
      },
      'work',
    ],
    [
      'pods that came after its cordon do not belong to its drain',
      {
        request: {},
        state: inactive,
        node: cordoned,
        pods: ['late'],
        before: { stage: 'draining', released: true, cordoned: true, podsAtCordon: new Set(['early']) },
      },
      'work',
    ],
    [
      'work continues although a pod came',
      {
        request: {},
        state: inactive,
        node: cordoned,
        pods: ['a'],
        before: { stage: 'work', released: true, cordoned: true },
      },
      'work',
    ],
    [
      'work continues although a controller took its lock back',
      { request: {}, node: cordoned, before: { stage: 'work', released: true, cordoned: true } },
      'work',
    ],
    [
      'it is uncordoned, its request still there',
      { request: {}, state: inactive, before: { stage: 'work', released: true, cordoned: true } },
      'returning',
    ],
    [
      'its request is gone and a lock is not active yet',
      { state: inactive, before: { stage: 'returning', released: true, cordoned: true } },
      'returning',
    ],
    [
      'its request is gone and it is still cordoned',
      { node: cordoned, before: { stage: 'work', released: true, cordoned: true } },
      'returning',
    ],
    [
      'its request is gone and it is not Ready',
      { node: { ready: false }, before: { stage: 'returning', released: true, cordoned: true } },
      'returning',
    ],
    [
      'its request is gone, its locks are active, it is Ready and schedulable',
      { before: { stage: 'returning', released: true, cordoned: true } },
      'done',
    ],
    ['its request was withdrawn before it was given up', { before: { stage: 'locks' } }, 'pending'],
    [
      'it is done, and cordoned by somebody since',
      { node: cordoned, before: { stage: 'done', released: true } },
      'done',
    ],
    [
      'it is done, and asked for again',
      { request: { uid: 'another' }, before: { stage: 'done', released: true, cordoned: true } },
      'requested',
    ],
  ])('%s', (_what, given, stage) => {
    expect(stageOf(given)).toBe(stage)
  })

  test('after a restart a node under way continues under the present request', () => {
    const restored = { ...NOTHING_KNOWN, stage: 'work', released: true, cordoned: true } as const
    const cluster = seen({
      nodes: [node('cmp-1', cordoned)],
      pods: new Map([['cmp-1', new Set(['late'])]]),
      objects: { nodeLocks: [nodeLock('openstack', 'cmp-1', inactive)], nodeRequests: [nodeRequest('cmp-1')] },
    })
    expect(nodeInUpdateOf(node('cmp-1', cordoned), sortByNode(cluster), restored).knowledge).toMatchObject({
      stage: 'work',
      requestUid: 'nmr-cmp-1',
    })
  })
})

describe('a control node without locks, which gets no request (seed 003, phase 3)', () => {
  const bare = (more: Partial<SeenNode>, before: NodeKnowledge, pods: readonly string[] = []) =>
    nodeInUpdateOf(node('ctl-2', more), sortByNode(seen({ pods: new Map([['ctl-2', new Set(pods)]]) })), before)
      .knowledge
  test('is known by its cordon, its pods and its boot alone', () => {
    const idle = bare({}, NOTHING_KNOWN)
    expect(idle.stage).toBe('pending')
    const draining = bare(cordoned, idle, ['a'])
    expect(draining.stage).toBe('draining')
    const work = bare(cordoned, draining)
    expect(work.stage).toBe('work')
    const back = bare({ ready: false }, work)
    expect(back.stage).toBe('returning')
    expect(bare({}, back).stage).toBe('done')
  })
})

test('A.8: what LCM says of a machine helps who came too late, but not what it said in an earlier update', () => {
  const upgraded = (seconds: number) =>
    sortByNode(
      seen({
        lcm: { phase: null, upgraded: [{ machine: 'cmp-1', at: at(seconds), said: 'Machine Upgraded' }], done: [] },
        objects: { clusterRequests: [clusterRequest({ createdAt: at(100) })] },
      }),
    )
  const through = nodeInUpdateOf(node('cmp-1'), upgraded(200), NOTHING_KNOWN)
  expect(through).toMatchObject({
    knowledge: { stage: 'done' },
    saidAt: at(200),
    evidence: [{ code: 'LcmSays', values: { said: 'Machine Upgraded' } }],
  })
  expect(nodeInUpdateOf(node('cmp-1'), upgraded(50), NOTHING_KNOWN).knowledge.stage).toBe('pending')
})

test('A.8: a phase that LCM’s plan of this update says is Completed is behind for every node of it, seen or not', () => {
  const done = (seconds: number) =>
    sortByNode(
      seen({
        lcm: { phase: null, upgraded: [], done: [{ phase: 'worker-nodes', at: at(seconds) }] },
        objects: { clusterRequests: [clusterRequest({ createdAt: at(100) })] },
      }),
    )
  expect(nodeInUpdateOf(node('cmp-1'), done(200), NOTHING_KNOWN).knowledge.stage).toBe('done')
  expect(nodeInUpdateOf(node('cmp-1'), done(50), NOTHING_KNOWN).knowledge.stage).toBe('pending')
  expect(nodeInUpdateOf(node('ctl-1'), done(200), NOTHING_KNOWN).knowledge.stage).toBe('pending')
})

describe('the phase of an update', () => {
  const nodes = (control: readonly NodeStage[], workers: readonly NodeStage[]) => [
    ...control.map(stage => ({ isControl: true, stage })),
    ...workers.map(stage => ({ isControl: false, stage })),
  ]
  test.each<[string, SeenCluster, ReturnType<typeof nodes>, UpdatePhase | null, UpdatePhase | null]>([
    ['no request: none', seen({ objects: { clusterRequests: [] } }), nodes([], []), null, null],
    [
      "the cluster's locks are active: applications",
      seen({ objects: { clusterLocks: [clusterLock('openstack')] } }),
      nodes(['pending'], ['pending']),
      null,
      'applications',
    ],
    [
      'seed 003: phase 2 ends when its locks are inactive, although no node has started',
      seen(),
      nodes(['pending'], ['pending']),
      null,
      'control-nodes',
    ],
    ['a control node is under way', seen(), nodes(['locks'], ['pending']), 'applications', 'control-nodes'],
    [
      'between a control node and the next',
      seen(),
      nodes(['done', 'pending'], ['pending']),
      'control-nodes',
      'control-nodes',
    ],
    ['a worker is under way', seen(), nodes(['done'], ['requested']), 'control-nodes', 'worker-nodes'],
    ['between a worker and the next', seen(), nodes(['done'], ['done', 'pending']), 'worker-nodes', 'worker-nodes'],
    ['every node is done', seen(), nodes(['done'], ['done', 'skipped']), 'worker-nodes', 'finalize'],
    [
      'the request is Terminating',
      seen({ objects: { clusterRequests: [clusterRequest({ deletingSince: at(9) })] } }),
      nodes(['done'], ['pending']),
      'worker-nodes',
      'finalize',
    ],
    [
      'the request is gone and a lock is not back',
      seen({ objects: { clusterRequests: [], clusterLocks: [clusterLock('ceph', 'inactive')] } }),
      nodes([], []),
      'finalize',
      'finalize',
    ],
    [
      'the request is gone and all locks are back',
      seen({ objects: { clusterRequests: [], clusterLocks: [clusterLock('ceph')] } }),
      nodes([], []),
      'finalize',
      null,
    ],
    [
      'between two nodes, to who came late: what the ClusterUpdatePlan says (A.8)',
      seen({ lcm: { phase: 'worker-nodes', upgraded: [], done: [] } }),
      nodes(['pending'], ['pending']),
      null,
      'worker-nodes',
    ],
    [
      'a step of worker nodes is Completed in the ClusterUpdatePlan, and only control nodes were seen through',
      seen({ lcm: { phase: 'worker-nodes', upgraded: [], done: [] } }),
      nodes(['done'], ['pending']),
      'control-nodes',
      'worker-nodes',
    ],
  ])('%s', (_what, cluster, stages, before, phase) => {
    expect(phaseOf(cluster, stages, before).phase).toBe(phase)
  })
})

test('a lock that falls before its request is seen is not being taken back: each kind of object has a separate watch', () => {
  const seenIdle = (more: Parameters<typeof seen>[0]) =>
    nodeInUpdateOf(node('cmp-1'), sortByNode(seen(more)), NOTHING_KNOWN, true).knowledge.stage
  const nodeLocks = [nodeLock('openstack', 'cmp-1', 'inactive')]
  expect(seenIdle({ objects: { nodeLocks } })).toBe('pending')
  expect(seenIdle({ objects: { nodeLocks, nodeRequests: [nodeRequest('cmp-1')] } })).toBe('draining')
  expect(
    nodeInUpdateOf(node('cmp-1'), sortByNode(seen({ objects: { nodeLocks } })), NOTHING_KNOWN).knowledge.stage,
  ).toBe('returning')
})
