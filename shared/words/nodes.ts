import type { WorkloadLockLamp } from '../domain/cluster-view.ts'
import type { Contact, NodeSummary } from '../domain/node-summary.ts'
import type { NodeRole } from '../domain/roles.ts'

/** The roles of nodes. */
export const ROLE_WORDS: Readonly<Record<NodeRole, string>> = {
  control: 'Control',
  gateway: 'Network',
  compute: 'Compute',
  storage: 'Storage',
}

/** Whether the kubelet of a node reports. */
export const READY_WORDS: Readonly<Record<Contact, string>> = {
  ready: 'ready',
  'not-ready': 'not ready',
  unknown: 'contact lost',
  none: 'not a node of Kubernetes',
}

/** Whether Kubernetes places new pods on a node. */
export const SCHEDULING_WORDS: Readonly<Record<`${NodeSummary['schedulable']}`, string>> = {
  true: 'takes new pods',
  false: 'cordoned: takes no new pods',
  null: 'not a node of Kubernetes: it has no pods',
}

/** The meaning of a workload lock's state. */
export const LOCK_WORDS: Readonly<Record<WorkloadLockLamp['state'], string>> = {
  active: 'active: its application still works here',
  inactive: 'inactive: its application lets the node go',
  failed: 'failed',
  unknown: 'unknown',
}
