import { describe, expect, it } from 'vitest'
import { MIGRATION_REQUESTED } from '../../../shared/domain/run-facts.ts'
import { foldRun } from '../../../shared/domain/run-fold.ts'
import { instancesOfRun, stepOfInstance } from '../../../shared/domain/step-of-instance.ts'
import { samplePlan, sampleStep } from '../../fixtures/cli/sample-plan.ts'
import { createSampleRun } from '../../fixtures/cli/sample-run.ts'

describe('the step that follows a decision about an instance', () => {
  it.each([
    ['migrate-instances', true],
    ['bring-home', true],
    ['rescue-instances', false],
    ['run-watcher-plan', false],
    ['instances-return', false],
  ])('%s: %s', (kind, heeds) => {
    const checked = samplePlan()
    const steps = [sampleStep(kind, 'Move instances')]
    const sample = createSampleRun({ ...checked, plan: { ...checked.plan, steps }, checks: [] })
    sample.created()
    sample.started(kind)
    sample.fact(kind, MIGRATION_REQUESTED, 'server/a', { name: 'web-1', attempt: 1 })
    const view = foldRun(sample.events)
    expect(stepOfInstance(view, 'a')?.name ?? null).toBe(heeds ? 'web-1' : null)
    expect(instancesOfRun(view)).toEqual(heeds ? [{ id: 'a', name: 'web-1' }] : [])
  })
})
