import { z } from 'zod'
import { Said } from './coded.ts'
import { ForeignMaintenance } from './foreign-maintenance.ts'
import { NodeCondition } from './node-conditions.ts'
import { TaintOfOthers } from './node-taints.ts'
import { NodeVerdict } from './node-verdict.ts'
import { NodeRole } from './roles.ts'

/**
 * Computed from the world each time. `maintenance`: everything readable says it is empty and out of service; `partial`: only some of it is;
 * `decommissioned`: no longer a node, but Nova or Ceph still list its name (seed 004).
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

/** `unknown`: contact is lost; `none`: no Kubernetes node, so no contact is expected. */
export const Contact = z.enum(['ready', 'not-ready', 'unknown', 'none'])
export type Contact = z.infer<typeof Contact>

export const NodeSummary = z.strictObject({
  name: z.string(),
  roles: z.array(NodeRole),
  /** For example, `its label openstack-compute-node=enabled`, `Nova's compute service`. */
  roleSources: z.array(z.strictObject({ role: NodeRole, by: z.string() })),
  /** Labels and running services disagree about a role; whole sentences. */
  roleContradictions: z.array(z.string()),
  ready: Contact,
  schedulable: z.boolean().nullable(),
  /** Shown, never removed. Absent if a runner of an earlier version does not report them. */
  taints: z.array(TaintOfOthers).optional(),
  maintainedBy: z.array(ForeignMaintenance).optional(),
  /** Several records of it in Nova and Neutron: leftovers with their removal, and conflicts. */
  records: z.array(Said).optional(),
  state: NodeState,
  stateReason: z.string(),
  stateFindings: z.array(Said).optional(),
  conditions: z.array(NodeCondition),
  /** Null if all of it is in service, or not read. */
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
