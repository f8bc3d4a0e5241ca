import { type Cluster, cephAccessOf } from '../../../shared/domain/cluster.ts'

/** Whether Ceph decides the state of a node: not on flavour mosk (docs/domain.md A.9), and not without settings for Ceph. */
export function asksCephAbout(cluster: Pick<Cluster, 'flavour' | 'roleMaintenance'>): boolean {
  return cluster.flavour !== 'mosk' && cephAccessOf(cluster) !== 'none'
}
