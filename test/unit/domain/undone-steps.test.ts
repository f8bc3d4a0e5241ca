import { describe, expect, test } from 'vitest'
import type { PlannedStep } from '../../../shared/domain/plan.ts'
import type { StepState, StepView } from '../../../shared/domain/run.ts'
import { undoneSteps } from '../../../shared/domain/undone-steps.ts'
import { playedUpdatePlan } from '../../fixtures/renderer/update-run.ts'

const PLAN = playedUpdatePlan('east')

/** The played update, with the steps of these nodes and these steps through. */
function viewWith(nodes: readonly string[], ids: readonly string[] = [], change: Partial<PlannedStep> = {}) {
  const steps = PLAN.steps.map((step): StepView => {
    const isThrough = ids.includes(step.id) || (step.lane !== null && nodes.includes(step.lane.name))
    const state: StepState = isThrough ? 'applied' : 'pending'
    return {
      step: step.id === 'Request the maintenance of the cluster' ? { ...step, ...change } : step,
      state,
      attempts: isThrough ? 1 : 0,
      startedAt: null,
      endedAt: null,
      check: null,
      verify: null,
      failure: null,
      passed: null,
      reportedBefore: 0,
      facts: [],
      counted: [],
    }
  })
  return { steps }
}

describe('what a run leaves behind', () => {
  test('is nothing of a node that it brought back', () => {
    expect([...undoneSteps(viewWith(['cmp-01']))].sort()).toEqual(
      PLAN.steps
        .filter(({ lane }) => lane?.name === 'cmp-01')
        .map(({ id }) => id)
        .sort(),
    )
  })

  test('is all of a node that it is still working on', () => {
    expect(undoneSteps(viewWith([], ['Request the maintenance of cmp-01', 'Drain cmp-01'])).size).toBe(0)
  })

  test('is all of a node that was to stay out', () => {
    const { steps } = viewWith(['cmp-01'])
    const out = steps.filter(({ step }) => step.stage !== 'returning')
    expect(undoneSteps({ steps: out }).size).toBe(0)
  })

  test('is all of a node whose way back an operator skipped', () => {
    const { steps } = viewWith(['cmp-01'])
    const skipped = steps.map(each =>
      each.step.id === 'Bring cmp-01 back' ? { ...each, state: 'skipped' as const } : each,
    )
    expect(undoneSteps({ steps: skipped }).size).toBe(0)
  })

  test('is nothing that a later step has undone', () => {
    const until = { holdsUntil: 'Remove the request of the cluster' }
    const request = 'Request the maintenance of the cluster'
    expect(undoneSteps(viewWith([], [request], until)).has(request)).toBe(false)
    expect(undoneSteps(viewWith([], [request, until.holdsUntil], until)).has(request)).toBe(true)
  })
})
