import type { KubernetesObject } from '../kubernetes/store/kubernetes-object.ts'
import { CONTROL, workload } from './scenario-objects.ts'

export const ROOK_NAMESPACE = 'rook-ceph'
/** The labels of Rook's toolbox pod. */
export const TOOLBOX_LABELS = { app: 'rook-ceph-tools' }
export const OSDS_PER_HOST = 2
/** The budget that lets one OSD go at a time; Rook replaces it while hosts are drained. */
export const OSD_BUDGET = 'rook-ceph-osd'

/** Ceph under Rook: a Deployment for each OSD and monitor on its node, a manager and the toolbox. */
export function rookCephObjects(
  storageNodes: readonly string[],
  monitorNodes: readonly string[],
): readonly KubernetesObject[] {
  return [
    ...osdObjects(storageNodes),
    ...monitorNodes.map((host, index) => {
      const letter = String.fromCharCode('a'.charCodeAt(0) + index)
      return pinned(`rook-ceph-mon-${letter}`, { app: 'rook-ceph-mon', mon: letter }, host)
    }),
    inRook(workload('Deployment', 'rook-ceph-mgr-a', { app: 'rook-ceph-mgr' }, { replicas: 1, on: CONTROL })),
    inRook(workload('Deployment', 'rook-ceph-operator', { app: 'rook-ceph-operator' }, { replicas: 1, on: CONTROL })),
    inRook(workload('Deployment', 'rook-ceph-tools', TOOLBOX_LABELS, { replicas: 1, on: CONTROL })),
    budget('rook-ceph-mon-pdb', { matchLabels: { app: 'rook-ceph-mon' } }),
  ]
}

/** OSDs under Rook, whose monitors are outside Kubernetes, and a toolbox on this node. */
export function rookOsdObjects(storageNodes: readonly string[], toolboxNode: string): readonly KubernetesObject[] {
  return [...osdObjects(storageNodes), pinned('rook-ceph-tools', TOOLBOX_LABELS, toolboxNode)]
}

function osdObjects(storageNodes: readonly string[]): readonly KubernetesObject[] {
  const osds = storageNodes.flatMap((host, index) =>
    Array.from({ length: OSDS_PER_HOST }, (_, disk) => ({ id: index * OSDS_PER_HOST + disk, host })),
  )
  return [
    ...osds.map(({ id, host }) =>
      pinned(
        `rook-ceph-osd-${id}`,
        { app: 'rook-ceph-osd', 'ceph-osd-id': String(id), 'topology-location-host': host },
        host,
      ),
    ),
    budget(OSD_BUDGET, { matchLabels: { app: 'rook-ceph-osd' } }),
  ]
}

function pinned(name: string, labels: Readonly<Record<string, string>>, host: string): KubernetesObject {
  return inRook(workload('Deployment', name, labels, { replicas: 1, on: { 'kubernetes.io/hostname': host } }))
}

function inRook(object: KubernetesObject): KubernetesObject {
  return { ...object, metadata: { ...object.metadata, namespace: ROOK_NAMESPACE } }
}

function budget(name: string, selector: KubernetesObject['selector']): KubernetesObject {
  return {
    apiVersion: 'policy/v1',
    kind: 'PodDisruptionBudget',
    metadata: { name, namespace: ROOK_NAMESPACE },
    spec: { maxUnavailable: 1, ...(selector === undefined ? {} : { selector }) },
  }
}
