import { describe, expect, test } from 'vitest'
import type { NodeRunKind } from '../../../shared/domain/plan.ts'
import type { RunView, StepState } from '../../../shared/domain/run.ts'
import { drainedOnly, isDrainedOnly, isHostDrainedOnly, takenOutIn } from '../../../shared/domain/taken-out.ts'
import { fakeNode, fakeService } from '../../fixtures/procedures/fake-world.ts'
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
  const runs = newestFirst.map((nodes, at) => ({ id: `run-${at}`, nodes }))
  expect([...drainedOnly(runs).keys()]).toEqual(drained)
})

describe('a damaged run claims nothing, and what came before it does not count', () => {
  const before = { id: 'old', nodes: new Map([['cmp-01', 'drain']] as const) }
  const other = { id: 'other', nodes: new Map([['cmp-02', 'drain']] as const) }
  test.each([
    ['of that node', new Map([['cmp-01', 'unknown']] as const), ['cmp-02']],
    ['of several nodes', null, []],
    ['of another node', new Map([['cmp-03', 'unknown']] as const), ['cmp-01', 'cmp-02']],
  ])('%s', (_, nodes, drained) => {
    expect([...drainedOnly([{ id: 'torn', nodes }, before, other]).keys()]).toEqual(drained)
  })
})

describe('a node is drained only while the cordon of that run is on it', () => {
  const drained = new Map([['cmp-01', 'r1']])
  const cordonedBy = (...managers: readonly string[]) => managers.map(manager => ({ manager, at: null }))
  test.each([
    ['it is', { unschedulable: true, cordonedBy: cordonedBy('lockkeeper-run-r1') }, true],
    ['others hold it too', { unschedulable: true, cordonedBy: cordonedBy('kubectl', 'lockkeeper-run-r1') }, true],
    ['somebody uncordoned it', { unschedulable: false, cordonedBy: [] }, false],
    [
      'somebody uncordoned it and cordoned it again',
      { unschedulable: true, cordonedBy: cordonedBy('kubectl-cordon') },
      false,
    ],
    ['another run cordoned it', { unschedulable: true, cordonedBy: cordonedBy('lockkeeper-run-r2') }, false],
    ['the server does not tell', { unschedulable: true, cordonedBy: [] }, false],
  ])('%s', (_, state, isSo) => {
    expect(isDrainedOnly(drained, fakeNode('cmp-01', state))).toBe(isSo)
    expect(isDrainedOnly(new Map(), fakeNode('cmp-01', state))).toBe(false)
  })

  test('of a host without a cordon: while its compute service is disabled', () => {
    const of = (status: 'enabled' | 'disabled', host = 'cmp-01') => [fakeService(host, { status })]
    expect(isHostDrainedOnly(drained, 'cmp-01', of('disabled'))).toBe(true)
    expect(isHostDrainedOnly(drained, 'cmp-01', of('enabled'))).toBe(false)
    expect(isHostDrainedOnly(drained, 'cmp-01', of('disabled', 'cmp-02'))).toBe(false)
  })
})

test('in a run of many nodes each counts separately', () => {
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
  expect([...drainedOnly([{ id: 'r1', nodes: reported }])]).toEqual([['cmp-01', 'r1']])
})
