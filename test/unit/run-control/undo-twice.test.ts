import { expect, test } from 'vitest'
import { endUndone, whyNotResumed } from '../../../main/run-control/undo.ts'
import type { RunSummary } from '../../../shared/contract/index.ts'
import { failure } from '../../../shared/domain/failure.ts'
import type { Plan } from '../../../shared/domain/plan.ts'
import { failed, ok, type Result } from '../../../shared/domain/result.ts'
import { CORDON_REQUESTED } from '../../../shared/domain/run-facts.ts'
import { foldRun } from '../../../shared/domain/run-fold.ts'
import { samplePlan } from '../../fixtures/cli/sample-plan.ts'
import { createSampleRun, sampleSummary } from '../../fixtures/cli/sample-run.ts'

/** A run that waits, as the second of two consoles sees it that both planned its undo: the first one has begun. */
function waitingRun() {
  const checked = samplePlan()
  const sample = createSampleRun({ ...checked, plan: { ...checked.plan, kind: 'enter' } as Plan }, 'run-1')
  sample.created()
  sample.started('drain-node')
  sample.fact('drain-node', CORDON_REQUESTED, 'node/cmp-1', {}, true)
  sample.gate()
  const { node, cluster, flavour, options } = samplePlan().plan as Extract<Plan, { node: string }>
  const madeAt = sample.events.at(-1)?.at ?? ''
  const undo = {
    id: 'plan-2',
    kind: 'undo',
    node,
    cluster,
    flavour,
    madeAt,
    options,
    undoes: 'run-1',
    window: null,
    batches: [],
    steps: [],
  } as Plan
  const summary = sampleSummary('interrupted', { id: 'run-1', kind: 'enter' })
  const undoing = (state: RunSummary['state']) =>
    sampleSummary(state, { id: 'run-2', kind: 'undo', undoes: 'run-1', operator: 'eva', machine: 'bastion' })
  let later: readonly RunSummary[] = []
  let end: () => Result<void> = () => ok(undefined)
  const runs = {
    list: () => ok([...later, summary]),
    view: (id: string) => {
      if (id !== 'run-1') {
        const view = { ...foldRun(sample.events), id, plan: { ...undo, id: 'plan-1' } }
        return ok({ view, events: [], interrupted: false, summary: undoing('running') })
      }
      return ok({ view: foldRun(sample.events), events: sample.events, interrupted: true, summary })
    },
    abortUndriven: () => end(),
  }
  const endedToBeUndone = (by = 'eva') => {
    sample.add({ kind: 'abort-requested', by, reason: 'to be undone', forUndo: true })
    sample.finished('aborted')
  }
  const words = () => {
    const answer = endUndone(undo, runs)
    return answer.ok ? '' : answer.failure.message
  }
  return {
    sample,
    words,
    endedToBeUndone,
    undone: (state: RunSummary['state']) => {
      later = [undoing(state)]
    },
    whenEnded: (next: () => Result<void>) => {
      end = next
    },
  }
}

test('nothing blocks the only one', () => {
  expect(waitingRun().words()).toBe('')
})

test('the second learns that the first ended the run, although the undo run is not there yet', () => {
  const { words, endedToBeUndone } = waitingRun()
  endedToBeUndone()
  expect(words()).toMatch(/Run eva ended run run-1 after this plan was made, to undo it:/)
})

test('the second learns it where the first was a moment faster', () => {
  const { words, endedToBeUndone, whenEnded } = waitingRun()
  whenEnded(() => {
    endedToBeUndone()
    return failed(failure('held', 'Run run-1 runs by somebody.'))
  })
  expect(words()).toMatch(/Run eva ended run run-1 after this plan was made, to undo it:/)
})

test.each([
  ['running', 'It runs on bastion'],
  ['waiting', 'It runs on bastion'],
  ['interrupted', 'It is paused: `lockkeeper run resume run-2` continues it'],
] as const)('the second learns who undoes it, where that run is %s', (state, said) => {
  const { words, endedToBeUndone, undone } = waitingRun()
  endedToBeUndone()
  undone(state)
  expect(words()).toContain(`Run run-2 undoes it and has not finished. ${said}`)
})

test('a run that was resumed since, and aborted for another reason, continued', () => {
  const { words, sample } = waitingRun()
  sample.add({ kind: 'abort-requested', by: 'eva', reason: 'wrong node' })
  sample.finished('aborted')
  expect(words()).toContain('Run run-1 continued after this plan was made')
})

test.each<[what: string, state: RunSummary['state'], isFirst: boolean, refused: boolean]>([
  ['newer than it', 'done', true, true],
  ['that a clock set back lists below it', 'done', false, true],
  ['that a clock set back lists below it and that has no driver', 'interrupted', false, true],
  ['whose checks failed', 'checks-failed', false, false],
])('a run is not resumed after an undo %s (%s)', (_, state, isFirst, refused) => {
  const { sample } = waitingRun()
  const own = sampleSummary('interrupted', { id: 'run-1', kind: 'enter' })
  const undo = sampleSummary(state, { id: 'run-2', kind: 'undo', undoes: 'run-1' })
  const why = whyNotResumed(foldRun(sample.events), { list: () => ok(isFirst ? [undo, own] : [own, undo]) })
  expect(why?.message ?? '').toBe(refused ? 'Run run-2 undoes run run-1, so it cannot resume. Start a new run.' : '')
})
