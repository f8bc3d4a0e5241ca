import { describe, expect, test } from 'vitest'
import { systemClock } from '../../../../../main/platform/clock/clock.ts'
import {
  type KubernetesSimulator,
  startKubernetesSimulator,
} from '../../../../../main/wings/simulators/kubernetes/kubernetes-simulator.ts'
import { at, textAt } from '../../../../../main/wings/simulators/kubernetes/store/json.ts'
import { type ApiClient, apiClient } from '../../../../fixtures/demo-kubernetes/api-client.ts'
import { simulatorForEach } from '../../../../fixtures/demo-kubernetes/simulator-for-each.ts'
import { FAST } from '../../../../fixtures/demo-kubernetes/small-cloud.ts'
import { until } from '../../../../fixtures/demo-kubernetes/until.ts'

let simulator: KubernetesSimulator
let client: ApiClient
const LEASES = '/apis/coordination.k8s.io/v1/namespaces/default/leases'
const CONFIG_MAPS = '/api/v1/namespaces/default/configmaps'

simulatorForEach((...started) => {
  ;[simulator, client] = started
})

function lease(name: string, holder: string, version?: string) {
  return {
    apiVersion: 'coordination.k8s.io/v1',
    kind: 'Lease',
    metadata: { name, ...(version === undefined ? {} : { resourceVersion: version }) },
    spec: { holderIdentity: holder },
  }
}

test('a node created without a spec is served with one', async () => {
  const made = await client.send('POST', '/api/v1/nodes', {
    apiVersion: 'v1',
    kind: 'Node',
    metadata: { name: 'bare' },
  })
  expect(made.status).toBe(201)
  expect(at(made.body, 'spec')).toBeDefined()
  expect(at((await client.get('/api/v1/nodes/bare')).body, 'spec')).toBeDefined()
})

describe('who asks', () => {
  test('a token works as well as a certificate', async () => {
    const byToken = apiClient(simulator, 'admin-token')
    expect((await byToken.get('/api/v1/nodes')).status).toBe(200)
    expect((await client.get('/api/v1/nodes')).status).toBe(200)
    byToken.close()
  })

  test('a certificate is known again on every connection of a busy client', async () => {
    const answers = await Promise.all(Array.from({ length: 20 }, () => client.get('/api/v1/nodes')))
    const second = apiClient(simulator)
    answers.push(await second.get('/api/v1/nodes'))
    expect(new Set(answers.map(answer => answer.status))).toEqual(new Set([200]))
    second.close()
  })

  test('nobody in particular sees health and version, and nothing else', async () => {
    const unknownNode = apiClient(simulator, 'viewer')
    const nobody = { authorization: 'Bearer wrong' }
    expect((await unknownNode.send('GET', '/readyz', undefined, nobody)).status).toBe(200)
    expect(await unknownNode.send('GET', '/api/v1/nodes', undefined, nobody)).toMatchObject({
      status: 401,
      body: { reason: 'Unauthorized' },
    })
    unknownNode.close()
  })

  test('the viewer is refused in the words of a real server, and may ask what it may do', async () => {
    const viewer = apiClient(simulator, 'viewer')
    expect(await viewer.get('/api/v1/nodes')).toMatchObject({
      status: 403,
      body: {
        message: 'nodes is forbidden: User "viewer" cannot list resource "nodes" in API group "" at the cluster scope',
      },
    })
    const review = await viewer.send('POST', '/apis/authorization.k8s.io/v1/selfsubjectaccessreviews', {
      apiVersion: 'authorization.k8s.io/v1',
      kind: 'SelfSubjectAccessReview',
      spec: { resourceAttributes: { verb: 'get', resource: 'nodes' } },
    })
    expect(review).toMatchObject({ status: 201, body: { status: { allowed: false } } })
    viewer.close()
  })

  test('a denial holds both in the review and for the request, until it is taken back', async () => {
    const undo = simulator.faults.deny({ verb: 'create', resource: 'pods/eviction' })
    const review = () =>
      client.send('POST', '/apis/authorization.k8s.io/v1/selfsubjectaccessreviews', {
        apiVersion: 'authorization.k8s.io/v1',
        kind: 'SelfSubjectAccessReview',
        spec: {
          resourceAttributes: { verb: 'create', resource: 'pods', subresource: 'eviction', namespace: 'openstack' },
        },
      })
    const evict = () =>
      client.send('POST', '/api/v1/namespaces/openstack/pods/mariadb-0/eviction?dryRun=All', {
        apiVersion: 'policy/v1',
        kind: 'Eviction',
        metadata: { name: 'mariadb-0' },
      })
    expect(await review()).toMatchObject({ body: { status: { allowed: false } } })
    expect((await evict()).status).toBe(403)
    undo()
    expect(await review()).toMatchObject({ body: { status: { allowed: true } } })
    expect((await evict()).status).toBe(201)
  })
})

describe('optimistic concurrency', () => {
  test('of two writers with the same resourceVersion one wins and one gets 409', async () => {
    const created = await client.send('POST', LEASES, lease('a', 'nobody'))
    const version = textAt(created.body, 'metadata', 'resourceVersion')
    const answers = await Promise.all([
      client.send('PUT', `${LEASES}/a`, lease('a', 'one', version)),
      client.send('PUT', `${LEASES}/a`, lease('a', 'two', version)),
    ])
    expect(answers.map(answer => answer.status).sort()).toEqual([200, 409])
  })

  test('a patch with a stale resourceVersion gets 409, one without is applied', async () => {
    await client.send('POST', LEASES, lease('a', 'nobody'))
    const stale = { metadata: { resourceVersion: '1' }, spec: { holderIdentity: 'x' } }
    expect((await client.patch(`${LEASES}/a`, 'merge-patch', stale)).status).toBe(409)
    expect((await client.patch(`${LEASES}/a`, 'merge-patch', { spec: { holderIdentity: 'x' } })).status).toBe(200)
  })

  test('a second creation of the same name gets 409 AlreadyExists', async () => {
    await client.send('POST', LEASES, lease('a', 'one'))
    expect(await client.send('POST', LEASES, lease('a', 'two'))).toMatchObject({
      status: 409,
      body: { reason: 'AlreadyExists', message: 'leases.coordination.k8s.io "a" already exists' },
    })
  })
})

describe('writes', () => {
  test('a dry run answers the result and changes nothing', async () => {
    const before = simulator.objects.get('Node', null, 'cmp-1')
    const answer = await client.patch('/api/v1/nodes/cmp-1?dryRun=All', 'strategic-merge-patch', {
      spec: { unschedulable: true },
    })
    expect(at(answer.body, 'spec', 'unschedulable')).toBe(true)
    expect(at(simulator.objects.get('Node', null, 'cmp-1'), 'spec')).toEqual(at(before, 'spec'))
    expect((await client.send('DELETE', '/api/v1/nodes/cmp-1?dryRun=All')).status).toBe(200)
    expect((await client.send('POST', `${LEASES}?dryRun=All`, lease('dry', 'x'))).status).toBe(201)
    expect(simulator.objects.get('Node', null, 'cmp-1')).not.toBeNull()
    expect(simulator.objects.get('Lease', 'default', 'dry')).toBeNull()
  })

  test('the status and the rest are written by different doors', async () => {
    const path = '/apis/policy/v1/namespaces/openstack/poddisruptionbudgets/mariadb'
    const answer = await client.patch(path, 'merge-patch', { status: { expectedPods: 99 } })
    expect(at(answer.body, 'status', 'expectedPods')).toBe(3)
    const node = '/api/v1/nodes/cmp-1/status'
    const patched = await client.patch(node, 'merge-patch', {
      spec: { unschedulable: true },
      status: { phase: 'x' },
    })
    expect(at(patched.body, 'spec', 'unschedulable')).toBeUndefined()
    expect(at(patched.body, 'status', 'phase')).toBe('x')
  })

  test('the generation counts changes of the spec alone', async () => {
    const path = '/apis/apps/v1/namespaces/openstack/statefulsets/mariadb'
    const labelled = await client.patch(path, 'merge-patch', { metadata: { labels: { a: 'b' } } })
    expect(at(labelled.body, 'metadata', 'generation')).toBe(1)
    const scaled = await client.patch(path, 'merge-patch', { spec: { replicas: 2 } })
    expect(at(scaled.body, 'metadata', 'generation')).toBe(2)
  })

  test('generateName makes a fresh name each time', async () => {
    const make = () =>
      client.send('POST', CONFIG_MAPS, { apiVersion: 'v1', kind: 'ConfigMap', metadata: { generateName: 'x-' } })
    const names = [await make(), await make()].map(answer => textAt(answer.body, 'metadata', 'name'))
    expect(new Set(names).size).toBe(2)
    expect(names.every(name => /^x-[a-z0-9]{5}$/.test(name ?? ''))).toBe(true)
  })

  test('a pod of another node cannot be moved by rewriting it', async () => {
    const answer = await client.patch('/api/v1/namespaces/openstack/pods/mariadb-0', 'merge-patch', {
      spec: { nodeName: 'cmp-1' },
    })
    expect(answer).toMatchObject({ status: 422, body: { reason: 'Invalid' } })
  })

  test.each([
    ['an unknown patch type', 'PATCH', '/api/v1/nodes/cmp-1', 'application/apply-patch+yaml', 415],
    ['a body that is not JSON', 'POST', CONFIG_MAPS, 'application/json', 400],
    ['a method that does not exist', 'POST', '/api/v1/nodes/cmp-1', 'application/json', 405],
    ['an unknown resource', 'GET', '/api/v1/nixes', 'application/json', 404],
    ['an unknown group', 'GET', '/apis/nix.io/v1/nixes', 'application/json', 404],
  ])('%s is refused', async (_, method, path, type, status) => {
    const body = status === 400 ? undefined : {}
    const answer = await client.send(method, path, method === 'GET' ? undefined : body, { 'content-type': type })
    expect(answer.status).toBe(status)
  })
})

test('a namespace that terminates takes nothing new, loses its content and goes', async () => {
  await client.send('POST', '/api/v1/namespaces', { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'n' } })
  const path = '/api/v1/namespaces/n/configmaps'
  const metadata = { name: 'held', finalizers: ['demo/hold'] }
  await client.send('POST', path, { apiVersion: 'v1', kind: 'ConfigMap', metadata })
  await client.send('DELETE', '/api/v1/namespaces/n')
  const late = await client.send('POST', path, { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'late' } })
  expect(late).toMatchObject({ status: 403, body: { details: { causes: [{ reason: 'NamespaceTerminating' }] } } })
  await until('the content terminates', () => {
    const held = simulator.objects.get('ConfigMap', 'n', 'held')
    return held !== null && held.metadata.deletionTimestamp !== undefined
  })
  await client.patch(`${path}/held`, 'merge-patch', { metadata: { finalizers: null } })
  await until('the namespace goes', () => simulator.objects.get('Namespace', null, 'n') === null)
})

test('a CustomResourceDefinition makes its routes and discovery at once, and takes its objects with it', async () => {
  const definitions = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions'
  const definition = {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: 'locks.demo.io' },
    spec: {
      group: 'demo.io',
      scope: 'Cluster',
      names: { plural: 'locks', kind: 'Lock' },
      versions: [{ name: 'v1', served: true, storage: true, subresources: { status: {} } }],
    },
  }
  expect((await client.get('/apis/demo.io/v1/locks')).status).toBe(404)
  expect((await client.send('POST', definitions, definition)).status).toBe(201)
  const lock = { apiVersion: 'demo.io/v1', kind: 'Lock', metadata: { name: 'a' }, spec: { x: 1 }, status: { s: 1 } }
  const created = await client.send('POST', '/apis/demo.io/v1/locks', lock)
  expect(created.status).toBe(201)
  expect(at(created.body, 'status')).toBeUndefined()
  expect((await client.patch('/apis/demo.io/v1/locks/a', 'strategic-merge-patch', {})).status).toBe(415)
  expect((await client.send('PUT', '/apis/demo.io/v1/locks/a', lock)).status).toBe(422)
  expect(
    (await client.patch('/apis/demo.io/v1/locks/a/status', 'merge-patch', { status: { s: 2 } })).body,
  ).toMatchObject({
    spec: { x: 1 },
    status: { s: 2 },
  })
  await client.send('DELETE', `${definitions}/locks.demo.io`)
  expect((await client.get('/apis/demo.io/v1/locks')).status).toBe(404)
  await client.send('POST', definitions, definition)
  expect((await client.get('/apis/demo.io/v1/locks/a')).status).toBe(404)
})

describe('faults', () => {
  test('a scripted refusal meets the given number of requests, with Retry-After', async () => {
    simulator.faults.answer({ path: /^\/api\/v1\/nodes/, times: 2 }, { status: 429, retryAfterSeconds: 3 })
    const first = await client.get('/api/v1/nodes')
    expect(first).toMatchObject({ status: 429, body: { reason: 'TooManyRequests', details: { retryAfterSeconds: 3 } } })
    expect(first.headers['retry-after']).toBe('3')
    expect((await client.get('/api/v1/pods')).status).toBe(200)
    expect((await client.get('/api/v1/nodes')).status).toBe(429)
    expect((await client.get('/api/v1/nodes')).status).toBe(200)
  })

  test('a connection dropped before leaves the world alone, one dropped after has changed it', async () => {
    const cordon = () => client.patch('/api/v1/nodes/cmp-1', 'merge-patch', { spec: { unschedulable: true } })
    simulator.faults.drop({ path: /nodes\/cmp-1/, method: 'PATCH', times: 1 }, 'before')
    await expect(cordon()).rejects.toThrow()
    expect(at(simulator.objects.get('Node', null, 'cmp-1'), 'spec', 'unschedulable')).toBeUndefined()
    simulator.faults.drop({ path: /nodes\/cmp-1/, method: 'PATCH', times: 1 }, 'after')
    await expect(cordon()).rejects.toThrow()
    expect(at(simulator.objects.get('Node', null, 'cmp-1'), 'spec', 'unschedulable')).toBe(true)
    expect((await cordon()).status).toBe(200)
  })

  test('latency delays by the clock', async () => {
    const slept: number[] = []
    const clock = {
      ...systemClock,
      sleep: (ms: number, signal?: AbortSignal) => {
        slept.push(ms)
        return ms === 12_345 ? Promise.resolve() : systemClock.sleep(ms, signal)
      },
    }
    const slow = await startKubernetesSimulator({ clock, seed: [], timings: FAST })
    const slowClient = apiClient(slow)
    slow.faults.slow({ path: /nodes/ }, 12_345)
    expect((await slowClient.get('/api/v1/nodes')).status).toBe(200)
    expect(slept).toContain(12_345)
    slowClient.close()
    await slow.stop()
  })

  test('pods of a frozen node stay Terminating until it thaws', async () => {
    const host = textAt(simulator.objects.get('Pod', 'openstack', 'mariadb-0'), 'spec', 'nodeName') ?? ''
    const uid = simulator.objects.get('Pod', 'openstack', 'mariadb-0')?.metadata.uid
    const thaw = simulator.faults.freezeNode(host)
    await client.send('DELETE', '/api/v1/namespaces/openstack/pods/mariadb-0')
    const other = simulator.objects.list('Pod', 'openstack').find(pod => pod.metadata.name === 'mariadb-1')
    await client.send('DELETE', '/api/v1/namespaces/openstack/pods/mariadb-1')
    await until(
      'the other pod goes',
      () => simulator.objects.get('Pod', 'openstack', 'mariadb-1')?.metadata.uid !== other?.metadata.uid,
    )
    expect(simulator.objects.get('Pod', 'openstack', 'mariadb-0')?.metadata.uid).toBe(uid)
    thaw()
    await until('it goes', () => simulator.objects.get('Pod', 'openstack', 'mariadb-0')?.metadata.uid !== uid)
  })
})
