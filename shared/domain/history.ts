import { z } from 'zod'
import { RunKind } from './plan.ts'

/** What one run measured on one node, in milliseconds; null if there is no such part, or it did not end. */
export const MeasuredNode = z.strictObject({
  cluster: z.string(),
  node: z.string(),
  runId: z.string(),
  kind: RunKind,
  at: z.string(),
  evacuationMs: z.number().nullable(),
  instancesMoved: z.number().int(),
  /** Memory moved live; null if unknown for at least one instance. */
  movedGib: z.number().nullable(),
  drainMs: z.number().nullable(),
  podsLeft: z.number().int(),
  /** From the end of the drain to the start of the return: the operator's work, the reboot. */
  workMs: z.number().nullable(),
  returnMs: z.number().nullable(),
  totalMs: z.number().nullable(),
})
export type MeasuredNode = z.infer<typeof MeasuredNode>

export const RecurringBlocker = z.strictObject({
  cluster: z.string(),
  code: z.string(),
  message: z.string(),
  nodes: z.array(z.string()),
  times: z.number().int(),
  overridden: z.number().int(),
  firstAt: z.string(),
  lastAt: z.string(),
  runIds: z.array(z.string()),
})
export type RecurringBlocker = z.infer<typeof RecurringBlocker>
