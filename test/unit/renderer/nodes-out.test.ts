import { describe, expect, test } from 'vitest'
import { briefly, type DropZone, judgeDrop } from '../../../renderer/ui/drag/drop-verdict.ts'
import { type NodesOut, nodesOut, STAGES } from '../../../renderer/ui/drag/nodes-out.ts'
import type { RunSummary } from '../../../shared/contract/index.ts'
import type { NodeState } from '../../../shared/domain/node-summary.ts'
import { sampleCondition } from '../../fixtures/cli/sample-run.ts'

function run(id: string, node: string, more: Partial<RunSummary> = {}): RunSummary {
  return {
    id,
    kind: 'enter',
    cluster: 'east',
    node,
    nodes: [node],
    undoes: null,
    state: 'running',
    operator: 'anna',
    machine: 'lap-1',
    createdAt: '2026-11-21T05:00:00Z',
    endedAt: null,
    summary: '',
    condition: sampleCondition(more.state ?? 'running'),
    ...more,
  }
}

function outOf(states: Readonly<Record<string, NodeState>>, runs: readonly RunSummary[] = []): NodesOut {
  return nodesOut({
    nodes: new Map(Object.entries(states).map(([name, state]) => [name, { state, runId: null }])),
    runs,
  })
}

const namesIn = (out: NodesOut) => Object.fromEntries(STAGES.map(stage => [stage, out[stage].map(({ name }) => name)]))

describe('the nodes out of service', () => {
  test('are on their way or in maintenance; one in service is not among them', () => {
    expect(namesIn(outOf({ a: 'active', b: 'entering', c: 'maintenance', d: 'leaving', e: 'unknown' }))).toEqual({
      entering: ['b'],
      maintenance: ['c'],
      leaving: ['d'],
    })
  })

  test('do not include a name without a node, which has no actions', () => {
    const out = outOf({ a: 'decommissioned', b: 'active' })
    expect(namesIn(out)).toEqual({ entering: [], maintenance: [], leaving: [] })
    for (const zone of ['entering', 'leaving'] as const) {
      expect(judgeDrop(['a'], zone, out)).toEqual({ kind: 'refused', words: 'a is no longer in the cloud.' })
    }
    expect(judgeDrop(['a', 'b'], 'entering', out)).toMatchObject({ kind: 'plan', nodes: ['b'] })
  })

  test('begin with those that are only partly out', () => {
    const { maintenance } = outOf({ a: 'maintenance', b: 'partial' })
    expect(maintenance.map(({ name, partial }) => [name, partial])).toEqual([
      ['b', true],
      ['a', false],
    ])
  })

  test('are placed by their open run, also an interrupted one, whatever the world says of them', () => {
    const runs = [run('r1', 'a', { state: 'interrupted' }), run('r2', 'b', { kind: 'leave' })]
    const out = outOf({ a: 'partial', b: 'active' }, runs)
    expect(namesIn(out)).toMatchObject({ entering: ['a'], leaving: ['b'], maintenance: [] })
    expect(out.entering[0]?.runId).toBe('r1')
  })

  test('follow the newest open run, and none that has ended', () => {
    const runs = [
      run('r3', 'a', { kind: 'leave' }),
      run('r2', 'a', { kind: 'enter', state: 'interrupted' }),
      run('r1', 'b', { state: 'failed' }),
    ]
    expect(namesIn(outOf({ a: 'active', b: 'active' }, runs))).toMatchObject({ entering: [], leaving: ['a'] })
  })

  test.each(['gone', 'not read yet'])('a node that is %s is placed by what its run does to it', what => {
    const runs = [
      run('r1', 'a', { kind: 'rescue' }),
      run('r2', 'b', { kind: 'home' }),
      run('r3', 'c', { kind: 'undo' }),
      run('r4', 'd', { kind: 'maintain' }),
    ]
    const out = nodesOut({ nodes: what === 'gone' ? new Map() : null, runs })
    expect(namesIn(out)).toEqual({ entering: ['a', 'd'], maintenance: [], leaving: ['c'] })
    expect(out.entering.every(({ gone }) => gone === (what === 'gone'))).toBe(true)
  })

  test('are only those that an update of the whole cloud works on now', () => {
    const out = outOf({ a: 'entering', b: 'active' }, [run('u', 'u', { kind: 'update', node: null })])
    expect(namesIn(out)).toEqual({ entering: ['a'], maintenance: [], leaving: [] })
  })
})

describe('a drop', () => {
  const out = outOf({
    free: 'active',
    odd: 'unknown',
    half: 'partial',
    out: 'maintenance',
    coming: 'leaving',
    going: 'entering',
    lost: 'decommissioned',
  })
  const drop = (names: readonly string[], zone: DropZone) => judgeDrop(names, zone, out)

  test('of nodes in service on Take out opens the plan that takes them out', () => {
    expect(drop(['free', 'odd', 'half'], 'entering')).toEqual({
      kind: 'plan',
      run: 'enter',
      nodes: ['free', 'odd', 'half'],
      words: '',
    })
  })

  test('leaves out what cannot go out, and says why', () => {
    expect(drop(['free', 'out', 'going'], 'entering')).toMatchObject({
      kind: 'plan',
      nodes: ['free'],
      words: 'Left out: going is going out in a run. Open the run to pause or stop it. out is already in maintenance.',
    })
  })

  test.each([
    [['out'], 'entering', 'out is already in maintenance.'],
    [['coming'], 'entering', 'coming is coming back in a run. Open the run to pause or stop it.'],
    [['lost'], 'entering', 'lost is no longer in the cloud.'],
    [['free'], 'leaving', 'free is in service.'],
    [['going'], 'leaving', 'going is going out in a run. Open the run to pause or stop it.'],
  ] as const)('of %j on %s is refused with its reason', (names, zone, words) => {
    expect(drop(names, zone)).toEqual({ kind: 'refused', words })
  })

  test('on Bring back opens the plan for nodes in maintenance and for those partly out', () => {
    expect(drop(['out', 'half'], 'leaving')).toMatchObject({ kind: 'plan', run: 'leave', nodes: ['out', 'half'] })
  })
})

test('names are shortened', () => {
  expect([briefly(['a']), briefly(['a', 'b']), briefly(['a', 'b', 'c'])]).toEqual(['a', 'a and b', 'a and 2 more'])
})
