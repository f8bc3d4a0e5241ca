import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { describe, expect, test } from 'vitest'
import { mayBringHome, undoableNow, undoOf } from '../../../renderer/features/runs/after-run.ts'
import { NextSteps } from '../../../renderer/features/runs/next-steps.tsx'
import { useRuns } from '../../../renderer/stores/runs.ts'
import type { RunSummary } from '../../../shared/contract/index.ts'
import type { NodePlan, PlannedNodeRunKind } from '../../../shared/domain/plan.ts'
import type { RunOutcome } from '../../../shared/domain/run.ts'
import { endingOf } from '../../../shared/domain/run-ending.ts'
import { CORDON_REQUESTED, NODE_VERDICT } from '../../../shared/domain/run-facts.ts'
import { foldRun } from '../../../shared/domain/run-fold.ts'
import { samplePlan } from '../../fixtures/cli/sample-plan.ts'
import { createSampleRun, sampleSummary } from '../../fixtures/cli/sample-run.ts'

const RAN = 'run-1'

/** A run that ended so, of a node that it cordoned. */
function ended(outcome: RunOutcome, plan: Partial<NodePlan> = {}) {
  const checked = samplePlan()
  const sample = createSampleRun({ ...checked, plan: { ...checked.plan, ...plan } as NodePlan }, RAN)
  sample.created()
  sample.started('drain-node')
  sample.fact('drain-node', CORDON_REQUESTED, 'node/cmp-1', {})
  sample.finished(outcome)
  return foldRun(sample.events)
}

const summary = (id: string, kind: RunSummary['kind'], state: RunSummary['state'], more: Partial<RunSummary> = {}) =>
  sampleSummary(state, { id, kind, ...more })
const own = summary(RAN, 'enter', 'failed')

describe('the undo of a run', () => {
  const undo = (id: string, state: RunSummary['state'], undoes = RAN) => summary(id, 'undo', state, { undoes })
  test.each<[string, readonly RunSummary[], string | null]>([
    ['none where nothing came after it', [own], null],
    ['whichever says that it undoes it', [undo('u', 'done'), own], 'u'],
    ['the last of several', [undo('u2', 'done'), undo('u1', 'failed'), own], 'u2'],
    ['none that undoes another run', [undo('u', 'done', 'run-0'), own], null],
    ['none that touched nothing', [undo('u', 'checks-failed'), own], null],
  ])('is %s', (_what, list, id) => {
    expect(undoOf(ended('failed'), list)?.id ?? null).toBe(id)
  })
})

describe('to undo it is offered', () => {
  test.each<[string, readonly RunSummary[], readonly string[]]>([
    ['where nothing came after it', [own, summary('run-0', 'enter', 'done')], ['cmp-1']],
    ['not once another run worked on its node', [summary('e', 'enter', 'done'), own], []],
    ['not where the list does not have the run', [], []],
  ])('%s', (_what, list, nodes) => {
    expect(undoableNow(ended('failed'), list)).toEqual(nodes)
  })
})

describe('bringing instances home', () => {
  const { steps } = samplePlan().plan
  const of = (role: 'compute' | 'storage') => steps.map(step => ({ ...step, role }))

  test.each<[RunOutcome, PlannedNodeRunKind, 'compute' | 'storage', boolean]>([
    ['done', 'leave', 'compute', true],
    ['done', 'maintain', 'compute', true],
    ['done', 'leave', 'storage', false],
    ['failed', 'leave', 'compute', false],
    ['done', 'enter', 'compute', false],
  ])('after a run that ended %s, of kind %s, with %s steps: %s', (outcome, kind, role, offered) => {
    expect(mayBringHome(ended(outcome, { kind, steps: of(role) }))).toBe(offered)
  })

  test('a run that brought them back itself offers it no more', () => {
    const options = { ...samplePlan().plan.options, home: true }
    expect(mayBringHome(ended('done', { kind: 'leave', steps: of('compute'), options }))).toBe(false)
  })
})

test('instances are not brought back to a node that others keep free of work', () => {
  const { plan } = samplePlan()
  const sample = createSampleRun({ ...samplePlan(), plan: { ...plan, kind: 'leave' } as NodePlan }, RAN)
  sample.created()
  const by = [{ code: 'Cordoned' }]
  sample.fact('drain-node', NODE_VERDICT, 'node/cmp-1', {
    kind: 'HeldBack',
    at: '2026-11-21T10:00:30.000Z',
    looked: [],
    by,
  })
  sample.finished('done')
  const view = foldRun(sample.events)
  const steps = plan.steps.map(step => ({ ...step, role: 'compute' as const }))
  expect(mayBringHome({ ...view, plan: { ...view.plan, steps } as NodePlan })).toBe(false)
})

test.each<[string, RunOutcome, Partial<NodePlan>, readonly string[]]>([
  ['entered in vain', 'failed', {}, ['Resume where it stopped', 'Undo', 'Try again', 'Bring cmp-1 back']],
  ['brought back', 'done', { kind: 'leave' }, ['Bring its instances back…']],
  ['undone in vain', 'failed', { kind: 'undo', undoes: 'run-0' }, ['Resume where it stopped', 'Try again']],
])('the end of a run that %s offers what may be done next', (_, outcome, plan, offered) => {
  // What is drawn without a page shows a store as it began.
  Object.assign(useRuns.getInitialState(), { list: [own] })
  const view = ended(outcome, plan)
  if (view.state.kind !== 'finished') throw new Error('it has ended')
  const drawn = renderToStaticMarkup(createElement(NextSteps, { view, ending: endingOf(view, view.state) }))
  const buttons = [...drawn.matchAll(/<button[^>]*>(.*?)<\/button>/gs)].map(([, inner = '']) =>
    inner.replace(/<[^>]+>/g, ''),
  )
  expect(buttons.filter(words => !/report/i.test(words))).toEqual(offered)
})
