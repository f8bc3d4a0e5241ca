import { z } from 'zod'
import { RunKind } from './plan.ts'

/** What one run measured of one node; null: that part was not in it, or did not end. All in milliseconds. */
export const MeasuredNode = z.strictObject({
  cluster: z.string(),
  node: z.string(),
  runId: z.string(),
  kind: RunKind,
  /** When its work on the node began. */
  at: z.string(),
  evacuationMs: z.number().nullable(),
  instancesMoved: z.number().int(),
  /** Memory of what moved live; null where one is not known. */
  movedGib: z.number().nullable(),
  drainMs: z.number().nullable(),
  podsLeft: z.number().int(),
  /** From the end of the drain to the beginning of the return: the operator's work, the reboot. */
  workMs: z.number().nullable(),
  returnMs: z.number().nullable(),
  totalMs: z.number().nullable(),
})
export type MeasuredNode = z.infer<typeof MeasuredNode>

/** A check that stood in the way more than once. */
export const RecurringBlocker = z.strictObject({
  cluster: z.string(),
  code: z.string(),
  /** As it was said last. */
  message: z.string(),
  nodes: z.array(z.string()),
  times: z.number().int(),
  overridden: z.number().int(),
  firstAt: z.string(),
  lastAt: z.string(),
  runIds: z.array(z.string()),
})
export type RecurringBlocker = z.infer<typeof RecurringBlocker>
