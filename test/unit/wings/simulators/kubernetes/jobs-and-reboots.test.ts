import { describe, expect, test } from 'vitest'
import type { KubernetesSimulator } from '../../../../../main/wings/simulators/kubernetes/kubernetes-simulator.ts'
import { listAt, numberAt, textAt } from '../../../../../main/wings/simulators/kubernetes/store/json.ts'
import type { ApiClient } from '../../../../fixtures/demo-kubernetes/api-client.ts'
import { simulatorForEach } from '../../../../fixtures/demo-kubernetes/simulator-for-each.ts'
import { FAST } from '../../../../fixtures/demo-kubernetes/small-cloud.ts'
import { until } from '../../../../fixtures/demo-kubernetes/until.ts'

let simulator: KubernetesSimulator
let client: ApiClient
const JOBS = '/apis/batch/v1/namespaces/openstack/jobs'

simulatorForEach(
  (...started) => {
    ;[simulator, client] = started
  },
  { timings: { ...FAST, jobRunMs: 30, nodeGraceMs: 60, rebootMs: 300, kubeletReadyMs: 20, podRestartMs: 200 } },
)

const job = (command: readonly string[], node: string, backoffLimit = 6) => ({
  apiVersion: 'batch/v1',
  kind: 'Job',
  metadata: { name: 'work' },
  spec: {
    backoffLimit,
    template: { spec: { nodeName: node, restartPolicy: 'Never', containers: [{ name: 'c', image: 'demo', command }] } },
  },
})
const conditions = () => listAt(simulator.objects.get('Job', 'openstack', 'work'), 'status', 'conditions')
const has = (type: string) => conditions().some(one => textAt(one, 'type') === type && textAt(one, 'status') === 'True')
const podsOfJob = () =>
  simulator.objects.list('Pod', 'openstack').filter(pod => pod.metadata.labels?.['job-name'] === 'work')
const node = (name: string) => simulator.objects.get('Node', null, name)
const bootOf = (name: string) => textAt(node(name), 'status', 'nodeInfo', 'bootID')
const readiness = (name: string) =>
  textAt(
    listAt(node(name), 'status', 'conditions').find(one => textAt(one, 'type') === 'Ready'),
    'status',
  )

describe('a Job', () => {
  test('runs its pod on the node it is pinned to, cordoned or not, and completes', async () => {
    await client.patch('/api/v1/nodes/cmp-1', 'strategic-merge-patch', { spec: { unschedulable: true } })
    await client.send('POST', JOBS, job(['sh', '-c', 'true'], 'cmp-1'))
    await until('the Job completes', () => has('Complete'))
    expect(podsOfJob().map(pod => [textAt(pod, 'spec', 'nodeName'), textAt(pod, 'status', 'phase')])).toEqual([
      ['cmp-1', 'Succeeded'],
    ])
    expect(simulator.objects.get('Job', 'openstack', 'work')).toMatchObject({ status: { succeeded: 1, failed: 0 } })
  })

  test('that fails is tried again as often as its backoffLimit says, then it is Failed for good', async () => {
    await client.send('POST', JOBS, job(['sh', '-c', 'apt-get update; exit 3'], 'cmp-1', 1))
    await until('the Job fails', () => has('Failed'))
    expect(podsOfJob().map(pod => textAt(pod, 'status', 'phase'))).toEqual(['Failed', 'Failed'])
    expect(conditions()).toMatchObject([
      { type: 'Failed', reason: 'BackoffLimitExceeded', message: 'Job has reached the specified backoff limit' },
    ])
    const terminated = listAt(podsOfJob()[0], 'status', 'containerStatuses')[0]
    expect(terminated).toMatchObject({ state: { terminated: { exitCode: 3, reason: 'Error' } } })
  })

  test('takes its pods with it when it is deleted in the background', async () => {
    await client.send('POST', JOBS, job(['sleep', '60'], 'cmp-1'))
    await until('its pod runs', () => podsOfJob().some(pod => textAt(pod, 'status', 'phase') === 'Running'))
    await client.send('DELETE', `${JOBS}/work`, { propagationPolicy: 'Background' })
    await until('its pod goes', () => podsOfJob().length === 0)
  })

  test('whose command says reboot reboots its node', async () => {
    const before = bootOf('cmp-1')
    await client.send('POST', JOBS, job(['nsenter', '-t', '1', '-m', 'reboot'], 'cmp-1'))
    await until('another boot id', () => bootOf('cmp-1') !== before && readiness('cmp-1') === 'True')
    expect(has('Complete')).toBe(true)
  })
})

describe('a reboot', () => {
  test('makes a node fall silent and come back Ready with another boot id and its containers started again', async () => {
    const before = bootOf('cmp-1')
    const podsThere = () =>
      simulator.objects.list('Pod', 'openstack').filter(one => textAt(one, 'spec', 'nodeName') === 'cmp-1')
    const uids = podsThere().map(pod => pod.metadata.uid)
    const readyPods = () =>
      podsThere().filter(pod =>
        listAt(pod, 'status', 'conditions').some(
          one => textAt(one, 'type') === 'Ready' && textAt(one, 'status') === 'True',
        ),
      )
    const ended = simulator.rebootNode('cmp-1')
    expect(readiness('cmp-1')).toBe('True')
    expect(simulator.silentNodes.has('cmp-1')).toBe(true)
    await until('the grace period passes', () => readiness('cmp-1') === 'Unknown')
    await until('its pods are not ready', () => readyPods().length === 0)
    expect(bootOf('cmp-1')).toBe(before)
    await ended
    expect(readiness('cmp-1')).toBe('True')
    expect(bootOf('cmp-1')).not.toBe(before)
    expect(readyPods()).toEqual([])
    await until('its pods are back', () => readyPods().length === uids.length)
    expect(podsThere().map(pod => pod.metadata.uid)).toEqual(uids)
    expect(numberAt(listAt(podsThere()[0], 'status', 'containerStatuses')[0], 'restartCount')).toBe(1)
  })

  test('an annotation requests a reboot, after which the node has the kubelet version that another annotation names', async () => {
    const before = bootOf('cmp-1')
    await client.patch('/api/v1/nodes/cmp-1', 'merge-patch', {
      metadata: {
        annotations: { 'demo.lockkeeper.dev/next-kubelet-version': 'v1.33.1', 'demo.lockkeeper.dev/reboot': 'now' },
      },
    })
    await until('another boot id', () => bootOf('cmp-1') !== before && readiness('cmp-1') === 'True')
    expect(textAt(node('cmp-1'), 'status', 'nodeInfo', 'kubeletVersion')).toBe('v1.33.1')
    expect(node('cmp-1')?.metadata.annotations).toEqual({})
  })
})
