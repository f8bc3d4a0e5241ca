import { expect, it } from 'vitest'
import { downtimesOf } from '../../../shared/domain/run-downtimes.ts'
import { INSTANCE_STARTED, INSTANCE_STOPPED } from '../../../shared/domain/run-facts.ts'
import { foldRun } from '../../../shared/domain/run-fold.ts'
import { createSampleRun } from '../../fixtures/cli/sample-run.ts'

it('an instance that a run stopped is down until the run saw it run again', () => {
  const sample = createSampleRun()
  sample.created()
  const stopped = sample.fact('migrate-instances', INSTANCE_STOPPED, 'server/a', { name: 'batch-1' })
  const other = sample.fact('migrate-instances', INSTANCE_STOPPED, 'server/b', { name: 'batch-2' })
  const started = sample.fact('drain-node', INSTANCE_STARTED, 'server/a', { name: 'batch-1' })
  // Stopped by an earlier run: this one does not know since when.
  sample.fact('drain-node', INSTANCE_STARTED, 'server/c', { name: 'batch-3' })
  expect(downtimesOf(foldRun(sample.events))).toEqual([
    { subject: 'server/a', name: 'batch-1', from: stopped.at, to: started.at },
    { subject: 'server/b', name: 'batch-2', from: other.at, to: null },
  ])
})
