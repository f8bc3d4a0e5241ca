import { describe, expect, it } from 'vitest'
import { createRunEngine } from '../../../main/engine/run-engine.ts'
import { silentLogger } from '../../../main/log/logger.ts'
import { awaitLocks } from '../../../main/maintenance/await-locks.ts'
import { nodeLeaseKeeper } from '../../../main/maintenance/node-lease.ts'
import { makePlan } from '../../../main/maintenance/plans/make-plan.ts'
import { type MaintenanceWorld, UPDATE_LEASE } from '../../../main/maintenance/ports.ts'
import { cephCanSpare } from '../../../main/maintenance/steps/ceph-can-spare.ts'
import { lockLimitsAllow } from '../../../main/maintenance/steps/lock-limits-allow.ts'
import { maintenanceApiReady } from '../../../main/maintenance/steps/maintenance-api-ready.ts'
import { nodeLocksSound } from '../../../main/maintenance/steps/node-locks-sound.ts'
import { maintenanceSteps } from '../../../main/maintenance/steps/registry.ts'
import { replicasRedundancy } from '../../../main/maintenance/steps/replicas-redundancy.ts'
import { requestIsOurs } from '../../../main/maintenance/steps/request-is-ours.ts'
import type { CephOsd, CephStatus } from '../../../shared/domain/ceph.ts'
import { failure } from '../../../shared/domain/failure.ts'
import {
  REQUEST_OPERATOR_ANNOTATION,
  REQUEST_REASON_ANNOTATION,
  REQUEST_RUN_ANNOTATION,
} from '../../../shared/domain/maintenance-api.ts'
import { must } from '../../../shared/domain/must.ts'
import type { NodeRunKind, RunOptions } from '../../../shared/domain/plan.ts'
import { failed, ok } from '../../../shared/domain/result.ts'
import { foldRun } from '../../../shared/domain/run-fold.ts'
import { type Death, type Disk, emptyDisk, memoryJournal, ProcessDied } from '../../fixtures/engine/memory-journal.ts'
import { type FakeMaintenance, fakeMaintenance } from '../../fixtures/maintenance/fake-controllers.ts'
import {
  COMPUTE,
  CONTROL,
  decision,
  fakeContext,
  fakeInstance,
  fakeNode,
  fakePod,
  fakeService,
} from '../../fixtures/maintenance/fake-world.ts'
import { type LcmWorld, lcmWorld } from '../../fixtures/maintenance/lcm-world.ts'
import { nodeLock } from '../../fixtures/maintenance/node-lock.ts'

const STORAGE = { role: 'ceph-osd-node' }

const OPTIONS: RunOptions = {
  scope: 'os',
  concurrency: 1,
  attempts: null,
  drainTimeoutMs: 60_000,
  deleteEmptyDirData: false,
  overrides: [],
  reason: 'ticket 4711',
}

/** A cloud of four nodes under the node maintenance API, with the OpenStack Controller answering. */
function cloud(settings: Parameters<typeof fakeMaintenance>[1] = {}): FakeMaintenance & { readonly lcm: LcmWorld } {
  const fake = fakeMaintenance(
    {
      nodes: [
        fakeNode('ctl-1', { labels: CONTROL }),
        fakeNode('ctl-2', { labels: CONTROL }),
        fakeNode('ctl-3', { labels: CONTROL }),
        fakeNode('cmp-1', { labels: COMPUTE }),
        fakeNode('cmp-2', { labels: COMPUTE }),
      ],
      services: [fakeService('cmp-1'), fakeService('cmp-2')],
      instances: [fakeInstance('a', 'cmp-1'), fakeInstance('b', 'cmp-1')],
    },
    { blockedAfterMs: 60_000, ...settings },
  )
  return Object.assign(fake, { lcm: lcmWorld(fake) })
}

const driver = { operator: 'eva', machine: 'laptop-1', pid: 1, version: '0.0.0' }

/** A process of the console over a disk. */
function consoleOver(disk: Disk, fake: FakeMaintenance, pid = 1, death: Death | null = null) {
  const journal = memoryJournal(disk, fake.clock, death)
  let ids = 0
  const engine = createRunEngine<MaintenanceWorld>({
    journal,
    registry: maintenanceSteps,
    lease: nodeLeaseKeeper({ ...driver, pid }),
    clock: fake.clock,
    log: silentLogger,
    driver: { ...driver, pid },
    surroundings: { clock: fake.clock, machine: 'laptop-1', pidAlive: other => other === pid },
    newId: () => `id-${pid}-${++ids}`,
    onEvent: () => {},
    onWaiting: () => {},
  })
  return { engine, journal }
}

async function begin(fake: FakeMaintenance & { readonly lcm: LcmWorld }, kind: NodeRunKind, node = 'cmp-1') {
  const disk = emptyDisk()
  const { engine } = consoleOver(disk, fake)
  const plan = await makePlan({ id: 'p', kind, node, madeAt: '', options: OPTIONS }, fake.lcm.world)
  if (!plan.ok) throw new Error(plan.failure.message)
  const run = engine.start(plan.value, fake.lcm.world)
  if (!run.ok) throw new Error(run.failure.message)
  return { disk, run: run.value, view: () => foldRun(disk.events) }
}

/** The effects of a run's steps, in order: what was asked of the cluster by LCM. */
const askedBy = (fake: FakeMaintenance & { readonly lcm: LcmWorld }) => [
  ...fake.lcm.calls,
  ...fake.cloud.asked.filter(asked => /^(un)?cordon/.test(asked)),
]

describe('entering and leaving through the node maintenance API (seed 003; docs/domain.md A.2 to A.4)', () => {
  it('requests, waits for every lock, then cordons and drains; the way back removes the request and sees the locks active', async () => {
    const fake = cloud()
    const stop = fake.start()
    await fake.clock.advance(5_000)
    const entering = await begin(fake, 'enter')
    await fake.clock.advance(120_000)
    expect(await entering.run.finished).toEqual({ kind: 'finished', outcome: 'done' })
    expect(fake.lock('cmp-1').state).toBe('inactive')
    expect(askedBy(fake)).toEqual(['create cmp-1', 'cordon cmp-1'])
    expect(fake.cloud.instances.map(instance => instance.host)).toEqual(['elsewhere', 'elsewhere'])

    const leaving = await begin(fake, 'leave')
    await fake.clock.advance(120_000)
    expect(await leaving.run.finished).toEqual({ kind: 'finished', outcome: 'done' })
    expect(askedBy(fake)).toEqual(['create cmp-1', 'delete cmp-1', 'cordon cmp-1', 'uncordon cmp-1'])
    expect(fake.lock('cmp-1')).toMatchObject({ state: 'active', errorMessage: '' })
    expect(fake.objects.nodeRequests).toEqual([])
    expect(fake.cloud.services.every(service => service.status === 'enabled')).toBe(true)
    await stop()
  })

  it('the request carries run, operator’s reason and scope; never is a lock or a service touched by LCM itself', async () => {
    const fake = cloud({ controllers: { openstack: 'cluster', ceph: 'none', tungstenfabric: 'none' } })
    const stop = fake.start()
    await fake.clock.advance(5_000)
    const { run } = await begin(fake, 'enter')
    await fake.clock.advance(500)
    expect(fake.objects.nodeRequests[0]).toMatchObject({
      nodeName: 'cmp-1',
      scope: 'os',
      annotations: {
        [REQUEST_RUN_ANNOTATION]: run.runId,
        [REQUEST_OPERATOR_ANNOTATION]: 'eva',
        [REQUEST_REASON_ANNOTATION]: 'ticket 4711',
      },
    })
    await fake.clock.advance(120_000)
    await run.finished
    await stop()
  })

  it('nothing is cordoned while a lock is not inactive; a lock that does not move becomes a question that names what it waits for', async () => {
    const fake = cloud()
    fake.cloud.nodes = fake.cloud.nodes.map(node =>
      node.name === 'cmp-1'
        ? { ...node, annotations: { 'openstack.lcm.mirantis.com/instance_migration_mode': 'manual' } }
        : node,
    )
    const stop = fake.start()
    await fake.clock.advance(5_000)
    const { run, view } = await begin(fake, 'enter')
    await fake.clock.advance(50_000)
    expect(view().state.kind).toBe('running')
    await fake.clock.advance(30_000)
    expect(view().state).toMatchObject({ kind: 'waiting', stepId: 'node-locks-inactive' })
    expect(view().openGates[0]?.question).toMatch(
      /Nothing has moved on cmp-1 for 60 seconds.*Some servers are still present.*2 instances still on cmp-1: vm-a \(a\), its owner/,
    )
    expect(askedBy(fake)).toEqual(['create cmp-1'])

    // The operator changes the host's mode and says: look again.
    fake.cloud.nodes = fake.cloud.nodes.map(node => ({ ...node, annotations: {} }))
    fake.changed()
    const gate = must(view().openGates[0], 'it asks')
    run.control({ kind: 'answer', gateId: gate.gateId, choice: 'retry', reason: '', by: 'eva' })
    await fake.clock.advance(120_000)
    expect(await run.finished).toEqual({ kind: 'finished', outcome: 'done' })
    await stop()
  })

  it('whoever removes the request meanwhile is noticed: the run does not go on as if the locks held', async () => {
    const fake = cloud()
    const { run, view } = await begin(fake, 'enter')
    await fake.clock.advance(1_000)
    // No controller runs: the checks say so before anything is asked for.
    expect(view().state).toMatchObject({ kind: 'finished', outcome: 'checks-failed' })
    expect(fake.lcm.calls).toEqual([])
    await run.finished
    const stop = fake.start()
    await fake.clock.advance(5_000)
    fake.cloud.behaviour = () => 'fail'
    const second = await begin(fake, 'enter')
    await fake.clock.advance(10_000)
    fake.remove('cmp-1')
    await fake.clock.advance(120_000)
    expect(second.view().openGates[0]?.question).toContain('The maintenance request of cmp-1 is gone')
    expect(fake.cloud.asked).not.toContain('cordon cmp-1')
    second.run.control({ kind: 'abort', by: 'eva', reason: 'enough' })
    await fake.clock.advance(10_000)
    await second.run.finished
    await stop()
  })

  it('a controller that repeats itself with a later time does not move', async () => {
    const fake = cloud()
    const stop = fake.start()
    await fake.clock.advance(5_000)
    await stop()
    const { run, view } = await begin(fake, 'enter')
    for (let second = 0; second < 70; second += 5) {
      fake.objects = {
        ...fake.objects,
        nodeLocks: fake.objects.nodeLocks.map(lock => ({
          ...lock,
          errorMessage: `2026-01-01 00:00:${String(second % 60).padStart(2, '0')}.000000 Waiting for something`,
        })),
      }
      await fake.clock.advance(5_000)
    }
    expect(view().openGates[0]?.question).toContain('Waiting for something')
    expect(view().steps.flatMap(({ facts }) => facts.map(({ values }) => values.message))).toEqual(
      expect.arrayContaining(['Waiting for something']),
    )
    run.control({ kind: 'abort', by: 'eva', reason: 'enough' })
    await fake.clock.advance(10_000)
    await run.finished
  })

  it('nodes that wait side by side share their looks at the cluster', async () => {
    const fake = cloud()
    const stop = fake.start()
    await fake.clock.advance(5_000)
    await stop()
    const names = Array.from({ length: 20 }, (_, index) => `n-${index}`)
    fake.cloud.nodes = names.map(name => fakeNode(name))
    fake.objects = { ...fake.objects, nodeLocks: names.map(name => nodeLock('openstack', name)) }
    let lists = 0
    const world = {
      ...fake.lcm.world,
      maintenanceApi: {
        ...fake.lcm.world.maintenanceApi,
        objects: async () => {
          lists += 1
          return ok(fake.objects)
        },
      },
    }
    const ending = new AbortController()
    const ctx = { ...fakeContext(fake.cloud), world, clock: fake.clock, signal: ending.signal }
    const waits = names.map(node =>
      awaitLocks({ node, open: ({ locks }) => locks, more: () => null, remedy: '', done: () => '' }, ctx),
    )
    await fake.clock.advance(10_000)
    // Each looks once by itself, then one look a second serves all.
    expect(lists).toBeLessThanOrEqual(names.length + 11)
    ending.abort()
    await fake.clock.advance(1)
    expect(await Promise.all(waits)).toEqual(names.map(() => ({ kind: 'stopped' })))
  })

  it('a request that somebody made between our look and our write is taken as it is, not failed', async () => {
    const fake = cloud()
    const stop = fake.start()
    await fake.clock.advance(5_000)
    const { createNodeRequest } = fake.lcm.world.maintenanceApi
    Object.assign(fake.lcm.world.maintenanceApi, {
      createNodeRequest: async (...of: Parameters<typeof createNodeRequest>) => {
        if (fake.objects.nodeRequests.length === 0) fake.request('cmp-1', { name: 'cmp-1' })
        return createNodeRequest(...of)
      },
    })
    const { run } = await begin(fake, 'enter')
    await fake.clock.advance(120_000)
    expect(await run.finished).toEqual({ kind: 'finished', outcome: 'done' })
    expect(fake.objects.nodeRequests).toHaveLength(1)
    expect(fake.lcm.calls).toEqual([])
    await stop()
  })

  it('docs/domain.md A.2: what somebody else disabled stays disabled on the way back, and is told', async () => {
    const fake = cloud()
    const stop = fake.start()
    await fake.clock.advance(5_000)
    fake.cloud.services = fake.cloud.services.map(service => ({
      ...service,
      status: 'disabled',
      disabledReason: 'broken disk',
    }))
    await (async () => {
      const { run } = await begin(fake, 'enter')
      await fake.clock.advance(120_000)
      await run.finished
    })()
    const { run, view } = await begin(fake, 'leave')
    await fake.clock.advance(120_000)
    expect(await run.finished).toEqual({ kind: 'finished', outcome: 'done' })
    const step = must(
      view().steps.find(({ step: { kind } }) => kind === 'compute-given-back'),
      'it looks at nova-compute',
    )
    expect(step.check?.warnings[0]).toContain('broken disk')
    expect(fake.cloud.services[0]).toMatchObject({ status: 'disabled', disabledReason: 'broken disk' })
    await stop()
  })

  it.each([
    ['enter', ['create cmp-1'], 'inactive'],
    ['leave', ['create cmp-1', 'delete cmp-1'], 'active'],
  ] as const)(
    'killed at any write of %s and resumed, nothing is asked for twice',
    async (kind, calls, state) => {
      const ready = async () => {
        const fake = cloud()
        const stop = fake.start()
        await fake.clock.advance(5_000)
        if (kind === 'leave') {
          const { run } = await begin(fake, 'enter')
          await fake.clock.advance(120_000)
          await run.finished
        }
        return { fake, stop }
      }
      const whole = await (async () => {
        const { fake, stop } = await ready()
        const { disk, run } = await begin(fake, kind)
        await fake.clock.advance(120_000)
        await run.finished
        await stop()
        return disk.events.length
      })()
      for (let atAppend = 1; atAppend <= whole; atAppend += 1) {
        const { fake, stop } = await ready()
        const disk = emptyDisk()
        const plan = await makePlan({ id: 'p', kind, node: 'cmp-1', madeAt: '', options: OPTIONS }, fake.lcm.world)
        const first = consoleOver(disk, fake, 1, { atAppend, written: atAppend % 2 === 0 })
        try {
          const run = plan.ok ? first.engine.start(plan.value, fake.lcm.world) : plan
          await fake.clock.advance(120_000)
          if (run.ok) await run.value.finished
        } catch (error) {
          if (!(error instanceof ProcessDied)) throw error
        }
        const runId = disk.events[0]?.runId
        if (runId !== undefined && disk.events.at(-1)?.body.kind !== 'run-finished') {
          const second = consoleOver(disk, fake, 2).engine.resume(runId, fake.lcm.world)
          if (!second.ok) throw new Error(second.failure.message)
          await fake.clock.advance(240_000)
          expect(await second.value.finished, `killed at write ${atAppend}`).toEqual({
            kind: 'finished',
            outcome: 'done',
          })
          expect(fake.lcm.calls, `killed at write ${atAppend}`).toEqual(calls)
          expect(fake.lock('cmp-1').state).toBe(state)
        }
        await stop()
      }
    },
    120_000,
  )
})

describe('before a request is made, these do not hold:', () => {
  const check = async (step: typeof maintenanceApiReady, fake: FakeMaintenance & { lcm: LcmWorld }, node = 'cmp-1') => {
    const ctx = { ...fakeContext(fake.cloud), world: fake.lcm.world, clock: fake.clock }
    return must(step.check, 'it is a check')({ node }, ctx)
  }
  const codes = async (...of: Parameters<typeof check>) => {
    const answer = await check(...of)
    return answer.kind === 'blocked' ? answer.blockers.map(blocker => blocker.code) : []
  }
  const withLocks = async (settings: Parameters<typeof cloud>[0] = {}) => {
    const fake = cloud(settings)
    const stop = fake.start()
    await fake.clock.advance(5_000)
    await stop()
    return fake
  }

  it('the API is not there, or nobody answers for what the console is to answer', async () => {
    const fake = cloud({ controllers: { openstack: 'console', ceph: 'none', tungstenfabric: 'none' } })
    expect(await codes(maintenanceApiReady, fake)).toEqual(['controllers-stopped'])
    fake.lcm.missing.add('NodeWorkloadLock')
    expect(await codes(maintenanceApiReady, fake)).toEqual(['definition-missing', 'controllers-stopped'])
  })

  it('the lock of openstack is missing, or a lock is not active, or odd', async () => {
    expect(await codes(nodeLocksSound, cloud())).toEqual(['lock-missing'])
    const fake = await withLocks()
    expect(await codes(nodeLocksSound, fake)).toEqual([])
    fake.objects = { ...fake.objects, nodeLocks: fake.objects.nodeLocks.map(lock => ({ ...lock, state: 'inactive' })) }
    expect(await codes(nodeLocksSound, fake)).toEqual(['lock-not-active'])
    fake.objects = {
      ...fake.objects,
      nodeLocks: fake.objects.nodeLocks.map(lock => ({
        ...lock,
        state: 'unknown',
        faults: ['Its state is "asleep".'],
      })),
    }
    expect(await codes(nodeLocksSound, fake)).toEqual(['lock-not-active'])
  })

  it('somebody else’s request is there, or an earlier one is Terminating', async () => {
    const fake = await withLocks()
    fake.request('cmp-1.example.com')
    expect(await codes(nodeLocksSound, fake)).toEqual(['request-there'])
    fake.objects = {
      ...fake.objects,
      nodeRequests: fake.objects.nodeRequests.map(request => ({ ...request, deletingSince: '2026-01-01T00:00:00Z' })),
    }
    expect(await codes(nodeLocksSound, fake)).toEqual(['request-terminating'])
  })

  it('the node is not ended for others: a request that Lockkeeper did not make is left to whoever made it', async () => {
    const fake = await withLocks()
    expect(await codes(requestIsOurs, fake)).toEqual([])
    fake.request('cmp-1', { annotations: { [REQUEST_RUN_ANNOTATION]: 'run-0', [REQUEST_OPERATOR_ANNOTATION]: 'ana' } })
    expect(await check(requestIsOurs, fake)).toMatchObject({ kind: 'ready', reason: expect.stringContaining('ana') })
    fake.request('cmp-1.example.com')
    expect(await codes(requestIsOurs, fake)).toEqual(['request-of-others'])
  })

  it('docs/domain.md A.4: another role is at its limit, which holds back every node, unless roles are counted on their own', async () => {
    for (const [roleLimits, expected] of [
      ['any', ['limits-hold-back']],
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

  it('docs/domain.md A.4: a compute of another availability zone is in maintenance', async () => {
    const fake = await withLocks()
    fake.cloud.services = [fakeService('cmp-1', { zone: 'az1' }), fakeService('cmp-2', { zone: 'az2' })]
    fake.objects = {
      ...fake.objects,
      nodeLocks: fake.objects.nodeLocks.map(lock =>
        lock.nodeName === 'cmp-2' ? { ...lock, state: 'inactive' } : lock,
      ),
    }
    expect(await codes(lockLimitsAllow, fake)).toEqual(['limits-hold-back'])
  })

  it('docs/domain.md A.4: Tungsten Fabric has another node that is not back', async () => {
    const fake = await withLocks({ controllers: { openstack: 'cluster', ceph: 'none', tungstenfabric: 'cluster' } })
    fake.objects = {
      ...fake.objects,
      nodeLocks: [
        ...fake.objects.nodeLocks,
        nodeLock('tungstenfabric', 'cmp-1'),
        nodeLock('tungstenfabric', 'cmp-2', { state: 'inactive' }),
      ],
    }
    expect(await codes(lockLimitsAllow, fake)).toEqual(['fabric-holds-back'])
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
      ['ctl-1', [true, false, true], ['hard-locked']],
      ['ctl-1', [true, true], ['hard-locked']],
      ['cmp-1', [true, false, true], []],
    ] as const) {
      withReplicas(readiness)
      expect(await codes(lockLimitsAllow, fake, node), `${node} of ${readiness.join()}`).toEqual(expected)
    }
  })

  it('docs/domain.md C.3: OSDs of the node are not ok to stop, Ceph is not whole, or would lose its monitors', async () => {
    const fake = await withLocks()
    fake.cloud.nodes = [fakeNode('osd-1', { labels: STORAGE }), fakeNode('ctl-1', { labels: CONTROL })]
    const osd = (id: number, host: string): CephOsd => ({ id, host, up: true, in: true, noout: false })
    const whole: CephStatus = {
      health: 'HEALTH_OK',
      checks: [],
      monsInQuorum: ['a', 'b', 'c'],
      monsTotal: 3,
      osds: { total: 2, up: 2, in: 2 },
      pgs: { total: 96, byState: { 'active+clean': 96 } },
      flags: [],
    }
    const answers = { stop: true, status: whole, reachable: true, asked: 0 }
    const world: MaintenanceWorld = {
      ...fake.lcm.world,
      ceph: {
        osds: async () => {
          answers.asked += 1
          return answers.reachable
            ? ok([osd(1, 'osd-1'), osd(2, 'osd-2')])
            : failed(failure('unreachable', 'No toolbox.'))
        },
        status: async () => ok(answers.status),
        okToStop: async ids => ok({ ok: answers.stop, osds: ids, pgsAtRisk: 3, message: '3 PGs would go offline' }),
        setHostNoout: async () => ok(undefined),
      },
    }
    const now = async (node: string) => {
      const answer = await must(cephCanSpare.check, 'it is a check')({ node }, { ...fakeContext(fake.cloud), world })
      return answer.kind === 'blocked' ? answer.blockers.map(blocker => blocker.code) : [answer.kind]
    }
    expect(await now('ctl-1')).toEqual(['done'])
    expect(answers.asked).toBe(0)
    expect(await now('osd-1')).toEqual(['ready'])
    answers.stop = false
    expect(await now('osd-1')).toEqual(['osds-not-ok-to-stop'])
    answers.status = { ...whole, pgs: { total: 96, byState: { 'active+clean': 90, 'active+undersized+degraded': 6 } } }
    expect(await now('osd-1')).toEqual(['osds-not-ok-to-stop', 'ceph-not-clean'])
    fake.cloud.decisions = [
      decision(fakePod('rook-ceph-mon-a', { namespace: 'rook-ceph', labels: { app: 'rook-ceph-mon', mon: 'a' } })),
    ]
    expect(await now('ctl-1')).toEqual(['ready'])
    answers.status = { ...whole, monsInQuorum: ['a', 'b'] }
    expect(await now('ctl-1')).toEqual(['mon-quorum-lost'])
    answers.reachable = false
    expect(await now('osd-1')).toEqual(['cannot-ask'])
  })

  it('docs/domain.md C.3: a daemon that Rook pins to the node is for Ceph to spare, not an only replica', async () => {
    const fake = await withLocks()
    const owner = { apiVersion: 'apps/v1', kind: 'ReplicaSet', name: 'rook-ceph-osd-0', uid: 'uid-osd' } as const
    fake.cloud.workloads = [{ ...owner, namespace: 'rook-ceph', controller: null, replicas: 1, readyReplicas: 1 }]
    const pod = { namespace: 'rook-ceph', nodeName: 'cmp-1', controller: owner }
    fake.cloud.decisions = [decision(fakePod('osd', { ...pod, labels: { app: 'rook-ceph-osd' } }))]
    expect(await codes(replicasRedundancy, fake)).toEqual([])
    fake.cloud.decisions = [decision(fakePod('mgr', { ...pod, labels: { app: 'rook-ceph-mgr' } }))]
    expect(await codes(replicasRedundancy, fake)).toEqual(['only-replica'])
  })
})

it('a node is not taken while the whole cluster is updated, and its own Lease is given back (style G26)', async () => {
  const fake = cloud()
  const calls: string[] = []
  const world: MaintenanceWorld = {
    ...fake.lcm.world,
    kubernetes: {
      ...fake.lcm.world.kubernetes,
      leases: {
        ...fake.lcm.world.kubernetes.leases,
        acquire: async request => {
          calls.push(`acquire ${request.node}`)
          return ok({ kind: 'acquired' })
        },
        holder: async node =>
          ok(
            node === UPDATE_LEASE
              ? {
                  identity: 'lockkeeper-other',
                  runId: 'other',
                  operator: 'ana',
                  machine: 'laptop-2',
                  since: '2026-01-01T00:00:00Z',
                  renewedAt: '2026-01-01T00:00:00Z',
                  durationSeconds: 60,
                }
              : null,
          ),
        release: async request => {
          calls.push(`release ${request.node}`)
          return ok(undefined)
        },
      },
    },
  }
  const keeper = nodeLeaseKeeper(driver)
  const plan = { kind: 'enter', node: 'cmp-1', cluster: 'test' } as Parameters<typeof keeper.acquire>[0]
  const answer = await keeper.acquire(plan, 'run-1', world)
  expect(answer).toMatchObject({
    ok: true,
    value: { kind: 'held', message: expect.stringContaining('ana on laptop-2') },
  })
  expect(calls).toEqual(['acquire cmp-1', 'release cmp-1'])
  calls.length = 0
  await keeper.acquire({ ...plan, kind: 'update', node: '' }, 'run-2', world)
  expect(calls).toEqual([`acquire ${UPDATE_LEASE}`])
})
