import { describe, expect, it } from 'vitest'
import { logAsText } from '../../../renderer/features/runs/run-log.tsx'
import { ALL_RUNS } from '../../../renderer/stores/looks.ts'
import { listedRuns, runBeside } from '../../../renderer/ui/runs/run-filter.ts'
import { isPausing, skipReasons } from '../../../renderer/ui/runs/waits.ts'
import { WATCHER_PLAN_STARTED } from '../../../shared/domain/run-facts.ts'
import { eventLine } from '../../../shared/words/run-events.ts'
import { createSampleRun, sampleSummary } from '../../fixtures/cli/sample-run.ts'

const run = (id: string, state: Parameters<typeof sampleSummary>[0], hour: number, more = {}) =>
  sampleSummary(state, {
    id,
    cluster: 'c',
    node: `node-${id}`,
    createdAt: `2026-11-21T${String(hour).padStart(2, '0')}:00:00.000Z`,
    endedAt: ['done', 'failed'].includes(state) ? '2026-11-21T23:00:00.000Z' : null,
    ...more,
  })

describe('the list of runs', () => {
  const runs = [run('old', 'interrupted', 1), run('mid', 'done', 2), run('new', 'failed', 3), run('live', 'running', 4)]

  it('those without a driver come first, then the newest', () => {
    expect(listedRuns(runs, 'c', null).map(({ id }) => id)).toEqual(['old', 'live', 'new', 'mid'])
  })

  it('is narrowed by cluster, node, state and words', () => {
    expect(listedRuns(runs, 'other', null)).toEqual([])
    expect(listedRuns(runs, 'c', 'node-mid').map(({ id }) => id)).toEqual(['mid'])
    expect(listedRuns(runs, 'c', null, { states: 'open', text: '' }).map(({ id }) => id)).toEqual(['old', 'live'])
    expect(listedRuns(runs, 'c', null, { states: 'failed', text: '' }).map(({ id }) => id)).toEqual(['new'])
    expect(listedRuns(runs, 'c', null, { ...ALL_RUNS, text: 'NODE-NEW' }).map(({ id }) => id)).toEqual(['new'])
  })

  it('keys stop at its ends', () => {
    const listed = listedRuns(runs, 'c', null)
    expect(runBeside(listed, 'old', -1)?.id).toBe('old')
    expect(runBeside(listed, 'old', 1)?.id).toBe('live')
    expect(runBeside(listed, 'mid', 1)?.id).toBe('mid')
    expect(runBeside(listed, 'gone', 1)?.id).toBe('old')
  })
})

describe('what an operator did to a run', () => {
  it('a pause is requested until the run paused', () => {
    const sample = createSampleRun()
    sample.created()
    expect(isPausing(sample.events)).toBe(false)
    sample.add({ kind: 'pause-requested', by: 'olga' })
    expect(isPausing(sample.events)).toBe(true)
    sample.add({ kind: 'paused' })
    expect(isPausing(sample.events)).toBe(false)
  })

  it('a skipped step shows its reason until it starts again', () => {
    const sample = createSampleRun()
    sample.created()
    sample.add({ kind: 'step-skipped', stepId: 'migrate-instances', reason: 'it may go down', by: 'operator' })
    sample.add({ kind: 'step-skipped', stepId: 'drain-node', reason: 'empty', by: 'nothing-to-do' })
    expect([...skipReasons(sample.events)]).toEqual([['migrate-instances', 'it may go down']])
    sample.started('migrate-instances')
    expect([...skipReasons(sample.events)]).toEqual([])
  })
})

describe('the log of a run', () => {
  it("names Watcher's audit and action plan, so that both can be looked up there", () => {
    const sample = createSampleRun()
    sample.created()
    const fact = sample.fact('drain-node', WATCHER_PLAN_STARTED, 'watcher-plan/4f1c', {
      auditUuid: '9d20',
      host: 'sun-1',
    })
    expect(eventLine(fact, new Map()).text).toBe('Watcher: action plan 4f1c of audit 9d20 started for sun-1.')
  })

  it('is copied as one line an event, oldest first, in UTC', () => {
    const sample = createSampleRun()
    sample.created()
    sample.finished('failed')
    const lines = logAsText(sample.events, new Map()).split('\n')
    expect(lines).toHaveLength(sample.events.length)
    expect(lines[0]).toBe('2026-11-21T10:00:00.000Z  Confirmed by olga on bastion.')
    expect(lines.at(-1)).toContain('Failed: Ended failed.')
  })
})
