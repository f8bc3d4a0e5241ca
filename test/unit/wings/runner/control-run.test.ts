import { describe, expect, test } from 'vitest'
import { judgeControl } from '../../../../main/wings/runner/control-run.ts'
import type { MaintenanceRunControlSpec } from '../../../../shared/domain/maintenance-run.ts'
import { conditionOf } from '../../../../shared/domain/run-condition.ts'
import { foldRun } from '../../../../shared/domain/run-fold.ts'
import { createSampleRun, RUN_ID } from '../../../fixtures/cli/sample-run.ts'

type SampleRun = ReturnType<typeof createSampleRun>
type Control = Partial<MaintenanceRunControlSpec> & Pick<MaintenanceRunControlSpec, 'control'>

function obeyed(spec: Control, more: (sample: SampleRun) => void = () => {}, interrupted = false) {
  const sample = createSampleRun()
  sample.created()
  more(sample)
  const view = foldRun(sample.events)
  return judgeControl({ run: 'enter-cmp-1', by: 'eva', reason: '', ...spec }, 'eva', {
    view,
    events: sample.events,
    interrupted,
    condition: conditionOf(view, interrupted),
  })
}
const input = { runId: RUN_ID }
const paused = (sample: SampleRun) => void sample.add({ kind: 'paused' })
const pausing = (sample: SampleRun) => void sample.add({ kind: 'pause-requested', by: 'olga' })
const afterNode = (sample: SampleRun) => void sample.add({ kind: 'pause-after-node-requested', by: 'olga' })
const failed = (sample: SampleRun) => void sample.finished('failed')
const done = (sample: SampleRun) => void sample.finished('done')

describe('a control asks of a run', () => {
  test.each<[string, Control, ((sample: SampleRun) => void) | undefined, boolean, string, object]>([
    ['pause', { control: 'pause' }, undefined, false, 'run.pause', input],
    ['pause after the node', { control: 'pause-after-node' }, undefined, false, 'run.pause-after-node', input],
    ['unpause', { control: 'unpause' }, paused, false, 'run.unpause', input],
    ['unpause of one that was left meanwhile', { control: 'unpause' }, paused, true, 'run.resume', input],
    ['unpause of one that is about to pause', { control: 'unpause' }, pausing, false, 'run.unpause', input],
    ['unpause of one that pauses after its node', { control: 'unpause' }, afterNode, false, 'run.unpause', input],
    ['resume of one that is paused', { control: 'resume' }, undefined, true, 'run.resume', input],
    ['resume of one that failed', { control: 'resume' }, failed, false, 'run.resume', input],
    ['resume of one that is paused', { control: 'resume' }, paused, false, 'run.unpause', input],
    ['abort', { control: 'abort', reason: 'storm' }, undefined, false, 'run.abort', { ...input, reason: 'storm' }],
    [
      'abort without a reason',
      { control: 'abort' },
      undefined,
      false,
      'run.abort',
      { ...input, reason: 'no reason was given' },
    ],
    [
      'an answer',
      { control: 'answer', gateId: 'gate-1', choice: 'retry', reason: 'again' },
      sample => void sample.gate(),
      false,
      'run.answer',
      { ...input, gateId: 'gate-1', choice: 'retry', reason: 'again' },
    ],
    [
      'to pass a node',
      { control: 'skip-node', node: 'cmp-2' },
      undefined,
      false,
      'run.skip-node',
      { ...input, node: 'cmp-2', reason: '' },
    ],
    [
      'a decision about an instance',
      { control: 'decide-instance', instanceId: 'id-web', choice: 'wait' },
      undefined,
      false,
      'run.decide',
      { ...input, instanceId: 'id-web', choice: 'wait', reason: '' },
    ],
  ])('%s', (_, spec, more, interrupted, name, asked) => {
    expect(obeyed(spec, more, interrupted)).toEqual({ kind: 'ask', request: { name, input: asked } })
  })
})

describe('what the journal already has is not done twice', () => {
  test.each<[string, Control, (sample: SampleRun) => void]>([
    ['a pause of what is paused', { control: 'pause' }, paused],
    ['an unpause of what is not', { control: 'unpause' }, () => {}],
    ['a resume of what is driven', { control: 'resume' }, () => {}],
    [
      'an abort that was received',
      { control: 'abort', reason: 'storm' },
      sample => void sample.add({ kind: 'abort-requested', by: 'eva', reason: 'storm' }),
    ],
    [
      'an abort that was carried out',
      { control: 'abort', reason: 'storm' },
      sample => {
        sample.add({ kind: 'abort-requested', by: 'eva', reason: 'storm' })
        sample.finished('aborted')
      },
    ],
    [
      'an answer that was given',
      { control: 'answer', gateId: 'gate-1', choice: 'retry' },
      sample => answered(sample, 'eva'),
    ],
  ])('%s', (_, spec, more) => {
    expect(obeyed(spec, more).kind).toBe('done')
  })
})

describe('a control is refused', () => {
  test.each<[string, Control, (sample: SampleRun) => void, RegExp]>([
    ['to a run that has ended', { control: 'pause' }, done, /done/],
    ['that resumes what is done', { control: 'resume' }, done, /done/],
    ['an answer without its question', { control: 'answer', choice: 'retry' }, () => {}, /gateId/],
    [
      'an answer of no choice',
      { control: 'answer', gateId: 'gate-1', choice: 'perhaps' },
      () => {},
      /continue, retry, skip, abort/,
    ],
    [
      'an answer after another one',
      { control: 'answer', gateId: 'gate-1', choice: 'retry' },
      sample => answered(sample, 'olga'),
      /olga already answered the question: retry/,
    ],
    ['to pass no node', { control: 'skip-node' }, () => {}, /names no node/],
    ['a decision about nothing', { control: 'decide-instance', choice: 'wait' }, () => {}, /instanceId/],
  ])('%s', (_, spec, more, why) => {
    expect(obeyed(spec, more)).toMatchObject({ kind: 'refused', why: { message: expect.stringMatching(why) } })
  })
})

function answered(sample: SampleRun, by: string): void {
  sample.gate()
  sample.add({ kind: 'gate-answered', stepId: 'migrate-instances', gateId: 'gate-1', choice: 'retry', reason: '', by })
}
