import { describe, expect, it, test } from 'vitest'
import type { RunSummary } from '../../../shared/contract/index.ts'
import type { NodePlan, Plan, RunKind } from '../../../shared/domain/plan.ts'
import type { RunOutcome } from '../../../shared/domain/run.ts'
import { CORDON_REQUESTED, UNCORDON_REQUESTED } from '../../../shared/domain/run-facts.ts'
import { foldRun } from '../../../shared/domain/run-fold.ts'
import { runsAfter, undoableNodes, whyNotUndone } from '../../../shared/domain/undoable.ts'
import { samplePlan } from '../../fixtures/cli/sample-plan.ts'
import { createSampleRun, sampleSummary } from '../../fixtures/cli/sample-run.ts'
import { PLAYED_OPTIONS } from '../../fixtures/renderer/update-run.ts'

const RAN = 'run-1'
const NODES = ['cmp-1', 'cmp-2']

/** A run of `cmp-1` with these facts; `outcome` null: it waits. */
function ran(outcome: RunOutcome | null, kind: RunKind = 'enter', facts: readonly string[] = [CORDON_REQUESTED]) {
  const checked = samplePlan()
  const plan = { ...checked.plan, kind, ...(kind === 'undo' ? { undoes: 'run-0' } : {}) } as NodePlan
  const sample = createSampleRun({ ...checked, plan }, RAN)
  sample.created()
  sample.started('drain-node')
  for (const fact of facts) sample.fact('drain-node', fact, 'node/cmp-1', {})
  if (outcome === 'handed-over') {
    const to = { by: 'mgmt', namespace: 'lockkeeper', object: 'enter-cmp-1' }
    sample.add({ kind: 'hand-over-announced', by: 'eva', to, storyHash: 'f'.repeat(64) })
  }
  if (outcome === null) sample.gate()
  else sample.finished(outcome)
  return foldRun(sample.events)
}

/** A run over both nodes that was aborted when it had cordoned these. */
function ranOverMany(cordoned: readonly string[]) {
  const checked = samplePlan()
  const { steps, node: _one, kind: _kind, ...of } = checked.plan as NodePlan
  const update = { ...PLAYED_OPTIONS, groups: [{ name: 'g', index: 1, nodes: NODES, concurrentUpdates: 2 }] }
  const inLane = (name: string) =>
    steps.map(step => ({ ...step, id: `${step.id}@${name}`, needs: [], lane: { batch: 'g', name } }))
  const plan: Plan = { ...of, kind: 'rolling-maintenance', update, steps: NODES.flatMap(inLane) }
  const sample = createSampleRun({ ...checked, plan }, RAN)
  sample.created()
  for (const node of cordoned) {
    sample.started(`drain-node@${node}`)
    sample.fact(`drain-node@${node}`, CORDON_REQUESTED, `node/${node}`, {})
  }
  sample.finished('aborted')
  return foldRun(sample.events)
}

const run = (id: string, kind: RunKind, state: RunSummary['state'], more: Partial<RunSummary> = {}) =>
  sampleSummary(state, { id, kind, ...more })
const undo = (state: RunSummary['state'], more: Partial<RunSummary> = {}) =>
  run('u', 'undo', state, { undoes: RAN, ...more })
const update = (state: RunSummary['state'], nodes: readonly string[] | null) =>
  run('m', 'update', state, { node: null, nodes: nodes === null ? null : [...nodes] })

describe('a run may be undone', () => {
  test.each<[string, Parameters<typeof ran>, { isDriven?: boolean }, string | null]>([
    ['that failed', ['failed'], {}, null],
    ['that was aborted', ['aborted', 'maintain'], {}, null],
    ['that waits and has no driver', [null], {}, null],
    ['not one that somebody drives', [null], { isDriven: true }, 'driven'],
    ['not one that was handed over', ['handed-over'], {}, 'handed-over'],
    ['not one that is done', ['done'], {}, 'done'],
    ['not one that left nothing', ['failed', 'enter', []], {}, 'nothing-left'],
    [
      'not one that took it back itself',
      ['failed', 'enter', [CORDON_REQUESTED, UNCORDON_REQUESTED]],
      {},
      'nothing-left',
    ],
    ['not one that brings back', ['failed', 'leave'], {}, 'brings-back'],
    ['not one that brings instances back', ['failed', 'home'], {}, 'brings-back'],
    ['not an undo', ['failed', 'undo'], {}, 'brings-back'],
    ['not a rescue', ['failed', 'rescue'], {}, 'rescue'],
  ])('%s', (_what, sample, { isDriven = false }, why) => {
    expect(whyNotUndone({ view: ran(...sample), isDriven, later: [] }, 'cmp-1')?.kind ?? null).toBe(why)
  })
})

describe('what came after a run', () => {
  test.each<[string, readonly RunSummary[] | null, string | null]>([
    ['forbids an undo where it is unknown', null, 'later-unknown'],
    ['allows one where nothing did', [], null],
    ['forbids one where another run worked on the node', [run('e', 'enter', 'aborted')], 'worked-since'],
    ['allows one where another run worked on another node', [run('e', 'enter', 'done', { node: 'cmp-2' })], null],
    ['allows one where another run touched nothing', [run('e', 'enter', 'checks-failed')], null],
    ['forbids one where it was undone', [undo('done')], 'undone'],
    ['forbids one where it was undone, though others keep work off the node', [undo('not-reached')], 'undone'],
    ['forbids one where an undo of it is under way', [undo('running')], 'being-undone'],
    ['forbids one where an undo of it waits for its driver', [undo('interrupted')], 'being-undone'],
    ['allows one more after an undo of it that failed', [undo('failed')], null],
    ['allows one more after an undo of it that was aborted', [undo('aborted')], null],
    ['forbids one after an undo of another run', [undo('failed', { undoes: 'run-0' })], 'worked-since'],
    [
      'forbids one after an undo of which nobody can read what it undid',
      [undo('failed', { undoes: null })],
      'worked-since',
    ],
    ['forbids one where an update worked on the node', [update('done', NODES)], 'worked-since'],
    ['allows one where an update worked on other nodes', [update('done', ['cmp-2'])], null],
    ['forbids one where an update cannot be read', [update('interrupted', null)], 'unread-since'],
    [
      'forbids one by the newest that counts',
      [run('x', 'enter', 'checks-failed'), undo('done'), run('e', 'enter', 'failed')],
      'undone',
    ],
  ])('%s', (_what, later, why) => {
    expect(whyNotUndone({ view: ran('failed'), isDriven: false, later }, 'cmp-1')?.kind ?? null).toBe(why)
  })

  it('is what a list with the newest first has before it, of its cluster; a list without it tells nothing', () => {
    const own = run(RAN, 'enter', 'failed')
    const [newer, elsewhere, older] = [
      run('a', 'enter', 'done'),
      run('b', 'enter', 'done', { cluster: 'other' }),
      run('c', 'enter', 'done'),
    ]
    expect(runsAfter(ran('failed'), [newer, elsewhere, own, older])).toEqual([newer])
    expect(runsAfter(ran('failed'), [newer, older])).toBeNull()
  })
})

describe('of a run over many nodes', () => {
  test.each<[string, readonly string[], readonly RunSummary[], readonly string[]]>([
    ['those may be undone that it changed', ['cmp-1'], [], ['cmp-1']],
    ['each may, in their order', NODES, [], NODES],
    ['none that another run worked on since', NODES, [run('o', 'enter', 'done', { node: 'cmp-2' })], ['cmp-1']],
    ['none that was undone already', NODES, [undo('done')], ['cmp-2']],
    ['none of an update that worked on them since', NODES, [update('done', ['cmp-1'])], ['cmp-2']],
  ])('%s', (_what, cordoned, later, nodes) => {
    expect(undoableNodes({ view: ranOverMany(cordoned), isDriven: false, later })).toEqual(nodes)
  })
})
