import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { discoverEviction } from '../../../../main/adapters/kubernetes/eviction.ts'
import { createKubernetesFeeds } from '../../../../main/adapters/kubernetes/feeds.ts'
import { createKubernetesPort } from '../../../../main/adapters/kubernetes/kubernetes-port.ts'
import { createLockWriter } from '../../../../main/adapters/kubernetes/lock-writer.ts'
import { createMaintenanceApi } from '../../../../main/adapters/kubernetes/maintenance-api.ts'
import { createOsdDaemons } from '../../../../main/adapters/kubernetes/osd-daemons.ts'
import { type KubernetesSession, openKubernetesSession } from '../../../../main/adapters/kubernetes/session.ts'
import { readLcmReport } from '../../../../main/adapters/kubernetes/update-plans.ts'
import { createMaintenanceWatch } from '../../../../main/adapters/kubernetes/watch-maintenance.ts'
import { type Clock, systemClock } from '../../../../main/platform/clock/clock.ts'
import { silentLogger } from '../../../../main/platform/log/logger.ts'
import type { Lie } from '../../../../main/wings/simulators/kubernetes/faults.ts'
import {
  type KubernetesSimulator,
  startKubernetesSimulator,
} from '../../../../main/wings/simulators/kubernetes/kubernetes-simulator.ts'
import { nodeLease } from '../../../../shared/domain/lease-name.ts'
import { valueIn } from '../../../fixtures/clusters/results.ts'
import {
  sayAnotherKind,
  sayAnotherObject,
  sayEmptyList,
  sayEndless,
  sayHalf,
  sayJson,
  sayLoginPage,
  sayNoVersion,
  sayProxyNotFound,
  sayText,
  sayTorn,
} from '../../../fixtures/demo-kubernetes/lies.ts'
import { FAST, SMALL_CLOUD, workload } from '../../../fixtures/demo-kubernetes/small-cloud.ts'
import { DEFAULTS } from '../../../fixtures/kubernetes/drains.ts'
import { newFolder } from '../../../fixtures/kubernetes/kubeconfig-files.ts'

/** Waits for retries pass fast, limits of an answer do not. */
function hurriedClock(): Clock {
  let ahead = 0
  return {
    ...systemClock,
    now: () => systemClock.now() + ahead,
    sleep: async (ms, signal) => {
      const real = ms < 15_000 ? ms / 20 : ms
      await systemClock.sleep(real, signal)
      ahead += ms - real
    },
  }
}

const clock = hurriedClock()
const NODE = 'cmp-1'
const LOCKS = 'nodeworkloadlocks'
const REQUESTS = 'nodemaintenancerequests'
const LEASE = { identity: 'us', runId: 'r', operator: 'o', machine: 'm', durationSeconds: 60 }

let simulator: KubernetesSimulator
let session: KubernetesSession
let ports: ReturnType<typeof portsOver>
let lock: { readonly name: string; readonly uid: string }
let request: { readonly name: string; readonly uid: string }
let nth = 0
/** A name that no row used before. */
const fresh = () => `x-${++nth}`

function portsOver(over: KubernetesSession) {
  const { leases, ...kubernetes } = createKubernetesPort({
    session: over,
    leaseNamespace: 'default',
    clock,
    log: silentLogger,
  })
  const watchMaintenance = createMaintenanceWatch({ session: over, clock })
  return {
    kubernetes,
    leases,
    maintenance: createMaintenanceApi({ session: over, clock }),
    locks: createLockWriter(over),
    osds: createOsdDaemons({ session: over, namespace: 'openstack' }),
    feeds: createKubernetesFeeds({ session: over, leaseNamespace: 'default', clock, watchMaintenance }),
    others: {
      version: over.version,
      discoverEviction: (signal?: AbortSignal) => discoverEviction(over, signal),
      readLcmReport: readLcmReport(over),
    },
  }
}

beforeAll(async () => {
  const osd = workload('Deployment', 'rook-ceph-osd-1', { replicas: 1 })
  simulator = await startKubernetesSimulator({
    clock: systemClock,
    seed: [...SMALL_CLOUD, { ...osd, metadata: { ...osd.metadata, labels: { 'ceph-osd-id': '1' } } }],
    timings: FAST,
  })
  const path = join(await newFolder(), 'config')
  await writeFile(path, simulator.kubeconfig())
  session = valueIn(
    await openKubernetesSession({
      source: { paths: [path], context: 'demo' },
      consent: () => false,
      clock,
      log: silentLogger,
    }),
  )
  ports = portsOver(session)
  valueIn(await ports.maintenance.installDefinitions())
  lock = valueIn(
    await ports.locks.createNodeLock({
      name: 'lock-1',
      controller: 'openstack',
      nodeName: NODE,
      nodeDeletionRequestSupported: false,
      annotations: {},
    }),
  )
  request = valueIn(
    await ports.maintenance.createNodeRequest({
      name: NODE,
      nodeName: NODE,
      scope: 'os',
      release: null,
      annotations: {},
    }),
  )
  valueIn(await ports.kubernetes.setUnschedulable('ctl-1', true))
  valueIn(await ports.leases.acquire({ name: nodeLease('held'), ...LEASE, identity: 'them' }))
  valueIn(await ports.leases.acquire({ name: nodeLease('ours'), ...LEASE }))
})
afterEach(() => simulator.faults.clear())
afterAll(async () => {
  session.close()
  await simulator.stop()
})

/** A call, and which of its requests is answered with a lie. */
interface Row {
  readonly call: () => Promise<unknown>
  readonly met: { readonly path: RegExp; readonly method?: string }
  readonly shape: 'list' | 'object' | 'other' | 'deleted'
  /** False: what was asked is not done either. */
  readonly done?: boolean
  /** The result that a lie must not have; if absent, an ok. */
  readonly isFine?: (answer: unknown) => boolean
}

const isOk = (answer: unknown) => (answer as { readonly ok: boolean }).ok
const list = (plural: string, call: Row['call']): Row => ({
  call,
  met: { path: new RegExp(`/${plural}(\\?|$)`), method: 'GET' },
  shape: 'list',
})
const get = (path: RegExp, call: Row['call']): Row => ({ call, met: { path, method: 'GET' }, shape: 'object' })
const write = (method: string, path: RegExp, call: Row['call']): Row => ({
  call,
  met: { path, method },
  shape: 'object',
})
const NAMED = { apiVersion: 'apps/v1', kind: 'Deployment', namespace: 'openstack', name: 'keystone' }
/** Patches a node that an operator named, as it is now. */
const patchNode = async () => {
  const named = { apiVersion: 'v1', kind: 'Node', namespace: null, name: 'ctl-1' }
  const seen = await ports.kubernetes.namedObject(named)
  if (!seen.ok || seen.value === null) return seen
  const { uid, resourceVersion } = seen.value
  const patch = { metadata: { labels: { nth: fresh() } } }
  return ports.kubernetes.patchNamedObject(named, { patch, uid, resourceVersion })
}
const drain = () =>
  ports.kubernetes.drain(
    'ctl-1',
    { ...DEFAULTS, deleteEmptyDirData: true, timeoutMs: 10_000 },
    { onFact: () => {}, requestedBefore: new Set(), signal: new AbortController().signal },
  )
const isDrained = (answer: unknown) => (answer as { readonly kind: string }).kind === 'drained'
/** A feed that tells anything of what it follows, or says that it is live. */
const reported =
  (
    feed: (
      listener: { onChange: () => void; onState: (state: { kind: string }) => void },
      signal: AbortSignal,
    ) => Promise<void>,
  ) =>
  async () => {
    const stop = new AbortController()
    let ok = false
    const finish = (was: boolean) => {
      ok ||= was
      stop.abort()
    }
    await feed(
      {
        onChange: () => finish(true),
        onState: ({ kind }) => {
          if (kind !== 'catching-up') finish(kind === 'live' || kind === 'absent')
        },
      },
      stop.signal,
    )
    return { ok }
  }

const TARGET = () => ({ kind: 'NodeWorkloadLock' as const, ...lock })
const WITHDRAWN = () => ({ kind: 'NodeMaintenanceRequest' as const, ...request })

const ROWS: Readonly<Record<string, Readonly<Record<string, readonly Row[]>>>> = {
  kubernetes: {
    listNodes: [list('nodes', () => ports.kubernetes.listNodes())],
    getNode: [get(/nodes\/cmp-1$/, () => ports.kubernetes.getNode(NODE))],
    setUnschedulable: [
      get(/nodes\/cmp-1$/, () => ports.kubernetes.setUnschedulable(NODE, true)),
      { ...write('PATCH', /nodes\/cmp-1$/, () => ports.kubernetes.setUnschedulable(NODE, true)), done: false },
    ],
    annotateNode: [write('PATCH', /nodes\/cmp-1$/, () => ports.kubernetes.annotateNode(NODE, { [fresh()]: 'x' }))],
    listTaints: [get(/nodes\/cmp-1$/, () => ports.kubernetes.listTaints(NODE))],
    setTaint: [
      get(/nodes\/cmp-1$/, () =>
        ports.kubernetes.setTaint(NODE, { key: fresh(), value: '', effect: 'NoSchedule' }, true),
      ),
      {
        ...write('PATCH', /nodes\/cmp-1$/, () =>
          ports.kubernetes.setTaint(NODE, { key: fresh(), value: '', effect: 'NoSchedule' }, true),
        ),
        done: false,
      },
    ],
    getLeaseAnnotations: [get(/leases\/lockkeeper-node-held$/, () => ports.kubernetes.getLeaseAnnotations('held'))],
    annotateLease: [
      write('PATCH', /leases\/lockkeeper-node-held$/, () => ports.kubernetes.annotateLease('held', { [fresh()]: 'x' })),
    ],
    listPodsOnNode: [list('pods', () => ports.kubernetes.listPodsOnNode('ctl-1'))],
    listPods: [
      list('pods', () => ports.kubernetes.listPods(null)),
      list('pods', () => ports.kubernetes.listPods('openstack')),
    ],
    getPod: [get(/pods\/mariadb-0$/, () => ports.kubernetes.getPod('openstack', 'mariadb-0'))],
    listNodeEvents: [list('events', () => ports.kubernetes.listNodeEvents(NODE, 5))],
    listBudgets: [list('poddisruptionbudgets', () => ports.kubernetes.listBudgets())],
    listForeignMaintenances: [{ ...get(/apis$/, () => ports.kubernetes.listForeignMaintenances()), shape: 'other' }],
    listBoundVolumes: [list('persistentvolumes', () => ports.kubernetes.listBoundVolumes())],
    listWorkloads: [list('statefulsets', () => ports.kubernetes.listWorkloads(['StatefulSet']))],
    reviewAccess: [
      {
        call: () => ports.kubernetes.reviewAccess([{ verb: 'list', group: '', resource: 'nodes' }]),
        met: { path: /selfsubject(access|rules)reviews$/ },
        shape: 'other',
      },
    ],
    planDrain: [
      list('pods', () => ports.kubernetes.planDrain('ctl-1', DEFAULTS, { dryRun: false })),
      get(/nodes\/ctl-1$/, () => ports.kubernetes.planDrain('ctl-1', DEFAULTS, { dryRun: false })),
      { ...get(/api\/v1$/, () => ports.kubernetes.planDrain('ctl-1', DEFAULTS, { dryRun: false })), shape: 'other' },
      {
        call: () => ports.kubernetes.planDrain('ctl-1', { ...DEFAULTS, deleteEmptyDirData: true }, { dryRun: true }),
        met: { path: /eviction$/ },
        shape: 'deleted',
        isFine: answer => {
          const { value } = answer as { value: { decisions: readonly { dryRun: { kind: string } | null }[] } }
          return value.decisions.some(({ dryRun }) => dryRun?.kind === 'accepted' || dryRun?.kind === 'gone')
        },
      },
    ],
    drain: [
      { ...list('pods', drain), isFine: isDrained },
      { ...get(/nodes\/ctl-1$/, drain), isFine: isDrained },
      { ...get(/api\/v1$/, drain), shape: 'other', isFine: isDrained },
      { ...get(/pods\/[\w-]+$/, drain), isFine: isDrained },
      { call: drain, met: { path: /eviction$/ }, shape: 'deleted', done: false, isFine: isDrained },
    ],
    createJob: [
      write('POST', /jobs$/, () =>
        ports.kubernetes.createJob('default', {
          apiVersion: 'batch/v1',
          kind: 'Job',
          metadata: { name: fresh() },
          spec: { template: { spec: { restartPolicy: 'Never', containers: [{ name: 'c', image: 'i' }] } } },
        }),
      ),
    ],
    isLeaseFree: [get(/leases\//, () => ports.kubernetes.isLeaseFree('held'))],
    resourceOfObject: [{ ...get(/apis\/apps\/v1$/, () => ports.kubernetes.resourceOfObject(NAMED)), shape: 'other' }],
    namedObject: [
      { ...get(/apis\/apps\/v1$/, () => ports.kubernetes.namedObject(NAMED)), shape: 'other' },
      get(/deployments\/keystone$/, () => ports.kubernetes.namedObject(NAMED)),
    ],
    patchNamedObject: [write('PATCH', /nodes\/ctl-1$/, patchNode)],
    getJob: [get(/jobs\/none$/, () => ports.kubernetes.getJob('default', 'none'))],
  },
  leases: {
    holder: [get(/leases\//, () => ports.leases.holder(nodeLease('held')))],
    all: [list('leases', () => ports.leases.all())],
    acquire: [
      get(/leases\//, () => ports.leases.acquire({ name: nodeLease('held'), ...LEASE })),
      write('POST', /leases$/, () => ports.leases.acquire({ name: nodeLease(fresh()), ...LEASE })),
      write('PATCH', /leases\//, () => ports.leases.acquire({ name: nodeLease('ours'), ...LEASE })),
    ],
    renew: [
      get(/leases\//, () => ports.leases.renew({ name: nodeLease('ours'), ...LEASE })),
      write('PATCH', /leases\//, () => ports.leases.renew({ name: nodeLease('ours'), ...LEASE })),
    ],
    confirm: [get(/leases\//, () => ports.leases.confirm({ name: nodeLease('ours'), ...LEASE }))],
    release: [
      get(/leases\//, () => ports.leases.release({ name: nodeLease('ours'), ...LEASE })),
      { ...write('PATCH', /leases\//, () => ports.leases.release({ name: nodeLease('ours'), ...LEASE })), done: false },
    ],
  },
  maintenance: {
    definitions: [get(/customresourcedefinitions\//, () => ports.maintenance.definitions())],
    servedKinds: [
      { ...get(/apis\/lcm\.mirantis\.com\/v1alpha1$/, () => ports.maintenance.servedKinds()), shape: 'other' },
    ],
    installDefinitions: [get(/customresourcedefinitions\//, () => ports.maintenance.installDefinitions())],
    objects: [list(LOCKS, () => ports.maintenance.objects()), list(REQUESTS, () => ports.maintenance.objects())],
    createNodeRequest: [
      write('POST', /requests/, () =>
        ports.maintenance.createNodeRequest({
          name: fresh(),
          nodeName: NODE,
          scope: 'os',
          release: null,
          annotations: {},
        }),
      ),
    ],
    createClusterRequest: [
      write('POST', /requests/, () =>
        ports.maintenance.createClusterRequest({ name: fresh(), scope: 'os', release: null, annotations: {} }),
      ),
    ],
    deleteRequest: [
      {
        ...write('DELETE', /requests/, () => ports.maintenance.deleteRequest(WITHDRAWN())),
        shape: 'deleted',
        done: false,
      },
    ],
    uidOf: [get(/requests\//, () => ports.maintenance.uidOf(WITHDRAWN()))],
    // The kind is not served: what says so has to be proved.
    deploymentStatus: [
      {
        call: () => ports.maintenance.deploymentStatus('openstack'),
        met: { path: /v1alpha1$|\/apis$/ },
        shape: 'other',
      },
    ],
  },
  locks: {
    createClusterLock: [
      write('POST', /locks$/, () =>
        ports.locks.createClusterLock({ name: fresh(), controller: 'openstack', annotations: {} }),
      ),
    ],
    createNodeLock: [
      write('POST', /locks$/, () =>
        ports.locks.createNodeLock({
          name: fresh(),
          controller: 'openstack',
          nodeName: NODE,
          nodeDeletionRequestSupported: false,
          annotations: {},
        }),
      ),
    ],
    setLockStatus: [
      get(/locks\//, () => ports.locks.setLockStatus(TARGET(), { state: 'inactive' })),
      { ...write('PATCH', /locks\//, () => ports.locks.setLockStatus(TARGET(), { state: 'inactive' })), done: false },
    ],
    annotateLock: [
      get(/locks\//, () => ports.locks.annotateLock(TARGET(), { [fresh()]: 'x' })),
      write('PATCH', /locks\//, () => ports.locks.annotateLock(TARGET(), { [fresh()]: 'x' })),
    ],
    deleteLock: [
      { ...write('DELETE', /locks\//, () => ports.locks.deleteLock(TARGET())), shape: 'deleted', done: false },
    ],
    setFinalizer: [
      get(/requests\//, () => ports.locks.setFinalizer(WITHDRAWN(), 'lcm.mirantis.com/x', false)),
      write('PATCH', /requests\//, () => ports.locks.setFinalizer(WITHDRAWN(), `lcm.mirantis.com/${fresh()}`, true)),
    ],
  },
  osds: {
    running: [list('deployments', () => ports.osds.running([1]))],
    setRunning: [
      list('deployments', () => ports.osds.setRunning([1], false)),
      { ...write('PATCH', /deployments\//, () => ports.osds.setRunning([1], false)), done: false },
    ],
  },
  feeds: {
    nodes: [
      list(
        'nodes',
        reported((listener, signal) => ports.feeds.nodes(listener, signal)),
      ),
    ],
    pods: [
      list(
        'pods',
        reported((listener, signal) => ports.feeds.pods(listener, signal)),
      ),
    ],
    leases: [
      list(
        'leases',
        reported((listener, signal) => ports.feeds.leases(listener, signal)),
      ),
    ],
    maintenance: [
      list(
        LOCKS,
        reported(({ onChange, onState }, signal) => ports.feeds.maintenance({ onObjects: onChange, onState }, signal)),
      ),
    ],
  },
  others: {
    version: [{ call: () => ports.others.version(), met: { path: /version$/ }, shape: 'other' }],
    discoverEviction: [{ call: () => ports.others.discoverEviction(), met: { path: /api\/v1$/ }, shape: 'other' }],
    readLcmReport: [{ call: () => ports.others.readLcmReport(), met: { path: /apis/ }, shape: 'other' }],
  },
}

const SUCCESS = { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Success' }
const OTHER = {
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name: 'x', namespace: 'y', uid: 'u', resourceVersion: '1' },
}
/** Lies with a good status that say nothing about the truth: they fit whether the change was made or not. */
const BLUNT: Readonly<Record<string, Lie>> = {
  'a login page': sayLoginPage,
  '{}': sayJson({}),
  '[]': sayJson([]),
  null: sayJson(null),
  'an empty body': sayText(''),
  'a text': sayText('ok', 'text/plain'),
  'bytes that are not text': sayText('\u001f\u008b\u0000', 'application/json'),
  'another object': sayJson(OTHER),
  'a list without kind': sayJson({ items: [], metadata: { resourceVersion: '1' } }),
  'a Status of failure with 200': sayJson({ ...SUCCESS, status: 'Failure', reason: 'NotFound', code: 404 }),
  "a proxy's 404": sayProxyNotFound,
  'a plain 404': sayText('404 page not found\n', 'text/plain', 404),
  "a proxy's 409": sayText('<html>conflict</html>', 'text/html', 409),
}
const SLY: Readonly<Record<string, Lie>> = {
  'half an answer': sayHalf,
  'an answer cut by its connection': sayTorn,
  'another kind': sayAnotherKind,
}

const SLY_ONES = { ...SLY, sayNoVersion, sayEndless, sayAnotherObject }

function liesFor({ shape, done }: Row): Readonly<Record<string, Lie>> {
  if (done === false) return shape === 'deleted' ? BLUNT : { ...BLUNT, 'a Status of success': sayJson(SUCCESS) }
  if (shape === 'deleted') return { ...BLUNT, ...SLY }
  const status = { 'a Status of success': sayJson(SUCCESS) }
  if (shape === 'list')
    return { ...BLUNT, ...SLY, ...status, 'no version': sayNoVersion, 'pages without end': sayEndless }
  const object = { 'no version': sayNoVersion, 'an object of another name': sayAnotherObject }
  return { ...BLUNT, ...SLY, ...status, ...(shape === 'object' ? object : {}) }
}

test('every method of every port over Kubernetes is in the table', () => {
  const methods = Object.fromEntries(Object.entries(ports).map(([name, port]) => [name, Object.keys(port).sort()]))
  expect(Object.fromEntries(Object.entries(ROWS).map(([name, rows]) => [name, Object.keys(rows).sort()]))).toEqual(
    methods,
  )
})

describe.each(
  Object.entries(ROWS).flatMap(([port, methods]) =>
    Object.entries(methods).flatMap(([method, rows]) =>
      rows.map(row => [`${port}.${method}`, row.met.method ?? 'any', String(row.met.path), row] as const),
    ),
  ),
)('%s, when %s %s is answered with', (_, __, ___, row) => {
  test.each(Object.entries(liesFor(row)))('%s: a failure', async (____, lie) => {
    let lied = 0
    simulator.faults.lie(
      row.met,
      truth => {
        const said = lie(truth)
        if (said !== null) lied += 1
        return said
      },
      row.done ?? true,
    )
    const answer = await row.call()
    // A lie made from the true answer may find nothing to change; a constant one is always sent.
    if (lied === 0 && Object.values(SLY_ONES).includes(lie)) return
    expect(lied).toBeGreaterThan(0)
    expect((row.isFine ?? isOk)(answer), JSON.stringify(answer)).toBe(false)
  })
})

test('a list without nodes is refused, even if it looks complete', async () => {
  simulator.faults.lie({ path: /nodes(\?|$)/, method: 'GET' }, sayEmptyList)
  expect(await ports.kubernetes.listNodes()).toMatchObject({ ok: false, failure: { code: 'unreadable' } })
})
