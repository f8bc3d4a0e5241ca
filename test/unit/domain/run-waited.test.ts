import { describe, expect, it } from 'vitest'
import { foldRun } from '../../../shared/domain/run-fold.ts'
import { waitedOf } from '../../../shared/domain/run-waited.ts'
import { createRunStory } from '../../fixtures/cli/sample-run.ts'

describe('how long a run waited', () => {
  const waited = ({ events }: ReturnType<typeof createRunStory>) => waitedOf(foldRun(events), events)

  it('counts questions and pauses, each moment once', () => {
    const story = createRunStory()
    story.created()
    expect(waited(story)).toEqual({ ms: 0, since: null })
    story.started('migrate-instances')
    const asked = story.gate()
    expect(waited(story)).toEqual({ ms: 0, since: asked.at })
    story.add({ kind: 'paused' })
    story.add({ kind: 'resume-requested', by: 'olga' })
    story.add({
      kind: 'gate-answered',
      stepId: 'migrate-instances',
      gateId: 'gate-1',
      choice: 'retry',
      reason: '',
      by: 'olga',
    })
    expect(waited(story)).toEqual({ ms: 3000, since: null })
  })

  it('ends with the run', () => {
    const story = createRunStory()
    story.created()
    story.started('migrate-instances')
    story.gate()
    story.finished('aborted')
    expect(waited(story)).toEqual({ ms: 1000, since: null })
  })
})
