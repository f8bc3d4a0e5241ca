import { describe, expect, it } from 'vitest'
import { mayAttempt } from '../../../main/procedures/steps/compute/evacuation-facts.ts'
import type { RunFact } from '../../../shared/domain/run.ts'
import { INSTANCE_DECIDED, MIGRATION_REQUESTED } from '../../../shared/domain/run-facts.ts'

const SUBJECT = 'server/a'

function factOf(fact: string, values: RunFact['values'], subject = SUBJECT): RunFact {
  return { at: '2026-01-01T00:00:00.000Z', fact, subject, announces: fact === MIGRATION_REQUESTED, values }
}

describe('the attempts of an instance, once all are used up', () => {
  it.each([
    ['a person', 'abort-and-retry', true],
    ['a person', 'cold', true],
    ['the rule', 'cold', true],
    ['the rule', 'abort-and-retry', false],
  ])('are renewed where %s decides %s: %s', (who, choice, renewed) => {
    const asked = factOf(MIGRATION_REQUESTED, { name: 'vm-a', attempt: 1 })
    const decided = factOf(INSTANCE_DECIDED, { choice, ...(who === 'the rule' ? { rule: true } : {}) })
    expect(mayAttempt([asked], SUBJECT, 1)).toBe(false)
    expect(mayAttempt([asked, decided], SUBJECT, 1)).toBe(renewed)
    const cold = factOf(MIGRATION_REQUESTED, { name: 'vm-a', attempt: 1, how: 'cold' })
    expect(mayAttempt([asked, decided, cold], SUBJECT, 1), 'and then as often as allowed').toBe(false)
  })

  it.each(['cold', 'abort-and-retry'])('are not renewed where a person decides %s about another instance', choice => {
    const asked = factOf(MIGRATION_REQUESTED, { name: 'vm-a', attempt: 1 })
    const decided = factOf(INSTANCE_DECIDED, { choice }, 'server/b')
    expect(mayAttempt([asked, decided], SUBJECT, 1)).toBe(false)
  })
})
