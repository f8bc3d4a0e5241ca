import { type Cluster, cephAccessOf } from '../../shared/domain/cluster.ts'

/**
 * Whether Ceph decides the state of a node of this cluster. On flavour mosk its lock does (docs/domain.md A.9); without settings for Ceph, storage
 * nodes are judged by their other roles.
 */
export function asksCephAbout(cluster: Pick<Cluster, 'flavour' | 'roleMaintenance'>): boolean {
  return cluster.flavour !== 'mosk' && cephAccessOf(cluster) !== 'none'
}
