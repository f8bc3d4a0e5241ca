import { describe, expect, it } from 'vitest'
import type { RunView } from '../../../shared/domain/run.ts'
import { EVICTION_REFUSED, INSTANCE_DECIDED, MIGRATION_ASKS, POD_LEFT } from '../../../shared/domain/run-facts.ts'
import { foldRun } from '../../../shared/domain/run-fold.ts'
import { waitsOf } from '../../../shared/domain/run-wait.ts'
import { waitedOf } from '../../../shared/domain/run-waited.ts'
import { waitWords } from '../../../shared/words/runs.ts'
import { waitedParts } from '../../../shared/words/waited.ts'
import { createSampleRun } from '../../fixtures/cli/sample-run.ts'
import { sampleWaits } from '../../fixtures/cli/sample-waits.ts'

const BEGAN = Date.parse('2026-11-21T10:00:00.000Z')
const at = (seconds: number) => new Date(BEGAN + seconds * 1000).toISOString()

const waitsNow = (view: RunView) => waitsOf(view).map(wait => wait.for)

describe('how long a run waited', () => {
  const waited = ({ events }: ReturnType<typeof createSampleRun>) => {
    const { ms, since } = waitedOf(foldRun(events), events)
    return { ms, since }
  }

  it('counts questions and pauses, each moment once', () => {
    const sample = createSampleRun()
    sample.created()
    expect(waited(sample)).toEqual({ ms: 0, since: null })
    sample.started('migrate-instances')
    const asked = sample.gate()
    expect(waited(sample)).toEqual({ ms: 0, since: asked.at })
    sample.add({ kind: 'paused' })
    sample.add({ kind: 'resume-requested', by: 'olga' })
    sample.add({
      kind: 'gate-answered',
      stepId: 'migrate-instances',
      gateId: 'gate-1',
      choice: 'retry',
      reason: '',
      by: 'olga',
    })
    expect(waited(sample)).toEqual({ ms: 3000, since: null })
  })

  it('ends with the run', () => {
    const sample = createSampleRun()
    sample.created()
    sample.started('migrate-instances')
    sample.gate()
    sample.finished('aborted')
    expect(waited(sample)).toEqual({ ms: 1000, since: null })
  })

  it('counts a question about one instance as waiting for you, from when its move stopped getting done', () => {
    const sample = createSampleRun()
    sample.created()
    sample.started('migrate-instances')
    const asked = { name: 'db-1', cause: 'it writes memory as fast as it is copied', since: at(0), choices: ['wait'] }
    sample.fact('migrate-instances', MIGRATION_ASKS, 'server/db', asked)
    const open = waitedOf(foldRun(sample.events), sample.events)
    expect(open).toMatchObject({ ms: 0, since: at(0) })
    expect(waitedParts(open, Date.parse(at(130)))).toEqual([{ whom: 'for you', lasted: '2 min 10 s' }])
    const decided = sample.fact('migrate-instances', INSTANCE_DECIDED, 'server/db', { choice: 'wait', by: 'olga' })
    const ms = Date.parse(decided.at) - Date.parse(at(0))
    expect(waited(sample)).toEqual({ ms, since: null })
  })

  it('is given for each wait, and a moment counts once in the sum', () => {
    const sample = createSampleRun()
    sample.created()
    sample.started('migrate-instances')
    sample.gate()
    sample.started('drain-node')
    const refused = { uid: 'u', sentence: 'the budget refuses' }
    sample.fact('drain-node', EVICTION_REFUSED, 'pod/a', refused)
    sample.fact('drain-node', POD_LEFT, 'pod/a', { uid: 'u' })
    sample.finished('aborted')
    const { ms, whom } = waitedOf(foldRun(sample.events), sample.events)
    expect([ms, whom.get('answer')?.ms, whom.get('budget')?.ms]).toEqual([4000, 4000, 1000])
  })

  it('ends what a step met when it is checked again after a pause, as the run page does', () => {
    const sample = createSampleRun()
    sample.created()
    sample.started('drain-node')
    sample.fact('drain-node', EVICTION_REFUSED, 'pod/a', { uid: 'u', sentence: 'the budget refuses' })
    expect(waitsNow(foldRun(sample.events))).toEqual(['budget'])
    sample.add({ kind: 'paused' })
    sample.add({ kind: 'resume-requested', by: 'olga' })
    const answer = { kind: 'ready' as const, reason: '', evidence: [], warnings: [], effects: [] }
    sample.add({ kind: 'step-checked', stepId: 'drain-node', answer })
    const view = foldRun(sample.events)
    expect(waitsNow(view)).toEqual([])
    expect(waitedOf(view, sample.events).whom.get('budget')?.since).toBeNull()
  })

  it('says nothing where nothing waited', () => {
    const sample = createSampleRun()
    sample.created()
    expect(waitedParts(waitedOf(foldRun(sample.events), sample.events), 0)).toEqual([])
  })
})

it('a question about an instance is for you, and only what is left to owners is for them', () => {
  const { InstanceAsks, LeftToOwners } = sampleWaits()
  const instances = [{ id: 'db', name: 'db-01' }]
  expect(waitWords({ ...InstanceAsks, instances })).toBe('db-01 needs you')
  expect(waitWords({ ...LeftToOwners, instances })).toBe('waits for the owner of db-01')
})
