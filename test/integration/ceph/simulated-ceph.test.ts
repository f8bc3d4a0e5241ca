import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createCephPort } from '../../../main/adapters/ceph/ceph-port.ts'
import { cephInToolbox } from '../../../main/adapters/ceph/toolbox.ts'
import { createExec } from '../../../main/adapters/kubernetes/exec.ts'
import { createKubernetesPort } from '../../../main/adapters/kubernetes/kubernetes-port.ts'
import { createOsdDaemons } from '../../../main/adapters/kubernetes/osd-daemons.ts'
import { type KubernetesSession, openKubernetesSession } from '../../../main/adapters/kubernetes/session.ts'
import { systemClock } from '../../../main/platform/clock/clock.ts'
import { silentLogger } from '../../../main/platform/log/logger.ts'
import type { CephPort } from '../../../main/ports/ceph.ts'
import { type CephSimulator, createCephSimulator } from '../../../main/wings/simulators/ceph/ceph-simulator.ts'
import { coupleCeph } from '../../../main/wings/simulators/ceph/couple-ceph.ts'
import {
  type KubernetesSimulator,
  startKubernetesSimulator,
} from '../../../main/wings/simulators/kubernetes/kubernetes-simulator.ts'
import type { KubernetesObject } from '../../../main/wings/simulators/kubernetes/store/kubernetes-object.ts'
import { isActiveClean } from '../../../shared/domain/ceph.ts'
import { barePod, FAST, node, workload } from '../../fixtures/demo-kubernetes/small-cloud.ts'
import { until } from '../../fixtures/demo-kubernetes/until.ts'

/** The console's Ceph adapter against the simulated Ceph, over TLS, WebSocket and pods/exec of the simulated Kubernetes. */

const HOSTS = ['st-1', 'st-2', 'st-3']
let kubernetes: KubernetesSimulator
let simulator: CephSimulator
let session: KubernetesSession
let ceph: CephPort
let directory: string
const ending = new AbortController()
let coupling: Promise<void>

/** An OSD's Deployment, pinned to its node as Rook pins them. */
function osdDeployment(id: number, host: string): KubernetesObject {
  const deployment = workload('Deployment', `rook-ceph-osd-${id}`, {
    replicas: 1,
    selector: { matchLabels: { 'ceph-osd-id': String(id) } },
    template: {
      metadata: { labels: { app: 'rook-ceph-osd', 'ceph-osd-id': String(id) } },
      spec: {
        terminationGracePeriodSeconds: 1,
        nodeSelector: { host },
        containers: [{ name: 'osd', image: 'demo/none' }],
      },
    },
  })
  const labels = { app: 'rook-ceph-osd', 'ceph-osd-id': String(id) }
  return { ...deployment, metadata: { ...deployment.metadata, labels, namespace: 'rook-ceph' } }
}

function storageNode(name: string): KubernetesObject {
  const made = node(name, 'openstack-compute-node')
  return { ...made, metadata: { ...made.metadata, labels: { ...made.metadata.labels, host: name } } }
}

beforeAll(async () => {
  const tools = barePod('tools', { nodeName: 'ctl-1' }, { app: 'rook-ceph-tools' })
  kubernetes = await startKubernetesSimulator({
    clock: systemClock,
    seed: [
      node('ctl-1', 'openstack-control-plane'),
      ...HOSTS.map(storageNode),
      ...HOSTS.map((host, index) => osdDeployment(index, host)),
      { ...tools, metadata: { ...tools.metadata, namespace: 'rook-ceph' } },
    ],
    timings: FAST,
  })
  simulator = createCephSimulator({ clock: systemClock, hosts: HOSTS, osdsPerHost: 1, monHosts: HOSTS, speed: 50 })
  coupling = coupleCeph(systemClock, kubernetes, simulator, {
    rook: { namespace: 'rook-ceph', toolbox: { app: 'rook-ceph-tools' } },
    signal: ending.signal,
  })
  directory = await mkdtemp(join(tmpdir(), 'lockkeeper-ceph-'))
  const path = join(directory, 'kubeconfig')
  await writeFile(path, kubernetes.kubeconfig(), { mode: 0o600 })
  const opened = await openKubernetesSession({
    source: { paths: [path], context: 'demo' },
    consent: () => false,
    clock: systemClock,
    log: silentLogger,
  })
  if (!opened.ok) throw new Error(opened.failure.message)
  session = opened.value
  const port = createKubernetesPort({ session, leaseNamespace: 'default', clock: systemClock, log: silentLogger })
  ceph = createCephPort(
    cephInToolbox({
      exec: createExec(session),
      kubernetes: port,
      namespace: 'rook-ceph',
      selector: 'app=rook-ceph-tools',
    }),
  )
  await until('Ceph is whole', isWhole)
})

afterAll(async () => {
  ending.abort()
  await coupling
  session.close()
  await kubernetes.stop()
  await rm(directory, { recursive: true })
})

async function isWhole(): Promise<boolean> {
  const status = await ceph.status()
  return status.ok && isActiveClean(status.value)
}

const up = async () => {
  const osds = await ceph.osds()
  return osds.ok ? osds.value.filter(osd => osd.up).map(osd => osd.id) : []
}

test('a node that goes down takes its OSDs and its monitor, and gives them back', async () => {
  kubernetes.setNodeReady('st-1', 'Unknown')
  await until('its OSD is down', async () => (await up()).join() === '1,2')
  const status = await ceph.status()
  expect(status.ok && status.value.monsInQuorum).toEqual(['b', 'c'])
  expect(await isWhole()).toBe(false)
  kubernetes.setNodeReady('st-1', true)
  await until('it is up, and Ceph whole', async () => (await up()).length === 3 && (await isWhole()))
})

test('a drained node loses the OSDs whose pods were evicted, until it takes pods again', async () => {
  kubernetes.objects.change('Node', null, 'st-2', object => ({ ...object, spec: { unschedulable: true } }))
  for (const pod of kubernetes.objects.list('Pod', 'rook-ceph')) {
    if (pod.metadata.labels?.['ceph-osd-id'] === '1') kubernetes.objects.remove('Pod', 'rook-ceph', pod.metadata.name)
  }
  await until('its OSD is down', async () => (await up()).join() === '0,2')
  expect(await ceph.okToStop([0])).toMatchObject({ ok: true, value: { ok: false } })
  kubernetes.objects.change('Node', null, 'st-2', object => ({ ...object, spec: {} }))
  await until('it is up, and Ceph whole', async () => (await up()).length === 3 && (await isWhole()))
  expect(await ceph.okToStop([0])).toMatchObject({ ok: true, value: { ok: true } })
})

test('noout set over the API is in the next answer', async () => {
  expect(await ceph.setNoout({ kind: 'host', host: 'st-3' }, true)).toMatchObject({ ok: true })
  const osds = await ceph.osds()
  expect(osds.ok && osds.value.map(osd => osd.noout)).toEqual([false, false, true])
  expect(await ceph.setNoout({ kind: 'host', host: 'st-3' }, false)).toMatchObject({ ok: true })
})

test("an OSD's Deployment is scaled away and back: its OSD goes down and comes up, and others are not touched", async () => {
  const osds = createOsdDaemons({ session, namespace: 'rook-ceph' })
  expect(await osds.running([0, 1, 2, 7])).toEqual({ ok: true, value: [0, 1, 2] })
  expect(await osds.setRunning([1, 7], false)).toMatchObject({
    ok: false,
    failure: { code: 'not-found', message: expect.stringContaining('OSD 7') },
  })
  expect(await up()).toEqual([0, 1, 2])
  expect(await osds.setRunning([1], false)).toMatchObject({ ok: true })
  await until('its OSD is down', async () => (await up()).join() === '0,2')
  expect(await osds.running([0, 1, 2])).toEqual({ ok: true, value: [0, 2] })
  // Asked again, nothing changes: the count it had before is still known.
  expect(await osds.setRunning([1], false)).toMatchObject({ ok: true })
  expect(await osds.setRunning([1], true)).toMatchObject({ ok: true })
  await until('it is up, and Ceph whole', async () => (await up()).length === 3 && (await isWhole()))
  const deployment = kubernetes.objects.list('Deployment', 'rook-ceph').find(each => each.metadata.name.endsWith('-1'))
  expect(deployment?.spec).toMatchObject({ replicas: 1 })
  expect(deployment?.metadata.annotations ?? {}).toEqual({})
})

test('each of its services has its node', async () => {
  const services = await ceph.services()
  expect(services.ok && services.value.daemons.map(({ kind, name, node: on }) => `${kind}.${name} ${on}`)).toEqual([
    'mon.a st-1',
    'mon.b st-2',
    'mon.c st-3',
    'mgr.a st-1',
    'mgr.b st-2',
    'mgr.c st-3',
  ])
})
