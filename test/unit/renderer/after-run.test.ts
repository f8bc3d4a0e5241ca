import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { describe, expect, it, test } from 'vitest'
import { mayBringHome, mayUndo, sinceRun, undoableNodes } from '../../../renderer/features/runs/after-run.ts'
import { RunEnd } from '../../../renderer/features/runs/run-end.tsx'
import type { RunSummary } from '../../../shared/contract/index.ts'
import type { NodePlan, Plan, PlannedNodeRunKind } from '../../../shared/domain/plan.ts'
import type { RunOutcome } from '../../../shared/domain/run.ts'
import { CORDON_REQUESTED, UNCORDON_REQUESTED } from '../../../shared/domain/run-facts.ts'
import { foldRun } from '../../../shared/domain/run-fold.ts'
import { samplePlan } from '../../fixtures/cli/sample-plan.ts'
import { createRunStory, sampleSummary } from '../../fixtures/cli/sample-run.ts'
import { PLAYED_OPTIONS } from '../../fixtures/renderer/update-run.ts'

const RAN = 'run-1'
const NOTHING_SINCE = { undo: null, other: false }

/** A run that ended so, of a node that it cordoned, unless it did nothing or took it back itself. */
function ended(outcome: RunOutcome, plan: Partial<NodePlan> = {}, facts: readonly string[] = [CORDON_REQUESTED]) {
  const checked = samplePlan()
  const story = createRunStory({ ...checked, plan: { ...checked.plan, ...plan } as NodePlan }, RAN)
  story.created()
  story.started('drain-node')
  for (const fact of facts) story.fact('drain-node', fact, 'node/cmp-1', {})
  story.finished(outcome)
  return foldRun(story.events)
}

const summary = (id: string, kind: RunSummary['kind'], state: RunSummary['state'], more: Partial<RunSummary> = {}) =>
  sampleSummary(state, { id, kind, ...more })
const own = summary(RAN, 'enter', 'failed')
/** What followed our run, the newest first, as the list of runs has it. */
const since = (...newer: readonly RunSummary[]) => {
  const { undo, other } = sinceRun(ended('failed'), [...newer, own, summary('run-0', 'undo', 'done')])
  return { undo: undo?.id ?? null, other }
}

describe('what followed a run on its node', () => {
  it('an undo that follows directly is its own, the last of several', () => {
    expect(since()).toEqual(NOTHING_SINCE)
    expect(since(summary('u', 'undo', 'done'))).toEqual({ undo: 'u', other: false })
    expect(since(summary('u2', 'undo', 'done'), summary('u1', 'undo', 'failed'))).toEqual({ undo: 'u2', other: false })
  })

  it('one that follows another run undoes that one', () => {
    expect(since(summary('u', 'undo', 'done'), summary('e', 'enter', 'failed'))).toEqual({ undo: null, other: true })
    expect(since(summary('e', 'enter', 'done'), summary('u', 'undo', 'done'))).toEqual({ undo: 'u', other: true })
  })

  it('runs of other nodes, of other clusters, and that touched nothing do not count', () => {
    const beside = [
      summary('n', 'enter', 'done', { node: 'cmp-2' }),
      summary('c', 'enter', 'done', { cluster: 'other' }),
      summary('x', 'enter', 'checks-failed'),
    ]
    expect(since(...beside)).toEqual(NOTHING_SINCE)
  })
})

describe('of a run over many nodes', () => {
  const nodes = ['cmp-1', 'cmp-2']
  const view = (() => {
    const checked = samplePlan()
    const { steps, node: _one, kind: _kind, ...of } = checked.plan as NodePlan
    const update = { ...PLAYED_OPTIONS, groups: [{ name: 'g', index: 1, nodes, concurrentUpdates: 2 }] }
    const inLane = (name: string) =>
      steps.map(step => ({ ...step, id: `${step.id}@${name}`, needs: [], lane: { batch: 'g', name } }))
    const plan: Plan = { ...of, kind: 'rolling-maintenance', update, steps: nodes.flatMap(inLane) }
    const story = createRunStory({ ...checked, plan }, RAN)
    story.created()
    story.started('drain-node@cmp-1')
    story.fact('drain-node@cmp-1', CORDON_REQUESTED, 'node/cmp-1', {})
    story.finished('aborted')
    return foldRun(story.events)
  })()
  const many = summary(RAN, 'rolling-maintenance', 'aborted', { node: null })

  it('those nodes may be undone that it changed and nothing worked on since', () => {
    expect(undoableNodes(view, [many])).toEqual(['cmp-1'])
    expect(undoableNodes(view, [summary('o', 'enter', 'done', { node: 'cmp-2' }), many])).toEqual(['cmp-1'])
    expect(undoableNodes(view, [summary('u', 'undo', 'done', { node: 'cmp-1' }), many])).toEqual([])
    expect(undoableNodes(view, [summary('r', 'rolling-maintenance', 'done', { node: null }), many])).toEqual([])
  })

  it('none may where the list does not hold the run', () => {
    expect(undoableNodes(view, [])).toEqual([])
  })
})

describe('an undo', () => {
  test.each<[RunOutcome, PlannedNodeRunKind, boolean]>([
    ['failed', 'enter', true],
    ['aborted', 'maintain', true],
    ['done', 'enter', false],
    ['checks-failed', 'enter', false],
    ['failed', 'leave', false],
  ])('of a run that ended %s, of kind %s: %s', (outcome, kind, offered) => {
    expect(mayUndo(ended(outcome, { kind }), NOTHING_SINCE)).toBe(offered)
  })

  it('is not offered where nothing is left to take back', () => {
    expect(mayUndo(ended('failed', {}, []), NOTHING_SINCE)).toBe(false)
    expect(mayUndo(ended('failed', {}, [CORDON_REQUESTED, UNCORDON_REQUESTED]), NOTHING_SINCE)).toBe(false)
  })

  test.each([
    ['failed', true],
    ['aborted', true],
    ['done', false],
    ['running', false],
    ['interrupted', false],
  ] as const)('after one that is %s is offered again: %s', (state, offered) => {
    expect(mayUndo(ended('failed'), { undo: summary('u', 'undo', state), other: false })).toBe(offered)
  })

  it('is not offered once another run worked on the node', () => {
    expect(mayUndo(ended('failed'), { undo: null, other: true })).toBe(false)
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
})

test.each<[string, RunOutcome, Partial<NodePlan>, readonly string[]]>([
  [
    'entered in vain',
    'failed',
    {},
    ['Go on where it stopped', 'Try again', 'Undo what it did…', 'Bring cmp-1 back into service'],
  ],
  ['brought back', 'done', { kind: 'leave' }, ['Bring its instances home…']],
  ['undone in vain', 'failed', { kind: 'undo', undoes: 'run-0' }, ['Go on where it stopped', 'Try again']],
])('the end of a run that %s offers what may be done next', (_, outcome, plan, offered) => {
  const drawn = renderToStaticMarkup(createElement(RunEnd, { view: ended(outcome, plan) }))
  const buttons = [...drawn.matchAll(/<button[^>]*>(.*?)<\/button>/gs)].map(([, inner = '']) =>
    inner.replace(/<[^>]+>/g, ''),
  )
  expect(buttons.filter(words => !/report/i.test(words))).toEqual(offered)
})
