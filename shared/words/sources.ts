import type { SourceName } from '../domain/cluster-view.ts'

/** The names of the sources of a view. */
export const SOURCE_NAMES: Readonly<Record<SourceName, string>> = {
  nodes: 'Nodes',
  pods: 'Pods',
  leases: 'Leases of nodes',
  'workload-locks': 'Workload locks',
  'maintenance-requests': 'Maintenance requests',
  'compute-services': 'Compute services',
  'network-agents': 'Network agents',
  instances: 'Instances',
  capacity: 'Capacity',
}
