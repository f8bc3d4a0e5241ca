import { z } from 'zod'

/**
 * A change an operator made by hand, outside a run: kept in the journal, before and after. One that was refused is one whose write was: input
 * that is not fit leaves no edit.
 */
export const Edit = z.strictObject({
  seq: z.number().int(),
  at: z.string(),
  operator: z.string(),
  machine: z.string(),
  cluster: z.string(),
  /** Null where it is about no node. */
  node: z.string().nullable(),
  kind: z.enum(['instance-mark', 'host-mode', 'cluster-settings', 'maintenance-request']),
  /** The object, such as `server/6f1c… (vm-01)` or `node/cmp-1`. */
  target: z.string(),
  before: z.string(),
  after: z.string(),
  /** Null: it was done. Otherwise why it was refused. */
  refused: z.string().nullable(),
})
export type Edit = z.infer<typeof Edit>
