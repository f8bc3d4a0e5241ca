import { z } from 'zod'
import { GateChoice } from './gate-choice.ts'
import { InstanceChoice } from './instance-choice.ts'

/** From any process; the console that drives the run carries it out. `by`: the operator. */
export const RunControl = z.discriminatedUnion('kind', [
  /** Start nothing new; stay with the run. */
  z.strictObject({ kind: z.literal('pause'), by: z.string() }),
  /** Finish the nodes (lanes) or phase under way, then pause. */
  z.strictObject({ kind: z.literal('pause-after-node'), by: z.string() }),
  z.strictObject({ kind: z.literal('skip-lane'), by: z.string(), lane: z.string(), reason: z.string() }),
  z.strictObject({ kind: z.literal('unpause'), by: z.string() }),
  /** Stop driving; the run stays resumable. */
  /** A runner will continue it. */
  z.strictObject({ kind: z.literal('detach'), by: z.string(), handsOver: z.literal(true).optional() }),
  z.strictObject({ kind: z.literal('abort'), by: z.string(), reason: z.string() }),
  z.strictObject({
    kind: z.literal('answer'),
    by: z.string(),
    gateId: z.string(),
    choice: GateChoice,
    reason: z.string(),
  }),
  z.strictObject({
    kind: z.literal('decide-instance'),
    by: z.string(),
    instanceId: z.string(),
    choice: InstanceChoice,
    reason: z.string(),
  }),
])
export type RunControl = z.infer<typeof RunControl>
