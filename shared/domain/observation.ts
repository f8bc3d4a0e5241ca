import { z } from 'zod'
import { UpdateMoment, UpdatePhase } from './update.ts'

const ObservedNodes = z.array(
  z.strictObject({ node: z.string(), phase: UpdatePhase, group: z.string().nullable(), atOnce: z.number().int() }),
)

/** What an observer recorded about an update by any driver. */
export const Observation = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('begun'), since: z.string(), nodes: ObservedNodes }),
  z.strictObject({ kind: z.literal('nodes'), nodes: ObservedNodes }),
  z.strictObject({ kind: z.literal('driver'), drivenBy: z.string() }),
  z.strictObject({ kind: z.literal('moment'), moment: UpdateMoment }),
])
export type Observation = z.infer<typeof Observation>
