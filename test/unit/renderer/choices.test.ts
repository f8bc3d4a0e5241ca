import { expect, test } from 'vitest'
import { choicesOf, ownerChoices } from '../../../renderer/ui/runs/choices.ts'
import { ATTEMPTS_EXHAUSTED, MIGRATION_FAILED } from '../../../shared/domain/run-facts.ts'
import { foldRun } from '../../../shared/domain/run-fold.ts'
import { samplePlan, sampleStep } from '../../fixtures/cli/sample-plan.ts'
import { createSampleRun } from '../../fixtures/cli/sample-run.ts'
import { sampleWaits } from '../../fixtures/cli/sample-waits.ts'

/** The questions that a run on cmp-1 asks about a step, by the answers' names. */
function asksOf(kind: string, isStuck: boolean, code: 'StepInTrouble' | 'PatienceOver' = 'StepInTrouble') {
  const { plan, ...checked } = samplePlan()
  const run = createSampleRun({ ...checked, checks: [], plan: { ...plan, steps: [sampleStep(kind, kind)] } })
  run.created()
  run.started(kind)
  if (isStuck) {
    run.fact(kind, MIGRATION_FAILED, 'server/web', { name: 'web-1', attempt: 3, error: 'No valid host' })
    run.fact(kind, ATTEMPTS_EXHAUSTED, 'server/web', { name: 'web-1', attempts: 3 })
  }
  const { gateId } = sampleWaits().Question
  const view = foldRun([...run.events, run.gate(gateId)])
  const openGates = view.openGates.map(gate => ({ ...gate, code }))
  const wait = {
    ...sampleWaits().Question,
    stepId: kind,
    choices: ['retry' as const, 'skip' as const, 'abort' as const],
  }
  return Object.fromEntries(choicesOf({ ...view, openGates }, wait).map(({ key, label, asks }) => [key, [label, asks]]))
}

test('production asks for a reason of what stays undone', () => {
  expect(asksOf('drain-node', false)).toMatchObject({
    retry: [expect.anything(), 'no'],
    skip: [expect.anything(), 'production'],
    abort: [expect.anything(), 'optional'],
  })
  expect(asksOf('migrate-instances', true)).toMatchObject({
    skip: ['Leave it here', 'only-production'],
    stop: [expect.anything(), 'production'],
  })
})

test('where the cloud could not be read, no move with downtime is offered: nothing judges it', () => {
  expect(Object.keys(asksOf('migrate-instances', true))).toContain('stop')
  expect(Object.keys(asksOf('migrate-instances', true, 'PatienceOver'))).toEqual(['retry', 'skip', 'abort'])
})

test('production asks before an instance whose owner does not answer stops with its node; no reason is kept of a mode', () => {
  const asks = ownerChoices('lab', sampleWaits().LeftToOwners).map(({ key, asks: how }) => [key, how])
  expect(asks).toEqual([
    ['live_migrate', 'no'],
    ['poweroff', 'confirm-production'],
  ])
})
