import { describe, expect, it } from 'vitest'
import type { RunView } from '../../../shared/domain/run.ts'
import { EVICTION_REFUSED, INSTANCE_DECIDED, MIGRATION_ASKS, POD_LEFT } from '../../../shared/domain/run-facts.ts'
import { foldRun } from '../../../shared/domain/run-fold.ts'
import { waitsOf } from '../../../shared/domain/run-wait.ts'
import { waitedOf } from '../../../shared/domain/run-waited.ts'
import { waitWords } from '../../../shared/words/runs.ts'
import { waitedWords } from '../../../shared/words/waited.ts'
import { createRunStory } from '../../fixtures/cli/sample-run.ts'
import { sampleWaits } from '../../fixtures/cli/sample-waits.ts'

const BEGAN = Date.parse('2026-11-21T10:00:00.000Z')
const at = (seconds: number) => new Date(BEGAN + seconds * 1000).toISOString()

const waitsNow = (view: RunView) => waitsOf(view).map(wait => wait.for)

describe('how long a run waited', () => {
  const waited = ({ events }: ReturnType<typeof createRunStory>) => {
    const { ms, since } = waitedOf(foldRun(events), events)
    return { ms, since }
  }

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

  it('counts a question about one instance as waiting for you, from when its move stopped getting done', () => {
    const story = createRunStory()
    story.created()
    story.started('migrate-instances')
    const asked = { name: 'db-1', cause: 'it writes memory as fast as it is copied', since: at(0), choices: ['wait'] }
    story.fact('migrate-instances', MIGRATION_ASKS, 'server/db', asked)
    const open = waitedOf(foldRun(story.events), story.events)
    expect(open).toMatchObject({ ms: 0, since: at(0) })
    expect(waitedWords(open, Date.parse(at(130)))).toBe('2 min 10 s for you')
    const decided = story.fact('migrate-instances', INSTANCE_DECIDED, 'server/db', { choice: 'wait', by: 'olga' })
    const ms = Date.parse(decided.at) - Date.parse(at(0))
    expect(waited(story)).toEqual({ ms, since: null })
  })

  it('is told for each that was waited for, and a moment counts once in all', () => {
    const story = createRunStory()
    story.created()
    story.started('migrate-instances')
    story.gate()
    story.started('drain-node')
    const refused = { uid: 'u', sentence: 'the budget refuses' }
    story.fact('drain-node', EVICTION_REFUSED, 'pod/a', refused)
    story.fact('drain-node', POD_LEFT, 'pod/a', { uid: 'u' })
    story.finished('aborted')
    const { ms, whom } = waitedOf(foldRun(story.events), story.events)
    expect([ms, whom.get('answer')?.ms, whom.get('budget')?.ms]).toEqual([4000, 4000, 1000])
  })

  it('ends what a step met when it is checked again after a pause, as the run page does', () => {
    const story = createRunStory()
    story.created()
    story.started('drain-node')
    story.fact('drain-node', EVICTION_REFUSED, 'pod/a', { uid: 'u', sentence: 'the budget refuses' })
    expect(waitsNow(foldRun(story.events))).toEqual(['budget'])
    story.add({ kind: 'paused' })
    story.add({ kind: 'resume-requested', by: 'olga' })
    const answer = { kind: 'ready' as const, reason: '', evidence: [], warnings: [], effects: [] }
    story.add({ kind: 'step-checked', stepId: 'drain-node', answer })
    const view = foldRun(story.events)
    expect(waitsNow(view)).toEqual([])
    expect(waitedOf(view, story.events).whom.get('budget')?.since).toBeNull()
  })

  it('says nothing where nothing waited', () => {
    const story = createRunStory()
    story.created()
    expect(waitedWords(waitedOf(foldRun(story.events), story.events), 0)).toBeNull()
  })
})

it('a question about an instance is for you, and only what is left to owners is for them', () => {
  const { InstanceAsks, LeftToOwners } = sampleWaits()
  const instances = [{ id: 'db', name: 'db-01' }]
  expect(waitWords({ ...InstanceAsks, instances })).toBe('waits for you: db-01')
  expect(waitWords({ ...LeftToOwners, instances })).toBe('waits for the owner of db-01')
})
