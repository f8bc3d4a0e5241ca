import type { StepTally } from '../domain/step-tally.ts'
import { counted } from '../grammar/counts.ts'

/** How many steps were verified; steps that cannot be checked afterwards are counted as only done. Empty if there are no steps. */
export function stepTallyWords({ verified, notVerified, onlyDone }: StepTally): string {
  const all = verified + notVerified + onlyDone
  if (all === 0) return ''
  return `${verified} of ${counted(all, 'step')} verified in the cloud${onlyDone === 0 ? '' : `, ${onlyDone} only done`}`
}
