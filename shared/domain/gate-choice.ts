import { z } from 'zod'

/** How a question of a run is answered: go on as if it were done, `retry` the step, `skip` it with a reason, `abort` the run. */
export const GateChoice = z.enum(['continue', 'retry', 'skip', 'abort'])
export type GateChoice = z.infer<typeof GateChoice>
