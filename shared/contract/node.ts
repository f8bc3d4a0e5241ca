import { z } from 'zod'
import { Edit } from '../domain/edit.ts'
import { Failure } from '../domain/failure.ts'
import { HOST_MODES } from '../domain/instance-policy.ts'
import { MAINTENANCE_ACTIONS } from '../domain/instance-tags.ts'
import { NodeDetail } from '../domain/node-detail.ts'
import { InstanceSummary, NodeSummary } from '../domain/node-summary.ts'

/** How one instance's tag changed, or why not; `before` allows undo. */
export const MarkResult = z.strictObject({
  id: z.string(),
  name: z.string(),
  before: z.array(z.enum(MAINTENANCE_ACTIONS)),
  after: z.array(z.enum(MAINTENANCE_ACTIONS)),
  /** Null: done. 409 (an instance in ERROR takes no tags) and 403 name their reason. */
  failure: Failure.nullable(),
})
export type MarkResult = z.infer<typeof MarkResult>

/** The two annotations of a host, verbatim; null: absent. */
export const HostModeValues = z.strictObject({ mode: z.string().nullable(), attempts: z.string().nullable() })
export type HostModeValues = z.infer<typeof HostModeValues>

export const nodeRequests = {
  'node.list': {
    effect: 'read',
    input: z.strictObject({ cluster: z.string() }),
    /** `unreachable` says, in words, what could not be read. */
    output: z.strictObject({ nodes: z.array(NodeSummary), readAt: z.string(), unreachable: z.array(z.string()) }),
  },
  'node.show': { effect: 'read', input: z.strictObject({ cluster: z.string(), node: z.string() }), output: NodeDetail },
  /**
   * Writes the host's migration mode and attempts (docs/domain.md A.5); absent values stay, null removes the annotation. `restore`, for undo, also
   * writes values that Lockkeeper does not offer. Returns the old and the new values.
   */
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
      /** Names of their projects if Keystone gives them; the others appear by id. */
      projects: z.array(z.strictObject({ id: z.string(), name: z.string() })),
      readAt: z.string(),
      unreachable: z.array(z.string()),
    }),
  },
  /**
   * Tags instances with exactly these maintenance actions (docs/domain.md A.6): one, or none for the host's default; several only for undo. Adds
   * one tag, removes other known ones, keeps foreign tags; each instance has its own result.
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
  /** Changes by hand, newest first. */
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
