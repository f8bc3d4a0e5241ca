import { z } from 'zod'

/** Why no process drives an unfinished run, by code (docs/terminal.md). */
export const RunLeft = z.discriminatedUnion('code', [
  /** On purpose: a person, or a runner that shuts down. */
  z.strictObject({ code: z.literal('Detached'), by: z.string() }),
  z.strictObject({ code: z.literal('HandingOver'), by: z.string() }),
  z.strictObject({ code: z.literal('LeaseNotTaken'), node: z.string(), cause: z.string() }),
  z.strictObject({ code: z.literal('LeaseLost'), node: z.string(), cause: z.string() }),
  z.strictObject({ code: z.literal('HandOverFailed'), cause: z.string() }),
  /** Whether a runner has it is unknown. `cluster`: whose API server was used. */
  z.strictObject({
    code: z.literal('HandOverOpen'),
    object: z.string(),
    namespace: z.string(),
    cluster: z.string(),
  }),
  z.strictObject({ code: z.literal('JournalRefused'), cause: z.string() }),
  z.strictObject({ code: z.literal('RecordDamaged'), cause: z.string() }),
  /** An earlier version's text that this version does not know. */
  z.strictObject({ code: z.literal('Other'), text: z.string() }),
])
export type RunLeft = z.infer<typeof RunLeft>
