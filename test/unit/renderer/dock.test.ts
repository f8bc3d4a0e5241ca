import { describe, expect, test } from 'vitest'
import { DOCK_COLUMNS, type DockContents, dockContents } from '../../../renderer/ui/drag/dock-contents.ts'
import { briefly, judgeDrop } from '../../../renderer/ui/drag/drop-verdict.ts'
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

function dockOf(
  states: Readonly<Record<string, NodeState>>,
  more: { readonly runs?: readonly RunSummary[]; readonly queue?: readonly string[] } = {},
): DockContents {
  return dockContents({
    nodes: new Map(Object.entries(states).map(([name, state]) => [name, { state, runId: null }])),
    runs: more.runs ?? [],
    queue: more.queue ?? [],
  })
}

const namesIn = (dock: DockContents) =>
  Object.fromEntries(DOCK_COLUMNS.map(column => [column, dock[column].map(({ name }) => name)]))

describe('the dock', () => {
  test('holds nodes on their way and in maintenance; one in service is nowhere', () => {
    expect(namesIn(dockOf({ a: 'active', b: 'entering', c: 'maintenance', d: 'leaving', e: 'unknown' }))).toEqual({
      queue: [],
      entering: ['b'],
      maintenance: ['c'],
      leaving: ['d'],
    })
  })

  test('a name without a node is nowhere, and has no actions', () => {
    const dock = dockOf({ a: 'decommissioned', b: 'active' }, { queue: ['a'] })
    expect(namesIn(dock)).toEqual({ queue: ['a'], entering: [], maintenance: [], leaving: [] })
    expect(dock.queue[0]?.gone).toBe(true)
    for (const target of ['entering', 'leaving', 'dock'] as const) {
      expect(judgeDrop({ kind: 'nodes', nodes: ['a'] }, target, dock)).toEqual({
        kind: 'refused',
        words: 'a is no longer in the cloud.',
      })
    }
    expect(judgeDrop({ kind: 'nodes', nodes: ['a', 'b'] }, 'dock', dock)).toMatchObject({ kind: 'plan', nodes: ['b'] })
    expect(judgeDrop({ kind: 'docked', column: 'queue', node: 'a' }, 'map', dock)).toMatchObject({ remove: ['a'] })
  })

  test('shows partial nodes as what they are, after those in maintenance', () => {
    const { maintenance } = dockOf({ a: 'partial', b: 'maintenance' })
    expect(maintenance.map(({ name, partial }) => [name, partial])).toEqual([
      ['b', false],
      ['a', true],
    ])
  })

  test('keeps a node by its open run, also an interrupted one, whatever the world says of it', () => {
    const dock = dockOf(
      { a: 'partial', b: 'active' },
      { runs: [run('r1', 'a', { state: 'interrupted' }), run('r2', 'b', { kind: 'leave' })] },
    )
    expect(namesIn(dock)).toMatchObject({ entering: ['a'], leaving: ['b'], maintenance: [] })
    expect(dock.entering[0]?.runId).toBe('r1')
  })

  test('follows the newest open run, and none that has ended', () => {
    const runs = [
      run('r3', 'a', { kind: 'leave' }),
      run('r2', 'a', { kind: 'enter', state: 'interrupted' }),
      run('r1', 'b', { state: 'failed' }),
    ]
    expect(namesIn(dockOf({ a: 'active', b: 'active' }, { runs }))).toMatchObject({ entering: [], leaving: ['a'] })
  })

  test.each(['gone', 'not read yet'])('a node that is %s is placed by what its run does to it', what => {
    const runs = [
      run('r1', 'a', { kind: 'rescue' }),
      run('r2', 'b', { kind: 'home' }),
      run('r3', 'c', { kind: 'undo' }),
      run('r4', 'd', { kind: 'maintain' }),
    ]
    const dock = dockContents({ nodes: what === 'gone' ? new Map() : null, runs, queue: [] })
    expect(namesIn(dock)).toEqual({ queue: [], entering: ['a', 'd'], maintenance: [], leaving: ['c'] })
  })

  test('has no place for the update of the whole cluster, only for the nodes it works on', () => {
    const dock = dockOf({ a: 'entering', b: 'active' }, { runs: [run('u', 'u', { kind: 'update', node: null })] })
    expect(namesIn(dock)).toEqual({ queue: [], entering: ['a'], maintenance: [], leaving: [] })
  })

  test('says of queued and entered nodes that they are gone', () => {
    const dock = dockOf({ a: 'active' }, { queue: ['gone', 'a'], runs: [run('r1', 'lost')] })
    expect(dock.queue.map(({ name, gone }) => [name, gone])).toEqual([
      ['gone', true],
      ['a', false],
    ])
    expect(dock.entering).toMatchObject([{ name: 'lost', gone: true }])
  })
})

test('nothing is called gone while the nodes are unknown', () => {
  const dock = dockContents({ nodes: null, runs: [run('r1', 'a')], queue: ['b'] })
  expect([...dock.entering, ...dock.queue].map(({ name, gone }) => [name, gone])).toEqual([
    ['a', false],
    ['b', false],
  ])
})

describe('a drop', () => {
  const dock = dockOf(
    { free: 'active', odd: 'unknown', half: 'partial', out: 'maintenance', coming: 'leaving', going: 'entering' },
    { queue: ['queued', 'lost'] },
  )
  const withQueued = { ...dock, queue: dock.queue.map(docked => ({ ...docked, gone: docked.name === 'lost' })) }
  const drop = (names: readonly string[], target: Parameters<typeof judgeDrop>[1]) =>
    judgeDrop({ kind: 'nodes', nodes: names }, target, withQueued)

  test.each([[['free']], [['half', 'free']]])(
    'of %s on In maintenance reads the plan of the whole maintenance: out, the work, and back',
    names => {
      const who = names.length === 1 ? 'free' : 'half and free'
      expect(drop(names, 'maintenance')).toEqual({
        kind: 'plan',
        run: 'maintain',
        nodes: names,
        words: `${who}: out, your work, back. You see the plan first.`,
      })
    },
  )

  test.each(['entering', 'dock'] as const)('of nodes in service on %s reads the plan to enter', target => {
    expect(drop(['free', 'odd', 'half'], target)).toMatchObject({
      kind: 'plan',
      run: 'enter',
      nodes: ['free', 'odd', 'half'],
      words: 'See the plan for free and 2 more.',
    })
  })

  test('leaves out what cannot be entered, and says why', () => {
    expect(drop(['free', 'out', 'going'], 'entering')).toMatchObject({
      kind: 'plan',
      nodes: ['free'],
      words:
        'See the plan for free. Left out: going is going out in a run. Open the run to pause or stop it. out is already in maintenance.',
    })
  })

  test.each([
    [['out'], 'entering', 'out is already in maintenance.'],
    [['coming'], 'entering', 'coming is coming back in a run. Open the run to pause or stop it.'],
    [['lost'], 'entering', 'lost is no longer in the cloud.'],
    [['free'], 'leaving', 'free is already in service.'],
    [['going'], 'leaving', 'going is going out in a run. Open the run to pause or stop it.'],
    [['queued'], 'queue', 'queued is already in the queue.'],
    [['out'], 'queue', 'out is already in maintenance.'],
  ] as const)('of %j on %s is refused with its reason', (names, target, words) => {
    expect(drop(names, target)).toEqual({ kind: 'refused', words })
  })

  test('on Leaving reads the plan to bring back, for nodes in maintenance and partial ones', () => {
    expect(drop(['out', 'half'], 'leaving')).toMatchObject({ kind: 'plan', run: 'leave', nodes: ['out', 'half'] })
  })

  test('on the queue sets aside what is not there yet', () => {
    expect(drop(['free', 'queued'], 'queue')).toMatchObject({ kind: 'queue', add: ['free'], remove: [] })
  })

  test('on the map does nothing', () => {
    expect(drop(['free'], 'map').kind).toBe('nothing')
  })

  const docked = (
    column: Parameters<typeof judgeDrop>[0] & { kind: 'docked' },
    target: Parameters<typeof judgeDrop>[1],
  ) => judgeDrop(column, target, withQueued)

  test('of a docked node out to the map brings it back, or takes it out of the queue', () => {
    expect(docked({ kind: 'docked', column: 'maintenance', node: 'out' }, 'map')).toMatchObject({
      kind: 'plan',
      run: 'leave',
      nodes: ['out'],
    })
    expect(docked({ kind: 'docked', column: 'queue', node: 'lost' }, 'map')).toMatchObject({
      kind: 'queue',
      add: [],
      remove: ['lost'],
    })
  })

  test('of a queued node on Entering reads its plan', () => {
    expect(docked({ kind: 'docked', column: 'queue', node: 'queued' }, 'entering')).toMatchObject({
      kind: 'plan',
      run: 'enter',
      nodes: ['queued'],
    })
  })

  test.each(['map', 'leaving'] as const)('of a node that a run enters on %s is refused', target => {
    expect(docked({ kind: 'docked', column: 'entering', node: 'going' }, target).kind).toBe('refused')
  })

  test.each(['queue', 'entering', 'maintenance', 'leaving'] as const)(
    'where it came from (%s) does nothing',
    column => {
      expect(docked({ kind: 'docked', column, node: 'x' }, column).kind).toBe('nothing')
    },
  )
})

test('names are shortened', () => {
  expect([briefly(['a']), briefly(['a', 'b']), briefly(['a', 'b', 'c'])]).toEqual(['a', 'a and b', 'a and 2 more'])
})
