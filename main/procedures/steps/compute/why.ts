import { found } from '../../../../shared/words/step-texts.ts'
import type { Finding } from '../../../../shared/words/steps/coded.ts'
import type { StepInput } from '../../../runs/engine/step.ts'
import { factValues } from '../../answers.ts'

/** Why an attempt for an instance failed or is not needed; a string is the text of another program. */
export type Why = Finding | string

export function whyOf(why: Why): Finding {
  return typeof why === 'string' ? found('AttemptFailed', { why }) : why
}

/** As values of a journal fact. */
export function whyReported(why: Why): StepInput {
  return factValues('why', whyOf(why))
}
