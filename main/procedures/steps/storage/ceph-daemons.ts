import { type Cluster, cephAccessOf } from '../../../../shared/domain/cluster.ts'
import type { Pod } from '../../../../shared/domain/kubernetes.ts'

/** Rook's labels of daemons whose redundancy Ceph manages itself. */
const APPS = { 'rook-ceph-osd': 'osd', 'rook-ceph-mon': 'mon' } as const

/** The Ceph daemon in a pod; null means another pod. Ceph decides whether a daemon can be spared, not a count of replicas (docs/domain.md C.3). */
export function cephDaemonOf(
  pod: Pick<Pod, 'namespace' | 'labels'>,
  cluster: Pick<Cluster, 'flavour' | 'maintenanceApi' | 'roleMaintenance'>,
): 'osd' | 'mon' | null {
  const { flavour, maintenanceApi } = cluster
  const asked = flavour === 'mosk' ? maintenanceApi.controllers.ceph !== 'none' : cephAccessOf(cluster) === 'toolbox'
  if (!asked || pod.namespace !== maintenanceApi.cephNamespace) return null
  const app = pod.labels.app
  return app === 'rook-ceph-osd' || app === 'rook-ceph-mon' ? APPS[app] : null
}
