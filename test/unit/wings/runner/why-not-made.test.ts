import { expect, test } from 'vitest'
import { maintenanceSteps } from '../../../../main/procedures/registry.ts'
import { planStep } from '../../../../main/runs/engine/step.ts'
import { whyNotMade } from '../../../../main/wings/runner/plan-of-spec.ts'
import { must } from '../../../../shared/domain/must.ts'
import { samplePlan } from '../../../fixtures/cli/sample-plan.ts'

const cordon = planStep(must(maintenanceSteps.get('cordon-node'), 'there is the step'), { node: 'cmp-1' })
const plan = { ...samplePlan().plan, steps: [cordon] }

test('a plan as this version makes it is one', () => {
  expect(whyNotMade(plan, maintenanceSteps)).toBeNull()
})

test.each([
  ['with a step that nobody knows', { ...cordon, kind: 'format-disk' }, /does not know/],
  [
    'whose step lost its check',
    { ...cordon, verbs: ['apply' as const] },
    /The step cordon-node of its plan \(cordon-node\) differs from what this version makes\./,
  ],
  [
    'whose step says that it hurts nobody',
    { ...cordon, risk: 'none' as const },
    /The step cordon-node of its plan \(cordon-node\) differs from what this version makes\./,
  ],
  ['whose step is about another node', { ...cordon, input: { node: 'cmp-9' } }, /is about cmp-9/],
])('a plan is not one of this version %s', (_, step, why) => {
  expect(whyNotMade({ ...plan, steps: [step] }, maintenanceSteps)?.message).toMatch(why)
})

test('a runner makes no Job', () => {
  const work = { kind: 'job' as const, namespace: 'default', manifest: 'kind: Job' }
  expect(
    whyNotMade({ ...plan, options: { ...plan.options, work } as typeof plan.options }, maintenanceSteps),
  ).toMatchObject({
    code: 'WorkIsJob',
  })
})
