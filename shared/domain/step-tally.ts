import type { StepView } from './run.ts'

/** How much of a run's work was looked at in the cloud afterwards. */
export interface StepTally {
  readonly verified: number
  /** Was to be verified, and was not: it does not hold, nobody can tell, or it was not reached. */
  readonly notVerified: number
  /** Was done and cannot be verified: a wait, or work that a person said was done. */
  readonly onlyDone: number
}

/** Counts the steps of a run, each once; what was skipped, or only checked, is no work. */
export function stepTally(steps: readonly Pick<StepView, 'step' | 'state' | 'verify'>[]): StepTally {
  const toVerify = steps.filter(({ step }) => step.verbs.includes('verify'))
  const verified = toVerify.filter(({ state, verify }) => state === 'verified' || verify?.kind === 'holds').length
  const onlyDone = steps.filter(({ step, state }) => !step.verbs.includes('verify') && state === 'applied').length
  return { verified, notVerified: toVerify.length - verified, onlyDone }
}
