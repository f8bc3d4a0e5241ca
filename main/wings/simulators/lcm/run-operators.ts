import { isDeepStrictEqual } from 'node:util'
import type { Clock } from '../../../platform/clock/clock.ts'
import type { CephSimulator } from '../ceph/ceph-simulator.ts'
import type { KubernetesSimulator } from '../kubernetes/kubernetes-simulator.ts'
import { isServing } from '../kubernetes/simulated-objects.ts'
import { isTrueAt, type Json, type JsonObject, listAt, recordAt, textAt } from '../kubernetes/store/json.ts'
import type { Stored } from '../kubernetes/store/models.ts'
import { OSD_BUDGET, ROOK_NAMESPACE } from '../scenarios/rook-ceph.ts'
import { OPENSTACK_NAMESPACE } from '../scenarios/scenario-objects.ts'
import { createBundleOperator } from './application-bundles.ts'

const LOOK_MS = 250

/** Guards the OSDs of a cluster by Rook's budgets until the signal aborts. */
export async function runRook(
  clock: Clock,
  kubernetes: Pick<KubernetesSimulator, 'objects'>,
  ceph: CephSimulator,
  signal: AbortSignal,
): Promise<void> {
  while (!signal.aborted) {
    keepOsdBudgets(kubernetes, ceph)
    await clock.sleep(LOOK_MS, signal)
  }
}

/** Runs the operators of a MOSK cluster outside node maintenance until the signal aborts: Rockoon's health report, Rook's budgets, application updates. */
export async function runOperators(
  clock: Clock,
  kubernetes: Pick<KubernetesSimulator, 'objects'>,
  ceph: CephSimulator,
  signal: AbortSignal,
  speed = 1,
): Promise<void> {
  const deployBundles = createBundleOperator(clock, kubernetes, ceph, speed)
  while (!signal.aborted) {
    reportDeploymentHealth(kubernetes)
    keepOsdBudgets(kubernetes, ceph)
    deployBundles()
    await clock.sleep(LOOK_MS, signal)
  }
}

const HEALTH_KIND = 'OpenStackDeploymentStatus'

/** Writes each OpenStack component's health into the OpenStackDeploymentStatus as Rockoon does: `Ready` or `Progressing` (docs/domain.md A.3). */
function reportDeploymentHealth(kubernetes: Pick<KubernetesSimulator, 'objects'>): void {
  const { objects } = kubernetes
  const [deployment] = objects.list(HEALTH_KIND, OPENSTACK_NAMESPACE)
  if (deployment === undefined) return
  const health = healthOf(objects.list('Pod', OPENSTACK_NAMESPACE))
  const states = Object.values(health).flatMap(parts => Object.values(parts))
  const ready = states.filter(({ status }) => status === 'Ready').length
  const status: JsonObject = {
    ...recordAt(deployment, 'status'),
    osdpl: { ...recordAt(deployment, 'status', 'osdpl'), health: `${ready}/${states.length}` },
    health,
  }
  if (isDeepStrictEqual(status, recordAt(deployment, 'status'))) return
  objects.change(HEALTH_KIND, OPENSTACK_NAMESPACE, deployment.metadata.name, current => ({ ...current, status }))
}

type Health = Record<string, Record<string, { status: 'Ready' | 'Progressing' }>>

function healthOf(pods: readonly Stored<'Pod'>[]): Health {
  const health: Health = {}
  for (const pod of pods) {
    const { application, component } = pod.metadata.labels ?? {}
    const isOneOff = ['Succeeded', 'Failed'].includes(textAt(pod, 'status', 'phase') ?? '')
    if (application === undefined || component === undefined || isOneOff) continue
    const parts = health[application] ?? {}
    health[application] = parts
    const before = parts[component]?.status ?? 'Ready'
    parts[component] = { status: before === 'Ready' && isServing(pod) ? 'Ready' : 'Progressing' }
  }
  return health
}

const BUDGET_KIND = 'PodDisruptionBudget'
const HOST_LABEL = 'topology-location-host'
const BLOCKING = 'rook-ceph-osd-host-'

/**
 * Guards OSDs as Rook does (rook `disruption/clusterdisruption/osd.go`). One budget lets a single OSD go. While OSDs
 * of a drained host are down, each other host has a budget that lets no OSD go.
 */
function keepOsdBudgets(kubernetes: Pick<KubernetesSimulator, 'objects'>, ceph: CephSimulator): void {
  const { objects } = kubernetes
  const osds = objects.list('Pod', ROOK_NAMESPACE).filter(pod => pod.metadata.labels?.app === 'rook-ceph-osd')
  const hosts = [...new Set(osds.flatMap(pod => pod.metadata.labels?.[HOST_LABEL] ?? []))].sort()
  const down = hosts.filter(host => osds.some(pod => pod.metadata.labels?.[HOST_LABEL] === host && !isServing(pod)))
  const draining = down.find(host => isTrueAt(objects.get('Node', null, host), 'spec', 'unschedulable')) ?? down[0]
  const blocked = objects.list(BUDGET_KIND, ROOK_NAMESPACE).filter(({ metadata }) => metadata.name.startsWith(BLOCKING))
  if (draining === undefined) {
    if (blocked.length === 0 || !isClean(ceph)) return
    for (const { metadata } of blocked) objects.remove(BUDGET_KIND, ROOK_NAMESPACE, metadata.name)
    objects.create(osdBudget(OSD_BUDGET, 1, { app: 'rook-ceph-osd' }))
    return
  }
  const wanted = hosts.filter(host => host !== draining).map(host => BLOCKING + host)
  for (const name of wanted) {
    if (objects.get(BUDGET_KIND, ROOK_NAMESPACE, name) !== null) continue
    objects.create(osdBudget(name, 0, { app: 'rook-ceph-osd', [HOST_LABEL]: name.slice(BLOCKING.length) }))
  }
  for (const { metadata } of blocked) {
    if (!wanted.includes(metadata.name)) objects.remove(BUDGET_KIND, ROOK_NAMESPACE, metadata.name)
  }
  if (objects.get(BUDGET_KIND, ROOK_NAMESPACE, OSD_BUDGET) !== null)
    objects.remove(BUDGET_KIND, ROOK_NAMESPACE, OSD_BUDGET)
}

function osdBudget(name: string, maxUnavailable: number, matchLabels: Readonly<Record<string, string>>) {
  return {
    apiVersion: 'policy/v1',
    kind: BUDGET_KIND,
    metadata: { name, namespace: ROOK_NAMESPACE },
    spec: { maxUnavailable, selector: { matchLabels } },
  }
}

function isClean(ceph: CephSimulator): boolean {
  const answered = ceph.command(['ceph', 'status', '--format', 'json'])
  if (answered === null || answered.exitCode !== 0) return false
  const status: Json = JSON.parse(answered.stdout)
  return listAt(status, 'pgmap', 'pgs_by_state').every(state => textAt(state, 'state_name') === 'active+clean')
}
