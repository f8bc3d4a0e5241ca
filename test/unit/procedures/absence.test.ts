import { describe, expect, test } from 'vitest'
import type { MaintenanceWorld } from '../../../main/ports/world.ts'
import { instancesClassified } from '../../../main/procedures/steps/compute/instances-classified.ts'
import { migrateInstances } from '../../../main/procedures/steps/compute/migrate-instances.ts'
import { drainNode } from '../../../main/procedures/steps/general/drain-node.ts'
import { otherNodesInMaintenance } from '../../../main/procedures/steps/general/other-nodes-in-maintenance.ts'
import { hardLocks } from '../../../main/procedures/steps/requests/hard-locks.ts'
import { nodeLocksActive } from '../../../main/procedures/steps/requests/node-locks-active.ts'
import { nodeLocksInactive } from '../../../main/procedures/steps/requests/node-locks-inactive.ts'
import { nodeLocksSound } from '../../../main/procedures/steps/requests/node-locks-sound.ts'
import { removeNodeRequest } from '../../../main/procedures/steps/requests/remove-node-request.ts'
import { requestIsOurs } from '../../../main/procedures/steps/requests/request-is-ours.ts'
import { type Failure, failure } from '../../../shared/domain/failure.ts'
import type { Pod } from '../../../shared/domain/kubernetes.ts'
import { NO_MAINTENANCE_OBJECTS, type NodeWorkloadLock } from '../../../shared/domain/maintenance-api.ts'
import { must } from '../../../shared/domain/must.ts'
import type { Instance, Migration } from '../../../shared/domain/openstack.ts'
import { failed, ok } from '../../../shared/domain/result.ts'
import { INSTANCE_MOVED, MIGRATION_REQUESTED, POD_LEFT, WAITS_FOR } from '../../../shared/domain/run-facts.ts'
import type { Counted } from '../../../shared/domain/step-answers.ts'
import { fakeMigration } from '../../fixtures/procedures/fake-records.ts'
import {
  COMPUTE,
  decision,
  type FakeWorld,
  fakeCluster,
  fakeContext,
  fakeInstance,
  fakeNode,
  fakePod,
  fakeService,
  fakeWorld,
} from '../../fixtures/procedures/fake-world.ts'
import { nodeLock } from '../../fixtures/procedures/node-lock.ts'

const INPUT = { node: 'cmp-1' }

describe('absence of locks', () => {
  const locks = [nodeLock('openstack', 'cmp-1', { state: 'inactive' })]
  const others = [nodeLock('openstack', 'cmp-2')]
  const counted: readonly Counted[] = locks.map(({ uid, name, controller }) => ({
    kind: 'lock',
    id: uid,
    name,
    values: { controller },
  }))

  function setting(nodeLocks: readonly NodeWorkloadLock[], by: 'cluster' | 'console' | 'none', labels = {}) {
    const world = fakeWorld({ nodes: [fakeNode('cmp-1', { labels }), fakeNode('cmp-2')] })
    const { maintenanceApi } = fakeCluster()
    const controllers = { openstack: by, ceph: 'none', tungstenfabric: 'none', stacklight: 'none' } as const
    const port: MaintenanceWorld = {
      ...world.port,
      cluster: fakeCluster({ flavour: 'mosk', maintenanceApi: { ...maintenanceApi, controllers } }),
      maintenanceApi: {
        ...world.port.maintenanceApi,
        objects: async () => ok({ ...NO_MAINTENANCE_OBJECTS, nodeLocks: [...nodeLocks] }),
      },
    }
    return Object.assign(world, { port })
  }
  const verify = async (world: FakeWorld, more: Parameters<typeof fakeContext>[1] = {}, step = nodeLocksInactive) =>
    (await must(step.verify, 'it has one')(INPUT, fakeContext(world, more))).kind

  test.each([
    ['the lock is there and inactive', locks, 'cluster', COMPUTE, counted, 'holds'],
    ['the plan saw a lock that no list shows now', others, 'none', {}, counted, 'cannot-tell'],
    ['a controller is set to answer and no node of the cluster has a lock', [], 'cluster', {}, [], 'cannot-tell'],
    ['our own controllers are set to answer and no node has a lock', [], 'console', {}, [], 'cannot-tell'],
    ['a lock that the role of the node calls for is not there', others, 'cluster', COMPUTE, [], 'cannot-tell'],
    ['nobody is to answer and nobody ever did', [], 'none', COMPUTE, [], 'holds'],
    ['nothing calls for a lock on this node, and other nodes have theirs', others, 'cluster', {}, [], 'holds'],
    [
      'a lock was created again and is active',
      [nodeLock('openstack', 'cmp-1', { uid: 'new' })],
      'none',
      {},
      counted,
      'fails',
    ],
  ] as const)('%s', async (_, now, by, labels, seen, answer) => {
    expect(await verify(setting(now, by, labels), { counted: seen })).toBe(answer)
  })

  test('a missing lock is not an active lock either, on the way back', async () => {
    expect(await verify(setting([], 'cluster', COMPUTE), { counted }, nodeLocksActive)).toBe('cannot-tell')
    const active = [nodeLock('openstack', 'cmp-1')]
    expect(await verify(setting(active, 'cluster', COMPUTE), { counted }, nodeLocksActive)).toBe('holds')
  })

  test('a list of nodes without the node itself says nothing of whose locks it carries', async () => {
    const world = setting(others, 'cluster', COMPUTE)
    const listNodes = async () => ok([fakeNode('cmp-2')])
    const port: MaintenanceWorld = { ...world.port, kubernetes: { ...world.port.kubernetes, listNodes } }
    expect(await verify(Object.assign(world, { port }))).toBe('cannot-tell')
  })

  test('nobody forces a lock that is missing into one that is inactive', async () => {
    const options = { overrides: [{ flag: 'force' as const, reason: 'known' }] }
    expect(await verify(setting(others, 'cluster', COMPUTE), { options })).toBe('cannot-tell')
    expect(await verify(setting(others, 'cluster', COMPUTE), { options, counted })).toBe('cannot-tell')
    const answer = await nodeLocksSound.check?.(INPUT, fakeContext(setting([], 'cluster', COMPUTE), { options }))
    expect(answer).toMatchObject({
      kind: 'blocked',
      blockers: [{ code: 'NodeLockMissing', override: { kind: 'never', why: expect.any(String) } }],
    })
  })

  test('the wait for locks does not end with a list that lost them: it asks after too long a silence', async () => {
    const answer = await nodeLocksActive.apply?.(INPUT, fakeContext(setting([], 'cluster', COMPUTE), { counted }))
    expect(answer).toMatchObject({ kind: 'question', question: expect.stringContaining('openstack-cmp-1') })
  })

  test('the missing lock is named at once, not only in the question', async () => {
    const reported: unknown[] = []
    const ctx = fakeContext(setting([], 'cluster', COMPUTE), { counted })
    const report: typeof ctx.report = (fact, subject, values) => void reported.push([fact, subject, values])
    await nodeLocksActive.apply?.(INPUT, { ...ctx, report })
    expect(reported).toEqual([
      [
        WAITS_FOR,
        'node/cmp-1',
        {
          code: 'NodeLocksVanished',
          values: { locks: ['openstack-cmp-1'] },
          what: expect.stringContaining(
            'the lock openstack-cmp-1 existed when the plan was checked but is in no list now',
          ),
        },
      ],
    ])
  })

  test('the check counts the locks that it sees, by their uid', async () => {
    const answer = await nodeLocksInactive.check?.(INPUT, fakeContext(setting(locks, 'cluster', COMPUTE)))
    expect(answer?.counted).toEqual(counted)
  })
})

describe('absence of a request', () => {
  test.each([
    ['nobody has it', null, 'holds', 'done'],
    ['it is there in a separate request', 'uid-1', 'cannot-tell', 'blocked'],
    ['it cannot be read', failure('unreachable', 'No answer.', { retryable: true }), 'cannot-tell', 'blocked'],
  ] as const)('no list shows the request of the node, and %s', async (_, uid, verified, checked) => {
    const world = fakeWorld({ nodes: [fakeNode('cmp-1')] })
    const maintenanceApi: MaintenanceWorld['maintenanceApi'] = {
      ...world.port.maintenanceApi,
      objects: async () => ok(NO_MAINTENANCE_OBJECTS),
      uidOf: async () => (typeof uid === 'object' && uid !== null ? failed(uid) : ok(uid)),
    }
    Object.assign(world, { port: { ...world.port, maintenanceApi } })
    expect((await must(removeNodeRequest.verify, 'it has one')(INPUT, fakeContext(world))).kind).toBe(verified)
    expect((await must(removeNodeRequest.check, 'it has one')(INPUT, fakeContext(world))).kind).toBe(checked)
    const ours = await must(requestIsOurs.check, 'it has one')(INPUT, fakeContext(world))
    expect(ours.kind === 'blocked').toBe(checked === 'blocked')
  })
})

test('no other node is in maintenance only by a list that has the node itself', async () => {
  const look = async (nodes: readonly string[]) => {
    const world = fakeWorld({ nodes: nodes.map(name => fakeNode(name)) })
    return (await must(otherNodesInMaintenance.check, 'it has one')(INPUT, fakeContext(world))).kind
  }
  expect(await look(['cmp-1', 'cmp-2'])).toBe('ready')
  expect(await look([])).toBe('blocked')
  expect(await look(['cmp-2'])).toBe('blocked')
})

describe('absence of quorum services', () => {
  const controller = { apiVersion: 'apps/v1', kind: 'StatefulSet', name: 'mariadb-server', uid: 'set' }
  const database = fakePod('mariadb-server-0', { nodeName: 'cmp-1', controller })
  const elsewhere = fakePod('dns', { nodeName: 'cmp-2' })

  test.each([
    ['the node has pods, none of them of a quorum', [elsewhere], [fakePod('agent')], true],
    ['the node has none, and none is listed there', [elsewhere], [], true],
    ['its list is empty, and that of all pods has one there', [database], [], false],
    ['its list is empty, and so is that of all pods', [], [], false],
    ['the list of the namespace does not show the replica that runs there', [elsewhere], [database], false],
  ] as const)('%s', async (_, all, here, reported) => {
    const world = fakeWorld({ nodes: [fakeNode('cmp-1')], decisions: here.map(pod => decision(pod)) })
    const kubernetes = { ...world.port.kubernetes, listPods: async () => ok(all) }
    expect((await hardLocks('cmp-1', { ...world.port, kubernetes }, new AbortController().signal)).ok).toBe(reported)
  })
})

describe('absence of pods', () => {
  const gone = fakePod('gone', { nodeName: 'cmp-1' })
  const agent = fakePod('agent', { nodeName: 'cmp-1' })
  const keeps = decision(agent, { fate: 'keep' })
  const counted = (...pods: readonly (readonly [Pod, 'pod-leaving' | 'pod-staying'])[]): readonly Counted[] =>
    pods.map(([{ namespace, name, uid }, kind]) => ({
      kind,
      id: uid,
      name: `${namespace}/${name}`,
      values: { namespace, pod: name },
    }))

  /** A world whose list of the node's pods is `decisions`, while in truth `there` runs on it. */
  function setting(
    decisions: FakeWorld['decisions'],
    there: readonly Pod[],
    more: { all?: readonly Pod[] | 'denied' } = {},
  ) {
    const world = fakeWorld({ nodes: [fakeNode('cmp-1')], decisions })
    const asked: string[] = []
    const elsewhere = fakePod('dns', { nodeName: 'cmp-2' })
    const { all = [elsewhere, ...decisions.map(({ pod }) => pod)] } = more
    const kubernetes: MaintenanceWorld['kubernetes'] = {
      ...world.port.kubernetes,
      listPods: async () => (all === 'denied' ? failed(failure('not-permitted', 'No.')) : ok(all)),
      getPod: async (_, name) => {
        asked.push(name)
        const found = there.find(pod => pod.name === name)
        return found ? ok(found) : failed(failure('not-found', `pod ${name} does not exist.`))
      },
    }
    return { world: Object.assign(world, { port: { ...world.port, kubernetes } }), asked }
  }
  const verify = (world: FakeWorld, more: Parameters<typeof fakeContext>[1]) =>
    must(drainNode.verify, 'it has one')(INPUT, fakeContext(world, more))

  test('a pod that the plan counted is proved gone by asking for it, not by a list without it', async () => {
    const { world, asked } = setting([keeps], [agent])
    expect((await verify(world, { counted: counted([gone, 'pod-leaving']) })).kind).toBe('holds')
    expect(asked).toEqual(['gone'])
  })

  test.each([
    ['is still on the node', [gone], 'fails'],
    ['is there under another uid', [{ ...gone, uid: 'other' }], 'holds'],
    ['runs on another node', [{ ...gone, nodeName: 'cmp-2' }], 'holds'],
  ] as const)('a pod that no list shows and that %s: %s', async (_, there, answer) => {
    const { world } = setting([keeps], [agent, ...there])
    expect((await verify(world, { counted: counted([gone, 'pod-leaving']) })).kind).toBe(answer)
  })

  test('a pod that the drain saw leave is not read again: its uid never comes back', async () => {
    const { world, asked } = setting([keeps], [agent])
    const facts = [{ at: '', fact: POD_LEFT, subject: 'pod/a', announces: false, values: { uid: gone.uid } }]
    expect((await verify(world, { counted: counted([gone, 'pod-leaving']), facts })).kind).toBe('holds')
    expect(asked).toEqual([])
  })

  test.each([
    ['a pod that was to stay still runs', [agent], {}, 'cannot-tell'],
    ['those that were to stay are gone too', [], {}, 'holds'],
    ['the list of all pods has one there', [], { all: [agent] }, 'cannot-tell'],
    ['the list of all pods is empty as well', [], { all: [] }, 'cannot-tell'],
    ['the list of all pods cannot be read', [], { all: 'denied' }, 'cannot-tell'],
  ] as const)('an empty list of pods, though %s', async (_, there, more, answer) => {
    const { world } = setting([], there, more)
    expect((await verify(world, { counted: counted([agent, 'pod-staying']) })).kind).toBe(answer)
  })

  test('many pods are settled by a second list that sees the node, not by a request each', async () => {
    const many = Array.from({ length: 110 }, (_, at) => fakePod(`pod-${at}`, { nodeName: 'cmp-1' }))
    const { world, asked } = setting([keeps], [agent])
    const seen = counted(...many.map(pod => [pod, 'pod-leaving'] as const))
    expect((await verify(world, { counted: seen })).kind).toBe('holds')
    expect(asked).toEqual([])
    const blind = setting([keeps], [agent, ...many.slice(0, 1)], { all: [] })
    expect((await verify(blind.world, { counted: seen })).kind).toBe('fails')
  })

  test('a pod that nobody counted and only the list of all pods shows is not a pod that left', async () => {
    const options = { overrides: [{ flag: 'force' as const, reason: 'known' }] }
    const { world } = setting([keeps], [agent, gone], { all: [agent, gone] })
    expect(await verify(world, { counted: counted([agent, 'pod-staying']) })).toMatchObject({
      kind: 'cannot-tell',
      reason: expect.stringContaining('/gone'),
    })
    for (const more of [{}, { options }]) {
      expect(await drainNode.check?.(INPUT, fakeContext(world, more))).toMatchObject({
        kind: 'blocked',
        blockers: [{ override: { kind: 'never' }, message: expect.stringContaining('/gone') }],
      })
    }
  })

  test('an empty list of pods that another list contradicts blocks the plan, whatever is forced', async () => {
    const { world } = setting([], [agent], { all: [agent] })
    const answer = await drainNode.check?.(INPUT, fakeContext(world))
    expect(answer).toMatchObject({ kind: 'blocked', blockers: [{ override: { kind: 'never' } }] })
  })
})

describe('absence of instances', () => {
  const FORCE = { overrides: [{ flag: 'force' as const, reason: 'known' }] }
  const NO_RIGHT = failure('not-permitted', 'Policy does not allow placement:resource_providers:list.')
  const moving = (instanceId: string, more: Partial<Migration> = {}): Migration =>
    fakeMigration({ uuid: 'move-1', instanceId, sourceHost: 'cmp-2', destHost: 'cmp-1', ...more })

  /** A host of which Nova's list is empty; `instances` is the truth, `placed` what Placement says. */
  function setting(more: {
    instances?: readonly Instance[]
    placed?: readonly string[] | 'unknown' | Failure
    migrations?: readonly Migration[]
    all?: readonly Instance[] | Failure
    one?: Failure
  }) {
    const world = fakeWorld({
      nodes: [fakeNode('cmp-1', { labels: COMPUTE })],
      services: [fakeService('cmp-1', { status: 'disabled' }), fakeService('cmp-2')],
      instances: [...(more.instances ?? [])],
      migrations: [...(more.migrations ?? [])],
    })
    const { placed = [], all = world.instances, one } = more
    const cloud = must(world.port.openstack, 'the fake world has a cloud')
    const openstack: MaintenanceWorld['openstack'] = {
      ...cloud,
      instancesOnHost: async () => ok({ items: [], unreachable: [] }),
      consumersOn: async () => (placed === 'unknown' ? ok(null) : 'code' in placed ? failed(placed) : ok(placed)),
      listInstances: async () => ('code' in all ? failed(all) : ok({ items: all, unreachable: [] })),
      getInstance: async (id, signal) => (one === undefined ? cloud.getInstance(id, signal) : failed(one)),
    }
    return Object.assign(world, { port: { ...world.port, openstack } })
  }
  const verify = async (world: FakeWorld, more: Parameters<typeof fakeContext>[1] = {}) =>
    (await must(migrateInstances.verify, 'it has one')(INPUT, fakeContext(world, more))).kind
  const here = fakeInstance('a', 'cmp-1')
  const there = fakeInstance('a', 'cmp-2')
  const arriving = fakeInstance('a', 'cmp-2', { status: 'MIGRATING', taskState: 'migrating' })
  const DOWN = failure('unreachable', 'No answer.', { retryable: true })

  test.each([
    ['Placement has nothing there either', {}, 'holds'],
    ['Placement has nothing there either, and all servers of the cloud show one', { instances: [here] }, 'fails'],
    ['Placement has nothing there either, and all servers cannot be read', { all: DOWN }, 'cannot-tell'],
    [
      'Placement has an instance there, and so has Nova when asked for it',
      { instances: [here], placed: ['a'] },
      'fails',
    ],
    ['Placement still counts one that Nova has elsewhere', { instances: [there], placed: ['a'] }, 'holds'],
    ['Placement has one that Nova does not know', { placed: ['orphan'] }, 'cannot-tell'],
    ['Placement does not answer', { placed: DOWN }, 'cannot-tell'],
    ['an instance migrates to the host', { instances: [arriving], migrations: [moving('a')] }, 'fails'],
    ['a record remains of a finished migration', { instances: [there], migrations: [moving('a')] }, 'holds'],
    [
      'Placement names the migration by which an instance left, and it is elsewhere',
      {
        instances: [there],
        placed: ['move-1'],
        migrations: [moving('a', { status: 'finished', sourceHost: 'cmp-1' })],
      },
      'holds',
    ],
    ['the instance that Placement names cannot be read', { placed: ['a'], one: DOWN }, 'cannot-tell'],
    ['Placement may not be read, and all servers are elsewhere', { placed: NO_RIGHT, all: [there] }, 'holds'],
    ['Placement may not be read, and one of all servers is there', { placed: NO_RIGHT, instances: [here] }, 'fails'],
    ['Placement may not be read, and there is no server at all', { placed: NO_RIGHT, all: [] }, 'cannot-tell'],
    ['Placement may not be read, nor all servers', { placed: NO_RIGHT, all: DOWN }, 'cannot-tell'],
    ['Placement knows no such host, and all servers are elsewhere', { placed: 'unknown', all: [there] }, 'holds'],
  ] as const)("an empty list of the host's servers: %s", async (_, more, answer) => {
    expect(await verify(setting(more))).toBe(answer)
  })

  test('a cell that does not answer leaves untold what is on the host', async () => {
    const world = setting({})
    const cloud = must(world.port.openstack, 'the fake world has a cloud')
    const blind = { ...cloud, instancesOnHost: async () => ok({ items: [], unreachable: ['Cell 2 does not answer.'] }) }
    Object.assign(world.port, { openstack: blind })
    expect(await verify(world)).toBe('cannot-tell')
  })

  test('an instance of which Nova tells only a part, because its cell is away, is not elsewhere', async () => {
    const counted = [{ kind: 'instance', id: 'a', name: 'vm-a', values: {} }]
    const part = fakeInstance('a', '', { host: null, partial: true })
    expect(await verify(setting({ instances: [part] }), { counted })).toBe('cannot-tell')
  })

  test('every instance that the plan counted is found elsewhere or was deleted: one in no list has not moved', async () => {
    const counted = [{ kind: 'instance', id: 'a', name: 'vm-a', values: {} }]
    expect(await verify(setting({ instances: [here], all: [] }), { counted })).toBe('fails')
    expect(await verify(setting({ instances: [there] }), { counted })).toBe('holds')
    expect(await verify(setting({ instances: [] }), { counted })).toBe('holds')
    expect(await verify(setting({ instances: [there], one: DOWN }), { counted })).toBe('cannot-tell')
  })

  test('one that left is read once, for the proof and for its present state', async () => {
    const world = setting({ instances: [there] })
    const cloud = must(world.port.openstack, 'the fake world has a cloud')
    const asked: string[] = []
    const counting: MaintenanceWorld['openstack'] = {
      ...cloud,
      getInstance: async (id, signal) => {
        asked.push(id)
        return cloud.getInstance(id, signal)
      },
    }
    Object.assign(world.port, { openstack: counting })
    const ctx = fakeContext(world, { counted: [{ kind: 'instance', id: 'a', name: 'vm-a', values: {} }] })
    ctx.announce(MIGRATION_REQUESTED, 'server/a', { name: 'vm-a', attempt: 1, statusBefore: 'ACTIVE' })
    ctx.report(INSTANCE_MOVED, 'server/a', { name: 'vm-a', from: 'cmp-1', to: 'cmp-2', status: 'ACTIVE', attempt: 1 })
    expect(await must(migrateInstances.verify, 'it has one')(INPUT, ctx)).toMatchObject({
      kind: 'holds',
      reason: '1 instance moved to other nodes, each in its earlier state.',
    })
    expect(asked).toEqual(['a'])
  })

  test('no force makes a proof of what Placement still has, of what Nova shows on the host, or of silence', async () => {
    expect(await verify(setting({ placed: ['orphan'] }), { options: FORCE })).toBe('cannot-tell')
    expect(await verify(setting({ instances: [here], placed: ['a'] }), { options: FORCE })).toBe('fails')
    expect(await verify(setting({ placed: DOWN }), { options: FORCE })).toBe('cannot-tell')
  })

  test.each([
    ['instances-classified', instancesClassified],
    ['migrate-instances', migrateInstances],
  ])('the check of %s does not take an empty list for an empty host', async (_, step) => {
    const look = (world: FakeWorld, options = {}) =>
      must(step.check, 'it has one')(INPUT, fakeContext(world, { options }))
    const blocked = (code: string, kind: string) => ({ kind: 'blocked', blockers: [{ code, override: { kind } }] })
    expect(await look(setting({ instances: [here], placed: ['a'] }))).toMatchObject(
      blocked('InstancesContradicted', 'never'),
    )
    const orphan = await look(setting({ placed: ['orphan'] }))
    expect(orphan).toMatchObject(blocked('ConsumersUnknown', 'never'))
    expect(orphan).not.toMatchObject({ blockers: [{ passing: expect.anything() }] })
    const silent = await look(setting({ placed: DOWN }))
    expect(silent).toMatchObject(blocked('AllocationsUnread', 'never'))
    expect(silent).toMatchObject({ blockers: [{ passing: { retryAfterMs: 0 } }] })
    expect((await look(setting({}))).kind).not.toBe('blocked')
  })

  test('on mosk the plan names what is left in Placement, and stops it only where Nova contradicts itself', async () => {
    const look = (world: FakeWorld) =>
      must(instancesClassified.check, 'it has one')({ ...INPUT, waits: true }, fakeContext(world))
    const reported = await look(setting({ placed: ['orphan'] }))
    expect(reported).toMatchObject({ kind: 'ready', warnings: [{ message: expect.stringContaining('orphan') }] })
    expect((await look(setting({ instances: [here], placed: ['a'] }))).kind).toBe('blocked')
  })
})
