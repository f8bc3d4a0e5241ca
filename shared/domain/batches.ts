import { z } from 'zod'
import { Said } from './coded.ts'
import { Json } from './json.ts'
import { Batch, BatchOptions } from './window.ts'

// It is told with the other words about batches, and lies beside the plan that keeps it.
export { BatchOptions }

/** A reason by its code, with what its text names (shared/domain/batch-findings.ts). */
const coded = { code: z.string(), values: z.record(z.string(), Json) }

/** A rule that a batch breaks. `hard`: it would stop production or be refused; `soft`: it was asked for, and is the operator's to give up. */
export const BatchProblem = z.strictObject({
  rule: z.enum([
    'role-limit',
    'zone',
    'ceph-domain',
    'quorum',
    'anti-affinity',
    'capacity',
    /** Instances that cannot be handled yet: the plan of their node is blocked. */
    'instance-blocked',
    'unknown-node',
    /** Its kubelet does not report: no plan of ours takes such a node into maintenance. */
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

/** Whether the rest of the cloud takes the instances of a batch, by Placement's inventories and usages at that point of the plan. */
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
    /** Absent where `why` has no codes yet. */
    doubts: z.array(z.strictObject(coded)).optional(),
    why: z.string(),
  }),
])
export type BatchCapacity = z.infer<typeof BatchCapacity>

/** A batch with what is to be said of it. */
export const JudgedBatch = Batch.extend({
  zones: z.array(z.string()),
  problems: z.array(BatchProblem),
  capacity: BatchCapacity,
})
export type JudgedBatch = z.infer<typeof JudgedBatch>

/** A node that was asked for and is in no batch, and why. `reasons` absent: `why` has no codes yet. */
export const LeftNode = z.strictObject({
  node: z.string(),
  reasons: z.array(z.strictObject(coded)).optional(),
  why: z.string(),
})

/** Batches as computed, or as an operator arranged them, judged by the same rules. */
export const JudgedBatches = z.strictObject({
  cluster: z.string(),
  readAt: z.string(),
  batches: z.array(JudgedBatch),
  /** Nodes that were asked for and are in no batch, and why. */
  left: z.array(LeftNode),
  /** The rules as they were applied, one line each: `compute: 3 at once (cluster setting)`. */
  rules: z.array(z.string()),
  /** What could not be read; judgements that lean on it say so. */
  unreachable: z.array(z.string()),
})
export type JudgedBatches = z.infer<typeof JudgedBatches>

/** Instances of one project whose owners are to be told: they wait for the owner, or will be powered off. */
export const OwnersOfProject = z.strictObject({
  projectId: z.string().nullable(),
  /** Null where Keystone does not tell. */
  projectName: z.string().nullable(),
  instances: z.array(
    z.strictObject({
      id: z.string(),
      name: z.string(),
      node: z.string(),
      /** Null for plans without batches. */
      batch: z.number().int().nullable(),
      status: z.string(),
      action: z.enum(['notify', 'poweroff']),
      reason: z.string(),
    }),
  ),
  /** A message to the owner, ready to be sent. */
  message: z.string(),
})
export type OwnersOfProject = z.infer<typeof OwnersOfProject>

export const OwnersList = z.strictObject({
  cluster: z.string(),
  readAt: z.string(),
  projects: z.array(OwnersOfProject),
  unreachable: z.array(z.string()),
  /** Those of `unreachable` that are not in another program's words, by codes. */
  findings: z.array(Said).optional(),
  /** The same as CSV, one instance a line. */
  csv: z.string(),
})
export type OwnersList = z.infer<typeof OwnersList>
