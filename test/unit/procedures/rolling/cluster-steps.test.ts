import { describe, expect, it } from 'vitest'
import type { MaintenanceApiPort } from '../../../../main/ports/maintenance-api.ts'
import { noOtherMaintenance } from '../../../../main/procedures/steps/general/no-other-maintenance.ts'
import { clusterLockInactive } from '../../../../main/procedures/steps/requests/cluster-lock-inactive.ts'
import { clusterLocksActive } from '../../../../main/procedures/steps/requests/cluster-locks-active.ts'
import { locksStand } from '../../../../main/procedures/steps/requests/locks-stand.ts'
import { noOtherDriver } from '../../../../main/procedures/steps/requests/no-other-driver.ts'
import { removeClusterRequest } from '../../../../main/procedures/steps/requests/remove-cluster-request.ts'
import { requestClusterMaintenance } from '../../../../main/procedures/steps/requests/request-cluster-maintenance.ts'
import { otherApplications } from '../../../../main/procedures/steps/rolling/other-applications.ts'
import { updatePermitted } from '../../../../main/procedures/steps/rolling/update-permitted.ts'
import { wholeClusterVerified } from '../../../../main/procedures/steps/rolling/whole-cluster-verified.ts'
import {
  type ClusterWorkloadLock,
  DEFAULT_MAINTENANCE_API,
  type MaintenanceObjects,
  NO_MAINTENANCE_OBJECTS,
} from '../../../../shared/domain/maintenance-api.ts'
import { ok } from '../../../../shared/domain/result.ts'
import type { RunFact } from '../../../../shared/domain/run.ts'
import type { CheckAnswer, Counted } from '../../../../shared/domain/step-answers.ts'
import { fakeHolder } from '../../../fixtures/procedures/fake-records.ts'
import { fakeCluster, fakeContext, fakeNode, fakeWorld } from '../../../fixtures/procedures/fake-world.ts'
import {
  fakeClusterLock,
  fakeClusterRequest,
  fakeNodeLock,
  fakeNodeRequest,
  madeByRun,
} from '../../../fixtures/procedures/maintenance-objects.ts'
import { noMaintenanceApi } from '../../../fixtures/procedures/no-maintenance-api.ts'

const BOTH = [fakeClusterLock('openstack'), fakeClusterLock('ceph')]

/** A cluster with these objects; each look at them after the first sees the next of `then`, the last for ever. */
function cluster(objects: Partial<MaintenanceObjects>, then: readonly Partial<MaintenanceObjects>[] = []) {
  const world = fakeWorld({ nodes: [fakeNode('cmp-1'), fakeNode('cmp-2')] })
  const calls: string[] = []
  const looks = [objects, ...then]
  const maintenanceApi: MaintenanceApiPort = {
    ...noMaintenanceApi,
    objects: async () => {
      const now = (looks.length > 1 ? looks.shift() : looks[0]) ?? {}
      return ok({ ...NO_MAINTENANCE_OBJECTS, ...now })
    },
    uidOf: async ({ name }) => {
      const { clusterRequests = [], nodeRequests = [] } = looks[0] ?? {}
      return ok([...clusterRequests, ...nodeRequests].find(request => request.name === name)?.uid ?? null)
    },
    createClusterRequest: async request => {
      calls.push(`create ${request.name} ${JSON.stringify(request.annotations)}`)
      return ok(fakeClusterRequest(request.name, { annotations: { ...request.annotations } }))
    },
    deleteRequest: async ({ name }) => {
      calls.push(`delete ${name}`)
      return ok(undefined)
    },
  }
  const settings = { ...DEFAULT_MAINTENANCE_API }
  Object.assign(world, {
    port: { ...world.port, cluster: fakeCluster({ name: 'east', maintenanceApi: settings }), maintenanceApi },
  })
  const facts: RunFact[] = []
  return { world, calls, facts, context: () => fakeContext(world, { facts }) }
}

function codes(answer: CheckAnswer | undefined): readonly string[] {
  return answer?.kind === 'blocked' ? answer.blockers.map(({ code }) => code) : []
}

describe('before an update', () => {
  it('every lock is active', async () => {
    const sound = cluster({ clusterLocks: BOTH, nodeLocks: [fakeNodeLock('cmp-1')] })
    expect((await locksStand.check?.({}, sound.context()))?.kind).toBe('ready')
    const open = cluster({ clusterLocks: BOTH, nodeLocks: [fakeNodeLock('cmp-1', { state: 'inactive' })] })
    expect(codes(await locksStand.check?.({}, open.context()))).toEqual(['LocksNotActive'])
  })

  it('every application that the settings know has a lock, or nobody would answer', async () => {
    const silent = cluster({ clusterLocks: [fakeClusterLock('openstack')] })
    expect(codes(await locksStand.check?.({}, silent.context()))).toEqual(['NoClusterLock'])
  })

  it('locks that the run itself made inactive are not a blocker when it is resumed', async () => {
    const open = cluster({
      clusterLocks: [fakeClusterLock('openstack', { state: 'inactive' }), fakeClusterLock('ceph')],
    })
    expect(codes(await locksStand.check?.({}, open.context()))).toEqual(['LocksNotActive'])
    await requestClusterMaintenance.apply?.({ scope: 'os' }, open.context())
    expect((await locksStand.check?.({}, open.context()))?.kind).toBe('ready')
  })

  it.each([
    ['LCM updates the cluster', { clusterRequests: [fakeClusterRequest('lcm')] }],
    ['somebody maintains a node', { nodeRequests: [fakeNodeRequest('cmp-1')] }],
    ['another run maintains a node', { nodeRequests: [fakeNodeRequest('cmp-1', madeByRun('other'))] }],
  ])('it does not start while %s', async (_, objects) => {
    expect(codes(await noOtherMaintenance.check?.({}, cluster(objects).context()))).toEqual(['MaintenanceRequested'])
  })

  it('its own requests are no other maintenance', async () => {
    const own = cluster({
      clusterRequests: [fakeClusterRequest('a', madeByRun('run-1'))],
      nodeRequests: [fakeNodeRequest('cmp-1', madeByRun('run-1'))],
    })
    expect((await noOtherMaintenance.check?.({}, own.context()))?.kind).toBe('ready')
  })

  it('what an aborted update left behind is taken over, with a warning: no second request is made', async () => {
    const left = cluster({
      clusterRequests: [fakeClusterRequest('lockkeeper-old', madeByRun('old'))],
      clusterLocks: [
        fakeClusterLock('openstack', { state: 'inactive' }),
        fakeClusterLock('ceph', { state: 'inactive' }),
      ],
    })
    const answer = await noOtherMaintenance.check?.({}, left.context())
    expect(answer).toMatchObject({ kind: 'ready', warnings: [{ message: expect.stringContaining('takes it over') }] })
    expect((await locksStand.check?.({}, left.context()))?.kind).toBe('ready')
    expect(await requestClusterMaintenance.apply?.({ scope: 'os' }, left.context())).toMatchObject({ kind: 'applied' })
    expect(left.calls).toEqual([])
  })

  it('every permission is there; a Job asks for more, in its own namespace', async () => {
    const { world, context } = cluster({})
    expect((await updatePermitted.check?.({ jobNamespace: 'ops' }, context()))?.kind).toBe('ready')
    world.denied = (_verb, resource) => resource === 'jobs'
    expect((await updatePermitted.check?.({ jobNamespace: null }, context()))?.kind).toBe('ready')
    expect(await updatePermitted.check?.({ jobNamespace: 'ops' }, context())).toMatchObject({
      kind: 'blocked',
      blockers: [
        { message: 'These credentials may not get jobs.batch in namespace ops.' },
        { message: 'These credentials may not create jobs.batch in namespace ops.' },
      ],
    })
  })

  it('nobody else holds the Lease of the update (style G26)', async () => {
    const { world, context } = cluster({})
    expect((await noOtherDriver.check?.({}, context()))?.kind).toBe('ready')
    const eva = fakeHolder({ identity: 'lockkeeper-other', operator: 'eva', machine: 'laptop-1' })
    world.updateHolder = eva
    expect(codes(await noOtherDriver.check?.({}, context()))).toEqual(['ManyNodesHeldByAnotherRun'])
    world.updateHolder = { ...eva, runId: 'run-1' }
    expect((await noOtherDriver.check?.({}, context()))?.kind).toBe('ready')
    world.clocks = [{ server: 'Nova', aheadMs: 31_000 }]
    expect(codes(await noOtherDriver.check?.({}, context()))).toEqual(['ClocksApart'])
  })
})

describe('the request of the cluster', () => {
  it('bears the run, the operator and the reason', async () => {
    const { context, calls } = cluster({})
    const asked = { ...context(), options: { ...context().options, reason: 'CHG-7' } }
    await requestClusterMaintenance.apply?.({ scope: 'os', operator: 'olga' }, asked)
    expect(calls).toEqual([
      `create lockkeeper-run-1 {"lockkeeper.dev/run":"run-1","lockkeeper.dev/operator":"olga","lockkeeper.dev/reason":"CHG-7"}`,
    ])
  })

  it('is made once, however often the step is applied', async () => {
    const { context, calls } = cluster({
      clusterRequests: [fakeClusterRequest('lockkeeper-run-1', madeByRun('run-1'))],
    })
    expect((await requestClusterMaintenance.apply?.({ scope: 'os' }, context()))?.kind).toBe('applied')
    expect(calls).toEqual([])
  })

  it('is removed, and the step waits for its finalizers', async () => {
    const own = fakeClusterRequest('lockkeeper-run-1', madeByRun('run-1'))
    const going = { ...own, deletingSince: '2026-01-01T00:00:00Z', finalizers: ['lcm.mirantis.com/x'] }
    const { context, calls, facts } = cluster({ clusterRequests: [own] }, [{ clusterRequests: [going] }, {}])
    expect((await removeClusterRequest.apply?.({}, context()))?.kind).toBe('applied')
    expect(calls).toEqual(['delete lockkeeper-run-1'])
    expect(facts.filter(({ fact }) => fact === 'waits-for').map(({ values }) => values.what)).toEqual([
      'lockkeeper-run-1 is Terminating, held by lcm.mirantis.com/x',
      null,
    ])
  })

  it('of LCM is never removed', async () => {
    const { context, calls } = cluster({ clusterRequests: [fakeClusterRequest('lcm')] })
    await removeClusterRequest.apply?.({}, context())
    expect(calls).toEqual([])
  })
})

describe('applications', () => {
  it('the step waits until a lock is inactive, and the journal keeps its messages', async () => {
    const { context, facts } = cluster(
      {
        clusterLocks: [
          fakeClusterLock('openstack', { errorMessage: 'Waiting for all OpenStack services are healthy' }),
        ],
      },
      [{ clusterLocks: [fakeClusterLock('openstack', { state: 'inactive' })] }],
    )
    const answer = await clusterLockInactive.apply?.({ controller: 'openstack' }, context())
    expect(answer).toMatchObject({ kind: 'applied', note: 'openstack-east: inactive.' })
    expect(facts.map(({ values }) => values.what)).toEqual([
      'openstack: Waiting for all OpenStack services are healthy',
      null,
    ])
  })

  it('a lock that does not move for long becomes a question', async () => {
    const answer = await clusterLockInactive.apply?.({ controller: 'ceph' }, cluster({ clusterLocks: BOTH }).context())
    expect(answer).toMatchObject({
      kind: 'question',
      question: expect.stringContaining('its lock ceph-east is active'),
    })
  })

  it('a lock whose controller gave up is asked about at once', async () => {
    const failing = cluster({ clusterLocks: [fakeClusterLock('ceph', { state: 'failed', errorMessage: 'no quorum' })] })
    const answer = await clusterLockInactive.apply?.({ controller: 'ceph' }, failing.context())
    expect(answer).toMatchObject({
      kind: 'question',
      question: expect.stringContaining('ceph: no quorum: its controller gave up.'),
    })
  })

  it('others are all that are neither OpenStack nor Ceph; none at all is fine, a missing named one is not', async () => {
    const verify = async (controller: string | null, locks: readonly ClusterWorkloadLock[]) =>
      (await clusterLockInactive.verify?.({ controller }, cluster({ clusterLocks: [...locks] }).context()))?.kind
    expect(await verify(null, BOTH)).toBe('holds')
    expect(await verify(null, [...BOTH, fakeClusterLock('tungstenfabric')])).toBe('fails')
    expect(await verify('ceph', [])).toBe('fails')
  })

  it('others are updated when their progress says so too (docs/domain.md A.1)', async () => {
    const progress = (percentage: number) => ({
      clusterLocks: [
        fakeClusterLock('tungstenfabric', {
          state: 'inactive',
          progress: { percentage, description: `${percentage} of 100` },
        }),
      ],
    })
    const { context, facts } = cluster(progress(20), [progress(60), progress(100)])
    expect((await otherApplications.apply?.({ ask: false }, context()))?.kind).toBe('applied')
    expect(facts.map(({ values }) => values.what)).toEqual([
      'tungstenfabric: 20 of 100 (20%)',
      'tungstenfabric: 60 of 100 (60%)',
      null,
    ])
  })

  it('a count that stays below 100 %, because nodes were left out, is asked about soon', async () => {
    const counted = fakeClusterLock('tungstenfabric', {
      state: 'inactive',
      progress: { percentage: 12, description: '1 out of 8 nodes updated' },
    })
    const answer = await otherApplications.apply?.({ ask: false }, cluster({ clusterLocks: [counted] }).context())
    expect(answer).toMatchObject({
      kind: 'question',
      question: expect.stringContaining('No progress for 1 min: tungstenfabric: 1 out of 8 nodes updated (12%).'),
      choices: ['continue', 'retry', 'abort'],
    })
  })

  it('those without a lock are for a person to tell, where one is asked', async () => {
    expect(await otherApplications.apply?.({ ask: true }, cluster({}).context())).toMatchObject({
      kind: 'question',
      choices: ['continue', 'abort'],
    })
  })
})

describe('after an update', () => {
  it('every cluster lock is active again', async () => {
    const verify = async (state: 'active' | 'inactive') =>
      (
        await clusterLocksActive.verify?.(
          {},
          cluster({ clusterLocks: [fakeClusterLock('openstack'), fakeClusterLock('ceph', { state })] }).context(),
        )
      )?.kind
    expect([await verify('active'), await verify('inactive')]).toEqual(['holds', 'fails'])
  })

  it('every node is Ready and schedulable, every lock active, no request of Lockkeeper left', async () => {
    const verify = async (objects: Partial<MaintenanceObjects>, change = {}) => {
      const { world, context } = cluster(objects)
      world.nodes = [fakeNode('cmp-1'), fakeNode('cmp-2', change)]
      const answer = await wholeClusterVerified.verify?.({}, context())
      return answer?.kind === 'fails' ? answer.reason : answer?.kind
    }
    expect(await verify({ clusterLocks: BOTH, nodeLocks: [fakeNodeLock('cmp-1')] })).toBe('holds')
    expect(await verify({}, { unschedulable: true })).toBe('cmp-2 is cordoned.')
    expect(await verify({}, { readiness: 'unknown' })).toBe('cmp-2 is not Ready.')
    expect(await verify({ nodeLocks: [fakeNodeLock('cmp-1', { state: 'inactive' })] })).toBe(
      'lock openstack-cmp-1 is inactive.',
    )
    expect(await verify({ nodeRequests: [fakeNodeRequest('cmp-1', madeByRun('run-1'))] })).toBe(
      'request cmp-1 still exists.',
    )
  })
})

describe('absence in an update', () => {
  const NODE_LOCK = [fakeNodeLock('cmp-1')]
  const inactive = BOTH.map(lock => ({ ...lock, state: 'inactive' as const }))
  const verdict = async (
    step: { readonly verify?: typeof clusterLocksActive.verify },
    objects: Partial<MaintenanceObjects>,
    input = {},
    counted: readonly Counted[] = [],
  ) => (await step.verify?.(input, fakeContext(cluster(objects).world, { counted })))?.kind

  it.each([
    ['other applications are ready', clusterLockInactive, { clusterLocks: inactive }, { controller: null }],
    ['every lock is active', clusterLocksActive, { clusterLocks: BOTH, nodeLocks: NODE_LOCK }, {}],
    ['the cluster is operable', wholeClusterVerified, { clusterLocks: BOTH, nodeLocks: NODE_LOCK }, {}],
  ] as const)('%s: it passes by existing locks, and a list without them proves nothing', async (...reported) => {
    const [, step, objects, input] = reported
    const more: readonly Counted[] = [{ kind: 'cluster-lock', id: 'x', name: 'tf', values: { controller: 'tf' } }]
    expect(await verdict(step, objects, input)).toBe('holds')
    expect(await verdict(step, objects, input, more)).toBe('cannot-tell')
    expect(await verdict(step, {}, input)).toBe('cannot-tell')
    expect((await step.apply?.(input, cluster({}).context()))?.kind).toBe('question')
  })

  it('a cluster is not operable by a list without nodes, nor by one without the locks of nodes', async () => {
    expect(await verdict(wholeClusterVerified, { clusterLocks: BOTH })).toBe('cannot-tell')
    const bare = cluster({ clusterLocks: BOTH, nodeLocks: NODE_LOCK })
    bare.world.nodes = []
    expect((await wholeClusterVerified.verify?.({}, bare.context()))?.kind).toBe('cannot-tell')
  })

  it('a request in no list is read separately before it counts as gone', async () => {
    expect(await verdict(removeClusterRequest, {})).toBe('holds')
    const { world } = cluster({})
    Object.assign(world.port.maintenanceApi, { uidOf: async () => ok('uid-1') })
    expect((await removeClusterRequest.verify?.({}, fakeContext(world)))?.kind).toBe('cannot-tell')
  })
})
