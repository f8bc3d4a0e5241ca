import type { StepView } from './run.ts'

export interface StepTally {
  readonly verified: number
  /** Failed, unknown, or not reached. */
  readonly notVerified: number
  /** Steps that cannot be verified: a wait, or work that a person confirmed. */
  readonly onlyDone: number
}

/** Skipped steps and mere checks do not count. */
export function stepTally(steps: readonly Pick<StepView, 'step' | 'state' | 'verify'>[]): StepTally {
  const toVerify = steps.filter(({ step }) => step.verbs.includes('verify'))
  const verified = toVerify.filter(({ state, verify }) => state === 'verified' || verify?.kind === 'holds').length
  const onlyDone = steps.filter(({ step, state }) => !step.verbs.includes('verify') && state === 'applied').length
  return { verified, notVerified: toVerify.length - verified, onlyDone }
}
