import { describe, expect, test } from 'vitest'
import { stacklightController } from '../../../../main/lcm/controllers/stacklight.ts'
import { announcedApplications, REQUEST_APPLICATIONS_ANNOTATION } from '../../../../shared/domain/application-update.ts'
import type { GuardingBudget, Pod, Workload } from '../../../../shared/domain/kubernetes.ts'
import { ok } from '../../../../shared/domain/result.ts'
import { fakeMaintenance } from '../../../fixtures/procedures/fake-controllers.ts'
import { fakeWorkload } from '../../../fixtures/procedures/fake-records.ts'
import { decision, fakeNode, fakePod } from '../../../fixtures/procedures/fake-world.ts'

const GIVEN = { stacklight: 'enabled' }

function owned(kind: 'StatefulSet' | 'DaemonSet', set: string, name: string, nodeName: string | null): Pod {
  return fakePod(name, {
    namespace: 'stacklight',
    nodeName,
    controller: { apiVersion: 'apps/v1', kind, name: set, uid: `uid-${set}` },
  })
}

function setOf(name: string, replicas: number): Workload {
  return fakeWorkload(name, { namespace: 'stacklight', replicas, readyReplicas: replicas })
}

function stacklight() {
  const fake = fakeMaintenance({
    nodes: [
      fakeNode('gtw-1', { labels: GIVEN }),
      fakeNode('gtw-2', { labels: GIVEN }),
      fakeNode('cmp-1'),
      fakeNode('osd-1'),
    ],
  })
  const state = {
    pods: [
      owned('StatefulSet', 'prometheus', 'prometheus-0', 'gtw-1'),
      owned('StatefulSet', 'prometheus', 'prometheus-1', 'gtw-2'),
      owned('StatefulSet', 'single', 'single-0', 'osd-1'),
      ...['gtw-1', 'gtw-2', 'cmp-1', 'osd-1'].map(node => owned('DaemonSet', 'fluentd', `fluentd-${node}`, node)),
    ],
    allowed: 1,
  }
  fake.cloud.workloads = [setOf('prometheus', 2), setOf('single', 1)]
  const setReady = (name: string, ready: boolean) => {
    state.pods = state.pods.map(pod => (pod.name === name ? { ...pod, ready } : pod))
  }
  const { planDrain } = fake.world.kubernetes
  Object.assign(fake.world, {
    kubernetes: {
      ...fake.world.kubernetes,
      listPods: async (namespace: string | null) => ok(namespace === 'stacklight' ? state.pods : []),
      planDrain: async (...args: Parameters<typeof planDrain>) => {
        const plan = await planDrain(...args)
        const numbers = { disruptionsAllowed: state.allowed, currentHealthy: 2, desiredHealthy: 1 }
        const budget: GuardingBudget = {
          ...numbers,
          name: 'prometheus',
          status: state.allowed > 0 ? 'allows' : 'refuses',
        }
        const shut: GuardingBudget = { ...budget, name: 'fluentd', status: 'refuses' }
        const decisions = state.pods
          .filter(pod => pod.nodeName === args[0])
          .map(pod =>
            pod.controller?.kind === 'DaemonSet'
              ? decision(pod, { fate: 'keep', budgets: [shut] })
              : decision(pod, { budgets: [budget] }),
          )
        return plan.ok ? ok({ ...plan.value, decisions }) : plan
      },
    },
  })
  return {
    fake,
    state,
    setReady,
    start: async () => {
      const stop = fake.start([stacklightController(fake.world, fake.clock)])
      await fake.clock.advance(5_000)
      return stop
    },
    clusterLock: () => fake.objects.clusterLocks.find(lock => lock.controller === 'stacklight'),
  }
}

describe('seed 003, other applications: the StackLight controller', () => {
  test('a node that StackLight is given or runs on has a lock; one that has only its collectors has none', async () => {
    const { fake, start } = stacklight()
    const stop = await start()
    expect(fake.objects.nodeLocks.map(lock => lock.nodeName).toSorted()).toEqual(['gtw-1', 'gtw-2', 'osd-1'])
    await stop()
  })

  test('a node is released only while each StatefulSet keeps a ready replica elsewhere', async () => {
    const { fake, start, setReady } = stacklight()
    const stop = await start()
    setReady('prometheus-1', false)
    fake.request('gtw-1')
    await fake.clock.advance(10_000)
    expect(fake.lock('gtw-1')).toMatchObject({
      state: 'active',
      errorMessage: expect.stringContaining(
        "2026-01-01T00:00:05.000Z Waiting for a ready replica on a node other than gtw-1 of StackLight's StatefulSet prometheus",
      ),
    })
    setReady('prometheus-1', true)
    await fake.clock.advance(10_000)
    expect(fake.lock('gtw-1')).toMatchObject({ state: 'inactive', errorMessage: '' })
    await stop()
  })

  test('a replica that has no pod at the moment does not count as one that stays', async () => {
    const { fake, start, state } = stacklight()
    const stop = await start()
    state.pods = state.pods.filter(({ name }) => name !== 'prometheus-1')
    fake.request('gtw-1')
    await fake.clock.advance(10_000)
    expect(fake.lock('gtw-1')).toMatchObject({
      state: 'active',
      errorMessage: expect.stringContaining(
        "2026-01-01T00:00:05.000Z Waiting for a ready replica on a node other than gtw-1 of StackLight's StatefulSet prometheus",
      ),
    })
    await stop()
  })

  test('a node is released only while the budgets let its pods go; those of collectors that stay hold nobody', async () => {
    const { fake, start, state } = stacklight()
    const stop = await start()
    state.allowed = 0
    fake.request('gtw-1')
    await fake.clock.advance(10_000)
    expect(fake.lock('gtw-1')).toMatchObject({
      state: 'active',
      errorMessage: expect.stringContaining(
        "2026-01-01T00:00:05.000Z Waiting for budget prometheus to allow the eviction of StackLight's pod prometheus-0 from gtw-1",
      ),
    })
    state.allowed = 1
    await fake.clock.advance(10_000)
    expect(fake.lock('gtw-1').state).toBe('inactive')
    await stop()
  })

  test('a StatefulSet with one replica moves with its pod and holds nobody', async () => {
    const { fake, start } = stacklight()
    const stop = await start()
    fake.request('osd-1')
    await fake.clock.advance(10_000)
    expect(fake.lock('osd-1').state).toBe('inactive')
    await stop()
  })

  test('one node at a time; it is active again when what runs there is ready and no replica is left without a node', async () => {
    const { fake, start, state } = stacklight()
    const stop = await start()
    fake.request('gtw-1')
    await fake.clock.advance(10_000)
    state.pods = state.pods.map(pod => (pod.name === 'prometheus-0' ? { ...pod, nodeName: null, ready: false } : pod))
    fake.request('gtw-2')
    await fake.clock.advance(10_000)
    expect(fake.lock('gtw-2')).toMatchObject({
      state: 'active',
      errorMessage: expect.stringContaining('gtw-1 is not back'),
    })
    fake.remove('nmr-gtw-2')
    fake.remove('nmr-gtw-1')
    await fake.clock.advance(10_000)
    expect(fake.lock('gtw-1')).toMatchObject({
      state: 'inactive',
      errorMessage: expect.stringContaining('prometheus-0 on no node'),
    })
    state.pods = state.pods.map(pod => (pod.name === 'prometheus-0' ? { ...pod, nodeName: 'gtw-1', ready: true } : pod))
    await fake.clock.advance(10_000)
    expect(fake.lock('gtw-1').state).toBe('active')
    await stop()
  })

  test('the cluster is released while every pod of StackLight is ready, and its lock is active again afterwards', async () => {
    const { fake, start, setReady, clusterLock } = stacklight()
    const stop = await start()
    fake.clusterLockOf('openstack', 'inactive')
    setReady('fluentd-cmp-1', false)
    fake.clusterRequest('update')
    await fake.clock.advance(5_000)
    expect(clusterLock()).toMatchObject({ state: 'active' })
    expect(clusterLock()?.errorMessage).toContain('fluentd-cmp-1 on cmp-1')
    setReady('fluentd-cmp-1', true)
    await fake.clock.advance(5_000)
    expect(clusterLock()?.state).toBe('inactive')
    fake.remove('update')
    await fake.clock.advance(5_000)
    expect(clusterLock()?.state).toBe('active')
    await stop()
  })

  test('seed 003: its lock is not released before those of OpenStack and Ceph', async () => {
    const { fake, start, clusterLock } = stacklight()
    const stop = await start()
    fake.clusterRequest('update')
    await fake.clock.advance(5_000)
    expect(clusterLock()).toMatchObject({ state: 'active' })
    expect(clusterLock()?.errorMessage).toContain(
      'Waiting for the ClusterWorkloadLock of openstack to be inactive: it does not exist yet',
    )
    fake.clusterLockOf('ceph', 'active')
    fake.clusterLockOf('openstack', 'active')
    await fake.clock.advance(5_000)
    expect(clusterLock()?.state).toBe('active')
    fake.clusterLockOf('openstack', 'inactive')
    await fake.clock.advance(5_000)
    expect(clusterLock()).toMatchObject({ state: 'active' })
    expect(clusterLock()?.errorMessage).toContain('ClusterWorkloadLock of ceph to be inactive')
    fake.clusterLockOf('ceph', 'inactive')
    await fake.clock.advance(5_000)
    expect(clusterLock()?.state).toBe('inactive')
    await stop()
  })

  test('seed 003, phase 5: where the request says how it is seen to be updated, it is released when it is', async () => {
    const { fake, start, clusterLock } = stacklight()
    const object = { apiVersion: 'lcm.mirantis.com/v1alpha1', kind: 'HelmBundle', namespace: 'default', name: 'b' }
    let version = '1'
    const seen = () => ({ uid: 'u', resourceVersion: '1', content: { status: { version } }, group: '', resource: '' })
    Object.assign(fake.world.kubernetes, { namedObject: async () => ok(seen()) })
    const stop = await start()
    fake.clusterLockOf('openstack', 'inactive')
    const finished = { kind: 'field' as const, object, path: 'status.version', equals: '2' }
    const said = announcedApplications([{ application: 'stacklight', finished }])
    fake.clusterRequest('update', { annotations: { [REQUEST_APPLICATIONS_ANNOTATION]: said } })
    await fake.clock.advance(10_000)
    expect(clusterLock()).toMatchObject({ state: 'active' })
    expect(clusterLock()?.errorMessage).toContain('status.version of HelmBundle default/b is "1", not "2"')
    version = '2'
    await fake.clock.advance(10_000)
    expect(clusterLock()?.state).toBe('inactive')
    await stop()
  })
})
