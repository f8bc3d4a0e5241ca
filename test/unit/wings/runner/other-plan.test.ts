import { describe, expect, it, test } from 'vitest'
import { maintenanceSteps } from '../../../../main/procedures/registry.ts'
import { planStep } from '../../../../main/runs/engine/step.ts'
import { whyOtherPlan } from '../../../../main/wings/runner/other-plan.ts'
import { must } from '../../../../shared/domain/must.ts'
import type { Plan, PlannedStep } from '../../../../shared/domain/plan.ts'
import { samplePlan } from '../../../fixtures/cli/sample-plan.ts'

const step = (kind: string, needs: readonly string[] = []): PlannedStep =>
  planStep(must(maintenanceSteps.get(kind), `there is the step ${kind}`), { node: 'cmp-1' }, { needs })

const [exists, quorum, gate, cordon, drain] = [
  step('node-exists'),
  step('other-control-node'),
  step('no-other-run'),
  step('cordon-node'),
  step('drain-node', ['cordon-node']),
]
const STEPS = [exists, quorum, gate, cordon, drain]
const withSteps = (steps: readonly PlannedStep[]): Plan => ({ ...samplePlan().plan, steps: [...steps] })
const made = withSteps(STEPS)

describe('a plan is the one that is made of its choices', () => {
  it('whenever it was made, whatever its id, and whatever its checks counted', () => {
    const counted = STEPS.map(each => ({ ...each, counted: [{ kind: 'pod-leaving', id: 'p', name: 'p', values: {} }] }))
    const asked = { ...withSteps(counted), id: 'other', madeAt: '2020-01-01T00:00:00.000Z' }
    expect(whyOtherPlan(asked, made)).toBeNull()
  })

  it('after its way through JSON too', () => {
    expect(whyOtherPlan(JSON.parse(JSON.stringify(made)) as Plan, made)).toBeNull()
  })

  test.each(STEPS.map(({ id }) => id))('and not without %s', id => {
    const without = withSteps(STEPS.filter(each => each.id !== id))
    expect(whyOtherPlan(without, made)?.message).toContain(`It lacks ${id}.`)
  })

  test.each<readonly [string, Partial<PlannedStep>, string]>([
    ['needs nothing before it', { needs: [] }, 'drain-node (needs)'],
    ['is about another node', { input: { node: 'cmp-9' } }, 'drain-node (input)'],
    ['is not verified at the end', { verifyFinally: false }, 'drain-node (verifyFinally)'],
    [
      'is not verified before the steps that depend on it',
      { verifyEarly: !drain.verifyEarly },
      'drain-node (verifyEarly)',
    ],
    ['may take longer', { withinMs: 9_999_999_999 }, 'drain-node (withinMs)'],
    ['has another title', { title: 'Look at the node' }, 'drain-node (title)'],
  ])('and not where a step %s', (_, change, words) => {
    expect(whyOtherPlan(withSteps([exists, quorum, gate, cordon, { ...drain, ...change }]), made)?.message).toContain(
      `These steps differ: ${words}.`,
    )
  })

  it('and not in another order, with a step besides, or one twice', () => {
    expect(whyOtherPlan(withSteps([cordon, exists, quorum, gate, drain]), made)?.message).toContain('another order')
    expect(whyOtherPlan(withSteps([...STEPS, step('set-noout')]), made)?.message).toContain(
      'It has set-noout, which a new plan lacks.',
    )
    expect(whyOtherPlan(withSteps([...STEPS, drain]), made)?.message).toContain('It repeats steps.')
  })

  it('and not with choices that make another one', () => {
    const other = { ...made, options: { ...made.options, concurrency: 7 } } as Plan
    expect(whyOtherPlan(made, other)?.message).toContain('These fields differ: options.')
  })

  it('of a node that is gone there is nothing to compare', () => {
    expect(whyOtherPlan(made, withSteps([exists]))?.message).toContain('The cloud has no such node.')
  })
})
