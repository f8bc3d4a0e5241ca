import { describe, expect, test } from 'vitest'
import type { Clock } from '../../../../../main/platform/clock/clock.ts'
import { systemClock } from '../../../../../main/platform/clock/clock.ts'
import {
  type KubernetesSimulator,
  startKubernetesSimulator,
} from '../../../../../main/wings/simulators/kubernetes/kubernetes-simulator.ts'
import { at, listAt, numberAt, recordAt, textAt } from '../../../../../main/wings/simulators/kubernetes/store/json.ts'
import {
  controllerOf,
  isTerminating,
  type StoredObject,
} from '../../../../../main/wings/simulators/kubernetes/store/kubernetes-object.ts'
import { type ApiClient, apiClient } from '../../../../fixtures/demo-kubernetes/api-client.ts'
import { simulatorForEach } from '../../../../fixtures/demo-kubernetes/simulator-for-each.ts'
import { barePod, FAST, node, SMALL_CLOUD, workload } from '../../../../fixtures/demo-kubernetes/small-cloud.ts'
import { until } from '../../../../fixtures/demo-kubernetes/until.ts'

const NS = 'openstack'
let simulator: KubernetesSimulator
let client: ApiClient

simulatorForEach((...started) => {
  ;[simulator, client] = started
})

function pods(app: string): readonly StoredObject[] {
  return simulator.objects.list('Pod', NS).filter(pod => pod.metadata.labels?.app === app)
}

function hosts(app: string): readonly (string | undefined)[] {
  return pods(app).map(pod => textAt(pod, 'spec', 'nodeName'))
}

function isServing(pod: StoredObject): boolean {
  const ready = listAt(pod, 'status', 'conditions').find(one => at(one, 'type') === 'Ready')
  return !isTerminating(pod) && at(ready, 'status') === 'True'
}

const workloadPath = (kind: string, name: string) => `/apis/apps/v1/namespaces/${NS}/${kind}/${name}`

describe('at the first request', () => {
  test('every workload of the seed already runs, spread over the nodes it selects', () => {
    expect(pods('keystone').every(isServing)).toBe(true)
    expect([...hosts('keystone')].sort()).toEqual(['ctl-1', 'ctl-2', 'ctl-3'])
    expect([...hosts('mariadb')].sort()).toEqual(['ctl-1', 'ctl-2', 'ctl-3'])
    expect([...hosts('libvirt')].sort()).toEqual(['cmp-1', 'cmp-2'])
    expect(pods('mariadb').map(pod => pod.metadata.name)).toEqual(['mariadb-0', 'mariadb-1', 'mariadb-2'])
  })

  test('a Deployment owns its pods through a ReplicaSet', () => {
    const [pod] = pods('keystone')
    const set = simulator.objects.list('ReplicaSet', NS)[0]
    expect(pod === undefined ? null : controllerOf(pod)).toMatchObject({ kind: 'ReplicaSet', uid: set?.metadata.uid })
    expect(set === undefined ? null : controllerOf(set)).toMatchObject({ kind: 'Deployment', name: 'keystone' })
    expect(at(simulator.objects.get('Deployment', NS, 'keystone'), 'status', 'readyReplicas')).toBe(3)
  })

  test('the budget is computed', () => {
    expect(at(simulator.objects.get('PodDisruptionBudget', NS, 'mariadb'), 'status')).toMatchObject({
      currentHealthy: 3,
      desiredHealthy: 2,
      disruptionsAllowed: 1,
      expectedPods: 3,
      observedGeneration: 1,
    })
  })
})

describe('a cordoned node', () => {
  test('is tainted, takes no new pods, keeps DaemonSet pods, and loses the taint with the cordon', async () => {
    const cordon = (value: boolean | null) =>
      client.patch('/api/v1/nodes/ctl-1', 'strategic-merge-patch', { spec: { unschedulable: value } })
    const taints = () => listAt(simulator.objects.get('Node', null, 'ctl-1'), 'spec', 'taints')
    await cordon(true)
    await until('the taint', () => taints().some(one => at(one, 'key') === 'node.kubernetes.io/unschedulable'))
    await client.patch(workloadPath('deployments', 'keystone'), 'merge-patch', { spec: { replicas: 6 } })
    await until('six replicas', () => pods('keystone').filter(isServing).length === 6)
    expect(hosts('keystone').filter(host => host === 'ctl-1')).toHaveLength(1)
    await cordon(null)
    await until('no taint', () => taints().length === 0)
    expect(recordAt(simulator.objects.get('Node', null, 'ctl-1'), 'spec')).toEqual({})
  })

  test('gets a DaemonSet pod back that was deleted', async () => {
    await client.patch('/api/v1/nodes/cmp-1', 'merge-patch', { spec: { unschedulable: true } })
    const old = pods('libvirt').find(pod => textAt(pod, 'spec', 'nodeName') === 'cmp-1')
    await client.send('DELETE', `/api/v1/namespaces/${NS}/pods/${old?.metadata.name}`)
    await until('its successor', () =>
      pods('libvirt').some(
        pod => textAt(pod, 'spec', 'nodeName') === 'cmp-1' && pod.metadata.uid !== old?.metadata.uid && isServing(pod),
      ),
    )
  })
})

describe('a node that is not ready', () => {
  test('is tainted, its pods are not ready, and all comes back with it', async () => {
    const uid = pods('mariadb')[0]?.metadata.uid
    const host = hosts('mariadb')[0] ?? ''
    const onHost = () => pods('mariadb').find(pod => pod.metadata.uid === uid)
    simulator.setNodeReady(host, 'Unknown')
    const condition = listAt(simulator.objects.get('Node', null, host), 'status', 'conditions').find(
      one => at(one, 'type') === 'Ready',
    )
    expect(condition).toMatchObject({ status: 'Unknown', reason: 'NodeStatusUnknown' })
    await until('the taints', () => listAt(simulator.objects.get('Node', null, host), 'spec', 'taints').length === 2)
    await until('the unready pod', () => onHost() !== undefined && !isServing(onHost() as StoredObject))
    await until(
      'the budget',
      () => at(simulator.objects.get('PodDisruptionBudget', NS, 'mariadb'), 'status', 'currentHealthy') === 2,
    )
    simulator.setNodeReady(host, true)
    await until('the pod again', () => onHost() !== undefined && isServing(onHost() as StoredObject))
    await until('no taints', () => listAt(simulator.objects.get('Node', null, host), 'spec', 'taints').length === 0)
  })

  test('does not finish deletions', async () => {
    const [pod, other] = pods('keystone')
    if (pod === undefined || other === undefined) throw new Error('the seed lacks keystone')
    simulator.setNodeReady(textAt(pod, 'spec', 'nodeName') ?? '', false)
    for (const one of [pod, other]) await client.send('DELETE', `/api/v1/namespaces/${NS}/pods/${one.metadata.name}`)
    await until('the other goes', () => simulator.objects.get('Pod', NS, other.metadata.name) === null)
    expect(simulator.objects.get('Pod', NS, pod.metadata.name)).not.toBeNull()
  })

  test('renews no Lease, while the others do', async () => {
    const renewed = (name: string) =>
      textAt(simulator.objects.get('Lease', 'kube-node-lease', name), 'spec', 'renewTime')
    const quick = await startKubernetesSimulator({
      clock: systemClock,
      seed: SMALL_CLOUD,
      timings: { ...FAST, heartbeatMs: 10 },
    })
    const lease = (name: string) => textAt(quick.objects.get('Lease', 'kube-node-lease', name), 'spec', 'renewTime')
    quick.setNodeReady('cmp-1', 'Unknown')
    const silent = lease('cmp-1')
    const lively = lease('cmp-2')
    await until('a renewal', () => lease('cmp-2') !== lively)
    expect(lease('cmp-1')).toBe(silent)
    expect(renewed('cmp-1')).toBeDefined()
    await quick.stop()
  })
})

describe('workloads', () => {
  test('a Deployment rolls to a new template and keeps the old ReplicaSet at zero', async () => {
    await client.patch(workloadPath('deployments', 'keystone'), 'strategic-merge-patch', {
      spec: { template: { spec: { containers: [{ name: 'c', image: 'demo/two' }] } } },
    })
    await until('three new pods', () => {
      const images = pods('keystone')
        .filter(isServing)
        .map(pod => textAt(listAt(pod, 'spec', 'containers')[0], 'image'))
      return pods('keystone').length === 3 && images.length === 3 && images.every(image => image === 'demo/two')
    })
    const sizes = simulator.objects.list('ReplicaSet', NS).map(set => numberAt(set, 'spec', 'replicas'))
    expect(sizes.sort()).toEqual([0, 3])
  })

  test('a StatefulSet shrinks from the top and grows in order', async () => {
    const names = () => pods('mariadb').map(pod => pod.metadata.name)
    await client.patch(workloadPath('statefulsets', 'mariadb'), 'merge-patch', { spec: { replicas: 1 } })
    await until('one left', () => names().length === 1)
    expect(names()).toEqual(['mariadb-0'])
    const watch = client.watch(
      `/api/v1/namespaces/${NS}/pods?watch=1&resourceVersion=${simulator.objects.revision()}&labelSelector=app%3Dmariadb`,
    )
    await client.patch(workloadPath('statefulsets', 'mariadb'), 'merge-patch', { spec: { replicas: 3 } })
    await until('three again', () => pods('mariadb').filter(isServing).length === 3)
    await until('the watch', () => watch.events.filter(event => event.type === 'ADDED').length === 2)
    const added = watch.events
      .filter(event => event.type === 'ADDED')
      .map(event => textAt(event, 'object', 'metadata', 'name'))
    expect(added).toEqual(['mariadb-1', 'mariadb-2'])
    watch.close()
  })

  test('required anti-affinity leaves a pod Pending when no node is left, and says why', async () => {
    const affinity = {
      podAntiAffinity: {
        requiredDuringSchedulingIgnoredDuringExecution: [
          { labelSelector: { matchLabels: { app: 'etcd' } }, topologyKey: 'kubernetes.io/hostname' },
        ],
      },
    }
    simulator.objects.create(
      workload(
        'Deployment',
        'etcd',
        { replicas: 4 },
        { affinity, nodeSelector: { 'openstack-control-plane': 'enabled' } },
      ),
    )
    await until('three of four', () => pods('etcd').filter(isServing).length === 3 && pods('etcd').length === 4)
    const waiting = pods('etcd').find(pod => !isServing(pod))
    expect(listAt(waiting ?? null, 'status', 'conditions')).toContainEqual(
      expect.objectContaining({ type: 'PodScheduled', status: 'False', reason: 'Unschedulable' }),
    )
    expect(textAt(waiting ?? null, 'status', 'phase')).toBe('Pending')
    simulator.objects.create(node('ctl-4', 'openstack-control-plane'))
    await until('the fourth', () => pods('etcd').filter(isServing).length === 4)
  })

  test('a deleted Deployment takes its ReplicaSets and pods with it; an orphaning deletion leaves them', async () => {
    await client.send('DELETE', `${workloadPath('deployments', 'keystone')}?propagationPolicy=Background`)
    await until(
      'all gone',
      () => pods('keystone').length === 0 && simulator.objects.list('ReplicaSet', NS).length === 0,
    )
    await client.send('DELETE', workloadPath('statefulsets', 'mariadb'), { propagationPolicy: 'Orphan' })
    await until('the set goes', () => simulator.objects.get('StatefulSet', NS, 'mariadb') === null)
    expect(pods('mariadb').map(pod => controllerOf(pod))).toEqual([null, null, null])
  })

  test('a foreground deletion ends with the owner', async () => {
    simulator.faults.freezeNode('cmp-1')
    await client.send('DELETE', workloadPath('daemonsets', 'libvirt'), { propagationPolicy: 'Foreground' })
    await until('the pod of the other node goes', () => pods('libvirt').length === 1)
    expect(simulator.objects.get('DaemonSet', NS, 'libvirt')).not.toBeNull()
    simulator.faults.clear()
    await until(
      'both go',
      () => pods('libvirt').length === 0 && simulator.objects.get('DaemonSet', NS, 'libvirt') === null,
    )
  })
})

test('time is the clock that was given: a pod starts and stops when a test says so', async () => {
  const clock = steppedClock()
  const still = await startKubernetesSimulator({
    clock,
    seed: SMALL_CLOUD,
    timings: { podStartMs: 5000, podStopMs: 3000, heartbeatMs: 1e9 },
  })
  const stillClient = apiClient(still)
  const bare = () => still.objects.get('Pod', NS, 'bare')
  await stillClient.send(
    'POST',
    `/api/v1/namespaces/${NS}/pods`,
    barePod('bare', { nodeName: 'cmp-1', terminationGracePeriodSeconds: 30 }),
  )
  await until('the kubelet sees it', () => clock.sleepers() > 1)
  clock.advance(4999)
  expect(textAt(bare(), 'status', 'phase')).toBe('Pending')
  clock.advance(1)
  await until('it runs', () => textAt(bare(), 'status', 'phase') === 'Running')
  const before = clock.sleepers()
  const deleted = await stillClient.send('DELETE', `/api/v1/namespaces/${NS}/pods/bare`)
  expect(at(deleted.body, 'metadata', 'deletionGracePeriodSeconds')).toBe(30)
  await until('the kubelet sees it', () => clock.sleepers() > before)
  expect(bare()).not.toBeNull()
  clock.advance(3000)
  await until('it is gone', () => bare() === null)
  stillClient.close()
  await still.stop()
})

function steppedClock(): Clock & { advance(ms: number): void; sleepers(): number } {
  let now = Date.parse('2026-01-01T00:00:00Z')
  const sleeping = new Set<{ readonly until: number; readonly wake: () => void }>()
  return {
    now: () => now,
    monotonicMs: () => now,
    random: () => 0.5,
    sleepers: () => sleeping.size,
    advance(ms) {
      now += ms
      for (const sleeper of [...sleeping]) if (sleeper.until <= now) sleeper.wake()
    },
    sleep: (ms, signal) =>
      new Promise(resolve => {
        if (signal?.aborted) return resolve()
        const sleeper = {
          until: now + ms,
          wake: () => {
            sleeping.delete(sleeper)
            resolve()
          },
        }
        sleeping.add(sleeper)
        signal?.addEventListener('abort', sleeper.wake, { once: true })
      }),
  }
}
