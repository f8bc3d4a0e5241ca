import type { SourceName } from '../domain/cluster-view.ts'

/** What each source of a view tells about, as operators say it. */
export const SOURCE_NAMES: Readonly<Record<SourceName, string>> = {
  nodes: 'Nodes',
  pods: 'Pods',
  leases: 'Who holds which node',
  'workload-locks': 'Workload locks',
  'maintenance-requests': 'Maintenance requests',
  'compute-services': 'Compute services',
  'network-agents': 'Network agents',
  instances: 'Instances',
  capacity: 'Capacity',
}
