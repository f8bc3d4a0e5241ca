import { describe, expect, test } from 'vitest'
import { overriddenBy, statusOf } from '../../../main/runs/engine/check-plan.ts'
import { overrideFor, RunOptions } from '../../../shared/domain/plan.ts'
import type { Blocker, CheckAnswer } from '../../../shared/domain/step-answers.ts'
import { switchStep, toyPlan } from '../../fixtures/engine/toy-cloud.ts'

const FORCE = { flag: 'force', reason: 'agreed with the owner' } as const
const blocker = (more: Partial<Blocker> = {}): Blocker => ({
  code: 'in-the-way',
  message: 'Something is in the way.',
  remedy: 'Take it away.',
  override: { kind: 'flag', flag: 'force' },
  ...more,
})
const NEVER = blocker({ override: { kind: 'never', why: 'data would be lost' } })

describe('a blocker', () => {
  test.each([
    ['is lifted by the override that it names', blocker(), [FORCE], 'force'],
    ['is not lifted without one', blocker(), [], null],
    ['is not lifted by another one', blocker(), [{ flag: 'allow-data-loss', reason: 'caches' }], null],
    ['that nothing lifts stays', NEVER, [FORCE], null],
    ['that came since the plan was confirmed stays', blocker({ sinceConfirmed: true }), [FORCE], null],
  ] as const)('%s', (_what, found, overrides, flag) => {
    expect(overrideFor(found, [...overrides])).toBe(flag)
  })
})

test('a check with one blocker that stays holds up the run, whatever lifts the others', () => {
  const plan = toyPlan([switchStep('first')], { options: { overrides: [FORCE] } })
  const blocked = (...blockers: readonly Blocker[]): CheckAnswer => ({
    kind: 'blocked',
    blockers: [...blockers],
    evidence: [],
    warnings: [],
    effects: [],
  })
  expect(overriddenBy(blocked(blocker()), plan)).toBe('force')
  expect(overriddenBy(blocked(blocker(), NEVER), plan)).toBeNull()
  expect(statusOf(blocked(blocker()), plan).kind).toBe('free')
  expect(statusOf(blocked(blocker(), NEVER), plan).kind).toBe('blocked')
})

test('an override without a reason does not count', () => {
  const { options } = toyPlan([])
  expect(RunOptions.safeParse({ ...options, overrides: [FORCE] }).success).toBe(true)
  expect(RunOptions.safeParse({ ...options, overrides: [{ flag: 'force', reason: '' }] }).success).toBe(false)
})
