import { type Cluster, cephAccessOf } from '../../shared/domain/cluster.ts'

/**
 * Whether Ceph says how a node of this cluster stands. On flavour mosk its lock does (docs/domain.md A.9), and a cluster that is not told how
 * to ask Ceph keeps its storage nodes by their other roles.
 */
export function asksCephAbout(cluster: Pick<Cluster, 'flavour' | 'roleMaintenance'>): boolean {
  return cluster.flavour !== 'mosk' && cephAccessOf(cluster) !== 'none'
}
