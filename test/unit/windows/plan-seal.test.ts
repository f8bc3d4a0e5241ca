import { describe, expect, it } from 'vitest'
import { earlierSealOf, sealOf } from '../../../main/windows/plan-seal.ts'
import { notAgreed } from '../../../shared/domain/agreed-start.ts'
import type { Json } from '../../../shared/domain/json.ts'
import type { CheckedPlan, PlannedStep } from '../../../shared/domain/plan.ts'
import type { Blocker } from '../../../shared/domain/step-answers.ts'
import { switchStep, toyPlan } from '../../fixtures/engine/toy-cloud.ts'

const PLAN = toyPlan([switchStep('first'), switchStep('second')])
const OVERRIDES = [{ flag: 'force' as const, reason: 'agreed with the owners' }]

function blocker(values: Record<string, Json>, message: string): Blocker {
  return { code: 'TooMany', values, message, remedy: 'Wait.', override: { kind: 'flag', flag: 'force' } }
}

/** The plan with a change to its first step, and an overridden blocker. */
function checked(change: Partial<PlannedStep> = {}, found = blocker({ count: 2 }, '2 are too many')): CheckedPlan {
  const steps = PLAN.steps.map((step, at) => (at === 0 ? { ...step, ...change } : step))
  const answer = { kind: 'blocked' as const, blockers: [found], evidence: [], warnings: [], effects: [] }
  return {
    plan: { ...PLAN, steps, options: { ...PLAN.options, overrides: OVERRIDES } },
    checkedAt: PLAN.madeAt,
    checks: [{ stepId: 'first', answer, overriddenBy: 'force' }],
    startable: true,
  }
}

const nothing = { parts: [], lifted: [], down: [], isUnclear: false }

describe('the seal of a plan', () => {
  it.each<readonly [string, CheckedPlan]>([
    ['the title of a step', checked({ title: 'In other words' })],
    ['why a step exists', checked({ why: 'In other words.' })],
    ['how to undo a step', checked({ undo: 'In other words.' })],
    ['what a check counted', checked({ counted: [{ kind: 'pod-leaving', id: 'p', name: 'p', values: {} }] })],
    ['the message of an overridden blocker', checked({}, blocker({ count: 2 }, 'Too many: 2'))],
  ])('does not change with %s', (_, reworded) => {
    expect(notAgreed(sealOf(checked()), sealOf(reworded))).toEqual(nothing)
  })

  it('does not change with the message of a finding in the values', () => {
    const of = (message: string) => ({ cause: { code: 'Silent', values: { seconds: 3 }, message } })
    const before = sealOf(checked({}, blocker(of('no answer for 3 s'), 'a')))
    expect(notAgreed(before, sealOf(checked({}, blocker(of('silent for 3 s'), 'b'))))).toEqual(nothing)
  })

  it.each<readonly [string, Partial<PlannedStep>]>([
    ['kind', { kind: 'drain-node' }],
    ['input', { input: { node: 'cmp-9' } }],
    ['order', { needs: ['second'] }],
    ['deadline', { withinMs: 1 }],
  ])('changes with the %s of a step', (_, change) => {
    expect(notAgreed(sealOf(checked()), sealOf(checked(change))).parts).toEqual([''])
  })

  it('changes with the values of an overridden blocker', () => {
    const more = sealOf(checked({}, blocker({ count: 3 }, '2 are too many')))
    expect(notAgreed(sealOf(checked()), more).lifted).toEqual(['first: TooMany {"count":3}'])
  })

  it('of an earlier version is unclear about a changed text, and about changed work', () => {
    const earlier = earlierSealOf(checked())
    expect(notAgreed(earlier, earlierSealOf(checked()))).toEqual(nothing)
    for (const change of [{ title: 'In other words' }, { input: { node: 'cmp-9' } }])
      expect(notAgreed(earlier, earlierSealOf(checked(change)))).toEqual({ ...nothing, isUnclear: true })
  })

  it('of an earlier version is the one that 0.2.0 wrote', () => {
    expect(earlierSealOf(checked())).toEqual({
      parts: { '': '3381b36aa3cb0e300073039350e334e5' },
      lifted: ['first: 2 are too many'],
      down: [],
    })
  })
})
