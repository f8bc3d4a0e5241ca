import { z } from 'zod'
import { GateChoice } from './gate-choice.ts'
import { InstanceChoice } from './instance-choice.ts'

/**
 * What an operator asks of a run under way, also from another process: the process that drives the run obeys it. `by` is the person
 * who asks.
 */
export const RunControl = z.discriminatedUnion('kind', [
  /** Start nothing new; stay with the run. */
  z.strictObject({ kind: z.literal('pause'), by: z.string() }),
  /** Begin no other node (lane) or phase: finish those under way, then pause. */
  z.strictObject({ kind: z.literal('pause-after-node'), by: z.string() }),
  /** Pass a node (lane) that was not begun. */
  z.strictObject({ kind: z.literal('skip-lane'), by: z.string(), lane: z.string(), reason: z.string() }),
  /** Go on after a pause. */
  z.strictObject({ kind: z.literal('unpause'), by: z.string() }),
  /** Stop driving; the run stays resumable. */
  /** `handsOver`: a runner is to go on with it. */
  z.strictObject({ kind: z.literal('detach'), by: z.string(), handsOver: z.literal(true).optional() }),
  /** End the run where it is. */
  z.strictObject({ kind: z.literal('abort'), by: z.string(), reason: z.string() }),
  /** The answer to an open gate. */
  z.strictObject({
    kind: z.literal('answer'),
    by: z.string(),
    gateId: z.string(),
    choice: GateChoice,
    reason: z.string(),
  }),
  /** What is to be done about one instance, asked or not, while the others go on. */
  z.strictObject({
    kind: z.literal('decide-instance'),
    by: z.string(),
    instanceId: z.string(),
    choice: InstanceChoice,
    reason: z.string(),
  }),
])
export type RunControl = z.infer<typeof RunControl>
