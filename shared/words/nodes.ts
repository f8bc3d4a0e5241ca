import type { WorkloadLockLamp } from '../domain/cluster-view.ts'
import type { Contact, NodeSummary } from '../domain/node-summary.ts'
import type { NodeRole } from '../domain/roles.ts'

/** What a node does in the cloud. */
export const ROLE_WORDS: Readonly<Record<NodeRole, string>> = {
  control: 'Control',
  gateway: 'Gateway',
  compute: 'Compute',
  storage: 'Storage',
}

/** What its kubelet says of it. */
export const READY_WORDS: Readonly<Record<Contact, string>> = {
  ready: 'ready',
  'not-ready': 'not ready',
  unknown: 'contact lost',
  none: 'no node of Kubernetes',
}

/** Whether Kubernetes places new pods on it. */
export const SCHEDULING_WORDS: Readonly<Record<`${NodeSummary['schedulable']}`, string>> = {
  true: 'takes new pods',
  false: 'cordoned: takes no new pods',
  null: 'no node of Kubernetes: it has no pods',
}

/** What a controller's workload lock says. */
export const LOCK_WORDS: Readonly<Record<WorkloadLockLamp['state'], string>> = {
  active: 'active: work of it is still here',
  inactive: 'inactive: it lets the node go',
  failed: 'failed',
  unknown: 'not known',
}
