import { describe, expect, it } from 'vitest'
import type { StepView } from '../../../shared/domain/run.ts'
import { stepTally } from '../../../shared/domain/step-tally.ts'
import { stepTallyWords } from '../../../shared/words/step-tally.ts'
import { samplePlan } from '../../fixtures/cli/sample-plan.ts'

const [sample] = samplePlan().plan.steps
const HOLDS = { kind: 'holds' as const, reason: '', evidence: [] }

function step(state: StepView['state'], verifies: boolean, verify: StepView['verify'] = null) {
  if (sample === undefined) throw new Error('the plan has steps')
  return {
    step: { ...sample, verbs: verifies ? ['apply' as const, 'verify' as const] : ['apply' as const] },
    state,
    verify,
  }
}

describe('how much of a run was verified', () => {
  it('counts what was only done separately from what was verified', () => {
    const tally = stepTally([
      step('verified', true, HOLDS),
      step('applied', true, HOLDS),
      step('applied', true),
      step('applied', false),
      step('applied', false),
      step('skipped', false),
      step('pending', false),
    ])
    expect(tally).toEqual({ verified: 2, notVerified: 1, onlyDone: 2 })
    expect(stepTallyWords(tally)).toBe('2 of 5 steps verified in the cloud, 2 only done')
  })

  it('says nothing of what there is not', () => {
    expect(stepTallyWords(stepTally([step('verified', true, HOLDS)]))).toBe('1 of 1 step verified in the cloud')
    expect(stepTallyWords(stepTally([]))).toBe('')
  })
})
