import { z } from 'zod'

/** An answer to a question of a run: continue as if done, `retry` the step, `skip` it with a reason, `abort` the run. */
export const GateChoice = z.enum(['continue', 'retry', 'skip', 'abort'])
export type GateChoice = z.infer<typeof GateChoice>
