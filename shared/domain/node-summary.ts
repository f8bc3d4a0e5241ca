import { z } from 'zod'
import { Said } from './coded.ts'
import { ForeignMaintenance } from './foreign-maintenance.ts'
import { NodeCondition } from './node-conditions.ts'
import { TaintOfOthers } from './node-taints.ts'
import { NodeVerdict } from './node-verdict.ts'
import { NodeRole } from './roles.ts'

/**
 * Where a node stands, computed from the world each time:
 * `active` in service; `entering`/`leaving` while a run works on it; `maintenance` when everything that can be asked says
 * it is empty and out of service, role by role; `partial` when only some of it is; `unknown` when the world cannot be asked;
 * `decommissioned` when the cluster has no such node any more, nothing of it runs, no instance is on it and no OSD of it is in Ceph's map, but Nova or
 * Ceph still know its name (seed 004: its responsibilities have been reassigned).
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

/** What its kubelet says of a node: `unknown`: contact with it is lost; `none`: it is no node of Kubernetes, so nobody expects contact. */
export const Contact = z.enum(['ready', 'not-ready', 'unknown', 'none'])
export type Contact = z.infer<typeof Contact>

/** One row of the node list. */
export const NodeSummary = z.strictObject({
  name: z.string(),
  roles: z.array(NodeRole),
  /** Every source that gives it a role: `its label openstack-compute-node=enabled`, `Nova's compute service`. */
  roleSources: z.array(z.strictObject({ role: NodeRole, by: z.string() })),
  /** Where its labels and what runs there do not agree about a role; whole sentences. */
  roleContradictions: z.array(z.string()),
  ready: Contact,
  /** Whether Kubernetes places new pods on it; null: it is no node of Kubernetes, so nobody cordons it. */
  schedulable: z.boolean().nullable(),
  /** Taints by which others keep pods off it: shown, and never removed. Absent: a runner of an earlier version does not tell. */
  taints: z.array(TaintOfOthers).optional(),
  /** Who else in the cluster maintains it; absent: not read. */
  maintainedBy: z.array(ForeignMaintenance).optional(),
  /** What several records of it in Nova and Neutron mean: leftovers with what removes them, and two claims. Absent: there is nothing to tell. */
  records: z.array(Said).optional(),
  state: NodeState,
  /** Why the state is what it is, where it is not plainly active. */
  stateReason: z.string(),
  /** The same by codes: each a sentence of `stateReason`. */
  stateFindings: z.array(Said).optional(),
  /** What each of its roles asks of it in maintenance, and whether it is so; the state follows from these. */
  conditions: z.array(NodeCondition),
  /** Whether it is empty, where something of it is out of service; null: all of it serves, or nobody looked. */
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
  /** The run that works on it, if any. */
  runId: z.string().nullable(),
  migrationMode: z.string().nullable(),
})
export type NodeSummary = z.infer<typeof NodeSummary>

/** One row of the instance list. */
export const InstanceSummary = z.strictObject({
  id: z.string(),
  name: z.string(),
  projectId: z.string().nullable(),
  host: z.string().nullable(),
  zone: z.string().nullable(),
  status: z.string(),
  taskState: z.string().nullable(),
  /** What a maintenance of its host would do, or that it migrates now; and where that comes from. */
  action: z.enum(['live_migrate', 'migrating', 'poweroff', 'notify', 'ignore', 'blocked']),
  actionSource: z.enum(['tag', 'host-mode', 'state', 'watcher']),
  actionReason: z.string(),
  warnings: z.array(z.string()),
})
export type InstanceSummary = z.infer<typeof InstanceSummary>
