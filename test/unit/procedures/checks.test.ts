import { describe, expect, it } from 'vitest'
import type { MaintenanceWorld } from '../../../main/ports/world.ts'
import { blocked, cannotAsk, done, evidence, orWarning, ready } from '../../../main/procedures/answers.ts'
import { computeReturns } from '../../../main/procedures/steps/compute/compute-returns.ts'
import { computeServiceFound } from '../../../main/procedures/steps/compute/compute-service-found.ts'
import { destinationsExist } from '../../../main/procedures/steps/compute/destinations-exist.ts'
import { disableCompute } from '../../../main/procedures/steps/compute/disable-compute.ts'
import { enableCompute } from '../../../main/procedures/steps/compute/enable-compute.ts'
import { instancesClassified } from '../../../main/procedures/steps/compute/instances-classified.ts'
import { instancesQuiet } from '../../../main/procedures/steps/compute/instances-quiet.ts'
import { migrateInstances } from '../../../main/procedures/steps/compute/migrate-instances.ts'
import { controlQuorum, quorumOf } from '../../../main/procedures/steps/control/control-quorum.ts'
import { otherControlNode } from '../../../main/procedures/steps/control/other-control-node.ts'
import { drainNode } from '../../../main/procedures/steps/general/drain-node.ts'
import { noOtherRun } from '../../../main/procedures/steps/general/no-other-run.ts'
import { nodeExists } from '../../../main/procedures/steps/general/node-exists.ts'
import { nodeReady } from '../../../main/procedures/steps/general/node-ready.ts'
import { nodeStateKnown } from '../../../main/procedures/steps/general/node-state-known.ts'
import { notLastNode } from '../../../main/procedures/steps/general/not-last-node.ts'
import { permissionsSuffice } from '../../../main/procedures/steps/general/permissions-suffice.ts'
import { replicasRedundancy } from '../../../main/procedures/steps/general/replicas-redundancy.ts'
import { storageUnchecked } from '../../../main/procedures/steps/storage/storage-unchecked.ts'
import type { Step } from '../../../main/runs/engine/step.ts'
import { failure } from '../../../shared/domain/failure.ts'
import type { Pod, PodDecision, PodObstacle } from '../../../shared/domain/kubernetes.ts'
import { must } from '../../../shared/domain/must.ts'
import { countsOf, effectsOf } from '../../../shared/domain/plan-effects.ts'
import { ok } from '../../../shared/domain/result.ts'
import { MIGRATION_REQUESTED } from '../../../shared/domain/run-facts.ts'
import type { CheckAnswer } from '../../../shared/domain/step-answers.ts'
import { NOVA_SPOKEN } from '../../../shared/domain/version-evidence.ts'
import { fakeAgent, fakeHolder, fakeMigration, fakeWorkload } from '../../fixtures/procedures/fake-records.ts'
import {
  COMPUTE,
  CONTROL,
  decision,
  type FakeWorld,
  fakeContext,
  fakeInstance,
  fakeNode,
  fakePod,
  fakeService,
  fakeWorld,
} from '../../fixtures/procedures/fake-world.ts'

/** A cloud on which every check of `cmp-1` and `ctl-1` passes; each row of the table breaks one thing. */
function sound(): FakeWorld {
  return fakeWorld({
    nodes: [
      fakeNode('ctl-1', { labels: CONTROL }),
      fakeNode('ctl-2', { labels: CONTROL }),
      fakeNode('ctl-3', { labels: CONTROL }),
      fakeNode('cmp-1', { labels: COMPUTE }),
      fakeNode('cmp-2', { labels: COMPUTE }),
    ],
    services: [fakeService('cmp-1'), fakeService('cmp-2')],
    instances: [fakeInstance('a', 'cmp-1')],
    decisions: [decision(fakePod('api'))],
    workloads: [fakeWorkload('rs', { kind: 'ReplicaSet' })],
    agents: [fakeAgent('cmp-1', { id: '1', type: 'Open vSwitch agent', binary: 'ovs' })],
  })
}

interface Row {
  readonly rule: string
  readonly step: Step<MaintenanceWorld>
  readonly node: string
  readonly breakIt: (world: FakeWorld) => void
  readonly code: string
  /** Which flag lifts it; null: nothing may. */
  readonly override: 'force' | 'allow-downtime' | null
}

const patchNode = (name: string, change: object) => (world: FakeWorld) => {
  world.nodes = world.nodes.map(node => (node.name === name ? { ...node, ...change } : node))
}
const patchInstance = (change: object) => (world: FakeWorld) => {
  world.instances = world.instances.map(instance => ({ ...instance, ...change }))
}
const others = (name: string, change: object) => (world: FakeWorld) => {
  world.nodes = world.nodes.map(node => (node.name === name ? node : { ...node, ...change }))
}

const ROWS: readonly Row[] = [
  {
    rule: 'general: node exists (seed 004)',
    step: nodeExists,
    node: 'cmp-1',
    breakIt: w => (w.nodes = w.nodes.filter(n => n.name !== 'cmp-1')),
    code: 'NodeUnknown',
    override: null,
  },
  {
    rule: 'general: not the last node (seed 004)',
    step: notLastNode,
    node: 'cmp-1',
    breakIt: others('cmp-1', { unschedulable: true }),
    code: 'LastNode',
    override: 'force',
  },
  {
    rule: 'general: node Ready state known',
    step: nodeStateKnown,
    node: 'cmp-1',
    breakIt: patchNode('cmp-1', { readiness: 'unknown' }),
    code: 'NodeStateUnknown',
    override: null,
  },
  {
    rule: 'general: permissions',
    step: permissionsSuffice,
    node: 'cmp-1',
    breakIt: w => (w.denied = (verb, resource) => verb === 'patch' && resource === 'nodes'),
    code: 'NotPermitted',
    override: null,
  },
  {
    rule: 'general: no other run holds it',
    step: noOtherRun,
    node: 'cmp-1',
    breakIt: w => {
      w.holder = fakeHolder()
    },
    code: 'HeldByOtherRun',
    override: null,
  },
  {
    rule: 'general: the whole cluster is not being updated',
    step: noOtherRun,
    node: 'cmp-1',
    breakIt: w => {
      w.updateHolder = fakeHolder()
    },
    code: 'ManyUnderWay',
    override: null,
  },
  ...['the API server', 'Keystone', 'Nova'].map(
    (server): Row => ({
      rule: `general: the clock of ${server} goes with ours`,
      step: noOtherRun,
      node: 'cmp-1',
      breakIt: w => (w.clocks = [{ server, aheadMs: -30_000 }]),
      code: 'ClocksApart',
      override: 'force',
    }),
  ),
  {
    rule: 'compute: nova-compute found',
    step: computeServiceFound,
    node: 'cmp-1',
    breakIt: w => (w.services = [fakeService('cmp-10')]),
    code: 'ComputeServiceMissing',
    override: null,
  },
  {
    rule: 'compute: nova-compute up',
    step: computeServiceFound,
    node: 'cmp-1',
    breakIt: w => (w.services = [fakeService('cmp-1', { state: 'down' })]),
    code: 'ComputeServiceDown',
    override: 'force',
  },
  {
    rule: 'compute: no instance in ERROR (seed 004)',
    step: instancesQuiet,
    node: 'cmp-1',
    breakIt: patchInstance({ status: 'ERROR', vmState: 'error' }),
    code: 'InstanceInError',
    override: 'force',
  },
  {
    rule: 'compute: no instance in MIGRATING (seed 004)',
    step: instancesQuiet,
    node: 'cmp-1',
    breakIt: patchInstance({ status: 'MIGRATING', taskState: 'migrating' }),
    code: 'InstanceMigrating',
    override: 'force',
  },
  {
    rule: 'compute: a notify tag waits for the owner (domain.md A.6)',
    step: instancesClassified,
    node: 'cmp-1',
    breakIt: patchInstance({ tags: ['openstack.lcm.mirantis.com:maintenance_action=notify'] }),
    code: 'OwnerMustAct',
    override: 'force',
  },
  {
    rule: 'compute: host mode manual waits for the operator (domain.md A.5)',
    step: instancesClassified,
    node: 'cmp-1',
    breakIt: patchNode('cmp-1', { annotations: { 'openstack.lcm.mirantis.com/instance_migration_mode': 'manual' } }),
    code: 'OwnerMustAct',
    override: 'force',
  },
  {
    rule: 'compute: another enabled, up compute exists',
    step: destinationsExist,
    node: 'cmp-1',
    breakIt: w => (w.services = [fakeService('cmp-1'), fakeService('cmp-2', { status: 'disabled' })]),
    code: 'NoDestination',
    override: 'force',
  },
  {
    rule: 'compute: … that its server group allows, as batches know it (nova ServerGroupAffinityFilter)',
    step: destinationsExist,
    node: 'cmp-1',
    breakIt: inAffinity,
    code: 'NoDestination',
    override: 'force',
  },
  {
    rule: 'compute: … in the zone an instance is pinned to',
    step: destinationsExist,
    node: 'cmp-1',
    breakIt: w => {
      patchInstance({ pinnedZone: 'az1' })(w)
      w.services = [fakeService('cmp-1'), fakeService('cmp-2', { zone: 'az2' })]
    },
    code: 'NoDestination',
    override: 'force',
  },
  {
    rule: 'control: last control role (seed 004)',
    step: otherControlNode,
    node: 'ctl-1',
    breakIt: others('ctl-1', { unschedulable: true }),
    code: 'LastControlNode',
    override: 'force',
  },
  {
    rule: 'control: quorum is kept (domain.md B.1)',
    step: controlQuorum,
    node: 'ctl-1',
    breakIt: patchNode('ctl-2', { readiness: 'not-ready' }),
    code: 'ControlQuorumLost',
    override: 'force',
  },
  {
    rule: 'control: replicas redundancy is lifted by --allow-downtime only (domain.md B.1)',
    step: replicasRedundancy,
    node: 'ctl-1',
    breakIt: w => {
      const controller = { apiVersion: 'apps/v1', kind: 'StatefulSet', name: 'alone', uid: 'uid-alone' }
      w.decisions = [decision(fakePod('alone-0', { controller })), decision(fakePod('alone-1', { controller }))]
    },
    code: 'OnlyReplica',
    override: 'allow-downtime',
  },
  {
    rule: 'drain: a pod without a controller (drain.md 5.2 filter 5)',
    step: drainNode,
    node: 'ctl-1',
    breakIt: w => (w.decisions = [blockedBy('no-controller', fakePod('naked', { controller: null }))]),
    code: 'PodWithoutController',
    override: 'force',
  },
  {
    rule: 'drain: emptyDir data is never lost by force (drain.md 5.2 filter 4)',
    step: drainNode,
    node: 'ctl-1',
    breakIt: w => (w.decisions = [blockedBy('local-storage', fakePod('cache', { emptyDirs: ['scratch'] }))]),
    code: 'PodWithEmptyDir',
    override: null,
  },
  {
    rule: 'drain: two budgets on one pod are refused by the server (drain.md 5.5)',
    step: drainNode,
    node: 'ctl-1',
    breakIt: w => {
      const budget = {
        name: 'x',
        disruptionsAllowed: 1,
        currentHealthy: 2,
        desiredHealthy: 1,
        status: 'allows',
      } as const
      w.decisions = [decision(fakePod('api'), { budgets: [budget, { ...budget, name: 'y' }], dryRun: null })]
    },
    code: 'PodWithTwoBudgets',
    override: null,
  },
  {
    rule: 'leave: the node is Ready',
    step: nodeReady,
    node: 'cmp-1',
    breakIt: patchNode('cmp-1', { readiness: 'not-ready' }),
    code: 'NodeNotReady',
    override: 'force',
  },
]

/** Two instances of cmp-1 that Nova keeps together. */
function inAffinity(world: FakeWorld): void {
  world.instances = ['a', 'b'].map(id => fakeInstance(id, 'cmp-1', { serverGroupIds: ['pair'] }))
  const openstack = must(world.port.openstack, 'it has one')
  const group = { id: 'pair', name: 'pair', policy: 'affinity', memberIds: ['a', 'b'], maxPerHost: 1 }
  world.port = { ...world.port, openstack: { ...openstack, serverGroups: async () => ok([group]) } }
}

function blockedBy(rule: PodObstacle['rule'], pod: Pod): PodDecision {
  return decision(pod, { fate: 'block', reason: rule, obstacles: [{ rule, reason: rule, code: rule, values: {} }] })
}

async function check(step: Step<MaintenanceWorld>, node: string, world: FakeWorld): Promise<CheckAnswer> {
  const answer = await step.check?.({ node }, fakeContext(world))
  if (answer === undefined) throw new Error(`${step.kind} has no check`)
  return answer
}

describe('each check fails when its condition is broken, with a remedy, and passes when it is repaired', () => {
  it.each(ROWS)('$rule', async ({ step, node, breakIt, code, override }) => {
    const healthy = await check(step, node, sound())
    expect(healthy.kind).not.toBe('blocked')
    const world = sound()
    breakIt(world)
    const answer = await check(step, node, world)
    if (answer.kind !== 'blocked') throw new Error(`expected blocked, got ${answer.kind}`)
    const blocker = answer.blockers.find(candidate => candidate.code === code)
    expect(blocker, JSON.stringify(answer.blockers)).toBeDefined()
    expect(blocker?.remedy.length).toBeGreaterThan(10)
    expect(blocker?.override.kind === 'flag' ? blocker.override.flag : null).toBe(override)
  })

  it('storage: a node with OSDs is never called safe by a procedure that does not ask Ceph', async () => {
    expect(await check(storageUnchecked, 'osd-1', sound())).toMatchObject({
      kind: 'blocked',
      blockers: [{ code: 'StorageNotChecked', override: { flag: 'force' } }],
    })
  })
})

describe('checks say what they cannot know', () => {
  it('a lease of this very run does not block it', async () => {
    const world = sound()
    world.holder = fakeHolder({ runId: 'run-1', operator: null, machine: null })
    expect((await check(noOtherRun, 'cmp-1', world)).kind).toBe('ready')
  })

  it('clocks that differ by 5 s are named, and those that differ by 30 s require a reason', async () => {
    const world = sound()
    const reported = async (...clocks: FakeWorld['clocks']) => {
      world.clocks = clocks
      const { kind, warnings, evidence } = await check(noOtherRun, 'cmp-1', world)
      return {
        kind,
        warnings: warnings.map(({ message }) => message),
        read: evidence.map(({ subject }) => subject).slice(1),
      }
    }
    expect(await reported({ server: 'Nova', aheadMs: 4_900 })).toEqual({
      kind: 'ready',
      warnings: [],
      read: ['clock of Nova'],
    })
    expect(await reported({ server: 'Keystone', aheadMs: 29_900 }, { server: 'Nova', aheadMs: -5_000 })).toEqual({
      kind: 'ready',
      warnings: [
        "The clock of Keystone is 29.9 s ahead of this machine's. The journal uses the clock of this machine.",
        "The clock of Nova is 5.0 s behind this machine's. The journal uses the clock of this machine.",
      ],
      read: ['clock of Keystone', 'clock of Nova'],
    })
  })

  it('a migration that this run asked for does not block its resume', async () => {
    const world = sound()
    patchInstance({ status: 'MIGRATING', taskState: 'migrating' })(world)
    const ctx = fakeContext(world, {
      resumed: true,
      facts: [{ at: '', fact: 'migration-requested', subject: 'server/a', announces: true, values: {} }],
    })
    expect((await instancesQuiet.check?.({ node: 'cmp-1' }, ctx))?.kind).toBe('ready')
  })

  it('the check waits for an instance that Nova moves already, and does not say that nothing has to move', async () => {
    const world = sound()
    patchInstance({ status: 'MIGRATING', taskState: 'migrating' })(world)
    const answer = await migrateInstances.check?.({ node: 'cmp-1' }, fakeContext(world))
    expect(answer).toMatchObject({ kind: 'ready', reason: expect.stringContaining('1 instance to wait for') })
  })

  it.each([
    ['this run asked for that and saw no end', true, 'ready'],
    ['somebody else did', false, 'blocked'],
  ] as const)('an instance that a cold migration moves: %s', async (_, isOwn, kind) => {
    const world = sound()
    patchInstance({ status: 'SHUTOFF', vmState: 'stopped', taskState: 'resize_prep' })(world)
    const ctx = fakeContext(world, { options: { coldMigration: true } })
    const values = { name: 'vm-a', how: 'cold', attempt: 1, statusBefore: 'SHUTOFF', knownMigrationId: 0 }
    if (isOwn) ctx.announce(MIGRATION_REQUESTED, 'server/a', values)
    expect((await must(instancesClassified.check, 'it has one')({ node: 'cmp-1' }, ctx)).kind).toBe(kind)
  })

  it.each([
    ['this run asked for that and saw no end', true, 'ready'],
    ['nobody here asked for it', false, 'blocked'],
  ] as const)('an instance in no list that a cold migration takes off the host: %s', async (_, isOwn, kind) => {
    const world = sound()
    patchInstance({ host: 'cmp-2', status: 'RESIZE', taskState: 'resize_finish' })(world)
    world.migrations = [fakeMigration({ type: 'migration', status: 'post-migrating' })]
    const ctx = fakeContext(world)
    const values = { name: 'vm-a', how: 'cold', attempt: 1, statusBefore: 'SHUTOFF', knownMigrationId: 0 }
    if (isOwn) ctx.announce(MIGRATION_REQUESTED, 'server/a', values)
    expect((await must(instancesClassified.check, 'it has one')({ node: 'cmp-1' }, ctx)).kind).toBe(kind)
  })

  it.each<[what: string, input: object, kind: string]>([
    ['blocks', {}, 'blocked'],
    ['is a warning where controllers move instances', { waits: true }, 'ready'],
  ])('an instance whose move from here is not confirmed %s: a revert puts it back', async (_, input, kind) => {
    const world = sound()
    patchInstance({ host: 'cmp-2', status: 'VERIFY_RESIZE', vmState: 'resized' })(world)
    world.migrations = [fakeMigration({ type: 'resize', status: 'finished', sourceHost: 'cmp-1', destHost: 'cmp-2' })]
    const answer = await must(instancesClassified.check, 'it has one')({ node: 'cmp-1', ...input }, fakeContext(world))
    expect(answer.kind).toBe(kind)
    const said = answer.kind === 'blocked' ? answer.blockers : answer.warnings
    expect(said.map(({ message }) => message).join()).toMatch(/vm-a \(a\) left cmp-1 .* not confirmed/)
    world.migrations = [fakeMigration({ type: 'resize', status: 'confirmed', sourceHost: 'cmp-1', destHost: 'cmp-2' })]
    const confirmed = await must(instancesClassified.check, 'it has one')(
      { node: 'cmp-1', ...input },
      fakeContext(world),
    )
    expect(confirmed).toMatchObject({ kind: 'ready', warnings: [] })
  })

  it.each([
    ['up', 'done', ['EvacuatedCopiesMayRun']],
    ['up', 'completed', []],
    ['down', 'done', []],
  ] as const)('nova-compute %s, an evacuation from it %s: %j', async (state, status, codes) => {
    const world = sound()
    world.services = world.services.map(service => (service.host === 'cmp-1' ? { ...service, state } : service))
    patchInstance({ host: 'cmp-2' })(world)
    world.migrations = [fakeMigration({ type: 'evacuation', status, sourceHost: 'cmp-1', destHost: 'cmp-2' })]
    const answer = await must(instancesClassified.check, 'it has one')({ node: 'cmp-1' }, fakeContext(world))
    expect(answer).toMatchObject({ kind: 'ready', warnings: codes.map(code => ({ code })) })
  })

  it('scope drain moves no instance and asks no owner (seed 001)', async () => {
    const world = sound()
    patchInstance({ tags: ['openstack.lcm.mirantis.com:maintenance_action=notify'] })(world)
    const answer = await instancesClassified.check?.(
      { node: 'cmp-1' },
      fakeContext(world, { options: { scope: 'drain' } }),
    )
    expect(answer).toMatchObject({ kind: 'ready', effects: [{ kind: 'instance', action: 'ignore' }] })
  })

  it('a budget without room is a warning that names it: the drain waits, it does not go around', async () => {
    const world = sound()
    const budget = {
      name: 'mariadb',
      disruptionsAllowed: 0,
      currentHealthy: 2,
      desiredHealthy: 2,
      status: 'refuses',
    } as const
    world.decisions = [decision(fakePod('mariadb-0'), { budgets: [budget], dryRun: null })]
    const answer = await check(drainNode, 'ctl-1', world)
    expect(answer.kind).toBe('ready')
    expect(answer.warnings.map(({ message }) => message).join()).toContain('Budget mariadb allows no disruption')
  })

  it('where a controller moves the instances, one that has nowhere to go is a warning: its lock waits (domain.md A.5)', async () => {
    const world = sound()
    inAffinity(world)
    const answer = await destinationsExist.check?.({ node: 'cmp-1', waits: true }, fakeContext(world))
    expect(answer?.kind).toBe('ready')
    expect(answer?.warnings.map(({ message }) => message).join()).toContain(
      'The lock will stay active because of this: Instance vm-a (a) has nowhere to go',
    )
  })

  it.each([
    ['2.104', 'az1', 'az2', /server unset --pinned-availability-zone a`/],
    ['2.103', 'az1', 'az2', /^Make room/],
    ['2.104', undefined, 'az1', /^Make room/],
    ['2.104', 'az1', 'nowhere', /^Make room/],
  ])(
    'with Nova %s, an instance pinned to %s and a host in %s, the remedy fits',
    async (nova, pinnedZone, zone, remedy) => {
      const world = sound()
      patchInstance({ pinnedZone })(world)
      const rest = zone === 'nowhere' || pinnedZone === undefined ? { status: 'disabled' as const } : { zone }
      world.services = [fakeService('cmp-1'), fakeService('cmp-2', rest)]
      Object.assign(world.port, { versions: async () => ({ [NOVA_SPOKEN]: `microversion ${nova}` }) })
      const answer = await destinationsExist.check?.({ node: 'cmp-1' }, fakeContext(world))
      expect(answer?.kind === 'blocked' ? answer.blockers.map(each => each.remedy) : []).toEqual([
        expect.stringMatching(remedy),
      ])
    },
  )

  it.each([false, true])(
    'for an instance without a destination the plan shows its blocker instead of a move (a controller moves: %s)',
    async waits => {
      const world = sound()
      inAffinity(world)
      world.instances.push(fakeInstance('c', 'cmp-1'))
      const checks = await Promise.all(
        [instancesClassified, destinationsExist].map(async step => {
          const answer = await must(step.check, 'it has one')({ node: 'cmp-1', waits }, fakeContext(world))
          return { stepId: step.kind, answer, overriddenBy: null }
        }),
      )
      const effects = effectsOf({ checks })
      expect(effects.instances.map(({ id, action }) => [id, action])).toEqual([
        ['a', 'blocked'],
        ['b', 'blocked'],
        ['c', 'live_migrate'],
      ])
      expect(countsOf(effects)).toMatchObject({ moving: 1, blocked: 2 })
      const [first] = effects.instances
      const said = checks.flatMap(({ answer }) => [
        ...(answer.kind === 'blocked' ? answer.blockers.map(({ message }) => message) : []),
        ...answer.warnings.map(({ message }) => message),
      ])
      expect(first?.reason).toMatch(/^has nowhere to go: Its affinity group keeps it/)
      expect(said.some(text => text.includes(`Instance vm-a (a) ${first?.reason}`))).toBe(true)
    },
  )

  it.each([
    {
      others: ['c'],
      overrides: [],
      says: /1 instance to move, 2 have nowhere to go, 1 at a time, up to 3 attempts each/,
    },
    { others: [], overrides: [], says: /2 instances have nowhere to go/ },
    {
      others: ['c'],
      overrides: [{ flag: 'force' as const, reason: 'the customer agreed' }],
      says: /3 instances to move, also 2 that have nowhere to go, 1 at a time, up to 3 attempts each/,
    },
  ])(
    'counts as moving what will be moved, and apart what has nowhere to go: $says',
    async ({ others, overrides, says }) => {
      const world = sound()
      inAffinity(world)
      world.instances.push(...others.map(id => fakeInstance(id, 'cmp-1')))
      const answer = await migrateInstances.check?.({ node: 'cmp-1' }, fakeContext(world, { options: { overrides } }))
      expect(answer).toMatchObject({ kind: 'ready', reason: expect.stringMatching(says) })
    },
  )

  it('where Nova does not tell whether an instance is pinned, the zone is a warning', async () => {
    const world = sound()
    patchInstance({ pinnedZone: undefined })(world)
    world.services = [fakeService('cmp-1'), fakeService('cmp-2', { zone: 'az2' })]
    const answer = await check(destinationsExist, 'cmp-1', world)
    expect(answer.kind).toBe('ready')
    expect(answer.warnings.map(({ message }) => message).join()).toContain(
      'Nova does not show whether it is pinned there',
    )
  })

  it.each([
    [1, 1],
    [2, 2],
    [3, 2],
    [5, 3],
  ])('a quorum of %i is %i (total//2+1)', (total, quorum) => {
    expect(quorumOf(total)).toBe(quorum)
  })
})

describe('a check that only warns', () => {
  const finding = (message: string) => ({ code: 'Sample', values: {}, message })
  const seen = evidence('deployment/api', '2026-11-21T06:00:00.000Z', { ready: 2 })
  const counted = [{ kind: 'pod-leaving', id: 'p', name: 'api-1', values: {} }]
  const effect = { kind: 'change', target: 'node/cmp-1', from: 'schedulable', to: 'cordoned' } as const
  const more = { evidence: [seen], warnings: [finding('its own')], effects: [effect], counted }
  const answered = (answer: CheckAnswer) => orWarning(async () => answer)({ warns: true }, fakeContext(sound()))

  it.each([
    ['ready', ready(finding('Two of api stay elsewhere.'), more)],
    ['done', done(finding('Nothing of api is here.'), more)],
  ])('keeps its own words and what it read where it is %s', async (_kind, answer) => {
    expect(await answered(answer)).toEqual(answer)
  })

  it('keeps what it read and found where it would block, and says what to do, also where the fault may pass', async () => {
    const away = cannotAsk(finding('The pods'), failure('timed-out', 'It did not answer in time.', { retryable: true }))
    const blockers = away.kind === 'blocked' ? away.blockers : []
    expect(blockers[0]?.passing).toBeDefined()
    const { warnings, ...reported } = await answered(blocked(blockers, more))
    expect(reported).toMatchObject({
      kind: 'ready',
      code: 'KnowBeforeGoingOn',
      evidence: [seen],
      effects: [effect],
      counted,
    })
    expect(warnings.map(({ code, message }) => [code, message])).toEqual([
      ['NotRead', 'The pods could not be read. It did not answer in time. Try again when the service answers.'],
      ['Sample', 'its own'],
    ])
  })
})

describe('the compute service', () => {
  it('is disabled with a reason that carries the run, and enabled only while that reason is ours', async () => {
    const world = sound()
    const ctx = fakeContext(world)
    expect((await disableCompute.apply?.({ node: 'cmp-1' }, ctx))?.kind).toBe('applied')
    expect(world.services[0]).toMatchObject({
      status: 'disabled',
      disabledReason: 'Lockkeeper: node under maintenance, run run-1',
    })
    expect((await disableCompute.verify?.({ node: 'cmp-1' }, ctx))?.kind).toBe('holds')
    expect((await enableCompute.apply?.({ node: 'cmp-1' }, ctx))?.kind).toBe('applied')
    expect(world.services[0]?.status).toBe('enabled')
  })

  it('stays disabled when somebody else disabled it, and the answer says so', async () => {
    const world = sound()
    world.services = [fakeService('cmp-1', { status: 'disabled', disabledReason: 'broken fan' })]
    const answer = await check(enableCompute, 'cmp-1', world)
    expect(answer).toMatchObject({ kind: 'done' })
    expect(answer.warnings.map(({ message }) => message).join()).toContain('broken fan')
    await enableCompute.apply?.({ node: 'cmp-1' }, fakeContext(world))
    expect(world.asked).toEqual([])
    expect(await enableCompute.verify?.({ node: 'cmp-1' }, fakeContext(world))).toMatchObject({ kind: 'holds' })
  })

  it("is enabled again when Watcher's host maintenance disabled it (docs/domain.md B.2: watcher_maintaining)", async () => {
    const world = sound()
    world.services = [fakeService('cmp-1', { status: 'disabled', disabledReason: 'watcher_maintaining' })]
    const answer = await check(enableCompute, 'cmp-1', world)
    expect(answer).toMatchObject({ kind: 'ready' })
    expect((await enableCompute.verify?.({ node: 'cmp-1' }, fakeContext(world)))?.kind).toBe('fails')
    await enableCompute.apply?.({ node: 'cmp-1' }, fakeContext(world))
    expect(world.services[0]?.status).toBe('enabled')
  })

  it('somebody else’s reason is never overwritten on the way in', async () => {
    const world = sound()
    world.services = [fakeService('cmp-1', { status: 'disabled', disabledReason: 'broken fan' })]
    await disableCompute.apply?.({ node: 'cmp-1' }, fakeContext(world))
    expect(world.asked).toEqual([])
  })

  it('that disabled itself is taken over: it would enable itself in the middle of the maintenance', async () => {
    const world = sound()
    const itself = 'AUTO: Connection to libvirt lost: 1'
    world.services = [fakeService('cmp-1', { status: 'disabled', disabledReason: itself })]
    expect(await check(disableCompute, 'cmp-1', world)).toMatchObject({ kind: 'ready', code: 'ComputeDisabledItself' })
    expect(await disableCompute.verify?.({ node: 'cmp-1' }, fakeContext(world))).toMatchObject({ kind: 'fails' })
    const ctx = fakeContext(world)
    await disableCompute.apply?.({ node: 'cmp-1' }, ctx)
    expect(ctx.history()).toContainEqual(
      expect.objectContaining({
        fact: 'compute-disable-requested',
        values: expect.objectContaining({ before: itself }),
      }),
    )
    expect(world.services[0]?.disabledReason).toBe('Lockkeeper: node under maintenance, run run-1')
    expect(await disableCompute.verify?.({ node: 'cmp-1' }, fakeContext(world))).toMatchObject({ kind: 'holds' })
    await enableCompute.apply?.({ node: 'cmp-1' }, fakeContext(world))
    expect(world.services[0]?.status).toBe('enabled')
  })

  it('that disabled itself is named on the way back, and Lockkeeper does not enable it', async () => {
    const world = sound()
    world.services = [
      fakeService('cmp-1', { status: 'disabled', disabledReason: 'AUTO: Connection to libvirt lost: 1' }),
    ]
    const answer = await check(enableCompute, 'cmp-1', world)
    expect(answer.warnings.map(({ code }) => code)).toEqual(['ComputeEnablesItself'])
    await enableCompute.apply?.({ node: 'cmp-1' }, fakeContext(world))
    expect(world.asked).toEqual([])
    expect(await enableCompute.verify?.({ node: 'cmp-1' }, fakeContext(world))).toMatchObject({
      kind: 'holds',
      reason: expect.stringContaining('disabled itself'),
    })
  })

  it('is back only when it reports and every agent of the host is alive', async () => {
    const world = sound()
    const verify = async () => (await computeReturns.verify?.({ node: 'cmp-1' }, fakeContext(world)))?.kind
    expect(await verify()).toBe('holds')
    world.agents = world.agents.map(agent => ({ ...agent, alive: false }))
    expect(await verify()).toBe('fails')
    world.agents = []
    world.services = [fakeService('cmp-1', { state: 'down' })]
    expect(await verify()).toBe('fails')
  })
})
