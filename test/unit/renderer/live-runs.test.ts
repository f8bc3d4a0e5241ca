import { describe, expect, it } from 'vitest'
import { liveRuns, toneOf } from '../../../renderer/ui/runs/live-runs.ts'
import { advanceOf } from '../../../shared/domain/run-advance.ts'
import type { RunEnding } from '../../../shared/domain/run-ending.ts'
import { foldRun } from '../../../shared/domain/run-fold.ts'
import { advanceWords, runTitle } from '../../../shared/words/runs.ts'
import { sampleNotEmpty } from '../../fixtures/cli/sample-run.ts'
import { type PlayedState, playedRun } from '../../fixtures/renderer/played-runs.ts'
import { playedUpdateEvents } from '../../fixtures/renderer/update-run.ts'

const NOW = Date.parse('2026-11-21T12:00:00.000Z')
const HOUR = 60 * 60_000
const run = (state: PlayedState, node: string = state, agoMs = 0) =>
  playedRun(state, { id: state, node, nowMs: NOW - agoMs }).summary
const live = (runs: readonly ReturnType<typeof run>[], seen: readonly string[] = []) =>
  liveRuns(runs, new Set(seen), NOW).map(({ id }) => id)

describe('runs that are at work or wait', () => {
  it('come with those that need somebody first, a pause that somebody chose after them, and those that move last', () => {
    const all = (['moving', 'done', 'paused', 'failed', 'interrupted', 'question', 'owner'] as const).map(state =>
      run(state),
    )
    expect(live(all)).toEqual(['owner', 'question', 'interrupted', 'failed', 'paused', 'moving'])
  })

  it('the longest wait comes first', () => {
    const later = { ...run('owner', 'cmp-9', HOUR), id: 'older' }
    expect(live([run('owner'), later])).toEqual(['older', 'owner'])
  })

  it('a failed one is shown until somebody opens it or starts another run there, for at most half a day', () => {
    expect(live([run('failed')])).toEqual(['failed'])
    expect(live([run('failed')], ['failed'])).toEqual([])
    expect(live([run('failed', 'cmp-1', HOUR), run('done', 'cmp-1')])).toEqual([])
    expect(live([run('failed', 'cmp-1', HOUR), run('done', 'cmp-2')])).toEqual(['failed'])
    expect(live([run('failed', 'cmp-1', 13 * HOUR)])).toEqual([])
  })

  it('what ended well, or was aborted by somebody, is not shown', () => {
    expect(live([run('done'), run('aborted')])).toEqual([])
  })
})

it.each([
  ['moving', 'moving', 'Taking cmp-02 out of service'],
  ['owner', 'waits', 'Waits for the owner of ledger-01'],
  ['question', 'waits', 'cmp-02 needs you'],
  ['paused', 'waits', 'Paused: taking cmp-02 out of service'],
  ['interrupted', 'failed', 'Interrupted: taking cmp-02 out of service'],
  ['failed', 'failed', 'Failed: taking cmp-02 out of service'],
  ['aborted', 'rest', 'Stopped: taking cmp-02 out of service'],
  ['done', 'verified', 'cmp-02 is empty'],
] as const)('a run that is %s is %s and reads "%s"', (state, tone, title) => {
  const summary = run(state, 'cmp-02')
  expect(toneOf(summary.condition)).toBe(tone)
  expect(runTitle(summary).filter(Boolean).join(' ')).toBe(title)
})

it('a run whose node was judged reads what the node is', () => {
  const over = (ending: RunEnding) =>
    runTitle({ ...run('done', 'cmp-02'), condition: { kind: 'over', outcome: 'done', summary: '', ending } })
  expect(over(sampleNotEmpty('cmp-02'))).toEqual(['', 'cmp-02', 'is not empty'])
})

describe('how far a run is', () => {
  const advance = (state: PlayedState) => advanceOf(foldRun(playedRun(state).events))

  it('counts the instances that left while they leave, and steps otherwise', () => {
    expect(advance('moving')).toMatchObject({ of: 'moves', done: 3, total: 7 })
    expect(advance('owner')).toMatchObject({ of: 'steps', done: 3, total: 5 })
    expect(advance('done')).toEqual({ of: 'steps', done: 5, total: 5, share: 1 })
  })

  it('does not count a step as done that was passed, though it is behind the run', () => {
    const view = foldRun(playedRun('done').events)
    const [first, ...others] = view.steps.filter(({ step }) => step.verbs.includes('apply'))
    const steps = [...(first === undefined ? [] : [{ ...first, state: 'skipped' as const }]), ...others]
    expect(advanceOf({ ...view, steps })).toEqual({ of: 'steps', done: 4, total: 5, share: 1 })
  })

  it('never goes back from state to state of one run', () => {
    const shares = (['moving', 'question', 'owner', 'done'] as const).map(state => advance(state)?.share ?? 0)
    expect(shares).toEqual(shares.toSorted((a, b) => a - b))
  })

  it('of many nodes it counts nodes', () => {
    const update = advanceOf(foldRun(playedUpdateEvents('upd-1', 'east', '2026-11-21T06:00:00.000Z')))
    expect(update).toEqual({ of: 'nodes', done: 0, total: 9, share: 0 })
    expect(update === null ? '' : advanceWords(update)).toBe('0 of 9 nodes done')
  })
})
