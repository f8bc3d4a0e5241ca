import { expect, test } from 'vitest'
import type { NodeRunKind } from '../../../shared/domain/plan.ts'
import type { RunView, StepState } from '../../../shared/domain/run.ts'
import { drainedOnly, takenOutIn } from '../../../shared/domain/taken-out.ts'
import { playedUpdatePlan } from '../../fixtures/renderer/update-run.ts'

const UPDATE = playedUpdatePlan('east')

/** A run of one node with a step on the way out and one on the way back, in these states. */
function ofNode(kind: NodeRunKind, scope: 'drain' | 'os', states: readonly [StepState, StepState], outcome = 'done') {
  const update = UPDATE.steps.filter(({ lane }) => lane?.name === 'cmp-01')
  const steps = [update[1], update[3]].map((step, index) => ({
    step: { ...step, lane: null },
    state: states[index],
    attempts: states[index] === 'pending' ? 0 : 1,
  }))
  const plan = { ...UPDATE, kind, node: 'cmp-01', undoes: 'r0', options: { ...UPDATE.options, scope } }
  return takenOutIn({ plan, steps, state: { kind: 'finished', outcome } } as unknown as RunView)
}

const OUT = ['verified', 'pending'] as const
const BACK = ['verified', 'verified'] as const

test.each([
  ['took it out with scope drain', [ofNode('enter', 'drain', OUT)], ['cmp-01']],
  ['moved its instances', [ofNode('enter', 'os', OUT)], []],
  ['moved them later', [ofNode('enter', 'os', OUT), ofNode('enter', 'drain', OUT)], []],
  ['was stopped on its way out', [ofNode('enter', 'drain', ['failed', 'pending'], 'aborted')], ['cmp-01']],
  ['did not begin', [ofNode('enter', 'drain', ['pending', 'pending'], 'checks-failed')], []],
  ['brought it back', [ofNode('leave', 'os', BACK), ofNode('enter', 'drain', OUT)], []],
  ['did not bring it back', [ofNode('leave', 'os', OUT, 'failed'), ofNode('enter', 'drain', OUT)], ['cmp-01']],
  ['was undone', [ofNode('undo', 'os', BACK), ofNode('enter', 'drain', OUT)], []],
  ['took it out and back', [ofNode('maintain', 'drain', BACK), ofNode('enter', 'drain', OUT)], []],
  ['waits for the work on it', [ofNode('maintain', 'drain', OUT)], ['cmp-01']],
  ['brought its instances home', [ofNode('home', 'os', BACK), ofNode('enter', 'drain', OUT)], ['cmp-01']],
] as const)('a node is drained only by its last run: that %s', (_, newestFirst, drained) => {
  expect([...drainedOnly(newestFirst)]).toEqual(drained)
})

test('of a run over many nodes each counts by itself', () => {
  const done = new Set(['Drain cmp-01', 'Drain cmp-02', 'Bring cmp-02 back'])
  const steps = UPDATE.steps.map(step => ({
    step,
    state: done.has(step.id) ? 'verified' : 'pending',
    attempts: done.has(step.id) ? 1 : 0,
  }))
  const plan = { ...UPDATE, update: { ...('update' in UPDATE ? UPDATE.update : {}), scope: 'drain' } }
  const reported = takenOutIn({ plan, steps, state: { kind: 'running' } } as unknown as RunView)
  expect([...reported]).toEqual([
    ['cmp-01', 'drain'],
    ['cmp-02', 'back'],
  ])
  expect([...drainedOnly([reported])]).toEqual(['cmp-01'])
})
