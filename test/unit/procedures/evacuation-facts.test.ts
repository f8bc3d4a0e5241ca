import { describe, expect, it, test } from 'vitest'
import { mayAttempt, statusesBefore } from '../../../main/procedures/steps/compute/evacuation-facts.ts'
import type { RunFact } from '../../../shared/domain/run.ts'
import {
  INSTANCE_DECIDED,
  INSTANCE_STARTED,
  INSTANCE_STOPPED,
  MIGRATION_REQUESTED,
} from '../../../shared/domain/run-facts.ts'

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

test('a moved instance has its status from before, unless this run stopped it in place', () => {
  const asked = factOf(MIGRATION_REQUESTED, { name: 'vm-a', attempt: 1, statusBefore: 'ACTIVE' })
  const other = factOf(MIGRATION_REQUESTED, { name: 'vm-b', attempt: 1, statusBefore: 'PAUSED' }, 'server/b')
  const stopped = factOf(INSTANCE_STOPPED, { name: 'vm-a', host: 'cmp-1', status: 'SHUTOFF' })
  const started = factOf(INSTANCE_STARTED, { name: 'vm-a', host: 'cmp-1', status: 'ACTIVE' })
  const both = { a: 'ACTIVE', b: 'PAUSED' }
  expect(Object.fromEntries(statusesBefore([asked, other]))).toEqual(both)
  expect(Object.fromEntries(statusesBefore([asked, other, stopped]))).toEqual({ b: 'PAUSED' })
  expect(Object.fromEntries(statusesBefore([asked, other, stopped, started]))).toEqual(both)
})
