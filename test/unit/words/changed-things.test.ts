import { expect, test } from 'vitest'
import { INSTANCE_MOVED, MIGRATION_REQUESTED } from '../../../shared/domain/run-facts.ts'
import { foldRun } from '../../../shared/domain/run-fold.ts'
import { changedThings } from '../../../shared/words/changed-things.ts'
import { createSampleRun } from '../../fixtures/cli/sample-run.ts'

test('what a stopped run changed is named thing by thing, with what an undo does; what it only planned is not', () => {
  const sample = createSampleRun()
  sample.created()
  expect(changedThings(foldRun(sample.events))).toEqual([])
  sample.started('migrate-instances')
  sample.add({
    kind: 'fact',
    stepId: 'migrate-instances',
    fact: MIGRATION_REQUESTED,
    subject: 'server/i-1',
    announces: true,
    values: { name: 'web-1', attempt: 1, source: 'cmp-1' },
  })
  sample.fact('migrate-instances', INSTANCE_MOVED, 'server/i-1', { name: 'web-1', from: 'cmp-1', to: 'cmp-2' })
  expect(changedThings(foldRun(sample.events))).toEqual([
    { stepId: 'migrate-instances', what: 'web-1 is on another node.', undo: 'Undo moves it back.' },
  ])
})
