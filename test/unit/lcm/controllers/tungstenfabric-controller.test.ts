import { describe, expect, test } from 'vitest'
import { tungstenFabricController } from '../../../../main/lcm/controllers/tungstenfabric.ts'
import { failure } from '../../../../shared/domain/failure.ts'
import { failed, ok } from '../../../../shared/domain/result.ts'
import { fakeMaintenance } from '../../../fixtures/procedures/fake-controllers.ts'
import { COMPUTE, fakeNode, fakePod } from '../../../fixtures/procedures/fake-world.ts'

const NODES = ['cmp-1', 'cmp-2', 'cmp-3', 'cmp-4']
const VROUTER = { app: 'tf-vrouter-agent' }

function fabric() {
  const fake = fakeMaintenance({
    nodes: [...NODES, 'ctl-1'].map(name => fakeNode(name, { labels: COMPUTE })),
  })
  const unready = new Set<string>()
  let answers = true
  const listPods: typeof fake.world.kubernetes.listPods = async namespace => {
    if (!answers) return failed(failure('unreachable', 'The API server is away.'))
    return ok(
      namespace !== 'tf'
        ? []
        : [
            fakePod('tf-control-0', {
              namespace: 'tf',
              nodeName: 'ctl-1',
              labels: { app: 'tf-control' },
              ready: false,
            }),
            ...NODES.map(node =>
              fakePod(`vrouter-${node}`, {
                namespace: 'tf',
                nodeName: node,
                labels: VROUTER,
                ready: !unready.has(node),
              }),
            ),
          ],
    )
  }
  Object.assign(fake.world, { kubernetes: { ...fake.world.kubernetes, listPods } })
  return {
    fake,
    unready,
    setAnswers: (on: boolean) => {
      answers = on
    },
    start: async () => {
      const stop = fake.start([tungstenFabricController(fake.world, fake.clock)])
      await fake.clock.advance(5_000)
      return stop
    },
    clusterLock: () => fake.objects.clusterLocks.find(lock => lock.controller === 'tungstenfabric'),
  }
}

describe('the Tungsten Fabric controller', () => {
  test('a node with a vRouter has a lock, and no other', async () => {
    const { fake, start } = fabric()
    const stop = await start()
    expect(fake.objects.nodeLocks.map(lock => lock.nodeName)).toEqual(NODES)
    await stop()
  })

  test('pods that were listed more than a minute ago say of no node that it has no vRouter: asked for, it waits, until they are listed', async () => {
    const { fake, start, setAnswers } = fabric()
    const stop = await start()
    fake.request('ctl-1', { name: 'early' })
    await fake.clock.advance(5_000)
    expect(fake.objects.nodeLocks.map(lock => lock.nodeName)).toEqual(NODES)
    fake.remove('early')
    setAnswers(false)
    await fake.clock.advance(120_000)
    fake.request('ctl-1')
    await fake.clock.advance(30_000)
    expect(fake.lock('ctl-1')).toMatchObject({ state: 'active', errorMessage: expect.stringContaining('is away') })
    setAnswers(true)
    await fake.clock.advance(60_000)
    expect(fake.lock('ctl-1').state, 'it has no vRouter, others do').toBe('inactive')
    fake.remove('nmr-ctl-1')
    await fake.clock.advance(30_000)
    expect(fake.objects.nodeRequests).toEqual([])
    await stop()
  })

  test('a node whose lock was made for its vRouter is not released without one', async () => {
    const { fake, start } = fabric()
    const stop = await start()
    const { listPods } = fake.world.kubernetes
    fake.world.kubernetes.listPods = async (...args) => {
      const read = await listPods(...args)
      return read.ok ? ok(read.value.filter(pod => pod.nodeName !== 'cmp-1')) : read
    }
    fake.request('cmp-1')
    await fake.clock.advance(120_000)
    expect(fake.lock('cmp-1')).toMatchObject({
      state: 'active',
      errorMessage: expect.stringContaining('which has none'),
    })
    await stop()
  })

  test('docs/domain.md A.9: a node is released only while all containers of its vRouter pod are ready', async () => {
    const { fake, start, unready } = fabric()
    const stop = await start()
    unready.add('cmp-1')
    fake.request('cmp-1')
    await fake.clock.advance(3_000)
    expect(fake.lock('cmp-1')).toMatchObject({ state: 'active' })
    expect(fake.lock('cmp-1').errorMessage).toContain('Waiting for all containers of vRouter pod vrouter-cmp-1')
    unready.delete('cmp-1')
    await fake.clock.advance(3_000)
    expect(fake.lock('cmp-1')).toMatchObject({ state: 'inactive', errorMessage: '' })
    await stop()
  })

  test('docs/domain.md A.9: the lock stays inactive until the vRouter is ready again', async () => {
    const { fake, start, unready } = fabric()
    const stop = await start()
    fake.request('cmp-1')
    await fake.clock.advance(3_000)
    unready.add('cmp-1')
    fake.remove('nmr-cmp-1')
    await fake.clock.advance(10_000)
    expect(fake.lock('cmp-1').state).toBe('inactive')
    unready.delete('cmp-1')
    await fake.clock.advance(3_000)
    expect(fake.lock('cmp-1').state).toBe('active')
    await stop()
  })

  test('docs/domain.md A.4: no other node while any lock of Tungsten Fabric is inactive', async () => {
    const { fake, start } = fabric()
    const stop = await start()
    for (const node of NODES) fake.request(node)
    await fake.clock.advance(10_000)
    const inactive = () => fake.objects.nodeLocks.filter(lock => lock.state === 'inactive').map(lock => lock.nodeName)
    expect(inactive()).toHaveLength(1)
    const [first = ''] = inactive()
    fake.remove(`nmr-${first}`)
    await fake.clock.advance(10_000)
    expect(inactive()).toHaveLength(1)
    expect(inactive()).not.toContain(first)
    await stop()
  })

  test('docs/domain.md A.9: the cluster is released when every vRouter pod is ready, and its lock then counts the nodes', async () => {
    const { fake, start, unready, clusterLock } = fabric()
    const first = await start()
    unready.add('cmp-3')
    fake.clusterLockOf('openstack', 'active')
    fake.clusterRequest('update')
    await fake.clock.advance(3_000)
    expect(clusterLock()).toMatchObject({ state: 'active' })
    expect(clusterLock()?.errorMessage).toContain('Waiting for the ClusterWorkloadLock of openstack to be inactive')
    fake.clusterLockOf('openstack', 'inactive')
    await fake.clock.advance(3_000)
    expect(clusterLock()?.errorMessage).toContain('Waiting for 1 of 4 vRouter pods to be ready: vrouter-cmp-3 on cmp-3')
    unready.delete('cmp-3')
    await fake.clock.advance(3_000)
    expect(clusterLock()).toMatchObject({
      state: 'inactive',
      progress: { percentage: 0, description: '0 out of 4 nodes updated' },
    })
    fake.request('cmp-1')
    await fake.clock.advance(5_000)
    fake.remove('nmr-cmp-1')
    await fake.clock.advance(5_000)
    await first()
    const second = await start()
    fake.request('cmp-2')
    await fake.clock.advance(5_000)
    expect(clusterLock()?.progress).toEqual({ percentage: 50, description: '2 out of 4 nodes updated' })
    fake.remove('update')
    await fake.clock.advance(5_000)
    expect(clusterLock()).toMatchObject({ state: 'active', progress: null })
    await second()
  })
})
