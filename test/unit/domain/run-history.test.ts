import { describe, expect, it } from 'vitest'
import { stateOf, tallyMoves } from '../../../shared/domain/instance-state.ts'
import { must } from '../../../shared/domain/must.ts'
import {
  ATTEMPTS_EXHAUSTED,
  INSTANCE_DECIDED,
  INSTANCE_MOVED,
  INSTANCE_SEEN,
  INSTANCE_SETTLED,
  INSTANCE_STARTED,
  INSTANCE_STOPPED,
  INSTANCES_NOTED,
  MIGRATION_FAILED,
  MIGRATION_PROGRESS,
  MIGRATION_REQUESTED,
  STOP_REQUESTED,
} from '../../../shared/domain/run-facts.ts'
import { foldRun } from '../../../shared/domain/run-fold.ts'
import { historyOf, historyOfFacts, historyOfView, instanceKey } from '../../../shared/domain/run-history.ts'
import { migrationsOf } from '../../../shared/domain/run-progress.ts'
import type { Effect } from '../../../shared/domain/step-answers.ts'
import { movesWords } from '../../../shared/words/instance-counts.ts'
import { holding, samplePlan } from '../../fixtures/cli/sample-plan.ts'
import { createSampleRun } from '../../fixtures/cli/sample-run.ts'
import { fakeFact } from '../../fixtures/procedures/fake-records.ts'

const STEP = 'migrate-instances'
const action = (id: string, does: 'live_migrate' | 'cold_migrate' | 'stop' | 'ignore'): Effect => ({
  ...{ kind: 'instance', id, name: `vm-${id}`, status: 'ACTIVE', source: 'tag', reason: '', warnings: [] },
  action: does,
})

/** A run whose check found five instances to move, two to stop and one that stays. */
function sample() {
  const reported = createSampleRun()
  reported.created()
  const effects = [
    ...['a', 'b', 'c', 'd', 'e'].map(id => action(id, 'live_migrate')),
    ...['s', 't'].map(id => action(id, 'stop')),
    action('z', 'ignore'),
  ]
  reported.add({ kind: 'step-checked', stepId: STEP, answer: holding('', effects) })
  const fact = (name: string, id: string, values = {}) =>
    reported.fact(STEP, name, `server/${id}`, { name: `vm-${id}`, ...values })
  return { ...reported, report: fact }
}

function instanceOf(reported: ReturnType<typeof createSampleRun>, id: string) {
  return historyOf(samplePlan().plan, reported.events).instances.get(instanceKey('cmp-1', id))
}

describe('what became of the instances of a run', () => {
  it('counts as moved what went to another host, and nothing else', () => {
    const run = sample()
    for (const id of ['a', 'b', 'c']) run.report(INSTANCE_MOVED, id, { from: 'cmp-1', to: 'cmp-2' })
    run.report(INSTANCE_SETTLED, 'd', { why: 'it was deleted' })
    run.report(INSTANCE_DECIDED, 'e', { choice: 'abort-and-leave', by: 'olga', reason: 'the owner asked' })
    run.report(INSTANCE_SETTLED, 'e', { why: 'it stays, as olga decided' })
    run.report(STOP_REQUESTED, 's', { attempt: 1 })
    run.report(INSTANCE_STOPPED, 's', { host: 'cmp-1' })
    const tally = tallyMoves(historyOf(samplePlan().plan, run.events).instances.values())
    // One more instance of the sample plan has to move.
    expect(tally).toEqual({
      ...{ done: 6, total: 8, toStop: 2, moved: 3, stopped: 1, started: 0, settled: 1, left: 1, failed: 0 },
    })
    expect(movesWords(tally)).toBe('3 of 6 moved, 1 of 2 stopped, 1 needs no move any more, 1 still here')
  })

  it('is the same by the events of a run and by its view', () => {
    const run = sample()
    run.report(MIGRATION_REQUESTED, 'a', { attempt: 1, source: 'cmp-1' })
    run.report(MIGRATION_FAILED, 'a', { why: 'no room' })
    run.report(INSTANCE_MOVED, 'b', { from: 'cmp-1', to: 'cmp-2' })
    const byEvents = historyOf(samplePlan().plan, run.events)
    const byView = historyOfView(foldRun(run.events))
    expect(tallyMoves(byView.instances.values())).toMatchObject({ moved: 1, total: 7 })
    expect(byEvents.instances.get(instanceKey('cmp-1', 'a'))?.attempts).toEqual(
      byView.instances.get(instanceKey('cmp-1', 'a'))?.attempts,
    )
  })

  it('who skips the step that moves instances leaves those that are still there, by every way to read it', () => {
    const run = sample()
    run.report(INSTANCE_MOVED, 'a', { from: 'cmp-1', to: 'cmp-2' })
    run.report(MIGRATION_REQUESTED, 'b', { attempt: 1, source: 'cmp-1' })
    run.report(MIGRATION_FAILED, 'b', { why: 'no room' })
    run.report(ATTEMPTS_EXHAUSTED, 'b', { why: 'no room' })
    run.report(STOP_REQUESTED, 's', { attempt: 1 })
    const tally = () => tallyMoves(historyOf(samplePlan().plan, run.events).instances.values())
    expect(tally()).toMatchObject({ moved: 1, left: 0, failed: 1 })
    run.add({
      kind: 'gate-opened',
      ...{ stepId: STEP, gateId: 'g', question: 'What of b?', choices: ['retry', 'skip'] },
    })
    run.add({ kind: 'gate-answered', ...{ stepId: STEP, gateId: 'g', choice: 'skip', by: 'olga', reason: 'agreed' } })
    run.add({ kind: 'step-skipped', stepId: STEP, reason: 'agreed', by: 'operator' })
    const view = foldRun(run.events)
    expect(tally()).toMatchObject({ moved: 1, left: 1, failed: 0 })
    expect(tallyMoves(historyOfView(view).instances.values())).toMatchObject({ moved: 1, left: 1, failed: 0 })
    expect(instanceOf(run, 'b')?.decision).toMatchObject({ choice: 'skip', by: 'olga', reason: 'agreed' })
    const step = must(
      view.steps.find(each => each.step.id === STEP),
      'it is planned',
    )
    expect(migrationsOf(step).map(({ name, state }) => [name, state])).toEqual([
      ['vm-a', 'moved'],
      ['vm-b', 'left'],
      // Nova was asked to stop it, and may still do so.
      ['vm-s', 'running'],
    ])
  })

  it('one that a person leaves here is left, unless it moved before that could be done', () => {
    const run = sample()
    run.report(INSTANCE_DECIDED, 'a', { choice: 'skip', by: 'olga', reason: '' })
    run.report(MIGRATION_REQUESTED, 'b', { attempt: 1 })
    run.report(INSTANCE_DECIDED, 'b', { choice: 'abort-and-leave', by: 'olga', reason: '' })
    const states = () => ['a', 'b'].map(id => instanceOf(run, id)).map(one => (one === undefined ? null : stateOf(one)))
    expect(states()).toEqual(['left', 'running'])
    expect(instanceOf(run, 'a')?.decision).toMatchObject({ choice: 'skip', by: 'olga' })
    run.report(INSTANCE_MOVED, 'b', { from: 'cmp-1', to: 'cmp-3' })
    expect(states()).toEqual(['left', 'moved'])
  })

  it('one that was stopped and runs again is down no more', () => {
    const run = sample()
    const stopped = run.report(INSTANCE_STOPPED, 's', { powerState: 4 })
    expect(instanceOf(run, 's')?.down).toEqual({ from: stopped.at, to: null })
    const started = run.report(INSTANCE_STARTED, 's', { powerState: 1 })
    expect(instanceOf(run, 's')?.down).toEqual({ from: stopped.at, to: started.at })
  })

  it('one that controllers moved went where it was seen, counted from where it was noted', () => {
    const run = sample()
    run.fact(STEP, INSTANCES_NOTED, 'node/cmp-1', {
      ...{ host: 'cmp-1', ids: ['a', 'x'], running: [{ id: 'x', name: 'vm-x' }] },
    })
    run.report(INSTANCE_SEEN, 'a', { host: 'cmp-4', status: 'ACTIVE', powerState: 1 })
    run.report(INSTANCE_SEEN, 'x', { host: 'cmp-1', status: 'ACTIVE', powerState: 1 })
    const seen = ['a', 'x'].map(id => instanceOf(run, id))
    expect(seen.map(one => (one === undefined ? null : stateOf(one)))).toEqual(['moved', 'untouched'])
    expect(seen.map(one => one?.ran)).toEqual([false, true])
  })
})

describe('the attempts at an instance', () => {
  const fact = (name: string, values = {}) => fakeFact(name, 'server/a', { name: 'vm-a', ...values })
  const attemptsOf = (...facts: readonly ReturnType<typeof fact>[]) =>
    historyOfFacts({ facts }).instances.get(instanceKey('', 'a'))?.attempts ?? []

  it('begin with each request and end with its outcome', () => {
    const reported = attemptsOf(
      fact(MIGRATION_REQUESTED, { attempt: 1, source: 'cmp-1' }),
      fact(MIGRATION_PROGRESS, { memoryTotal: 400, memoryRemaining: 100 }),
      fact(MIGRATION_FAILED, { why: 'no room' }),
      fact(MIGRATION_REQUESTED, { attempt: 2, source: 'cmp-1', how: 'cold' }),
      fact(INSTANCE_MOVED, { from: 'cmp-1', to: 'cmp-2' }),
    )
    expect(reported.map(({ number, percent, asked, end }) => [number, percent, asked?.how, end?.kind])).toEqual([
      [1, 75, 'live', 'failed'],
      [2, null, 'cold', 'moved'],
    ])
  })

  it('that others made are followed, and a request that is announced once more is marked', () => {
    expect(attemptsOf(fact(MIGRATION_PROGRESS, { memoryTotal: 4, memoryRemaining: 4 }))).toMatchObject([
      { by: 'others', asked: null, end: null },
    ])
    const again = attemptsOf(fact(MIGRATION_REQUESTED, { attempt: 1 }), fact(MIGRATION_REQUESTED, { again: true }))
    expect(again.map(({ asked }) => asked?.isAgain)).toEqual([false, true])
  })
})
