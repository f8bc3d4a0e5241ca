import { expect, it } from 'vitest'
import { downtimesOf } from '../../../shared/domain/run-downtimes.ts'
import { INSTANCE_STARTED, INSTANCE_STOPPED } from '../../../shared/domain/run-facts.ts'
import { foldRun } from '../../../shared/domain/run-fold.ts'
import { createRunStory } from '../../fixtures/cli/sample-run.ts'

it('an instance that a run stopped is down until the run saw it run again', () => {
  const story = createRunStory()
  story.created()
  const stopped = story.fact('migrate-instances', INSTANCE_STOPPED, 'server/a', { name: 'batch-1' })
  const other = story.fact('migrate-instances', INSTANCE_STOPPED, 'server/b', { name: 'batch-2' })
  const started = story.fact('drain-node', INSTANCE_STARTED, 'server/a', { name: 'batch-1' })
  // Stopped by an earlier run: this one does not know since when.
  story.fact('drain-node', INSTANCE_STARTED, 'server/c', { name: 'batch-3' })
  expect(downtimesOf(foldRun(story.events))).toEqual([
    { subject: 'server/a', name: 'batch-1', from: stopped.at, to: started.at },
    { subject: 'server/b', name: 'batch-2', from: other.at, to: null },
  ])
})
