import { beforeEach, describe, expect, test } from 'vitest'
import { systemClock } from '../../../../../main/platform/clock/clock.ts'
import {
  type KubernetesSimulator,
  startKubernetesSimulator,
} from '../../../../../main/wings/simulators/kubernetes/kubernetes-simulator.ts'
import { at, type JsonObject, listAt, recordAt } from '../../../../../main/wings/simulators/kubernetes/store/json.ts'
import type { StoredObject } from '../../../../../main/wings/simulators/kubernetes/store/kubernetes-object.ts'
import { type Answer, type ApiClient, apiClient } from '../../../../fixtures/demo-kubernetes/api-client.ts'
import { simulatorForEach } from '../../../../fixtures/demo-kubernetes/simulator-for-each.ts'
import { barePod, budget, FAST, SMALL_CLOUD } from '../../../../fixtures/demo-kubernetes/small-cloud.ts'
import { until } from '../../../../fixtures/demo-kubernetes/until.ts'

const NS = 'openstack'
let simulator: KubernetesSimulator
let client: ApiClient

simulatorForEach((...started) => {
  ;[simulator, client] = started
})

function evict(name: string, deleteOptions: JsonObject = {}, version = 'policy/v1'): Promise<Answer> {
  return client.send('POST', `/api/v1/namespaces/${NS}/pods/${name}/eviction`, {
    apiVersion: version,
    kind: 'Eviction',
    metadata: { name, namespace: NS },
    deleteOptions,
  })
}

function pod(name: string): StoredObject | null {
  return simulator.objects.get('Pod', NS, name)
}

function allowed(): number {
  return Number(at(simulator.objects.get('PodDisruptionBudget', NS, 'mariadb'), 'status', 'disruptionsAllowed'))
}

function isReady(name: string): boolean {
  return listAt(pod(name), 'status', 'conditions').some(
    one => at(one, 'type') === 'Ready' && at(one, 'status') === 'True',
  )
}

test('an evicted pod of a StatefulSet comes back under its name with another UID, and the budget recovers', async () => {
  const before = pod('mariadb-0')?.metadata.uid
  await evict('mariadb-0')
  await until('the successor', () => pod('mariadb-0')?.metadata.uid !== before && isReady('mariadb-0'))
  await until('the budget', () => allowed() === 1)
})

test('drain.md V9: a dry run answers like the real thing and spends nothing', async () => {
  const uid = pod('mariadb-0')?.metadata.uid
  for (let round = 0; round < 3; round += 1) {
    expect((await evict('mariadb-0', { dryRun: ['All'] })).status).toBe(201)
  }
  expect(allowed()).toBe(1)
  expect(pod('mariadb-0')?.metadata).toMatchObject({ uid })
  expect(pod('mariadb-0')?.metadata.deletionTimestamp).toBeUndefined()
  expect(simulator.log.all().filter(request => request.path.endsWith('/eviction') && request.dryRun)).toHaveLength(3)
})

test('drain.md V1: a UID precondition that does not hold answers 409 and leaves the pod', async () => {
  const answer = await evict('mariadb-0', { preconditions: { uid: 'another' } })
  expect(answer).toMatchObject({
    status: 409,
    body: {
      reason: 'Conflict',
      message: expect.stringContaining('the UID in the precondition (another) does not match'),
    },
  })
  expect(pod('mariadb-0')?.metadata.deletionTimestamp).toBeUndefined()
})

test('drain.md V1: a failed precondition has already spent one disruption until the budget controller looks again', async () => {
  const path = `/apis/policy/v1/namespaces/${NS}/poddisruptionbudgets`
  const watch = client.watch(`${path}?watch=1&resourceVersion=${simulator.objects.revision()}`)
  await until('the watch', () => simulator.log.all().some(request => request.path.startsWith(`${path}?watch`)))
  await evict('mariadb-0', { preconditions: { uid: 'another' } })
  await until('the spent budget', () =>
    watch.events.some(event => at(event, 'object', 'status', 'disruptionsAllowed') === 0),
  )
  watch.close()
})

describe('drain.md 5.5: budgets are ignored', () => {
  beforeEach(async () => {
    simulator.objects.create(budget('none', 'loose', { maxUnavailable: 0 }))
  })

  test.each(['Succeeded', 'Failed'])('for a %s pod', async phase => {
    simulator.objects.create({ ...barePod('done', { nodeName: 'cmp-1' }, { app: 'loose' }), status: { phase } })
    expect((await evict('done')).status).toBe(201)
    expect(pod('done')).toBeNull()
  })

  test('for a pod that already terminates', async () => {
    simulator.objects.create(barePod('going', { nodeName: 'cmp-1' }, { app: 'loose' }))
    await until('it runs', () => isReady('going'))
    expect((await evict('going')).status).toBe(429)
    simulator.faults.freezeNode('cmp-1')
    await client.send('DELETE', `/api/v1/namespaces/${NS}/pods/going`)
    expect((await evict('going')).status).toBe(201)
  })
})

test('an empty selector guards every pod of the namespace, a missing one none', async () => {
  simulator.objects.create({
    apiVersion: 'policy/v1',
    kind: 'PodDisruptionBudget',
    metadata: { name: 'all', namespace: NS },
    spec: { selector: {}, minAvailable: 8 },
  })
  const [keystone] = simulator.objects.list('Pod', NS).filter(one => one.metadata.labels?.app === 'keystone')
  const name = keystone?.metadata.name ?? ''
  await until(
    'the budget',
    () => at(simulator.objects.get('PodDisruptionBudget', NS, 'all'), 'status', 'expectedPods') === 8,
  )
  expect((await evict(name)).status).toBe(429)
  simulator.objects.change('PodDisruptionBudget', NS, 'all', object => ({ ...object, spec: { minAvailable: 8 } }))
  expect((await evict(name)).status).toBe(201)
})

test('a pod that does not exist answers 404', async () => {
  expect(await evict('nobody')).toMatchObject({ status: 404, body: { message: 'pods "nobody" not found' } })
})

test('a percentage counts the replicas of the controllers, rounded up', async () => {
  simulator.objects.create(budget('keystone', 'keystone', { maxUnavailable: '40%' }))
  await until('the budget', () =>
    isMatch(recordAt(simulator.objects.get('PodDisruptionBudget', NS, 'keystone'), 'status'), {
      expectedPods: 3,
      desiredHealthy: 1,
      disruptionsAllowed: 2,
    }),
  )
})

test('a budget over pods whose controller knows no scale allows nothing', async () => {
  simulator.objects.create(budget('libvirt', 'libvirt', { maxUnavailable: 1 }))
  const [pod] = simulator.objects.list('Pod', NS).filter(one => one.metadata.labels?.app === 'libvirt')
  const status = () => recordAt(simulator.objects.get('PodDisruptionBudget', NS, 'libvirt'), 'status')
  await until('the budget', () => status().disruptionsAllowed === 0)
  expect((await evict(pod?.metadata.name ?? '')).status).toBe(429)
})

test('a server of policy/v1beta1 says so in discovery and refuses policy/v1 in the words of a real one', async () => {
  const old = await startKubernetesSimulator({
    clock: systemClock,
    release: '1.20',
    seed: SMALL_CLOUD,
    timings: FAST,
  })
  const oldClient = apiClient(old)
  const { body } = await oldClient.get('/api/v1')
  expect(listAt(body, 'resources')).toContainEqual(
    expect.objectContaining({ name: 'pods/eviction', group: 'policy', version: 'v1beta1' }),
  )
  const post = (version: string) =>
    oldClient.send('POST', `/api/v1/namespaces/${NS}/pods/mariadb-0/eviction`, {
      apiVersion: version,
      kind: 'Eviction',
      metadata: { name: 'mariadb-0', namespace: NS },
    })
  expect(await post('policy/v1')).toMatchObject({
    status: 400,
    body: { message: expect.stringContaining('no kind "Eviction" is registered for version "policy/v1"') },
  })
  expect((await post('policy/v1beta1')).status).toBe(201)
  expect((await oldClient.get('/apis/policy/v1')).status).toBe(404)
  oldClient.close()
  await old.stop()
})

function isMatch(record: JsonObject, wanted: JsonObject): boolean {
  return Object.entries(wanted).every(([key, value]) => record[key] === value)
}

test('the log tells evictions apart by pod and by dry run', async () => {
  await evict('mariadb-0', { dryRun: ['All'] })
  await evict('mariadb-0')
  const evictions = simulator.log.all().filter(request => request.path.endsWith('/eviction'))
  expect(evictions.map(({ method, status, dryRun }) => ({ method, status, dryRun }))).toEqual([
    { method: 'POST', status: 201, dryRun: true },
    { method: 'POST', status: 201, dryRun: false },
  ])
  expect(evictions[0]?.user).toBe('demo-admin')
})
