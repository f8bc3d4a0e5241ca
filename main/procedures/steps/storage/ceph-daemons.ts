import { type Cluster, cephAccessOf } from '../../../../shared/domain/cluster.ts'
import type { Pod } from '../../../../shared/domain/kubernetes.ts'

/** By what Rook labels the pods of the daemons that Ceph itself makes redundant. */
const APPS = { 'rook-ceph-osd': 'osd', 'rook-ceph-mon': 'mon' } as const

/**
 * Which daemon of Ceph a pod is, null when it is none. Rook runs each as a Deployment of one on its own node: whether it can be spared is for
 * Ceph to say, not for a count of replicas (docs/domain.md C.3), wherever this console asks it.
 */
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
