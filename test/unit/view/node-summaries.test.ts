import { describe, expect, test } from 'vitest'
import { type NodeSummariesInput, summarizeNodes } from '../../../main/view/node-summaries.ts'
import type { ClusterNode } from '../../../shared/domain/kubernetes.ts'
import { NodeSummary } from '../../../shared/domain/node-summary.ts'
import type { ComputeService } from '../../../shared/domain/openstack.ts'
import { DEFAULT_ROLE_LABELS } from '../../../shared/domain/roles.ts'

const COMPUTE = { 'openstack-compute-node': 'enabled' }
const CONTROL = { 'openstack-control-plane': 'enabled' }

function node(overrides: Partial<ClusterNode> = {}): ClusterNode {
  return {
    name: 'cmp-1',
    uid: 'uid-1',
    resourceVersion: '1',
    labels: COMPUTE,
    annotations: {},
    unschedulable: false,
    readiness: 'ready',
    readinessText: '',
    readinessSince: null,
    bootId: 'boot-1',
    kubeletVersion: 'v1.32.0',
    osImage: 'Debian 12',
    internalIp: null,
    createdAt: '2026-01-01T00:00:00Z',
    ...overrides,
  }
}

function service(overrides: Partial<ComputeService> = {}): ComputeService {
  return {
    id: 'service-1',
    binary: 'nova-compute',
    host: 'cmp-1',
    zone: 'az1',
    status: 'enabled',
    state: 'up',
    disabledReason: null,
    forcedDown: false,
    updatedAt: null,
    ...overrides,
  }
}

const DISABLED = service({ status: 'disabled', disabledReason: 'Lockkeeper: run 1' })
const EMPTY = new Map([['cmp-1', { pods: 0, instances: 0 }]])

function summary(overrides: Partial<NodeSummariesInput> = {}): NodeSummary {
  const [only] = summarizeNodes({
    nodes: [node()],
    flavour: 'plain',
    roleLabels: DEFAULT_ROLE_LABELS,
    hasCloud: true,
    asksCeph: false,
    services: [service()],
    agents: null,
    osds: null,
    activeRuns: [],
    occupancy: new Map(),
    ...overrides,
  })
  return NodeSummary.parse(only)
}

const cordoned = node({ unschedulable: true })

describe('the state of a node', () => {
  test.each<[string, Partial<NodeSummariesInput>, string, RegExp]>([
    ['ready, schedulable, nova-compute enabled and up: active', {}, 'active', /^$/],
    [
      'a control node needs no nova-compute: active',
      { nodes: [node({ labels: CONTROL })], services: [] },
      'active',
      /^$/,
    ],
    ['without a cloud a compute label asks for nothing: active', { hasCloud: false, services: null }, 'active', /^$/],
    ['a run that enters: entering', { activeRuns: [{ runId: 'r1', node: 'cmp-1', kind: 'enter' }] }, 'entering', /r1/],
    ['a run that leaves: leaving', { activeRuns: [{ runId: 'r2', node: 'cmp-1', kind: 'leave' }] }, 'leaving', /r2/],
    ["another node's run: active", { activeRuns: [{ runId: 'r1', node: 'cmp-10', kind: 'enter' }] }, 'active', /^$/],
    [
      'the newest of two unfinished runs counts',
      {
        activeRuns: [
          { runId: 'r1', node: 'cmp-1', kind: 'enter' },
          { runId: 'r2', node: 'cmp-1', kind: 'leave' },
        ],
      },
      'leaving',
      /r2/,
    ],
    [
      'a run says where a node is going even when its kubelet is silent: entering',
      { nodes: [node({ readiness: 'unknown' })], activeRuns: [{ runId: 'r1', node: 'cmp-1', kind: 'enter' }] },
      'entering',
      /r1/,
    ],
    [
      'no contact with the kubelet: unknown',
      { nodes: [node({ readiness: 'unknown', readinessText: 'Kubelet stopped posting node status.' })] },
      'unknown',
      /lost contact.*\(Kubelet stopped posting node status\)\.$/,
    ],
    ['a compute node whose Nova cannot be asked: unknown', { services: null }, 'unknown', /Nova could not be asked/],
    [
      'a control node while Nova cannot be asked: active',
      { nodes: [node({ labels: CONTROL })], services: null },
      'active',
      /^$/,
    ],
    [
      'cordoned, disabled and empty: maintenance',
      { nodes: [cordoned], services: [DISABLED], occupancy: EMPTY },
      'maintenance',
      /cordoned and its nova-compute is disabled/,
    ],
    [
      'in maintenance it may be down: maintenance',
      {
        nodes: [node({ unschedulable: true, readiness: 'not-ready' })],
        services: [service({ status: 'disabled', state: 'down' })],
        occupancy: EMPTY,
      },
      'maintenance',
      /kubelet is not ready; its nova-compute is down/,
    ],
    [
      'a cordoned, empty control node: maintenance',
      { nodes: [node({ unschedulable: true, labels: CONTROL })], services: [], occupancy: EMPTY },
      'maintenance',
      /^It is cordoned, nothing/,
    ],
    [
      'pods that should have left are left: partial',
      { nodes: [cordoned], services: [DISABLED], occupancy: new Map([['cmp-1', { pods: 1, instances: 0 }]]) },
      'partial',
      /still here: 1 pod that should have left/,
    ],
    [
      'instances that had to move are left: partial',
      { nodes: [cordoned], services: [DISABLED], occupancy: new Map([['cmp-1', { pods: 2, instances: 3 }]]) },
      'partial',
      /3 instances that had to move, 2 pods that should have left/,
    ],
    [
      'what is left could not be asked: unknown, never maintenance',
      { nodes: [cordoned], services: [DISABLED], occupancy: new Map([['cmp-1', null]]) },
      'unknown',
      /could not be asked/,
    ],
    [
      'what is left was not asked: unknown',
      { nodes: [cordoned], services: [DISABLED] },
      'unknown',
      /could not be asked/,
    ],
    [
      'cordoned, but nova-compute enabled: partial',
      { nodes: [cordoned], occupancy: EMPTY },
      'partial',
      /but its nova-compute still takes instances/,
    ],
    [
      'disabled, but schedulable: partial',
      { services: [DISABLED], occupancy: EMPTY },
      'partial',
      /Its nova-compute is disabled \(Lockkeeper: run 1\)/,
    ],
    ['nova-compute down: partial', { services: [service({ state: 'down' })] }, 'partial', /Its nova-compute is down/],
    ['kubelet not ready: partial', { nodes: [node({ readiness: 'not-ready' })] }, 'partial', /kubelet is not ready/],
    ['a compute label, but no nova-compute: partial', { services: [] }, 'partial', /no nova-compute/],
    [
      'a nova-compute without the label counts too: partial',
      { nodes: [node({ labels: CONTROL })], services: [DISABLED] },
      'partial',
      /Its nova-compute is disabled/,
    ],
  ])('%s', (_rule, input, state, reason) => {
    const answer = summary(input)
    expect(answer.state).toBe(state)
    expect(answer.stateReason).toMatch(reason)
  })
})

describe('a row of the node list', () => {
  test('carries roles, zone, service, mode and run', () => {
    const row = summary({
      nodes: [
        node({
          labels: { ...COMPUTE, ...CONTROL },
          annotations: { 'openstack.lcm.mirantis.com/instance_migration_mode': 'manual' },
        }),
      ],
      activeRuns: [{ runId: 'r1', node: 'cmp-1', kind: 'enter' }],
    })
    expect(row).toMatchObject({
      roles: ['control', 'compute'],
      zone: 'az1',
      computeService: { status: 'enabled', state: 'up', disabledReason: null },
      migrationMode: 'manual',
      runId: 'r1',
      schedulable: true,
    })
  })

  test('has the zone of its topology label where Nova knows none', () => {
    const labels = { ...CONTROL, 'topology.kubernetes.io/zone': 'room-2' }
    expect(summary({ nodes: [node({ labels })], services: [] }).zone).toBe('room-2')
  })

  test('comes by name, numbers counted', () => {
    const rows = summarizeNodes({
      nodes: ['cmp-10', 'cmp-2', 'cmp-1'].map(name => node({ name })),
      flavour: 'plain',
      roleLabels: DEFAULT_ROLE_LABELS,
      hasCloud: false,
      asksCeph: false,
      services: null,
      agents: null,
      osds: null,
      activeRuns: [],
      occupancy: new Map(),
    })
    expect(rows.map(row => row.name)).toEqual(['cmp-1', 'cmp-2', 'cmp-10'])
  })

  test("never takes a neighbour's service for its own", () => {
    expect(summary({ services: [service({ host: 'cmp-10' })] }).computeService).toBeNull()
  })
})
