import { expect, test } from 'vitest'
import { detectControllers } from '../../../../main/lcm/controllers/detect-controllers.ts'
import { failure } from '../../../../shared/domain/failure.ts'
import { failed, ok } from '../../../../shared/domain/result.ts'
import { fakeMaintenance } from '../../../fixtures/procedures/fake-controllers.ts'
import { fakeWorkload } from '../../../fixtures/procedures/fake-records.ts'
import { COMPUTE, fakeNode, fakePod, fakeService } from '../../../fixtures/procedures/fake-world.ts'
import { fakeClusterLock } from '../../../fixtures/procedures/maintenance-objects.ts'

function cluster() {
  return fakeMaintenance({ nodes: [fakeNode('cmp-1', { labels: COMPUTE })], services: [fakeService('cmp-1')] })
}

async function proposal(fake: ReturnType<typeof cluster>) {
  const found = await detectControllers(fake.world)
  return found.ok ? found.value.find(each => each.controller === 'openstack') : found.failure
}

test('a cluster in which nobody answers is proposed to the console, and a missing application to nobody', async () => {
  const fake = cluster()
  expect(await proposal(fake)).toMatchObject({ choice: 'console' })
  const found = await detectControllers(fake.world)
  expect(found.ok && found.value.map(each => each.choice)).toEqual(['console', 'none', 'none', 'none'])
})

test('StackLight is found by its pods, and proposed to the console while nobody in the cluster answers for it', async () => {
  const fake = cluster()
  const pod = fakePod('prometheus-0', { namespace: 'stacklight' })
  Object.assign(fake.world.kubernetes, { listPods: async () => ok([pod]) })
  const found = await detectControllers(fake.world)
  expect(found.ok && found.value.find(each => each.controller === 'stacklight')).toMatchObject({
    choice: 'console',
    why: expect.stringContaining('stacklight'),
  })
})

test('a controller that runs in the cluster answers for it', async () => {
  const fake = cluster()
  fake.cloud.workloads = [
    fakeWorkload('rockoon', { kind: 'Deployment', namespace: 'osh-system', uid: 'r', replicas: 1, readyReplicas: 1 }),
  ]
  expect(await proposal(fake)).toMatchObject({ choice: 'cluster', why: expect.stringMatching(/osh-system\/rockoon/) })
})

test('docs/domain.md A.1: locks of the same names that ours did not make speak for somebody else, our own do not', async () => {
  const fake = cluster()
  const stop = fake.start()
  await fake.clock.advance(5_000)
  await stop()
  expect(await proposal(fake)).toMatchObject({ choice: 'console' })
  fake.objects = { ...fake.objects, nodeLocks: fake.objects.nodeLocks.map(lock => ({ ...lock, annotations: {} })) }
  expect(await proposal(fake)).toMatchObject({
    choice: 'cluster',
    why: expect.stringMatching(/another controller answers/),
  })
})

test('an OpenStackDeployment, or a foreign lock on the cluster, speaks for the OpenStack Controller even where no console knows a cloud', async () => {
  const fake = cluster()
  const deployment = { name: 'osh-dev', state: 'APPLIED', release: null, services: [], components: [] }
  const world = {
    ...fake.world,
    maintenanceApi: { ...fake.world.maintenanceApi, deploymentStatus: async () => ok(deployment) },
  }
  const found = await detectControllers(world)
  expect(found.ok && found.value[0]).toMatchObject({ choice: 'cluster', why: expect.stringMatching(/osh-dev/) })
  const noCloud = { ...fake.world, cluster: { ...fake.world.cluster, cloud: null } }
  fake.objects = { ...fake.objects, clusterLocks: [fakeClusterLock('openstack')] }
  const proposed = await detectControllers(noCloud)
  expect(proposed.ok && proposed.value[0]).toMatchObject({
    choice: 'cluster',
    why: expect.stringMatching(/another controller answers/),
  })
})

test('locks that could not be read prove nothing: they lead to no proposal', async () => {
  const fake = cluster()
  const objects = async () => failed(failure('unreadable', 'the answer is not a list', { retryable: true }))
  const world = { ...fake.world, maintenanceApi: { ...fake.world.maintenanceApi, objects } }
  expect(await detectControllers(world)).toMatchObject({ ok: false, failure: { code: 'unreadable' } })
})
