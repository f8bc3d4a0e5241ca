import { z } from 'zod'

/** A change by hand, with values before and after. A refused edit is recorded; invalid input is not. */
export const Edit = z.strictObject({
  seq: z.number().int(),
  at: z.string(),
  operator: z.string(),
  machine: z.string(),
  cluster: z.string(),
  node: z.string().nullable(),
  kind: z.enum(['instance-mark', 'instance-remedy', 'host-mode', 'cluster-settings', 'maintenance-request']),
  /** For example, `server/6f1c… (vm-01)` or `node/cmp-1`. */
  target: z.string(),
  before: z.string(),
  after: z.string(),
  /** Null if it is done. Else why it was refused. */
  refused: z.string().nullable(),
})
export type Edit = z.infer<typeof Edit>
