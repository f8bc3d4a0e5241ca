import { expect, test } from 'vitest'
import { startRun } from '../../../main/run-control/start-run.ts'
import { createShownPlans } from '../../../main/runs/shown-plans.ts'
import { ok } from '../../../shared/domain/result.ts'
import { samplePlan } from '../../fixtures/cli/sample-plan.ts'
import { sampleSummary } from '../../fixtures/cli/sample-run.ts'
import { fakeCluster } from '../../fixtures/procedures/fake-world.ts'

test('a plan that two tabs confirm at the same time starts once', async () => {
  const plans = createShownPlans(async () => {})
  const plan = { ...samplePlan().plan, id: 'plan-1' }
  plans.keep(plan)
  const started: string[] = []
  const services = {
    plans,
    clock: { now: () => Date.parse('2026-11-21T10:00:00.000Z') },
    clusters: { get: () => ok(fakeCluster()) },
    commands: { whyNot: () => null },
    emit: () => {},
    keepEstimate: async () => {},
    windows: { list: () => ok([]) },
    worlds: { open: async () => ok({ world: {} }) },
    runs: {
      list: () => ok([]),
      start: async ({ id }: { readonly id: string }) => {
        started.push(id)
        return ok({ runId: 'run-1' })
      },
      view: () => ok({ summary: sampleSummary('running', { id: 'run-1' }) }),
    },
  } as unknown as Parameters<typeof startRun>[1]
  const [one, two] = await Promise.all([
    startRun({ planId: 'plan-1' }, services),
    startRun({ planId: 'plan-1' }, services),
  ])
  expect(started).toEqual(['plan-1'])
  expect([one, two].map(answer => (answer.ok ? 'started' : answer.failure.code)).toSorted()).toEqual([
    'not-found',
    'started',
  ])
})
