import { z } from 'zod'
import { Said } from './coded.ts'
import { ForeignMaintenance } from './foreign-maintenance.ts'
import { NodeCondition } from './node-conditions.ts'
import { TaintOfOthers } from './node-taints.ts'
import { NodeVerdict } from './node-verdict.ts'
import { NodeRole } from './roles.ts'

/**
 * The state of a node, computed from the world each time. `active`: in service; `entering`/`leaving`: a run works on it; `maintenance`: everything
 * readable says it is empty and out of service, role by role; `partial`: only some of it is; `unknown`: unreadable; `decommissioned`: the cluster
 * has no such node any longer, and no service, instance or OSD is on it, but Nova or Ceph still list its name (seed 004: its responsibilities have
 * been reassigned).
 */
export const NodeState = z.enum([
  'active',
  'entering',
  'maintenance',
  'leaving',
  'partial',
  'unknown',
  'decommissioned',
])
export type NodeState = z.infer<typeof NodeState>

/** What a node's kubelet reports. `unknown`: contact is lost; `none`: it is not a Kubernetes node, so no contact is expected. */
export const Contact = z.enum(['ready', 'not-ready', 'unknown', 'none'])
export type Contact = z.infer<typeof Contact>

export const NodeSummary = z.strictObject({
  name: z.string(),
  roles: z.array(NodeRole),
  /** Every source that gives it a role: `its label openstack-compute-node=enabled`, `Nova's compute service`. */
  roleSources: z.array(z.strictObject({ role: NodeRole, by: z.string() })),
  /** Disagreements between its labels and running services about a role; whole sentences. */
  roleContradictions: z.array(z.string()),
  ready: Contact,
  /** Whether Kubernetes places new pods on it; null: it is not a Kubernetes node. */
  schedulable: z.boolean().nullable(),
  /** Taints of others that keep pods off it: shown, never removed. Absent: a runner of an earlier version does not report them. */
  taints: z.array(TaintOfOthers).optional(),
  /** Other programs of the cluster that maintain it; absent: not read. */
  maintainedBy: z.array(ForeignMaintenance).optional(),
  /** Findings about several records of it in Nova and Neutron: leftovers and how to remove them, and conflicting records. Absent: no findings. */
  records: z.array(Said).optional(),
  state: NodeState,
  /** Why it is in this state, unless it is simply active. */
  stateReason: z.string(),
  /** The same by codes, one for each sentence of `stateReason`. */
  stateFindings: z.array(Said).optional(),
  /** The conditions of its roles for maintenance and their results; the state follows from these. */
  conditions: z.array(NodeCondition),
  /** Whether it is empty, if part of it is out of service; null: all of it is in service, or not read. */
  verdict: NodeVerdict.nullable(),
  zone: z.string().nullable(),
  kubeletVersion: z.string(),
  computeService: z
    .strictObject({
      status: z.enum(['enabled', 'disabled']),
      state: z.enum(['up', 'down']),
      disabledReason: z.string().nullable(),
    })
    .nullable(),
  runId: z.string().nullable(),
  migrationMode: z.string().nullable(),
})
export type NodeSummary = z.infer<typeof NodeSummary>

export const InstanceSummary = z.strictObject({
  id: z.string(),
  name: z.string(),
  projectId: z.string().nullable(),
  host: z.string().nullable(),
  zone: z.string().nullable(),
  status: z.string(),
  taskState: z.string().nullable(),
  /** What a maintenance of its host would do, or that it migrates now; and what decides that. */
  action: z.enum(['live_migrate', 'migrating', 'poweroff', 'notify', 'ignore', 'blocked']),
  actionSource: z.enum(['tag', 'host-mode', 'state', 'watcher']),
  actionReason: z.string(),
  warnings: z.array(z.string()),
})
export type InstanceSummary = z.infer<typeof InstanceSummary>
