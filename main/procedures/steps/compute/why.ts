import { found } from '../../../../shared/words/step-texts.ts'
import type { Finding } from '../../../../shared/words/steps/coded.ts'
import type { StepInput } from '../../../runs/engine/step.ts'
import { factValues } from '../../answers.ts'

/** Why an attempt for an instance failed, or why it needs none: a code with values, or the text of another program. */
export type Why = Finding | string

export function whyOf(why: Why): Finding {
  return typeof why === 'string' ? found('AttemptFailed', { why }) : why
}

/** As values of a journal fact: the text, and its code with values. */
export function whyReported(why: Why): StepInput {
  return factValues('why', whyOf(why))
}
