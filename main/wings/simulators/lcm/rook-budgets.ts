import type { CephSimulator } from '../ceph/ceph-simulator.ts'
import type { KubernetesSimulator } from '../kubernetes/kubernetes-simulator.ts'
import { at, isTrueAt, type Json, listAt, textAt } from '../kubernetes/store/json.ts'
import type { Stored } from '../kubernetes/store/models.ts'
import { OSD_BUDGET, ROOK_NAMESPACE } from '../scenarios/demo-mosk-ceph.ts'

const KIND = 'PodDisruptionBudget'
const HOST_LABEL = 'topology-location-host'
const BLOCKING = 'rook-ceph-osd-host-'

/**
 * Guards OSDs as Rook does (rook `disruption/clusterdisruption/osd.go`). One budget lets a single OSD go. When OSDs
 * of a drained host are down, every other host gets a budget that lets no OSD go, and the drained host may lose all.
 * One budget returns when all OSDs run and all groups are active+clean.
 */
export function keepOsdBudgets(kubernetes: Pick<KubernetesSimulator, 'objects'>, ceph: CephSimulator): void {
  const { objects } = kubernetes
  const osds = objects.list('Pod', ROOK_NAMESPACE).filter(pod => pod.metadata.labels?.app === 'rook-ceph-osd')
  const hosts = [...new Set(osds.flatMap(pod => pod.metadata.labels?.[HOST_LABEL] ?? []))].sort()
  const down = hosts.filter(host => osds.some(pod => pod.metadata.labels?.[HOST_LABEL] === host && !isReady(pod)))
  const draining = down.find(host => isTrueAt(objects.get('Node', null, host), 'spec', 'unschedulable')) ?? down[0]
  const blocked = objects.list(KIND, ROOK_NAMESPACE).filter(({ metadata }) => metadata.name.startsWith(BLOCKING))
  if (draining === undefined) {
    if (blocked.length === 0 || !isClean(ceph)) return
    for (const { metadata } of blocked) objects.remove(KIND, ROOK_NAMESPACE, metadata.name)
    objects.create(osdBudget(OSD_BUDGET, 1, { app: 'rook-ceph-osd' }))
    return
  }
  const wanted = hosts.filter(host => host !== draining).map(host => BLOCKING + host)
  for (const name of wanted) {
    if (objects.get(KIND, ROOK_NAMESPACE, name) !== null) continue
    objects.create(osdBudget(name, 0, { app: 'rook-ceph-osd', [HOST_LABEL]: name.slice(BLOCKING.length) }))
  }
  for (const { metadata } of blocked) {
    if (!wanted.includes(metadata.name)) objects.remove(KIND, ROOK_NAMESPACE, metadata.name)
  }
  if (objects.get(KIND, ROOK_NAMESPACE, OSD_BUDGET) !== null) objects.remove(KIND, ROOK_NAMESPACE, OSD_BUDGET)
}

function osdBudget(name: string, maxUnavailable: number, matchLabels: Readonly<Record<string, string>>) {
  return {
    apiVersion: 'policy/v1',
    kind: KIND,
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

function isReady(pod: Stored<'Pod'>): boolean {
  const ready = listAt(pod, 'status', 'conditions').find(one => at(one, 'type') === 'Ready')
  return at(ready, 'status') === 'True' && pod.metadata.deletionTimestamp === undefined
}
