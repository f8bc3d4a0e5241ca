import { type Cluster, strategyOf } from '../../shared/domain/cluster.ts'
import type { InstancePolicy } from '../../shared/domain/instance-policy.ts'

/**
 * Whether an instance must not be on a node in maintenance. Where Watcher empties nodes, nothing that runs may stay (seed 004, verify "No
 * instances"): it knows no owners' tags. Elsewhere those that go down with the host, or wait for their owner, may.
 */
export function hasToLeave(
  action: InstancePolicy['action'],
  cluster: Pick<Cluster, 'flavour' | 'roleMaintenance'>,
): boolean {
  if (strategyOf(cluster) === 'watcher') return action !== 'ignore'
  return action === 'live_migrate' || action === 'blocked'
}
