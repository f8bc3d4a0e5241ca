import { expect, test } from 'vitest'
import { overriddenBy } from '../../../../main/runs/engine/check-plan.ts'
import type { Blocker } from '../../../../shared/domain/step-answers.ts'
import { switchStep, toyPlan } from '../../../fixtures/engine/toy-cloud.ts'

const BY_FORCE: Blocker = { code: 'a', message: '', remedy: '', override: { kind: 'flag', flag: 'force' } }
const NEVER: Blocker = { ...BY_FORCE, code: 'b', override: { kind: 'never', why: 'the instances there are unknown' } }

test.each<[string, readonly Blocker[], 'force' | null]>([
  ['each blocker may be lifted by it', [BY_FORCE, { ...BY_FORCE, code: 'c' }], 'force'],
  ['one of them may never be lifted', [BY_FORCE, NEVER], null],
  ['one of them may never be lifted, named first', [NEVER, BY_FORCE], null],
])('an override lifts a check only as a whole: %s', (_, blockers, flag) => {
  const plan = toyPlan([switchStep('first')], { options: { overrides: [{ flag: 'force', reason: 'agreed' }] } })
  expect(
    overriddenBy({ kind: 'blocked', blockers: [...blockers], evidence: [], warnings: [], effects: [] }, plan),
  ).toBe(flag)
})
