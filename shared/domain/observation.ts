import { z } from 'zod'
import { UpdateMoment, UpdatePhase } from './update.ts'

/** What an onlooker saw of an update that anybody drives: what it began with, then its moments. */
export const Observation = z.discriminatedUnion('kind', [
  z.strictObject({
    kind: z.literal('begun'),
    since: z.string(),
    drivenBy: z.string(),
    nodes: z.array(
      z.strictObject({ node: z.string(), phase: UpdatePhase, group: z.string().nullable(), atOnce: z.number().int() }),
    ),
  }),
  z.strictObject({ kind: z.literal('moment'), moment: UpdateMoment }),
])
export type Observation = z.infer<typeof Observation>
