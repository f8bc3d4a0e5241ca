import { found } from '../../../../shared/words/step-texts.ts'
import type { Finding } from '../../../../shared/words/steps/coded.ts'
import type { StepInput } from '../../../runs/engine/step.ts'
import { factValues } from '../../answers.ts'

/** Why an attempt for an instance came to nothing, or why it needs none: a code with values, or the words of another program. */
export type Why = Finding | string

/** As a code with values. */
export function whyOf(why: Why): Finding {
  return typeof why === 'string' ? found('AttemptFailed', { why }) : why
}

/** As the journal keeps it: its text, and the code with the values that it is made of. */
export function whyReported(why: Why): StepInput {
  return factValues('why', whyOf(why))
}
