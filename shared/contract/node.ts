import { z } from 'zod'
import { Edit } from '../domain/edit.ts'
import { Failure } from '../domain/failure.ts'
import { HOST_MODES } from '../domain/instance-policy.ts'
import { MAINTENANCE_ACTIONS } from '../domain/instance-tags.ts'
import { NodeDetail } from '../domain/node-detail.ts'
import { InstanceSummary, NodeSummary } from '../domain/node-summary.ts'

/** How one instance's mark was changed, or why not; `before` is what undoes it. */
export const MarkResult = z.strictObject({
  id: z.string(),
  name: z.string(),
  before: z.array(z.enum(MAINTENANCE_ACTIONS)),
  after: z.array(z.enum(MAINTENANCE_ACTIONS)),
  /** Null: it is as asked. 409 (an instance in ERROR takes no tags) and 403 name their reason. */
  failure: Failure.nullable(),
})
export type MarkResult = z.infer<typeof MarkResult>

/** The two annotations of a host, as they stand; null where it has none. */
export const HostModeValues = z.strictObject({ mode: z.string().nullable(), attempts: z.string().nullable() })
export type HostModeValues = z.infer<typeof HostModeValues>

export const nodeRequests = {
  'node.list': {
    effect: 'read',
    input: z.strictObject({ cluster: z.string() }),
    /** `unreachable` says, in words, what could not be asked. */
    output: z.strictObject({ nodes: z.array(NodeSummary), readAt: z.string(), unreachable: z.array(z.string()) }),
  },
  'node.show': { effect: 'read', input: z.strictObject({ cluster: z.string(), node: z.string() }), output: NodeDetail },
  /**
   * Writes the host's migration mode and attempts (docs/domain.md A.5); what is absent stays, null removes the annotation. `restore`
   * writes back values that are not ours to offer, for undo. Answers what stood there before and what the node says now.
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
      /** Names of their projects, as far as Keystone tells them; the others are known by id. */
      projects: z.array(z.strictObject({ id: z.string(), name: z.string() })),
      readAt: z.string(),
      unreachable: z.array(z.string()),
    }),
  },
  /**
   * Marks instances with exactly these maintenance actions (docs/domain.md A.6): one, or none for the host's default; several only to
   * undo. One tag is added, the other known ones removed, foreign tags are untouched; each instance is answered for on its own.
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
  /** What was changed by hand, newest first. */
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
