import { describe, expect, test } from 'vitest'
import type { ControllerWorld } from '../../../../main/ports/world.ts'
import { HOST_MODE_ANNOTATION } from '../../../../shared/domain/instance-policy.ts'
import { parseLockMessage } from '../../../../shared/domain/lock-message.ts'
import {
  type NodeDisableNotification,
  type NodeWorkloadLock,
  ROCKOON_DISABLED_REASON,
} from '../../../../shared/domain/maintenance-api.ts'
import { ok } from '../../../../shared/domain/result.ts'
import { type FakeMaintenance, fakeMaintenance } from '../../../fixtures/procedures/fake-controllers.ts'
import {
  COMPUTE,
  CONTROL,
  decision,
  fakeInstance,
  fakeNode,
  fakePod,
  fakeService,
} from '../../../fixtures/procedures/fake-world.ts'

const TAG = 'openstack.lcm.mirantis.com:maintenance_action='

function twoComputes(more: Parameters<typeof fakeMaintenance>[0] = {}, settings = {}): FakeMaintenance {
  return fakeMaintenance(
    {
      nodes: [
        fakeNode('ctl-1', { labels: CONTROL }),
        ...['cmp-1', 'cmp-2'].map(name => fakeNode(name, { labels: COMPUTE })),
      ],
      services: [fakeService('cmp-1'), fakeService('cmp-2', { zone: 'az2' })],
      ...more,
    },
    settings,
  )
}

function setNode(fake: FakeMaintenance, name: string, change: Parameters<typeof fakeNode>[1]): void {
  fake.cloud.nodes = fake.cloud.nodes.map(node => (node.name === name ? { ...node, ...change } : node))
  fake.changed()
}

function disabledOnPurpose(nodeName: string): NodeDisableNotification {
  return {
    uid: 'n',
    name: 'n',
    resourceVersion: '1',
    createdAt: '2026-01-01T00:00:00Z',
    deletingSince: null,
    finalizers: [],
    annotations: {},
    writers: [],
    faults: [],
    nodeName,
  }
}

async function running(fake: FakeMaintenance, scenario: () => Promise<void>): Promise<void> {
  const stop = fake.start()
  await fake.clock.advance(5_000)
  await scenario()
  await stop()
  expect(fake.clock.sleeping).toBe(0)
}

describe('locks', () => {
  test('docs/domain.md A.2 rule 3: every node with a role has a lock, active, named after controller and node; others have none', async () => {
    const fake = twoComputes()
    fake.cloud.nodes = [
      ...fake.cloud.nodes,
      fakeNode('plain'),
      // Seed 003: a master of Kubernetes without collocated roles is nothing of OpenStack's.
      fakeNode('mst-1', { labels: { 'node-role.kubernetes.io/control-plane': '' } }),
    ]
    await running(fake, async () => {
      expect(fake.objects.nodeLocks.map(({ name, state }) => [name, state])).toEqual([
        ['openstack-ctl-1', 'active'],
        ['openstack-cmp-1', 'active'],
        ['openstack-cmp-2', 'active'],
      ])
      expect(fake.objects.clusterLocks.map(({ name, state }) => [name, state])).toEqual([['openstack-test', 'active']])
    })
  })

  test('docs/domain.md A.1: a lock of another name is known by what its spec says, an FQDN by its first label', async () => {
    const fake = twoComputes()
    await running(fake, async () => {
      const before = fake.lock('cmp-1')
      fake.objects = {
        ...fake.objects,
        nodeLocks: fake.objects.nodeLocks.map(lock =>
          lock.uid === before.uid ? { ...lock, name: 'node-1-openstack', nodeName: 'cmp-1.kaas.local' } : lock,
        ),
      }
      fake.changed()
      fake.request('cmp-1.kaas.local')
      await fake.clock.advance(10_000)
      expect(fake.objects.nodeLocks).toHaveLength(3)
      expect(fake.objects.nodeLocks.find(lock => lock.uid === before.uid)?.state).toBe('inactive')
    })
  })

  test('nothing is written while nothing changes', async () => {
    const fake = twoComputes()
    await running(fake, async () => {
      const before = fake.writes.length
      await fake.clock.advance(600_000)
      expect(fake.writes).toHaveLength(before)
    })
  })

  test('docs/domain.md A.2 rule 3: a lock of another release is reset to active, with ours', async () => {
    const fake = twoComputes({}, { release: 'mosk-2' })
    await running(fake, async () => {
      expect(fake.lock('cmp-1')).toMatchObject({ state: 'active', release: 'mosk-2' })
      fake.objects = {
        ...fake.objects,
        nodeLocks: fake.objects.nodeLocks.map(lock => ({ ...lock, release: 'mosk-1', state: 'inactive' as const })),
      }
      fake.changed()
      await fake.clock.advance(5_000)
      expect(fake.lock('cmp-1')).toMatchObject({ state: 'active', release: 'mosk-2' })
    })
  })

  test('docs/domain.md A.9: the lock of a node that is gone is deleted, unless the node was disabled on purpose', async () => {
    const fake = twoComputes()
    await running(fake, async () => {
      fake.objects = {
        ...fake.objects,
        disableNotifications: [disabledOnPurpose('cmp-2')],
      }
      fake.cloud.nodes = fake.cloud.nodes.filter(node => node.name === 'ctl-1')
      fake.changed()
      await fake.clock.advance(5_000)
      expect(fake.objects.nodeLocks.map(lock => lock.nodeName)).toEqual(['ctl-1', 'cmp-2'])
      fake.objects = { ...fake.objects, disableNotifications: [] }
      fake.changed()
      await fake.clock.advance(5_000)
      expect(fake.objects.nodeLocks.map(lock => lock.nodeName)).toEqual(['ctl-1'])
    })
  })
})

describe('requests', () => {
  test('docs/domain.md A.2: the node is marked before its work starts, and its service disabled with the exact reason before its lock goes inactive', async () => {
    const fake = twoComputes({ instances: [fakeInstance('a', 'cmp-1')] })
    await running(fake, async () => {
      let serviceThen = ''
      fake.onInactive = () => {
        serviceThen = JSON.stringify(fake.cloud.services[0])
      }
      fake.request('cmp-1')
      await fake.clock.advance(30_000)
      expect(fake.lock('cmp-1')).toMatchObject({ state: 'inactive', innerState: 'active', errorMessage: '' })
      expect(JSON.parse(serviceThen)).toMatchObject({ status: 'disabled', disabledReason: ROCKOON_DISABLED_REASON })
      const mark = fake.writes.findIndex(write => write.includes('"inner_state":"active"'))
      const release = fake.writes.findIndex(write => write.startsWith('openstack-cmp-1 inactive'))
      expect(mark).toBeGreaterThan(-1)
      expect(release).toBeGreaterThan(mark)
      expect(fake.cloud.asked).toContain('live-migrate a')
    })
  })

  test('docs/decisions/0025: no lock goes inactive on an empty list of servers that Placement and the servers themselves contradict', async () => {
    const fake = twoComputes({ instances: [fakeInstance('a', 'cmp-1')] })
    const cloud = fake.world.openstack
    if (cloud === null) throw new Error('the fake world has a cloud')
    let isLying = true
    const openstack = {
      ...cloud,
      instancesOnHost: (host: string) =>
        isLying ? Promise.resolve(ok({ items: [], unreachable: [] })) : cloud.instancesOnHost(host),
    }
    const stop = fake.start(undefined, { ...fake.world, openstack })
    await fake.clock.advance(5_000)
    fake.request('cmp-1')
    await fake.clock.advance(30_000)
    expect(fake.lock('cmp-1')).toMatchObject({
      state: 'active',
      errorMessage: expect.stringContaining('vm-a (a) is on it'),
    })
    isLying = false
    await fake.clock.advance(120_000)
    expect(fake.lock('cmp-1').state).toBe('inactive')
    await stop()
  })

  test('docs/decisions/0025: no lock goes inactive on a list of compute services without that of the node', async () => {
    const fake = twoComputes({ instances: [fakeInstance('a', 'cmp-1')] })
    const { services } = fake.cloud
    const stop = fake.start()
    await fake.clock.advance(5_000)
    for (const lie of [[], services.filter(({ host }) => host !== 'cmp-1')]) {
      fake.cloud.services = lie
      fake.request('cmp-1')
      await fake.clock.advance(30_000)
      expect(fake.lock('cmp-1')).toMatchObject({
        state: 'active',
        errorMessage: expect.stringContaining('nova-compute'),
      })
    }
    await stop()
  })

  test('docs/decisions/0025: a request that is in no list, but there when asked for, does not bring the node back', async () => {
    const fake = twoComputes()
    const { maintenanceApi } = fake.world
    let hidden: string | null = null
    const stop = fake.start(undefined, {
      ...fake.world,
      maintenanceApi: {
        ...maintenanceApi,
        uidOf: (object, signal) =>
          hidden === null ? maintenanceApi.uidOf(object, signal) : Promise.resolve(ok(hidden)),
      },
    })
    await fake.clock.advance(5_000)
    fake.request('cmp-1')
    await fake.clock.advance(30_000)
    expect(fake.lock('cmp-1').state).toBe('inactive')
    hidden = fake.objects.nodeRequests[0]?.uid ?? ''
    fake.objects = { ...fake.objects, nodeRequests: [] }
    fake.changed()
    await fake.clock.advance(60_000)
    expect(fake.lock('cmp-1').state).toBe('inactive')
    expect(fake.cloud.services[0]?.status).toBe('disabled')
    hidden = null
    await fake.clock.advance(60_000)
    expect(fake.lock('cmp-1').state, 'once it is proved gone').toBe('active')
    await stop()
  })

  /** A node that another process prepared, for a request with another name that no list shows. */
  async function preparedBefore(forget: (lock: NodeWorkloadLock) => NodeWorkloadLock = lock => lock) {
    const fake = twoComputes()
    const { maintenanceApi } = fake.world
    const hidden = new Set<string>()
    const world: ControllerWorld = {
      ...fake.world,
      maintenanceApi: {
        ...maintenanceApi,
        uidOf: (object, signal) =>
          hidden.has(object.name) ? Promise.resolve(ok('uid-hidden')) : maintenanceApi.uidOf(object, signal),
      },
    }
    const stopped = fake.start(undefined, world)
    await fake.clock.advance(5_000)
    fake.request('cmp-1', { name: 'by-hand' })
    await fake.clock.advance(30_000)
    fake.request('cmp-1', { name: 'later' })
    await fake.clock.advance(30_000)
    await stopped()
    expect(fake.lock('cmp-1').state).toBe('inactive')
    hidden.add('by-hand').add('later')
    fake.objects = { ...fake.objects, nodeRequests: [], nodeLocks: fake.objects.nodeLocks.map(forget) }
    const stop = fake.start(undefined, world)
    await fake.clock.advance(60_000)
    return { fake, hidden, stop }
  }

  test('docs/decisions/0025: a process that comes after another one knows each request that no list shows by its name', async () => {
    const { fake, hidden, stop } = await preparedBefore()
    for (const name of ['by-hand', 'later']) {
      expect(fake.lock('cmp-1').state).toBe('inactive')
      expect(fake.busyWith.join()).toContain(`NodeMaintenanceRequest ${name} exists`)
      hidden.delete(name)
      await fake.clock.advance(60_000)
    }
    expect(fake.lock('cmp-1').state, 'once both are proved gone').toBe('active')
    await stop()
  })

  test('docs/decisions/0025: where nothing tells for which request a node was prepared, none is proved gone', async () => {
    const { fake, hidden, stop } = await preparedBefore(lock => ({
      ...lock,
      annotations: { ...lock.annotations, 'lockkeeper.dev/requests': undefined } as unknown as Record<string, string>,
    }))
    hidden.clear()
    await fake.clock.advance(60_000)
    expect(fake.lock('cmp-1').state).toBe('inactive')
    expect(fake.busyWith.join()).toContain('and nothing names the one it was prepared for')
    // What the words say to do.
    fake.request('cmp-1', { name: 'to-bring-it-back' })
    await fake.clock.advance(10_000)
    fake.remove('to-bring-it-back')
    await fake.clock.advance(60_000)
    expect(fake.lock('cmp-1').state).toBe('active')
    await stop()
  })

  test('docs/decisions/0025: the cluster lock too records for later processes for which requests it was released', async () => {
    const fake = twoComputes()
    const { maintenanceApi } = fake.world
    let hidden = ''
    const world: ControllerWorld = {
      ...fake.world,
      maintenanceApi: {
        ...maintenanceApi,
        uidOf: (object, signal) =>
          object.name === hidden ? Promise.resolve(ok('uid-hidden')) : maintenanceApi.uidOf(object, signal),
      },
    }
    const stopped = fake.start(undefined, world)
    await fake.clock.advance(5_000)
    fake.clusterRequest('first')
    await fake.clock.advance(10_000)
    expect(fake.objects.clusterLocks[0]?.state).toBe('inactive')
    fake.clusterRequest('second')
    fake.remove('first')
    await fake.clock.advance(10_000)
    await stopped()
    hidden = 'second'
    fake.objects = { ...fake.objects, clusterRequests: [] }
    const stop = fake.start(undefined, world)
    await fake.clock.advance(60_000)
    expect(fake.objects.clusterLocks[0]?.state).toBe('inactive')
    hidden = ''
    await fake.clock.advance(60_000)
    expect(fake.objects.clusterLocks[0]?.state, 'once it is proved gone').toBe('active')
    await stop()
  })

  test('docs/domain.md A.1: scope drain moves no instance', async () => {
    const fake = twoComputes({ instances: [fakeInstance('a', 'cmp-1')] })
    await running(fake, async () => {
      fake.request('cmp-1', { scope: 'drain' })
      await fake.clock.advance(30_000)
      expect(fake.lock('cmp-1').state).toBe('inactive')
      expect(fake.cloud.asked).toEqual(['disable service-cmp-1'])
    })
  })

  test('docs/domain.md A.1: a lock that a drain released is taken back when a reboot is requested, until the node is empty', async () => {
    const fake = twoComputes({ instances: [fakeInstance('a', 'cmp-1', { tags: [`${TAG}notify`] })] })
    await running(fake, async () => {
      fake.request('cmp-1', { scope: 'drain' })
      await fake.clock.advance(10_000)
      expect(fake.lock('cmp-1').state).toBe('inactive')
      fake.request('cmp-1', { name: 'nmr-os' })
      await fake.clock.advance(10_000)
      expect(fake.lock('cmp-1')).toMatchObject({ state: 'active', innerState: 'active' })
      fake.cloud.instances = []
      await fake.clock.advance(10_000)
      expect(fake.lock('cmp-1').state).toBe('inactive')
    })
  })

  test('docs/domain.md A.2 rule 4: a request of another release is not handled, and said so; without it the lock is quiet again', async () => {
    const fake = twoComputes({}, { release: 'mosk-2' })
    await running(fake, async () => {
      fake.request('cmp-1', { release: 'mosk-1' })
      await fake.clock.advance(10_000)
      expect(fake.lock('cmp-1')).toMatchObject({ state: 'active', innerState: null })
      expect(fake.lock('cmp-1').errorMessage).toMatch(/release does not match ours.*Skipping handling\./)
      expect(fake.cloud.asked).toEqual([])
      fake.remove('nmr-cmp-1')
      await fake.clock.advance(10_000)
      expect(fake.lock('cmp-1').errorMessage).toBe('')
      fake.request('cmp-1', { release: 'mosk-2' })
      await fake.clock.advance(10_000)
      expect(fake.lock('cmp-1').state).toBe('inactive')
    })
  })

  test('docs/domain.md A.2 rule 2: a request for a node without a role is left alone', async () => {
    const fake = twoComputes()
    fake.cloud.nodes = [...fake.cloud.nodes, fakeNode('plain')]
    await running(fake, async () => {
      fake.request('plain')
      fake.request('nowhere')
      await fake.clock.advance(10_000)
      expect(fake.objects.nodeRequests.map(request => request.finalizers)).toEqual([[], []])
    })
  })

  test.each([
    ['live', null, 'inactive', true],
    ['manual', null, 'active', false],
    ['skip', null, 'inactive', false],
    ['live', 'notify', 'active', false],
    ['live', 'poweroff', 'inactive', false],
    ['manual', 'live_migrate', 'inactive', true],
    ['manual', 'poweroff', 'inactive', false],
    ['skip', 'live_migrate', 'inactive', true],
    ['skip', 'notify', 'active', false],
  ] as const)('docs/domain.md A.5, A.6: host mode %s, tag %s: lock %s, moved %s', async (mode, tag, state, moves) => {
    const fake = twoComputes({
      instances: [fakeInstance('a', 'cmp-1', { tags: tag === null ? [] : [`${TAG}${tag}`] })],
    })
    setNode(fake, 'cmp-1', { annotations: { [HOST_MODE_ANNOTATION]: mode } })
    await running(fake, async () => {
      fake.request('cmp-1')
      await fake.clock.advance(60_000)
      expect(fake.lock('cmp-1').state).toBe(state)
      expect(fake.cloud.asked.includes('live-migrate a')).toBe(moves)
      if (state === 'active')
        expect(fake.lock('cmp-1').errorMessage).toMatch(/Some servers are still present on the host\. .*\["a"\]/)
    })
  })

  test('a lock names instances by name and id wherever it speaks of one, and whose those are that wait for their owners', async () => {
    const pair = ['a', 'b'].map(id => fakeInstance(id, 'cmp-1', { name: 'web', projectId: 'p1' }))
    const fake = twoComputes({ instances: pair, behaviour: () => 'fail' })
    await running(fake, async () => {
      fake.request('cmp-1')
      const said = new Set<string>()
      for (let second = 0; second < 300; second += 1) {
        await fake.clock.advance(1_000)
        said.add(parseLockMessage(fake.lock('cmp-1').errorMessage).text)
      }
      const all = [...said].join('\n')
      expect(all).not.toMatch(/(migration for|migrate server) [ab]\b/)
      expect(all).toMatch(/Starting migration for web \([ab]\)/)
      expect([...said].at(-1)).toMatch(
        /They are web \(a\) of project p1, web \(b\) of project p1\..*server web \(a\): /,
      )
    })
  })

  test('docs/domain.md A.5: attempts used up make it wait as in manual mode, and a changed tag has it tried again', async () => {
    const fake = twoComputes({ instances: [fakeInstance('a', 'cmp-1')], behaviour: () => 'fail' })
    await running(fake, async () => {
      fake.request('cmp-1')
      await fake.clock.advance(300_000)
      expect(fake.cloud.asked.filter(asked => asked === 'live-migrate a')).toHaveLength(3)
      expect(fake.lock('cmp-1').errorMessage).toMatch(/Notify owners of the following server: \["a"\]/)
      fake.cloud.behaviour = () => 'move'
      fake.cloud.instances = fake.cloud.instances.map(each => ({ ...each, tags: [`${TAG}live_migrate`] }))
      await fake.clock.advance(60_000)
      expect(fake.lock('cmp-1').state).toBe('inactive')
    })
  })

  test.each([
    [
      'an instance that Nova resizes',
      { taskState: 'resize_prep' },
      'progress',
      /^Waiting servers migration is completed.* busy with it/,
    ],
    [
      'an instance in ERROR that runs',
      { vmState: 'error', status: 'ERROR' },
      'blocked',
      /an operator has to act\. .*ERROR/,
    ],
  ] as const)(
    'docs/domain.md A.6: %s alone asks no owner: no list is sent with nothing in it',
    async (_what, state, kind, says) => {
      const fake = twoComputes({ instances: [fakeInstance('a', 'cmp-1', state)] })
      setNode(fake, 'cmp-1', { annotations: { [HOST_MODE_ANNOTATION]: 'manual' } })
      await running(fake, async () => {
        fake.request('cmp-1')
        const said = new Set<string>()
        for (let second = 0; second < 90; second += 1) {
          await fake.clock.advance(1_000)
          said.add(parseLockMessage(fake.lock('cmp-1').errorMessage).text)
        }
        expect([...said].filter(text => text.includes('[]'))).toEqual([])
        const last = parseLockMessage(fake.lock('cmp-1').errorMessage)
        expect(last).toMatchObject({ kind, text: expect.stringMatching(says) })
      })
    },
  )

  test('docs/domain.md A.2: a service that somebody else disabled keeps its reason, there and back', async () => {
    const fake = twoComputes({ services: [fakeService('cmp-1', { status: 'disabled', disabledReason: 'broken fan' })] })
    await running(fake, async () => {
      fake.request('cmp-1')
      await fake.clock.advance(10_000)
      expect(fake.lock('cmp-1').state).toBe('inactive')
      fake.remove('nmr-cmp-1')
      await fake.clock.advance(10_000)
      expect(fake.lock('cmp-1').state).toBe('active')
      expect(fake.cloud.services[0]).toMatchObject({ status: 'disabled', disabledReason: 'broken fan' })
      expect(fake.cloud.asked).toEqual([])
    })
  })

  test('docs/domain.md A.2: cinder-volume of the host is disabled and enabled likewise, others are not', async () => {
    const fake = twoComputes()
    const volume = { zone: null, status: 'enabled', state: 'up', disabledReason: null } as const
    fake.volumes = [
      { host: 'cmp-1@lvm', ...volume },
      { host: 'cmp-10@lvm', ...volume },
    ]
    await running(fake, async () => {
      fake.request('cmp-1')
      await fake.clock.advance(10_000)
      expect(fake.volumes.map(each => each.disabledReason)).toEqual([ROCKOON_DISABLED_REASON, null])
      fake.remove('nmr-cmp-1')
      await fake.clock.advance(10_000)
      expect(fake.volumes.map(each => each.status)).toEqual(['enabled', 'enabled'])
    })
  })

  test.each<[what: string, hosts: string[], taken: string[]]>([
    ['one under the FQDN', ['cmp-1.cloud.example.org@lvm', 'cmp-2@lvm'], ['cmp-1.cloud.example.org@lvm']],
    ['one of each backend', ['cmp-1@lvm', 'cmp-1@ssd'], ['cmp-1@lvm', 'cmp-1@ssd']],
    ['both names of a renamed host', ['cmp-1@lvm', 'cmp-1.cloud@lvm'], ['cmp-1@lvm', 'cmp-1.cloud@lvm']],
    ['none', ['cmp-10@lvm'], []],
  ])('every cinder-volume record of the node is taken out and brought back: %s', async (_, hosts, taken) => {
    const fake = twoComputes()
    fake.volumes = hosts.map(host => ({ host, zone: null, status: 'enabled', state: 'up', disabledReason: null }))
    await running(fake, async () => {
      fake.request('cmp-1')
      await fake.clock.advance(10_000)
      expect(fake.volumes.filter(({ status }) => status === 'disabled').map(({ host }) => host)).toEqual(taken)
      fake.remove('nmr-cmp-1')
      await fake.clock.advance(10_000)
      expect(fake.volumes.map(({ status }) => status)).toEqual(hosts.map(() => 'enabled'))
    })
  })

  test.each<[what: string, own: 'up' | 'down', other: 'up' | 'down', state: string, disabled: string[]]>([
    ['a dead leftover beside the live record: the live one is taken out', 'down', 'up', 'inactive', ['cmp-1.cloud']],
    ['a dead leftover under the other name', 'up', 'down', 'inactive', ['cmp-1']],
    ['two live: the lock stays, and says so', 'up', 'up', 'active', []],
  ])('several records of a node in Nova: %s', async (_, own, other, state, disabled) => {
    const services = [fakeService('cmp-1', { state: own }), fakeService('cmp-1.cloud', { state: other })]
    const fake = twoComputes({ services: [...services, fakeService('cmp-2')] })
    await running(fake, async () => {
      fake.request('cmp-1')
      await fake.clock.advance(10_000)
      expect(fake.lock('cmp-1').state).toBe(state)
      expect(fake.cloud.services.filter(({ status }) => status === 'disabled').map(({ host }) => host)).toEqual(
        disabled,
      )
      if (state === 'active') expect(fake.lock('cmp-1').errorMessage).toContain('several records of cmp-1')
    })
  })

  test('docs/domain.md A.2: a node whose quorum service has another replica unready is hard locked', async () => {
    const set = { apiVersion: 'apps/v1', kind: 'StatefulSet', name: 'mariadb-server', uid: 'set' } as const
    const pods = [0, 1, 2].map(index =>
      decision(
        fakePod(`mariadb-server-${index}`, {
          nodeName: index === 0 ? 'ctl-1' : 'elsewhere',
          controller: set,
          ready: index !== 2,
        }),
      ),
    )
    const fake = twoComputes({
      decisions: pods,
      workloads: [{ ...set, namespace: 'openstack', controller: null, replicas: 3, readyReplicas: 2 }],
    })
    await running(fake, async () => {
      fake.request('ctl-1')
      await fake.clock.advance(10_000)
      expect(fake.lock('ctl-1').state).toBe('active')
      expect(fake.lock('ctl-1').errorMessage).toMatch(/Some services blocks nmr handling .*database/)
      fake.cloud.decisions = pods.map(({ pod }) => decision({ ...pod, ready: true }))
      await fake.clock.advance(10_000)
      expect(fake.lock('ctl-1').state).toBe('inactive')
    })
  })
})

describe('limits', () => {
  test('docs/domain.md A.4: one controller in maintenance blocks every compute, whatever its role', async () => {
    const fake = twoComputes()
    await running(fake, async () => {
      fake.request('ctl-1')
      await fake.clock.advance(5_000)
      fake.request('cmp-1')
      await fake.clock.advance(30_000)
      expect([fake.lock('ctl-1').state, fake.lock('cmp-1').state]).toEqual(['inactive', 'active'])
      expect(fake.lock('cmp-1').errorMessage).toMatch(
        /^\S+ Number of inactive NodeWorkloadLocks exceeds allowed concurrency\. Deferring processing for node cmp-1/,
      )
      expect(fake.lock('cmp-1').innerState).toBeNull()
      fake.remove('nmr-ctl-1')
      await fake.clock.advance(10_000)
      expect([fake.lock('ctl-1').state, fake.lock('cmp-1').state]).toEqual(['active', 'inactive'])
    })
  })

  test('docs/domain.md A.4: with limits by own role a controller in maintenance leaves computes alone', async () => {
    const fake = twoComputes({}, { roleLimits: 'own' })
    await running(fake, async () => {
      fake.request('ctl-1')
      fake.request('cmp-1')
      await fake.clock.advance(10_000)
      expect([fake.lock('ctl-1').state, fake.lock('cmp-1').state]).toEqual(['inactive', 'inactive'])
    })
  })

  test.each([
    ['its label', (fake: FakeMaintenance) => setNode(fake, 'cmp-1', { labels: {} })],
    [
      'its node',
      (fake: FakeMaintenance) => {
        fake.cloud.nodes = fake.cloud.nodes.filter(({ name }) => name !== 'cmp-1')
        fake.changed()
      },
    ],
  ])(
    'seed 000: one lock inactive at a time is counted by locks: taking away %s makes room for no second',
    async (_what, takeAway) => {
      const fake = twoComputes({}, { respectZone: false })
      await running(fake, async () => {
        fake.request('cmp-1')
        await fake.clock.advance(10_000)
        expect(fake.lock('cmp-1').state).toBe('inactive')
        fake.objects = {
          ...fake.objects,
          disableNotifications: [disabledOnPurpose('cmp-1')],
        }
        takeAway(fake)
        fake.request('cmp-2')
        await fake.clock.advance(30_000)
        expect([fake.lock('cmp-1').state, fake.lock('cmp-2').state]).toEqual(['inactive', 'active'])
        expect(fake.lock('cmp-2').errorMessage).toMatch(/exceeds allowed concurrency.*cmp-1/)
      })
    },
  )

  test('docs/domain.md A.4: a compute of another availability zone waits until the first zone is done', async () => {
    const fake = twoComputes({}, { computeMax: 2 })
    await running(fake, async () => {
      fake.request('cmp-1')
      await fake.clock.advance(5_000)
      fake.request('cmp-2')
      await fake.clock.advance(10_000)
      expect([fake.lock('cmp-1').state, fake.lock('cmp-2').state]).toEqual(['inactive', 'active'])
      fake.remove('nmr-cmp-1')
      await fake.clock.advance(10_000)
      expect([fake.lock('cmp-1').state, fake.lock('cmp-2').state]).toEqual(['active', 'inactive'])
    })
  })

  test('docs/domain.md A.2: a started node counts after a restart, also before its lock is inactive', async () => {
    const fake = twoComputes(
      { instances: [fakeInstance('a', 'cmp-1', { tags: [`${TAG}notify`] })] },
      { computeMax: 1, respectZone: false },
    )
    const stop = fake.start()
    await fake.clock.advance(5_000)
    fake.request('cmp-1')
    await fake.clock.advance(5_000)
    await stop()
    fake.request('cmp-2')
    await running(fake, async () => {
      await fake.clock.advance(10_000)
      expect(fake.lock('cmp-1')).toMatchObject({ state: 'active', innerState: 'active' })
      expect(fake.lock('cmp-2').errorMessage).toMatch(/exceeds allowed concurrency/)
    })
  })
})

describe('the way back', () => {
  test('docs/domain.md A.3: the request is held until the node is Ready, its pods are ready, agents alive and nova-compute up', async () => {
    const fake = twoComputes()
    await running(fake, async () => {
      fake.request('cmp-1')
      await fake.clock.advance(10_000)
      setNode(fake, 'cmp-1', { readiness: 'not-ready' })
      fake.cloud.decisions = [decision(fakePod('ovs', { nodeName: 'cmp-1', ready: false }))]
      fake.cloud.services = fake.cloud.services.map(each => ({ ...each, state: each.host === 'cmp-1' ? 'down' : 'up' }))
      const agent = { id: 'a', type: 'L2', binary: 'ovs-agent', host: 'cmp-1', adminStateUp: true, heartbeatAt: null }
      fake.cloud.agents = [{ ...agent, alive: false }]
      fake.remove('nmr-cmp-1')
      const says = async () => {
        await fake.clock.advance(10_000)
        expect(fake.objects.nodeRequests).toHaveLength(1)
        expect(fake.lock('cmp-1').state).toBe('inactive')
        return fake.lock('cmp-1').errorMessage
      }
      expect(await says()).toMatch(/Ready/)
      setNode(fake, 'cmp-1', { readiness: 'ready' })
      expect(await says()).toMatch(/pods.*ovs/)
      fake.cloud.decisions = [decision(fakePod('ovs', { nodeName: 'cmp-1' }))]
      expect(await says()).toMatch(/agents.*ovs-agent/)
      fake.cloud.agents = [{ ...agent, alive: true }]
      expect(await says()).toMatch(/nova-compute/)
      fake.cloud.services = fake.cloud.services.map(each => ({ ...each, state: 'up' }))
      await fake.clock.advance(10_000)
      expect(fake.lock('cmp-1')).toMatchObject({ state: 'active', innerState: 'inactive', errorMessage: '' })
      expect(fake.cloud.services[0]).toMatchObject({ status: 'enabled', disabledReason: null })
      expect(fake.objects.nodeRequests).toEqual([])
    })
  })

  test('seed 000: an agent that was alive when the node went is missed when Neutron no longer lists it; one that never was is not', async () => {
    const agent = { id: 'a', type: 'L2', binary: 'ovs-agent', host: 'cmp-1', adminStateUp: true, heartbeatAt: null }
    const dead = { ...agent, id: 'b', binary: 'dhcp-agent', alive: false }
    const fake = twoComputes({ agents: [{ ...agent, alive: true }, dead] })
    await running(fake, async () => {
      fake.request('cmp-1')
      await fake.clock.advance(10_000)
      expect(fake.lock('cmp-1').state).toBe('inactive')
      for (const listed of [[], [{ ...agent, host: 'cmp-2', alive: true }]]) {
        fake.cloud.agents = listed
        if (listed.length === 0) fake.remove('nmr-cmp-1')
        await fake.clock.advance(30_000)
        expect(fake.lock('cmp-1')).toMatchObject({
          state: 'inactive',
          errorMessage: expect.stringContaining('Neutron lists no ovs-agent on cmp-1'),
        })
      }
      fake.cloud.agents = [{ ...agent, id: 'another', alive: true }]
      await fake.clock.advance(30_000)
      expect(fake.lock('cmp-1')).toMatchObject({ state: 'active', errorMessage: '' })
      expect(fake.lock('cmp-1').annotations).not.toHaveProperty('lockkeeper.dev/network-agents')
      // Without any agent there is none to miss, and the record of an earlier maintenance is gone.
      fake.cloud.agents = []
      fake.request('cmp-1')
      await fake.clock.advance(10_000)
      expect(fake.lock('cmp-1').state).toBe('inactive')
      fake.remove('nmr-cmp-1')
      await fake.clock.advance(30_000)
      expect(fake.lock('cmp-1').state).toBe('active')
    })
  })

  test('an agent that reports beside a dead leftover of its kind is back, under whichever name of the node', async () => {
    const agent = { id: 'a', type: 'L2', binary: 'ovs-agent', host: 'cmp-1', adminStateUp: true, heartbeatAt: null }
    const fake = twoComputes({ agents: [{ ...agent, alive: true }] })
    await running(fake, async () => {
      fake.request('cmp-1')
      await fake.clock.advance(10_000)
      fake.cloud.agents = [{ ...agent, alive: false }]
      fake.remove('nmr-cmp-1')
      await fake.clock.advance(30_000)
      expect(fake.lock('cmp-1').state).toBe('inactive')
      fake.cloud.agents = [
        { ...agent, alive: false },
        { ...agent, id: 'b', host: 'cmp-1.cloud', alive: true },
      ]
      await fake.clock.advance(30_000)
      expect(fake.lock('cmp-1').state).toBe('active')
    })
  })

  test('docs/decisions/0025: no lock goes active on a list of compute services without that of the node', async () => {
    const fake = twoComputes()
    await running(fake, async () => {
      fake.request('cmp-1')
      await fake.clock.advance(30_000)
      expect(fake.lock('cmp-1').state).toBe('inactive')
      const { services } = fake.cloud
      for (const [at, lie] of [[], services.filter(({ host }) => host !== 'cmp-1')].entries()) {
        fake.cloud.services = lie
        if (at === 0) fake.remove('nmr-cmp-1')
        await fake.clock.advance(30_000)
        expect(fake.lock('cmp-1')).toMatchObject({
          state: 'inactive',
          errorMessage: expect.stringContaining('nova-compute'),
        })
      }
      fake.cloud.services = services
      await fake.clock.advance(30_000)
      expect(fake.lock('cmp-1').state).toBe('active')
      expect(fake.cloud.services[0]).toMatchObject({ status: 'enabled', disabledReason: null })
    })
  })

  test('a live migration without progress is reported on the lock: nobody is asked, and no command of a run is named', async () => {
    const fake = twoComputes({ instances: [fakeInstance('a', 'cmp-1')], looksToEnd: 1_000_000 })
    await running(fake, async () => {
      fake.request('cmp-1')
      await fake.clock.advance(930_000)
      expect(fake.lock('cmp-1').errorMessage).toMatch(
        /2026-01-01T00:15:\S+Z Waiting servers migration is completed: \["vm-a \(a\)"\]\. vm-a \(a\): Nova has not reported on its migration for 15 min/,
      )
      expect(fake.lock('cmp-1').errorMessage).not.toContain('run decide')
    })
  })

  test('docs/domain.md A.3: a request deleted while it is answered cancels the evacuation; nothing more starts, and the node comes back', async () => {
    const instances = ['a', 'b', 'c', 'd'].map(id => fakeInstance(id, 'cmp-1'))
    const fake = twoComputes({ instances, looksToEnd: 20 })
    await running(fake, async () => {
      fake.request('cmp-1')
      await fake.clock.advance(2_000)
      expect(fake.cloud.asked).toContain('live-migrate a')
      fake.remove('nmr-cmp-1')
      await fake.clock.advance(60_000)
      expect(fake.cloud.asked.filter(asked => asked.startsWith('live-migrate'))).toEqual(['live-migrate a'])
      expect(fake.lock('cmp-1')).toMatchObject({ state: 'active', innerState: 'inactive' })
      expect(fake.cloud.services[0]?.status).toBe('enabled')
      expect(fake.objects.nodeRequests).toEqual([])
    })
  })

  test('docs/domain.md A.3: a request that went while nobody looked is made up for', async () => {
    const fake = twoComputes()
    const stop = fake.start()
    await fake.clock.advance(5_000)
    fake.request('cmp-1')
    await fake.clock.advance(10_000)
    await stop()
    fake.objects = { ...fake.objects, nodeRequests: [] }
    await running(fake, async () => {
      expect(fake.lock('cmp-1').state).toBe('active')
      expect(fake.cloud.services[0]?.status).toBe('enabled')
    })
  })
})

describe('the cluster', () => {
  test('docs/domain.md A.3: its lock goes inactive once every component is healthy, and active again when the request goes', async () => {
    const fake = twoComputes()
    const health = (status: string, state = 'APPLIED', release: string | null = null) => ({
      name: 'osh-dev',
      state,
      release,
      services: ['compute', 'tempest'],
      components: [{ name: 'nova/compute', status }],
    })
    const state = () => fake.objects.clusterLocks[0]
    fake.deployment = health('Ready', 'APPLYING')
    await running(fake, async () => {
      fake.clusterRequest('cmr')
      await fake.clock.advance(5_000)
      expect(state()).toMatchObject({ state: 'active', errorMessage: expect.stringMatching(/osdpl status APPLIED/) })
      fake.deployment = { ...health('Ready'), components: [] }
      await fake.clock.advance(5_000)
      expect(state()).toMatchObject({ state: 'active', errorMessage: expect.stringMatching(/no component yet/) })
      fake.deployment = { ...health('Ready'), services: ['compute', 'identity'] }
      await fake.clock.advance(5_000)
      expect(state()).toMatchObject({ state: 'active', errorMessage: expect.stringMatching(/identity not shown yet/) })
      fake.deployment = health('Progressing')
      await fake.clock.advance(5_000)
      expect(state()).toMatchObject({ state: 'active', errorMessage: expect.stringMatching(/healthy: nova\/compute/) })
      fake.world.cluster.maintenanceApi.release = 'mosk-17-5'
      fake.deployment = health('Ready', 'APPLIED', 'mosk-17-4')
      await fake.clock.advance(5_000)
      expect(state()).toMatchObject({ state: 'active', errorMessage: expect.stringMatching(/release mosk-17-5.*17-4/) })
      fake.deployment = health('Ready', 'APPLIED', 'mosk-17-5')
      await fake.clock.advance(5_000)
      expect(state()).toMatchObject({ state: 'inactive', errorMessage: '' })
      fake.remove('cmr')
      await fake.clock.advance(5_000)
      expect(state()?.state).toBe('active')
      expect(fake.objects.clusterRequests).toEqual([])
    })
  })

  test('docs/domain.md A.9: a node to be deleted is released only once it is empty', async () => {
    const fake = twoComputes({
      instances: [fakeInstance('a', 'cmp-1', { status: 'SHUTOFF', vmState: 'stopped', powerState: 4 })],
    })
    await running(fake, async () => {
      const {
        scope: _scope,
        release: _release,
        ...request
      } = {
        ...must(fake),
      }
      fake.objects = { ...fake.objects, deletionRequests: [request], nodeRequests: [] }
      fake.changed()
      await fake.clock.advance(10_000)
      expect(fake.lock('cmp-1')).toMatchObject({ state: 'active', errorMessage: expect.stringMatching(/Some servers/) })
      fake.cloud.instances = []
      await fake.clock.advance(10_000)
      expect(fake.lock('cmp-1').state).toBe('inactive')
    })
  })
})

function must(fake: FakeMaintenance) {
  fake.request('cmp-1', { name: 'ndr' })
  const request = fake.objects.nodeRequests[0]
  if (request === undefined) throw new Error('a request was just made')
  return request
}

describe('after an API server restarted, its watches come back one by one (docs/domain.md A.3)', () => {
  test('while one is behind nothing is decided by what the others tell, and what is under way is still said', async () => {
    const fake = twoComputes()
    await running(fake, async () => {
      fake.request('cmp-1')
      await fake.clock.advance(10_000)
      expect(fake.lock('cmp-1').state).toBe('inactive')
      const { nodeRequests } = fake.objects
      const before = fake.writes.length
      for (const part of ['objects', 'nodes'] as const) {
        fake.stands(part, false)
        // Requests have not arrived yet: the node's seem to be gone.
        fake.objects = { ...fake.objects, nodeRequests: [] }
        fake.changed()
        await fake.clock.advance(12_000)
        expect(fake.lock('cmp-1').state).toBe('inactive')
        fake.objects = { ...fake.objects, nodeRequests }
        fake.changed()
        await fake.clock.advance(100)
        fake.stands(part, true)
        await fake.clock.advance(5_000)
      }
      expect(fake.lock('cmp-1').state).toBe('inactive')
      expect(fake.writes.slice(before)).toEqual([])
    })
  })

  test('what changed meanwhile is done when all are back', async () => {
    const fake = twoComputes()
    await running(fake, async () => {
      fake.stands('nodes', false)
      fake.request('cmp-1')
      await fake.clock.advance(12_000)
      expect(fake.lock('cmp-1').state).toBe('active')
      fake.stands('nodes', true)
      await fake.clock.advance(10_000)
      expect(fake.lock('cmp-1').state).toBe('inactive')
    })
  })

  describe.each(['objects', 'nodes'] as const)('while the watch of %s is behind', part => {
    /** A node of many instances that fail to move, so that retries count; with the first of them asked for. */
    async function emptying(scenario: (fake: FakeMaintenance, begun: () => number) => Promise<void>) {
      const instances = Array.from({ length: 12 }, (_, index) => fakeInstance(`vm${index}`, 'cmp-1'))
      const fake = twoComputes({ instances, behaviour: () => 'fail' })
      const begun = () => fake.cloud.asked.filter(asked => asked.startsWith('live-migrate')).length
      await running(fake, async () => {
        fake.request('cmp-1')
        await fake.clock.advance(1_000)
        expect(begun()).toBeGreaterThan(0)
        await scenario(fake, begun)
      })
    }

    test.each<[string, (fake: FakeMaintenance) => void]>([
      ['the mode of its host', fake => setNode(fake, 'cmp-1', { annotations: { [HOST_MODE_ANNOTATION]: 'manual' } })],
      ['the request', fake => fake.remove('nmr-cmp-1')],
    ])('no move starts, and %s that was changed meanwhile counts at once when it is back', async (_, change) => {
      await emptying(async (fake, begun) => {
        const before = begun()
        fake.stands(part, false)
        change(fake)
        await fake.clock.advance(120_000)
        expect(begun()).toBe(before)
        fake.stands(part, true)
        await fake.clock.advance(120_000)
        expect(begun()).toBe(before)
      })
    })

    test('no move starts, and if nothing changed it continues where it was: attempts made still count', async () => {
      await emptying(async (fake, begun) => {
        const before = begun()
        fake.stands(part, false)
        await fake.clock.advance(120_000)
        expect(begun()).toBe(before)
        fake.stands(part, true)
        await fake.clock.advance(600_000)
        expect(begun()).toBe(12 * 3)
      })
    })

    test('nova-compute is not enabled on a node that is coming back and requested again', async () => {
      const fake = twoComputes()
      await running(fake, async () => {
        fake.request('cmp-1')
        await fake.clock.advance(10_000)
        setNode(fake, 'cmp-1', { readiness: 'not-ready' })
        fake.remove('nmr-cmp-1')
        await fake.clock.advance(10_000)
        const asked = [...fake.cloud.asked]
        fake.stands(part, false)
        fake.request('cmp-1', { name: 'anew' })
        await fake.clock.advance(2_000)
        setNode(fake, 'cmp-1', { readiness: 'ready' })
        await fake.clock.advance(60_000)
        expect(fake.cloud.asked).toEqual(asked)
        expect(fake.lock('cmp-1').state).toBe('inactive')
        fake.stands(part, true)
        await fake.clock.advance(20_000)
        expect(fake.objects.nodeRequests.map(({ name }) => name)).toEqual(['anew'])
        expect(fake.lock('cmp-1').state).toBe('inactive')
        expect(fake.cloud.services[0]?.status).toBe('disabled')
      })
    })

    test.each(['there', 'back'] as const)(
      'nova-compute stays as it is where the watch fell behind while Nova was asked (%s)',
      async way => {
        const fake = twoComputes()
        const { openstack } = fake.world
        let slow = false
        const stop = fake.start(undefined, {
          ...fake.world,
          openstack: openstack && {
            ...openstack,
            computeServices: async signal => {
              if (slow) await fake.clock.sleep(3_000)
              return openstack.computeServices(signal)
            },
          },
        })
        await fake.clock.advance(5_000)
        if (way === 'back') {
          fake.request('cmp-1')
          await fake.clock.advance(10_000)
        }
        const asked = [...fake.cloud.asked]
        slow = true
        if (way === 'back') fake.remove('nmr-cmp-1')
        else fake.request('cmp-1')
        await fake.clock.advance(1_500)
        fake.stands(part, false)
        await fake.clock.advance(30_000)
        expect(fake.cloud.asked).toEqual(asked)
        fake.stands(part, true)
        await fake.clock.advance(30_000)
        expect(fake.lock('cmp-1').state).toBe(way === 'back' ? 'active' : 'inactive')
        await stop()
      },
    )
  })

  test('a node that is being brought back is released only by a picture that is whole', async () => {
    const fake = twoComputes()
    await running(fake, async () => {
      fake.request('cmp-1')
      await fake.clock.advance(10_000)
      fake.cloud.services = fake.cloud.services.map(each => ({ ...each, state: each.host === 'cmp-1' ? 'down' : 'up' }))
      fake.remove('nmr-cmp-1')
      await fake.clock.advance(10_000)
      expect(fake.busyWith.join()).toContain('nova-compute')
      fake.stands('objects', false)
      fake.cloud.services = fake.cloud.services.map(each => ({ ...each, state: 'up' }))
      await fake.clock.advance(12_000)
      expect(fake.lock('cmp-1').state).toBe('inactive')
      expect(fake.busyWith.join()).toContain('cmp-1')
      fake.stands('objects', true)
      await fake.clock.advance(10_000)
      expect(fake.lock('cmp-1').state).toBe('active')
    })
  })
})

test.each([
  ['cmp-1', 'os'],
  ['cmp-1', 'drain'],
  ['ctl-1', 'drain'],
] as const)(
  'docs/decisions/0025: without a cloud to ask, the lock of %s (scope %s) does not go inactive: nobody knows what would go down with it',
  async (node, scope) => {
    const fake = twoComputes()
    const stop = fake.start(undefined, { ...fake.world, openstack: null })
    await fake.clock.advance(5_000)
    fake.request(node, { scope })
    await fake.clock.advance(60_000)
    const message = `This console has no OpenStack credentials of test, so it cannot tell what runs on ${node}`
    expect(fake.lock(node)).toMatchObject({ state: 'active', errorMessage: expect.stringContaining(message) })
    fake.remove(`nmr-${node}`)
    await fake.clock.advance(20_000)
    expect(fake.objects.nodeRequests).toEqual([])
    await stop()
  },
)
