import { z } from 'zod'

/** Why nobody drives a run that has not ended, by its code (docs/terminal.md); shared/words/run-left.ts says it. */
export const RunLeft = z.discriminatedUnion('code', [
  /** Whoever drove it stopped driving on purpose: a person, or a runner that ends. */
  z.strictObject({ code: z.literal('Detached'), by: z.string() }),
  /** Whoever drove it stopped driving in order to hand it over. */
  z.strictObject({ code: z.literal('HandingOver'), by: z.string() }),
  /** A run that was taken up again did not get the Lease of its node. */
  z.strictObject({ code: z.literal('LeaseNotTaken'), node: z.string(), cause: z.string() }),
  z.strictObject({ code: z.literal('LeaseLost'), node: z.string(), cause: z.string() }),
  /** It was not handed over. */
  z.strictObject({ code: z.literal('HandOverFailed'), cause: z.string() }),
  /** It may have been handed over: whether a runner has it was not known yet. `cluster`: the one by whose API server it was. */
  z.strictObject({
    code: z.literal('HandOverOpen'),
    object: z.string(),
    namespace: z.string(),
    cluster: z.string(),
  }),
  /** The journal took no more of it. */
  z.strictObject({ code: z.literal('JournalRefused'), cause: z.string() }),
  /** What is written of it cannot be read. */
  z.strictObject({ code: z.literal('RecordDamaged'), cause: z.string() }),
  /** What an earlier version wrote in a text that this one does not know. */
  z.strictObject({ code: z.literal('Other'), text: z.string() }),
])
export type RunLeft = z.infer<typeof RunLeft>
