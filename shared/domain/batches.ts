import { z } from 'zod'
import { Said } from './coded.ts'
import { Json } from './json.ts'
import { Batch, BatchOptions, LeftNode } from './window.ts'

// Defined beside the plan that stores it.
export { BatchOptions }

/** The values of its text are in shared/domain/batch-findings.ts. */
const coded = { code: z.string(), values: z.record(z.string(), Json) }

/** `hard`: it would stop production, or be refused; `soft`: the operator may override it. */
export const BatchProblem = z.strictObject({
  rule: z.enum([
    'role-limit',
    'zone',
    'ceph-domain',
    'quorum',
    'anti-affinity',
    'capacity',
    /** The plan of the node is blocked, as its sheet says too. */
    'plan-blocked',
    'unknown-node',
    /** Its kubelet does not report: no plan takes such a node out. */
    'not-ready',
    'twice',
    'empty',
  ]),
  weight: z.enum(['hard', 'soft']),
  nodes: z.array(z.string()),
  ...coded,
  words: z.string(),
})
export type BatchProblem = z.infer<typeof BatchProblem>

/** Whether the rest of the cloud has room for the instances of a batch, by Placement at that point of the plan. */
export const BatchCapacity = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('fits'), moving: z.number().int() }),
  z.strictObject({
    kind: z.literal('does-not-fit'),
    moving: z.number().int(),
    instances: z.array(
      z.strictObject({ id: z.string(), name: z.string(), host: z.string(), ...coded, why: z.string() }),
    ),
  }),
  z.strictObject({
    kind: z.literal('cannot-tell'),
    moving: z.number().int(),
    /** Absent if `why` is a text of an earlier version. */
    doubts: z.array(z.strictObject(coded)).optional(),
    why: z.string(),
  }),
])
export type BatchCapacity = z.infer<typeof BatchCapacity>

export const JudgedBatch = Batch.extend({
  zones: z.array(z.string()),
  problems: z.array(BatchProblem),
  capacity: BatchCapacity,
})
export type JudgedBatch = z.infer<typeof JudgedBatch>

/** Computed, or arranged by an operator; the same rules judge both. */
export const JudgedBatches = z.strictObject({
  cluster: z.string(),
  readAt: z.string(),
  batches: z.array(JudgedBatch),
  left: z.array(LeftNode),
  /** One line each: `compute: 3 at once (cluster setting)`. */
  rules: z.array(z.string()),
  unreachable: z.array(z.string()),
})
export type JudgedBatches = z.infer<typeof JudgedBatches>

/** Instances of one project that wait for the owner, or will be stopped. */
export const OwnersOfProject = z.strictObject({
  projectId: z.string().nullable(),
  /** Null if Keystone does not say. */
  projectName: z.string().nullable(),
  instances: z.array(
    z.strictObject({
      id: z.string(),
      name: z.string(),
      node: z.string(),
      /** Null if the plan has no batches. */
      batch: z.number().int().nullable(),
      status: z.string(),
      action: z.enum(['notify', 'poweroff']),
      reason: z.string(),
    }),
  ),
  message: z.string(),
})
export type OwnersOfProject = z.infer<typeof OwnersOfProject>

export const OwnersList = z.strictObject({
  cluster: z.string(),
  readAt: z.string(),
  projects: z.array(OwnersOfProject),
  unreachable: z.array(z.string()),
  /** Codes for the entries of `unreachable` that are not another program's words. */
  findings: z.array(Said).optional(),
  csv: z.string(),
})
export type OwnersList = z.infer<typeof OwnersList>
