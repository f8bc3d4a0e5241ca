import { z } from 'zod'
import { Edit } from '../domain/edit.ts'
import { Failure } from '../domain/failure.ts'
import { HOST_MODES } from '../domain/instance-policy.ts'
import { InstanceRemedy } from '../domain/instance-remedy.ts'
import { MAINTENANCE_ACTIONS } from '../domain/instance-tags.ts'
import { NodeDetail } from '../domain/node-detail.ts'
import { InstanceSummary, NodeSummary } from '../domain/node-summary.ts'

export const MarkResult = z.strictObject({
  id: z.string(),
  name: z.string(),
  before: z.array(z.enum(MAINTENANCE_ACTIONS)),
  after: z.array(z.enum(MAINTENANCE_ACTIONS)),
  /** Null if it is done. 409 (an instance in ERROR takes no tags) and 403 name their reason. */
  failure: Failure.nullable(),
})
export type MarkResult = z.infer<typeof MarkResult>

export const HostModeValues = z.strictObject({ mode: z.string().nullable(), attempts: z.string().nullable() })
export type HostModeValues = z.infer<typeof HostModeValues>

export const nodeRequests = {
  'node.list': {
    effect: 'read',
    input: z.strictObject({ cluster: z.string() }),
    output: z.strictObject({ nodes: z.array(NodeSummary), readAt: z.string(), unreachable: z.array(z.string()) }),
  },
  'node.show': { effect: 'read', input: z.strictObject({ cluster: z.string(), node: z.string() }), output: NodeDetail },
  /** Writes a host's migration mode and attempts (docs/domain.md A.5): absent values stay, null removes. `restore`, for undo, writes any value. */
  'node.set-mode': {
    effect: 'journaled',
    input: z.strictObject({
      cluster: z.string(),
      node: z.string(),
      mode: z.enum(HOST_MODES).nullable().optional(),
      attempts: z.number().int().min(1).max(20).nullable().optional(),
      restore: HostModeValues.partial().optional(),
    }),
    output: z.strictObject({ before: HostModeValues, after: HostModeValues }),
  },
  'instance.list': {
    effect: 'read',
    input: z.strictObject({ cluster: z.string(), node: z.string().nullable() }),
    output: z.strictObject({
      instances: z.array(InstanceSummary),
      /** Their names, if Keystone gives them; the others appear by id. */
      projects: z.array(z.strictObject({ id: z.string(), name: z.string() })),
      readAt: z.string(),
      unreachable: z.array(z.string()),
    }),
  },
  /**
   * Exactly these maintenance actions as tags (docs/domain.md A.6); foreign tags stay, and several only for undo. Each instance has its own result.
   */
  'instance.mark': {
    effect: 'journaled',
    input: z.strictObject({
      cluster: z.string(),
      marks: z
        .array(z.strictObject({ id: z.string(), actions: z.array(z.enum(MAINTENANCE_ACTIONS)) }))
        .min(1)
        .max(1000),
    }),
    output: z.strictObject({ results: z.array(MarkResult) }),
  },
  /**
   * Resets the state of one instance or shuts it down where it is, only while it is as shown. `done` false: Nova still works on it, or its
   * state could not be read again.
   */
  'instance.remedy': {
    effect: 'journaled',
    input: z.strictObject({
      cluster: z.string(),
      id: z.string(),
      remedy: InstanceRemedy,
      seen: z.strictObject({ host: z.string().nullable(), status: z.string(), taskState: z.string().nullable() }),
      /** A production cloud wants one. */
      reason: z.string().max(2000),
    }),
    output: z.strictObject({ name: z.string(), status: z.string(), done: z.boolean() }),
  },
  'edit.list': {
    effect: 'read',
    input: z.strictObject({
      cluster: z.string(),
      node: z.string().nullable(),
      limit: z.number().int().min(1).max(500),
    }),
    output: z.array(Edit),
  },
} as const
