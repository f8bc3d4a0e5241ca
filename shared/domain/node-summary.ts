import { z } from 'zod'
import { NodeRole } from './roles.ts'

/**
 * Where a node stands, computed from the world each time:
 * `active` in service; `entering`/`leaving` while a run works on it; `maintenance` when everything that can be asked says
 * it is empty and out of service; `partial` when only some of it is; `unknown` when the world cannot be asked.
 */
export const NodeState = z.enum(['active', 'entering', 'maintenance', 'leaving', 'partial', 'unknown'])
export type NodeState = z.infer<typeof NodeState>

/** One row of the node list. */
export const NodeSummary = z.strictObject({
  name: z.string(),
  roles: z.array(NodeRole),
  ready: z.enum(['ready', 'not-ready', 'unknown']),
  schedulable: z.boolean(),
  state: NodeState,
  /** Why the state is what it is, where it is not plainly active. */
  stateReason: z.string(),
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
  /** What a maintenance of its host would do, and where that comes from. */
  action: z.enum(['live_migrate', 'poweroff', 'notify', 'ignore', 'blocked']),
  actionSource: z.enum(['tag', 'host-mode', 'state']),
  actionReason: z.string(),
  warnings: z.array(z.string()),
})
export type InstanceSummary = z.infer<typeof InstanceSummary>
