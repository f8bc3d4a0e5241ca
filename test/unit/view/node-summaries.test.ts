import { describe, expect, test } from 'vitest'
import { hostsWithRow, occupancyOfMachine } from '../../../main/clusters/view/machines-outside.ts'
import { maintenanceOwnersOf, NO_MAINTENANCE_OWNERS } from '../../../main/clusters/view/maintenance-owners.ts'
import { type NodeSummariesInput, summarizeNodes } from '../../../main/clusters/view/node-summaries.ts'
import type { CephOsd } from '../../../shared/domain/ceph.ts'
import type { ClusterNode } from '../../../shared/domain/kubernetes.ts'
import {
  NO_MAINTENANCE_OBJECTS,
  type NodeMaintenanceRequest,
  type NodeWorkloadLock,
} from '../../../shared/domain/maintenance-api.ts'
import { NodeSummary } from '../../../shared/domain/node-summary.ts'
import { type EmptinessVerdict, emptinessOf, instancesLeftIn } from '../../../shared/domain/node-verdict.ts'
import type { ComputeService } from '../../../shared/domain/openstack.ts'
import { DEFAULT_ROLE_LABELS } from '../../../shared/domain/roles.ts'
import { fakeOsd } from '../../fixtures/procedures/fake-records.ts'
import { COMPUTE, CONTROL, fakeNode, fakeService } from '../../fixtures/procedures/fake-world.ts'
import { fakeNodeLock, fakeNodeRequest } from '../../fixtures/procedures/maintenance-objects.ts'

const node = (overrides: Partial<ClusterNode> = {}): ClusterNode =>
  fakeNode('cmp-1', { labels: COMPUTE, readinessText: '', readinessSince: null, internalIp: null, ...overrides })
const service = (overrides: Partial<ComputeService> = {}): ComputeService =>
  fakeService('cmp-1', { id: 'service-1', ...overrides })

const web = { vmState: 'active', taskState: null, status: 'ACTIVE' }
const DISABLED = service({ status: 'disabled', disabledReason: 'Lockkeeper: run 1' })
/** Whether cmp-1 is empty, with the given pods and instances left; null: unreadable. */
function left(
  pods: number | null,
  instances: number | null,
  fate: 'live_migrate' | 'poweroff' = 'live_migrate',
): ReadonlyMap<string, EmptinessVerdict> {
  const verdict = emptinessOf({
    at: '',
    looked: [],
    instances: Array.from({ length: instances ?? 0 }, (_, n) => ({
      instance: { ...web, id: `id-${n}`, name: `web-${n}` },
      fate,
    })),
    returning: [],
    pods: Array.from({ length: pods ?? 0 }, (_, n) => `default/pod-${n}`),
    unread: [
      ...(pods === null ? [{ what: 'pods', code: 'NoAnswer', message: '' } as const] : []),
      ...(instances === null ? [{ what: 'instances', code: 'NoAnswer', message: '' } as const] : []),
    ],
    declined: [],
    isDrainOnly: false,
    isForcedDown: false,
    decided: new Map(),
  })
  return new Map([['cmp-1', verdict]])
}

const EMPTY = left(0, 0)

const NO_MOVES = { returning: [], unread: [], isDrainOnly: false }
/** Three instances on cmp-2, two of which may not be there in maintenance. */
const THREE = occupancyOfMachine(
  (['live_migrate', 'poweroff', 'blocked'] as const).map((fate, n) => ({
    instance: { ...web, id: `id-${n}`, name: `web-${n}` },
    fate,
  })),
  NO_MOVES,
)

/** Rows of a plain cluster of one compute node that is in service. */
function summaries(overrides: Partial<NodeSummariesInput>): readonly NodeSummary[] {
  return summarizeNodes({
    nodes: [node()],
    flavour: 'plain',
    roleLabels: DEFAULT_ROLE_LABELS,
    hasCloud: true,
    asksCeph: false,
    services: [service()],
    hypervisors: null,
    agents: null,
    osds: null,
    cephAnswers: true,
    activeRuns: [],
    controlPlanePods: [],
    verdicts: new Map(),
    outside: new Map(),
    nooutRuns: new Map(),
    maintenanceOwners: NO_MAINTENANCE_OWNERS,
    foreign: null,
    ...overrides,
  })
}

function summary(overrides: Partial<NodeSummariesInput> = {}): NodeSummary {
  return NodeSummary.parse(summaries(overrides)[0])
}

const cordoned = node({ unschedulable: true })

describe('what several records of a node mean is shown with it', () => {
  const RENAMED = 'cmp-1.cloud.example.org'
  test.each<[what: string, services: ComputeService[], codes: string[] | undefined]>([
    ['one', [service()], undefined],
    ['none', [], undefined],
    [
      'a dead leftover',
      [service({ state: 'down' }), service({ id: 'second', host: RENAMED })],
      ['ComputeRecordLeftOver'],
    ],
    ['two that report', [service(), service({ id: 'second', host: RENAMED })], ['SeveralComputeRecords']],
  ])('%s', (_, services, codes) => {
    const [row] = summaries({ services })
    expect(row?.records?.map(({ code }) => code)).toEqual(codes)
  })
})

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
    [
      'a run that enters: entering',
      { activeRuns: [{ runId: 'r1', node: 'cmp-1', kind: 'enter', isDriven: true }] },
      'entering',
      /r1/,
    ],
    [
      'a run that waits: for what',
      { activeRuns: [{ runId: 'r1', node: 'cmp-1', kind: 'enter', isDriven: true, waits: 'web-1 is still there.' }] },
      'entering',
      /r1 takes it out of service\. It waits: web-1 is still there\./,
    ],
    [
      'a run without a driver: it does nothing now',
      { activeRuns: [{ runId: 'r1', node: 'cmp-1', kind: 'enter', isDriven: false }] },
      'entering',
      /Run r1 was taking it out of service and is paused: resume it, or stop it\./,
    ],
    [
      'a run that leaves: leaving',
      { activeRuns: [{ runId: 'r2', node: 'cmp-1', kind: 'leave', isDriven: true }] },
      'leaving',
      /r2/,
    ],
    [
      "another node's run: active",
      { activeRuns: [{ runId: 'r1', node: 'cmp-10', kind: 'enter', isDriven: true }] },
      'active',
      /^$/,
    ],
    [
      'the newest of two unfinished runs counts',
      {
        activeRuns: [
          { runId: 'r1', node: 'cmp-1', kind: 'enter', isDriven: true },
          { runId: 'r2', node: 'cmp-1', kind: 'leave', isDriven: true },
        ],
      },
      'leaving',
      /r2/,
    ],
    [
      'a run says where a node is going even when its kubelet is silent: entering',
      {
        nodes: [node({ readiness: 'unknown' })],
        activeRuns: [{ runId: 'r1', node: 'cmp-1', kind: 'enter', isDriven: true }],
      },
      'entering',
      /r1/,
    ],
    [
      'no contact with the kubelet: unknown',
      { nodes: [node({ readiness: 'unknown', readinessText: 'Kubelet stopped posting node status.' })] },
      'unknown',
      /lost contact.*\(Kubelet stopped posting node status\)\.$/,
    ],
    [
      'a compute node whose Nova cannot be asked: unknown',
      { services: null },
      'unknown',
      /but Nova did not answer about its compute service\./,
    ],
    [
      'a control node while Nova cannot be asked: active',
      { nodes: [node({ labels: CONTROL })], services: null },
      'active',
      /^$/,
    ],
    [
      'cordoned, disabled and empty: maintenance',
      { nodes: [cordoned], services: [DISABLED], verdicts: EMPTY },
      'maintenance',
      /It is cordoned and its nova-compute is disabled, and everything that had to leave has left\./,
    ],
    [
      'with an instance that stops with it: maintenance, and that it is there',
      {
        nodes: [cordoned],
        services: [DISABLED],
        verdicts: left(0, 1, 'poweroff'),
      },
      'maintenance',
      /and everything that had to leave has left; 1 instance stays on it\./,
    ],
    [
      'in maintenance it may be down: maintenance',
      {
        nodes: [node({ unschedulable: true, readiness: 'not-ready' })],
        services: [service({ status: 'disabled', state: 'down' })],
        verdicts: EMPTY,
      },
      'maintenance',
      /kubelet is not ready; its nova-compute is down/,
    ],
    [
      'a cordoned, empty control node: maintenance',
      { nodes: [node({ unschedulable: true, labels: CONTROL })], services: [], verdicts: EMPTY },
      'maintenance',
      /It is cordoned/,
    ],
    [
      'pods that should have left are left: partial',
      { nodes: [cordoned], services: [DISABLED], verdicts: left(1, 0) },
      'partial',
      /still here: 1 pod that should have left/,
    ],
    [
      'instances that had to move are left: partial',
      { nodes: [cordoned], services: [DISABLED], verdicts: left(2, 3) },
      'partial',
      /3 instances that had to move, 2 pods that should have left/,
    ],
    [
      'what is left could not be asked: unknown, never maintenance',
      { nodes: [cordoned], services: [DISABLED], verdicts: new Map([['cmp-1', null]]) },
      'unknown',
      /but Lockkeeper could not read what is still on it\./,
    ],
    [
      'what is left was not asked: unknown',
      { nodes: [cordoned], services: [DISABLED] },
      'unknown',
      /but Lockkeeper could not read what is still on it\./,
    ],
    [
      'cordoned, but nova-compute enabled: partial',
      { nodes: [cordoned], verdicts: EMPTY },
      'partial',
      /but its nova-compute still takes instances/,
    ],
    [
      'disabled, but schedulable: partial',
      { services: [DISABLED], verdicts: EMPTY },
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

describe('the state of a node by its roles', () => {
  const osd = (id: number, host: string, more: Partial<CephOsd> = {}): CephOsd => fakeOsd(id, host, more)
  const covered = { noout: true, hostNoout: true }
  const others = [osd(2, 'cmp-2')]
  /** A hyperconverged node: control by its label, compute and storage by what Nova and Ceph tell. */
  const hyperconverged = (overrides: Partial<NodeSummariesInput> = {}) =>
    summary({
      flavour: 'sunbeam',
      asksCeph: true,
      nodes: [node({ labels: CONTROL, unschedulable: true })],
      services: [DISABLED],
      osds: [osd(0, 'cmp-1', covered), osd(1, 'cmp-1', covered), ...others],
      agents: [],
      verdicts: EMPTY,
      ...overrides,
    })

  test('every role holds: maintenance, with each condition said', () => {
    const row = hyperconverged()
    expect(row.state).toBe('maintenance')
    expect(row.roles).toEqual(['control', 'compute', 'storage'])
    expect(row.conditions.map(({ role, holds }) => [role, holds])).toEqual([
      ['control', 'holds'],
      ['compute', 'holds'],
      ['storage', 'holds'],
    ])
  })

  test.each<[string, Partial<NodeSummariesInput>, string, RegExp]>([
    [
      'an OSD is neither down nor covered by noout: partial',
      { osds: [osd(0, 'cmp-1', covered), osd(1, 'cmp-1'), ...others] },
      'partial',
      /OSD 1 of cmp-1: up, and not covered by noout\.$/,
    ],
    [
      'no OSD is covered, which is optional: maintenance',
      { osds: [osd(0, 'cmp-1'), osd(1, 'cmp-1'), ...others] },
      'maintenance',
      /its OSDs are up without noout/,
    ],
    [
      'OSDs that are down need no noout: maintenance',
      { osds: [osd(0, 'cmp-1', { up: false }), ...others] },
      'maintenance',
      /covered by noout, or down/,
    ],
    [
      'Ceph could not be asked: unknown, never maintenance',
      { osds: null },
      'unknown',
      /Ceph did not answer about the OSDs of cmp-1\./,
    ],
    [
      'Ceph no longer answers: its earlier answer does not count',
      { cephAnswers: false },
      'unknown',
      /Ceph did not answer about the OSDs of cmp-1\./,
    ],
    [
      'nova-compute is down while the machine is not: partial',
      { services: [service({ status: 'disabled', state: 'down' })] },
      'partial',
      /its nova-compute is down/,
    ],
    [
      'instances could not be asked: unknown',
      { verdicts: left(0, null) },
      'unknown',
      /but Lockkeeper could not read what is still on it\./,
    ],
    [
      'pods are left, whatever could not be asked: partial',
      { verdicts: left(1, null) },
      'partial',
      /1 pod that should have left/,
    ],
    [
      'Nova could not be asked: unknown',
      { services: null },
      'unknown',
      /but Nova did not answer about its compute service\./,
    ],
  ])('%s', (_rule, overrides, state, reason) => {
    const row = hyperconverged(overrides)
    expect(row.state).toBe(state)
    expect(row.stateReason).toMatch(reason)
  })

  const serving = { nodes: [node({ labels: CONTROL })], services: [service()], verdicts: new Map() }

  test('in service, while another node needs noout of all of Ceph: active', () => {
    const everywhere = [osd(0, 'cmp-1', { noout: true }), osd(2, 'cmp-2', { noout: true })]
    expect(hyperconverged({ ...serving, osds: everywhere })).toMatchObject({
      state: 'active',
      stateReason: '',
      stateFindings: [],
    })
  })

  test('in service except for its own noout: partial', () => {
    expect(hyperconverged(serving)).toMatchObject({
      state: 'partial',
      stateReason: 'Noout is set for its OSDs.',
      stateFindings: [{ code: 'NodeOutOfService', values: { parts: [{ code: 'NodeOsdsNoout', values: {} }] } }],
    })
  })

  test('in service, and the note says that it still needs noout: partial', () => {
    const noted = node({ labels: CONTROL, annotations: { 'lockkeeper.dev/noout': 'r9' } })
    const everywhere = [osd(0, 'cmp-1', { noout: true }), osd(2, 'cmp-2', { noout: true })]
    expect(hyperconverged({ ...serving, nodes: [noted], osds: everywhere })).toMatchObject({
      state: 'partial',
      stateReason: 'Run r9 keeps noout for it.',
    })
  })

  test('where nobody asks Ceph, its OSDs decide nothing', () => {
    const row = hyperconverged({ asksCeph: false, osds: null })
    expect(row.state).toBe('maintenance')
    expect(row.conditions.map(({ role }) => role)).toEqual(['control', 'compute'])
  })
})

describe('a name that is no longer a node', () => {
  const gone = service({ id: 'service-2', host: 'cmp-2', state: 'down' })
  const rows = (overrides: Partial<NodeSummariesInput>) =>
    summaries({ asksCeph: true, services: [service(), gone], osds: [], ...overrides })
  const osd: CephOsd = { id: 4, host: 'cmp-2', up: false, in: true, noout: false, hostNoout: false }

  const empty = new Map([['cmp-2', occupancyOfMachine([], NO_MOVES)]])

  test('is decommissioned while Nova still knows it, nothing is on it, and says who knows it', () => {
    expect(rows({ outside: empty })).toMatchObject([
      { name: 'cmp-1', state: 'active' },
      {
        name: 'cmp-2',
        state: 'decommissioned',
        roles: ['compute'],
        stateReason: expect.stringMatching(/Nova still has its nova-compute/),
      },
    ])
  })

  test('is decommissioned while Ceph still knows it, in one row with Nova', () => {
    const out = { ...osd, in: false }
    expect(rows({ osds: [out], outside: empty })[1]).toMatchObject({
      state: 'decommissioned',
      roles: ['compute', 'storage'],
    })
    expect(rows({ osds: [out], services: [service()] })[1]).toMatchObject({
      state: 'decommissioned',
      roles: ['storage'],
    })
  })

  test.each<[string, Partial<NodeSummariesInput>, string, RegExp]>([
    [
      'instances are on it',
      { outside: new Map([['cmp-2', THREE]]) },
      'partial',
      /not decommissioned.*3 instances are on it/,
    ],
    ['its OSDs are still in', { osds: [osd], outside: empty }, 'partial', /OSD 4 still in Ceph's map/],
    ['what is on it could not be asked', { outside: new Map() }, 'unknown', /Nova did not answer/],
    [
      'Ceph is silent',
      { osds: [{ ...osd, in: false }], cephAnswers: false, outside: empty },
      'unknown',
      /Ceph did not answer/,
    ],
  ])('seed 004, "its responsibilities have already been reassigned": not while %s', (_, more, state, reason) => {
    expect(rows(more)[1]).toMatchObject({ name: 'cmp-2', state, stateReason: expect.stringMatching(reason) })
  })

  test('is not called empty while something may be reverted to it, or where that is unknown', () => {
    const web = { id: 'id-web', name: 'web-01', status: 'VERIFY_RESIZE' }
    const back = { ...NO_MOVES, returning: [{ instance: web, code: 'AwaitsConfirmation' as const }] }
    const returning = occupancyOfMachine([], back).verdict
    expect([returning.kind, instancesLeftIn(returning)]).toEqual(['NotEmpty', 1])
    const unread = [{ what: 'migrations', code: 'NoAnswer', message: '' } as const]
    const dark = occupancyOfMachine([], { ...NO_MOVES, unread }).verdict
    expect([dark.kind, instancesLeftIn(dark)]).toEqual(['Unknown', null])
  })

  test('is not Lockkeeper’s while its services live, where no machine is kept outside of Kubernetes', () => {
    expect(rows({ services: [service(), { ...gone, state: 'up' }] })).toHaveLength(1)
    expect(rows({ osds: [{ ...osd, up: true }] })).toHaveLength(1)
  })

  test('Nova is asked what is on a host only where the host has a row', () => {
    const hosts = (flavour: 'plain' | 'sunbeam', state: 'up' | 'down', osds: readonly CephOsd[] = []) =>
      hostsWithRow({ flavour, nodes: [node()], services: [service(), { ...gone, state }], osds })
    expect(hosts('plain', 'down')).toEqual(['cmp-2'])
    expect(hosts('plain', 'up')).toEqual([])
    expect(hosts('plain', 'down', [{ ...osd, up: true }])).toEqual([])
    expect(hosts('sunbeam', 'up')).toEqual(['cmp-2'])
  })

  const machine = service({ id: 'service-2', host: 'cmp-2', state: 'up' })
  const disabled: ComputeService = { ...machine, status: 'disabled', disabledReason: 'watcher_maintaining' }
  test.each<[string, Partial<NodeSummariesInput>, string, RegExp]>([
    ['in service', { outside: new Map([['cmp-2', THREE]]) }, 'active', /outside of Kubernetes/],
    [
      'emptied and disabled',
      { services: [service(), disabled], outside: empty },
      'maintenance',
      /and everything that had to leave has left/,
    ],
    [
      'disabled for its maintenance and off for the work: never decommissioned',
      { services: [service(), { ...disabled, state: 'down' }], outside: empty },
      'maintenance',
      /and everything that had to leave has left/,
    ],
    [
      'disabled for its maintenance, with OSDs for which noout was declined',
      { services: [service(), disabled], outside: empty, osds: [{ ...osd, up: true }] },
      'maintenance',
      /and everything that had to leave has left/,
    ],
    [
      'disabled with instances on it',
      { services: [service(), disabled], outside: new Map([['cmp-2', THREE]]) },
      'partial',
      /2 instances that are on cmp-2 had to leave/,
    ],
    [
      'disabled, and nobody knows what is on it',
      { services: [service(), disabled] },
      'unknown',
      /Lockkeeper does not know the instances on cmp-2/,
    ],
    [
      'storage-only, in service',
      { services: [service()], osds: [{ ...osd, up: true }] },
      'active',
      /outside of Kubernetes/,
    ],
    [
      'storage-only, under noout that others need',
      { services: [service()], osds: [{ ...osd, up: true, noout: true }], nooutRuns: new Map([['cmp-2', null]]) },
      'active',
      /outside of Kubernetes/,
    ],
    [
      'storage-only, and a run keeps noout for it',
      { services: [service()], osds: [{ ...osd, up: true, noout: true }], nooutRuns: new Map([['cmp-2', 'r1']]) },
      'maintenance',
      /run r1 keeps noout for it/,
    ],
    [
      'storage-only, under noout, and its Lease could not be read',
      { services: [service()], osds: [{ ...osd, up: true, noout: true }] },
      'unknown',
      /Lockkeeper could not read its Lease/,
    ],
    [
      'storage-only, off for its maintenance',
      { services: [service()], osds: [{ ...osd, noout: true }], nooutRuns: new Map([['cmp-2', 'r1']]) },
      'maintenance',
      /OSD 4 of it is down, run r1 keeps noout for it/,
    ],
    [
      'storage-only, its OSD broken under noout that others need',
      {
        services: [service()],
        osds: [
          { ...osd, noout: true },
          { ...osd, id: 5, up: true, noout: true },
        ],
        nooutRuns: new Map([['cmp-2', null]]),
      },
      'partial',
      /No run keeps noout for it/,
    ],
    [
      'storage-only, one OSD down and one open',
      { services: [service()], osds: [osd, { ...osd, id: 5, up: true }] },
      'partial',
      /up, and not covered by noout/,
    ],
  ])('on Sunbeam a machine outside of Kubernetes has a row: %s', (_, more, state, reason) => {
    const row = rows({ flavour: 'sunbeam', services: [service(), machine], ...more })[1]
    expect(row).toMatchObject({ name: 'cmp-2', state, stateReason: expect.stringMatching(reason) })
  })
})

test('a node that computes and of which Nova has lost the nova-compute is not called empty', () => {
  const cordoned = { nodes: [node({ unschedulable: true })], verdicts: EMPTY }
  expect(summary({ ...cordoned, services: [DISABLED] }).verdict).toMatchObject({ kind: 'Empty' })
  expect(summary({ ...cordoned, services: [service({ host: 'cmp-9' })] }).verdict).toMatchObject({
    kind: 'Unknown',
    unread: [{ what: 'compute-service' }],
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
      activeRuns: [{ runId: 'r1', node: 'cmp-1', kind: 'enter', isDriven: true }],
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
    const nodes = ['cmp-10', 'cmp-2', 'cmp-1'].map(name => node({ name }))
    const rows = summaries({ nodes, hasCloud: false, services: null })
    expect(rows.map(row => row.name)).toEqual(['cmp-1', 'cmp-2', 'cmp-10'])
  })

  test("never takes a neighbour's service for its own", () => {
    expect(summary({ services: [service({ host: 'cmp-10' })] }).computeService).toBeNull()
  })
})

describe('under the node maintenance API', () => {
  const OWNER = 'Some servers are still present on the host. Notify owners of the following server'
  const GONE = '2026-01-01T00:00:00Z'
  const given = (
    locks: readonly Partial<NodeWorkloadLock>[],
    requests: readonly Partial<NodeMaintenanceRequest>[],
    more: Partial<NodeSummariesInput> = {},
  ) =>
    summary({
      flavour: 'mosk',
      maintenanceOwners: maintenanceOwnersOf(
        {
          ...NO_MAINTENANCE_OBJECTS,
          nodeLocks: locks.map(lock => fakeNodeLock('cmp-1', lock)),
          nodeRequests: requests.map(request => fakeNodeRequest('cmp-1.example.org', request)),
        },
        ['cmp-1'],
      ),
      ...more,
    })
  const empty = { nodes: [cordoned], services: [DISABLED], verdicts: EMPTY }

  test.each<[string, NodeSummary, string, RegExp]>([
    ['nobody asks, its lock is active: active', given([{}], []), 'active', /^$/],
    [
      'asked for, and a controller waits for an owner: entering, with its words',
      given([{ errorMessage: OWNER }], [{}]),
      'entering',
      /Its maintenance is requested \(cmp-1\.example\.org, made by LCM or manually\); it waits for openstack: Some servers are still present on the host/,
    ],
    [
      'asked for, empty, and a controller still holds it: not in maintenance (seed 001: an active lock prevents changes)',
      given([{}], [{}], empty),
      'entering',
      /waits for openstack: its lock openstack-cmp-1 is active/,
    ],
    [
      'released: never active (seed 001: inactive, LCM can proceed)',
      given([{ controller: 'ceph', state: 'inactive' }], [{}]),
      'entering',
      /made by LCM or manually\) and all its locks are inactive \(ceph\): it is released\./,
    ],
    [
      'released and empty: in maintenance',
      given([{ state: 'inactive' }], [{}], empty),
      'maintenance',
      /it is released\. It is cordoned/,
    ],
    [
      'its request is Terminating: leaving, with what it waits for',
      given([{ state: 'inactive', errorMessage: 'Waiting for nova-compute' }], [{ deletingSince: GONE }]),
      'leaving',
      /waits for openstack: Waiting for nova-compute/,
    ],
    [
      'inactive, and nobody asks: partial',
      given([{ state: 'inactive' }], []),
      'partial',
      /It has no maintenance request, but openstack: its lock openstack-cmp-1 is inactive\./,
    ],
    [
      'empty, and nobody asked: partial, no controller gave it up',
      given([{}], [], empty),
      'partial',
      /No controller has released it/,
    ],
    [
      'the API is silent: nobody knows',
      summary({ flavour: 'mosk', maintenanceOwners: null }),
      'unknown',
      /could not read its workload locks/,
    ],
  ])('%s', (_, row, state, reason) => {
    expect(row.state).toBe(state)
    expect(row.stateReason).toMatch(reason)
  })

  test('a request for a name without a node has a row: nobody would answer it', () => {
    const requests = maintenanceOwnersOf({ ...NO_MAINTENANCE_OBJECTS, nodeRequests: [fakeNodeRequest('cmp-77')] }, [
      'cmp-1',
    ])
    const rows = summaries({ flavour: 'mosk', hasCloud: false, services: null, maintenanceOwners: requests })
    expect(rows.map(({ name, state }) => [name, state])).toEqual([
      ['cmp-1', 'active'],
      ['cmp-77', 'unknown'],
    ])
    expect(rows[1]?.stateReason).toMatch(/but the cloud has no such node/)
  })
})
