import { describe, expect, it } from 'vitest'
import type { MaintenanceWorld } from '../../../main/ports/world.ts'
import { ENTER } from '../../../main/procedures/plans/node/enter.ts'
import { noOtherMaintenance } from '../../../main/procedures/steps/general/no-other-maintenance.ts'
import { replicasRedundancy } from '../../../main/procedures/steps/general/replicas-redundancy.ts'
import { lockLimitsAllow } from '../../../main/procedures/steps/requests/lock-limits-allow.ts'
import { maintenanceApiReady } from '../../../main/procedures/steps/requests/maintenance-api-ready.ts'
import { nodeLocksInactive } from '../../../main/procedures/steps/requests/node-locks-inactive.ts'
import { nodeLocksSound } from '../../../main/procedures/steps/requests/node-locks-sound.ts'
import { requestIsOurs } from '../../../main/procedures/steps/requests/request-is-ours.ts'
import { cephCanSpare } from '../../../main/procedures/steps/storage/ceph-can-spare.ts'
import type { CephOsd, CephStatus } from '../../../shared/domain/ceph.ts'
import { failure } from '../../../shared/domain/failure.ts'
import type { LeaseState } from '../../../shared/domain/lease-state.ts'
import {
  MADE_BY_ANNOTATION,
  REQUEST_OPERATOR_ANNOTATION,
  REQUEST_RUN_ANNOTATION,
} from '../../../shared/domain/maintenance-api.ts'
import { must } from '../../../shared/domain/must.ts'
import { DEFAULT_RUN_OPTIONS } from '../../../shared/domain/plan.ts'
import { failed, ok } from '../../../shared/domain/result.ts'
import { fakeOsd } from '../../fixtures/procedures/fake-records.ts'
import {
  CONTROL,
  decision,
  fakeContext,
  fakeNode,
  fakePod,
  fakeService,
  seenHolding,
  withSilentNova,
} from '../../fixtures/procedures/fake-world.ts'
import { type MoskCloud, moskCloud, rockoon } from '../../fixtures/procedures/lcm-world.ts'
import { fakeClusterRequest, madeByRun } from '../../fixtures/procedures/maintenance-objects.ts'
import { noCeph } from '../../fixtures/procedures/no-maintenance-api.ts'
import { nodeLock } from '../../fixtures/procedures/node-lock.ts'

const HOLDER = {
  identity: 'lockkeeper-controllers-1',
  operator: 'eva',
  machine: 'bastion',
  runId: null,
  since: null,
  durationSeconds: 60,
}
const leaseOf = ({ kubernetes }: MaintenanceWorld, by: LeaseState): MaintenanceWorld['kubernetes'] => ({
  ...kubernetes,
  leases: { ...kubernetes.leases, holder: async () => ok(by) },
})

const STORAGE = { role: 'ceph-osd-node' }

describe('before a request is made, these do not hold:', () => {
  const check = async (step: typeof maintenanceApiReady, fake: MoskCloud, node = 'cmp-1') => {
    const ctx = { ...fakeContext(fake.cloud), world: fake.lcm.world, clock: fake.clock }
    return must(step.check, 'it is a check')({ node }, ctx)
  }
  const codes = async (...of: Parameters<typeof check>) => {
    const answer = await check(...of)
    return answer.kind === 'blocked' ? answer.blockers.map(blocker => blocker.code) : []
  }
  const withLocks = async (settings: Parameters<typeof moskCloud>[0] = {}) => {
    const fake = moskCloud(settings)
    const stop = fake.start()
    await fake.clock.advance(5_000)
    await stop()
    return fake
  }

  it('the API is not there, or nobody answers for what the console is to answer', async () => {
    const fake = moskCloud({
      controllers: { openstack: 'console', ceph: 'none', tungstenfabric: 'none', stacklight: 'none' },
    })
    expect(await codes(maintenanceApiReady, fake)).toEqual(['ControllersStopped'])
    fake.lcm.missing.add('NodeWorkloadLock')
    expect(await codes(maintenanceApiReady, fake)).toEqual(['DefinitionMissing', 'ControllersStopped'])
  })

  it('without a controller, it names only the definitions', async () => {
    const fake = moskCloud({
      controllers: { openstack: 'none', ceph: 'none', tungstenfabric: 'none', stacklight: 'none' },
    })
    expect(await check(maintenanceApiReady, fake)).toMatchObject({
      kind: 'ready',
      reason: 'The definitions exist.',
    })
  })

  it('nobody gives a sign of life: the pods of the controller are not ready, or who holds its Lease does not renew it', async () => {
    const fake = await withLocks()
    expect(await check(maintenanceApiReady, fake)).toMatchObject({
      kind: 'ready',
      reason: expect.stringContaining('Deployment osh-system/rockoon has 1 of 1 replicas ready'),
    })
    fake.cloud.workloads = [rockoon(0)]
    expect(await codes(maintenanceApiReady, fake)).toEqual(['ControllerNotReady'])
    fake.cloud.workloads = []
    expect(await codes(maintenanceApiReady, fake)).toEqual(['ControllersGone'])
    const status = (more: Partial<LeaseState>) => {
      const by = must(seenHolding({ ...HOLDER, renewedAt: null }), 'it is held')
      const world = { ...fake.lcm.world, kubernetes: leaseOf(fake.lcm.world, { ...by, ...more }) }
      const ctx = { ...fakeContext(fake.cloud), world, clock: fake.clock }
      return must(maintenanceApiReady.check, 'it is a check')({ node: 'cmp-1' }, ctx)
    }
    expect(await status({})).toMatchObject({
      kind: 'ready',
      reason: expect.stringContaining('their Lease was renewed 2 s ago'),
    })
    expect(await status({ seenRenewed: true, unchangedForMs: 40_000 })).toMatchObject({
      blockers: [{ code: 'ControllersSilent', message: expect.stringContaining('do not report') }],
    })
    expect(await status({ freeInMs: 0 })).toMatchObject({ blockers: [{ code: 'ControllersSilent' }] })
  })

  it('it names locks of Lockkeeper’s controllers that nobody answers any more, until the cloud’s controller writes them', async () => {
    const fake = await withLocks()
    const writtenBy = (manager: string) => {
      const writers = [{ manager, at: '2026-01-01T00:00:00Z', subresource: 'status' }]
      fake.objects = {
        ...fake.objects,
        clusterLocks: fake.objects.clusterLocks.map(lock => ({ ...lock, writers })),
        nodeLocks: fake.objects.nodeLocks.map(lock => ({ ...lock, writers })),
      }
    }
    writtenBy('lockkeeper')
    expect(await check(maintenanceApiReady, fake)).toMatchObject({
      blockers: [
        {
          code: 'LocksLeftBehind',
          remedy: expect.stringContaining('kubectl delete clusterworkloadlock/openstack-'),
        },
      ],
    })
    writtenBy('rockoon')
    expect(await codes(maintenanceApiReady, fake)).toEqual([])
  })

  it('no sign either way: the check says so, and does not count it as an answer', async () => {
    const fake = await withLocks()
    fake.cloud.workloads = []
    const foreign = fake.objects.nodeLocks.map(lock => ({
      ...lock,
      annotations: {},
      writers: [{ manager: 'rockoon', at: new Date(fake.clock.now() - 300_000).toISOString(), subresource: 'status' }],
    }))
    fake.objects = { ...fake.objects, nodeLocks: foreign, clusterLocks: [] }
    expect(await check(maintenanceApiReady, fake)).toMatchObject({
      kind: 'ready',
      warnings: [{ message: expect.stringMatching(/No sign of life of openstack.*last written 5 min ago by rockoon/) }],
    })
  })

  it('the lock of openstack is missing, or a lock is not active, or odd', async () => {
    expect(await codes(nodeLocksSound, moskCloud())).toEqual(['NodeLockMissing'])
    const fake = await withLocks()
    expect(await codes(nodeLocksSound, fake)).toEqual([])
    fake.objects = { ...fake.objects, nodeLocks: fake.objects.nodeLocks.map(lock => ({ ...lock, state: 'inactive' })) }
    expect(await codes(nodeLocksSound, fake)).toEqual(['NodeLockNotActive'])
    fake.objects = {
      ...fake.objects,
      nodeLocks: fake.objects.nodeLocks.map(lock => ({
        ...lock,
        state: 'unknown',
        faults: ['Its state is "asleep".'],
      })),
    }
    expect(await codes(nodeLocksSound, fake)).toEqual(['NodeLockNotActive'])
  })

  it('seed 001: a compute node that lost its label and its lock has nobody who answers for its instances', async () => {
    const fake = await withLocks()
    fake.cloud.nodes = fake.cloud.nodes.map(node => (node.name === 'cmp-1' ? { ...node, labels: {} } : node))
    fake.objects = { ...fake.objects, nodeLocks: fake.objects.nodeLocks.filter(({ nodeName }) => nodeName !== 'cmp-1') }
    expect(await codes(nodeLocksSound, fake)).toEqual(['NodeLockMissing'])
    // After an answer to continue, an absent lock is not an inactive one either.
    const ctx = { ...fakeContext(fake.cloud), world: fake.lcm.world, clock: fake.clock }
    expect(await must(nodeLocksInactive.verify, 'it verifies')({ node: 'cmp-1' }, ctx)).toMatchObject({
      kind: 'cannot-tell',
      reason: expect.stringContaining('no workload lock of openstack'),
    })
  })

  it('somebody else’s request is there, or an earlier one is Terminating', async () => {
    const fake = await withLocks()
    fake.request('cmp-1.example.com')
    expect(await codes(nodeLocksSound, fake)).toEqual(['NodeRequestThere'])
    fake.objects = {
      ...fake.objects,
      nodeRequests: fake.objects.nodeRequests.map(request => ({ ...request, deletingSince: '2026-01-01T00:00:00Z' })),
    }
    expect(await codes(nodeLocksSound, fake)).toEqual(['NodeRequestTerminating'])
  })

  it('somebody else maintains the whole cluster: blocked for a node as for an update, by the name of who drives it (seed 001: LCM makes requests)', async () => {
    const fake = await withLocks()
    const writers = [
      { manager: 'openstack-controller', at: '2026-01-01T00:00:09Z', subresource: null },
      { manager: 'lcm-controller', at: '2026-01-01T00:00:00Z', subresource: null },
    ]
    fake.objects = { ...fake.objects, clusterRequests: [fakeClusterRequest('c', { writers })] }
    const reported = {
      kind: 'blocked',
      blockers: [{ code: 'MaintenanceRequested', message: expect.stringContaining('made by lcm-controller') }],
    }
    expect(await check(noOtherMaintenance, fake)).toMatchObject(reported)
    const ctx = { ...fakeContext(fake.cloud), world: fake.lcm.world, clock: fake.clock }
    expect(await noOtherMaintenance.check?.({}, ctx)).toMatchObject(reported)
    const plan = ENTER.mosk({
      cluster: fake.lcm.world.cluster,
      name: 'cmp-1',
      node: fakeNode('cmp-1'),
      roles: ['compute'],
      options: DEFAULT_RUN_OPTIONS,
      watcher: null,
      ran: null,
    })
    expect(plan.map(({ kind }) => kind)).toContain(noOtherMaintenance.kind)
  })

  it('it names a request that an update of Lockkeeper left behind: a node may be maintained beside it, other nodes’ requests are not read here', async () => {
    const fake = await withLocks()
    fake.objects = { ...fake.objects, clusterRequests: [fakeClusterRequest('c', madeByRun('old'))] }
    fake.request('cmp-2')
    expect(await check(noOtherMaintenance, fake)).toMatchObject({
      kind: 'ready',
      warnings: [{ message: expect.stringContaining('`lockkeeper update start') }],
    })
  })

  it('it does not end the maintenance of others: a foreign request stays', async () => {
    const fake = await withLocks()
    expect(await codes(requestIsOurs, fake)).toEqual([])
    fake.request('cmp-1', { annotations: { [REQUEST_RUN_ANNOTATION]: 'run-0', [REQUEST_OPERATOR_ANNOTATION]: 'ana' } })
    expect(await check(requestIsOurs, fake)).toMatchObject({ kind: 'ready', reason: expect.stringContaining('ana') })
    fake.request('cmp-1.example.com')
    expect(await codes(requestIsOurs, fake)).toEqual(['NodeRequestOfOthers'])
  })

  it('docs/domain.md A.4: another role is at its limit, which holds back every node, unless roles are counted on their own', async () => {
    for (const [roleLimits, expected] of [
      ['any', ['LimitsHoldBack']],
      ['own', []],
    ] as const) {
      const fake = await withLocks({ roleLimits })
      fake.objects = {
        ...fake.objects,
        nodeLocks: fake.objects.nodeLocks.map(lock =>
          lock.nodeName === 'ctl-1' ? { ...lock, state: 'inactive' } : lock,
        ),
      }
      expect(await codes(lockLimitsAllow, fake)).toEqual(expected)
    }
  })

  it('seed 000: another node’s lock is inactive, whatever happened to that node and its labels; more than one where so configured', async () => {
    const away = async (settings: Parameters<typeof moskCloud>[0], change: (fake: MoskCloud) => void) => {
      const fake = await withLocks(settings)
      fake.objects = {
        ...fake.objects,
        nodeLocks: fake.objects.nodeLocks.map(lock =>
          lock.nodeName === 'cmp-2' ? { ...lock, state: 'inactive' } : lock,
        ),
      }
      change(fake)
      return codes(lockLimitsAllow, fake)
    }
    const unlabelled = ({ cloud }: MoskCloud) => {
      cloud.nodes = cloud.nodes.map(node => (node.name === 'cmp-2' ? { ...node, labels: {} } : node))
    }
    const gone = ({ cloud }: MoskCloud) => {
      cloud.nodes = cloud.nodes.filter(({ name }) => name !== 'cmp-2')
    }
    for (const change of [() => {}, unlabelled, gone]) {
      expect(await away({}, change)).toEqual(['LimitsHoldBack'])
      expect(await away({ computeMax: 2 }, change)).toEqual([])
    }
  })

  it('docs/domain.md A.4: a compute of another availability zone is in maintenance', async () => {
    const fake = await withLocks({ computeMax: 2 })
    fake.cloud.services = [fakeService('cmp-1', { zone: 'az1' }), fakeService('cmp-2', { zone: 'az2' })]
    fake.objects = {
      ...fake.objects,
      nodeLocks: fake.objects.nodeLocks.map(lock =>
        lock.nodeName === 'cmp-2' ? { ...lock, state: 'inactive' } : lock,
      ),
    }
    expect(await codes(lockLimitsAllow, fake)).toEqual(['LimitsHoldBack'])
  })

  it('docs/domain.md A.4: Tungsten Fabric has another node that is not back', async () => {
    const fake = await withLocks({
      controllers: { openstack: 'cluster', ceph: 'none', tungstenfabric: 'cluster', stacklight: 'none' },
    })
    fake.objects = {
      ...fake.objects,
      nodeLocks: [
        ...fake.objects.nodeLocks,
        nodeLock('tungstenfabric', 'cmp-1'),
        nodeLock('tungstenfabric', 'cmp-2', { state: 'inactive' }),
      ],
    }
    expect(await codes(lockLimitsAllow, fake)).toEqual(['FabricHoldsBack'])
  })

  it.each([
    [
      'our StackLight controller has another node that is not back',
      { [MADE_BY_ANNOTATION]: 'lockkeeper' },
      ['StackLightHoldsBack'],
    ],
    ['the limit of a foreign StackLight controller is unknown', {}, []],
  ])('docs/domain.md A.1: %s', async (_rule, annotations, expected) => {
    const fake = await withLocks({
      controllers: { openstack: 'cluster', ceph: 'none', tungstenfabric: 'none', stacklight: 'cluster' },
    })
    fake.objects = {
      ...fake.objects,
      nodeLocks: [
        ...fake.objects.nodeLocks,
        nodeLock('stacklight', 'cmp-1', { annotations }),
        nodeLock('stacklight', 'cmp-2', { state: 'inactive', annotations }),
      ],
    }
    expect(await codes(lockLimitsAllow, fake)).toEqual(expected)
  })

  it('docs/domain.md A.2: the node carries a replica of a quorum service whose others are not all ready', async () => {
    const fake = await withLocks()
    const controller = { apiVersion: 'apps/v1', kind: 'StatefulSet', name: 'mariadb-server', uid: 'uid-mariadb' }
    fake.cloud.workloads = [
      { ...controller, kind: 'StatefulSet', namespace: 'openstack', controller: null, replicas: 3, readyReplicas: 3 },
    ]
    const withReplicas = (readiness: readonly boolean[]) => {
      fake.cloud.decisions = readiness.map((ready, index) =>
        decision(fakePod(`mariadb-server-${index}`, { nodeName: `ctl-${index + 1}`, ready, controller })),
      )
    }
    for (const [node, readiness, expected] of [
      ['ctl-1', [true, true, true], []],
      // Its own replica is going anyway.
      ['ctl-1', [false, true, true], []],
      ['ctl-1', [true, false, true], ['HardLocked']],
      ['ctl-1', [true, true], ['HardLocked']],
      ['cmp-1', [true, false, true], []],
    ] as const) {
      withReplicas(readiness)
      expect(await codes(lockLimitsAllow, fake, node), `${node} of ${readiness.join()}`).toEqual(expected)
    }
  })

  it('docs/domain.md C.3: OSDs of the node are not ok to stop, Ceph is not whole, or would lose its monitors', async () => {
    const fake = await withLocks()
    fake.cloud.nodes = [fakeNode('osd-1', { labels: STORAGE }), fakeNode('ctl-1', { labels: CONTROL })]
    const osd = (id: number, host: string): CephOsd => fakeOsd(id, host)
    const whole: CephStatus = {
      health: 'HEALTH_OK',
      checks: [],
      monsInQuorum: ['a', 'b', 'c'],
      monsTotal: 3,
      osds: { total: 2, up: 2, in: 2 },
      pgs: { total: 96, byState: { 'active+clean': 96 } },
      flags: [],
    }
    const reported = [osd(1, 'osd-1'), osd(2, 'osd-2')]
    const answers = { stop: true, status: whole, reachable: true, reported }
    const world: MaintenanceWorld = {
      ...fake.lcm.world,
      ceph: {
        ...noCeph,
        osds: async () =>
          answers.reachable ? ok([osd(1, 'osd-1'), osd(2, 'osd-2')]) : failed(failure('unreachable', 'No toolbox.')),
        osdsReported: async () => ok(answers.reported),
        status: async () => ok(answers.status),
        okToStop: async ids => ok({ ok: answers.stop, osds: ids, pgsAtRisk: 3, message: '3 PGs would go offline' }),
        setNoout: async () => ok(undefined),
      },
    }
    const now = async (node: string) => {
      const answer = await must(cephCanSpare.check, 'it is a check')({ node }, { ...fakeContext(fake.cloud), world })
      return answer.kind === 'blocked' ? answer.blockers.map(blocker => blocker.code) : [answer.kind]
    }
    expect(await now('ctl-1')).toEqual(['done'])
    answers.reported = [osd(1, 'osd-1'), osd(2, 'ctl-1')]
    expect(await now('ctl-1')).toEqual(['NotRead'])
    answers.reported = reported
    expect(await now('osd-1')).toEqual(['ready'])
    answers.stop = false
    expect(await now('osd-1')).toEqual(['OsdsNotOkToStop'])
    answers.status = { ...whole, pgs: { total: 96, byState: { 'active+clean': 90, 'active+undersized+degraded': 6 } } }
    expect(await now('osd-1')).toEqual(['OsdsNotOkToStop', 'CephNotWhole'])
    fake.cloud.decisions = [
      decision(fakePod('rook-ceph-mon-a', { namespace: 'rook-ceph', labels: { app: 'rook-ceph-mon', mon: 'a' } })),
    ]
    expect(await now('ctl-1')).toEqual(['ready'])
    answers.status = { ...whole, monsInQuorum: ['a', 'b'] }
    expect(await now('ctl-1')).toEqual(['MonQuorumLost'])
    answers.reachable = false
    expect(await now('osd-1')).toEqual(['NotRead'])
    fake.cloud.decisions = []
    expect(await now('ctl-1')).toEqual(['done'])
  })

  it('it names nodes in maintenance with OSDs beside the OSDs, and those with a monitor beside the monitors', async () => {
    const fake = await withLocks()
    const names = ['osd-1', 'osd-2', 'ctl-1']
    fake.cloud.nodes = names.map(name => fakeNode(name, { unschedulable: name !== 'osd-1' }))
    const mon = (id: string, nodeName: string) =>
      fakePod(`rook-ceph-mon-${id}`, { namespace: 'rook-ceph', nodeName, labels: { app: 'rook-ceph-mon', mon: id } })
    const osds = [1, 2].map(id => ({ id, host: `osd-${id}`, up: true, in: true, noout: false, hostNoout: false }))
    const { kubernetes } = fake.lcm.world
    const world: MaintenanceWorld = {
      ...fake.lcm.world,
      kubernetes: {
        ...kubernetes,
        listPodsOnNode: async () => ok([mon('a', 'osd-1')]),
        listPods: async () => ok([mon('a', 'osd-1'), mon('b', 'ctl-1')]),
      },
      ceph: {
        ...noCeph,
        osds: async () => ok(osds),
        osdsReported: async () => ok(osds),
        status: async () =>
          ok({
            health: 'HEALTH_OK',
            checks: [],
            monsInQuorum: ['a', 'b', 'c'],
            monsTotal: 3,
            osds: { total: 2, up: 2, in: 2 },
            pgs: { total: 96, byState: { 'active+clean': 96 } },
            flags: [],
          }),
        okToStop: async ids => ok({ ok: false, osds: ids, pgsAtRisk: 3, message: '3 PGs would go offline' }),
      },
    }
    const reported = (of: MaintenanceWorld) =>
      must(cephCanSpare.check, 'it is a check')({ node: 'osd-1' }, { ...fakeContext(fake.cloud), world: of })
    expect(await reported(world)).toMatchObject({
      blockers: [
        {
          message: 'Without osd-1 and ctl-1 (in maintenance: cordoned) Ceph has 1 monitor of 3 in quorum; it needs 2.',
        },
        {
          message:
            'OSDs 1, 2 of osd-1 and osd-2 (in maintenance: cordoned) are not ok to stop together: 3 PGs would go offline.',
        },
      ],
    })
    expect(await reported(withSilentNova(world))).toMatchObject({
      warnings: expect.arrayContaining([
        expect.objectContaining({
          message: expect.stringMatching(/nova-compute of another node.*Nova does not answer/),
        }),
      ]),
    })
  })

  it('docs/domain.md C.3: a daemon that Rook pins to the node is for Ceph to spare, not an only replica', async () => {
    const fake = await withLocks()
    const owner = { apiVersion: 'apps/v1', kind: 'ReplicaSet', name: 'rook-ceph-osd-0', uid: 'uid-osd' } as const
    fake.cloud.workloads = [{ ...owner, namespace: 'rook-ceph', controller: null, replicas: 1, readyReplicas: 1 }]
    const pod = { namespace: 'rook-ceph', nodeName: 'cmp-1', controller: owner }
    fake.cloud.decisions = [decision(fakePod('osd', { ...pod, labels: { app: 'rook-ceph-osd' } }))]
    expect(await codes(replicasRedundancy, fake)).toEqual([])
    fake.cloud.decisions = [decision(fakePod('mgr', { ...pod, labels: { app: 'rook-ceph-mgr' } }))]
    expect(await codes(replicasRedundancy, fake)).toEqual(['OnlyReplica'])
  })
})
