import { expect, test } from 'vitest'
import type { LiveState } from '../../../renderer/stores/views.ts'
import { ageOfPicture, areNodesOld, clusterNote, nodeCounts } from '../../../renderer/ui/clusters/cluster-status.ts'
import type { RunSummary } from '../../../shared/contract/index.ts'
import type { SourceState } from '../../../shared/domain/cluster-view.ts'
import type { RunCondition } from '../../../shared/domain/run-condition.ts'
import { nodeView } from '../../fixtures/renderer/views.ts'

const AT = '2026-11-21T02:00:00.000Z'
const NOW_MS = Date.parse('2026-11-21T02:03:00.000Z')

function run(node: string, condition: RunCondition): RunSummary {
  const over = condition.kind === 'over'
  return {
    id: node,
    kind: 'enter',
    cluster: 'lab',
    node,
    nodes: [node],
    undoes: null,
    state: over ? 'done' : 'running',
    condition,
    operator: 'me',
    machine: 'here',
    createdAt: AT,
    endedAt: null,
    summary: `what ${node} does`,
  }
}

const MOVES = run('cmp-01', { kind: 'moving', at: null, waits: [] })
const LEFT = run('cmp-02', { kind: 'interrupted', since: AT, at: null, left: null, waits: [] })

function live(state: SourceState, everyMs: number | null = null): LiveState {
  return {
    kind: 'open',
    live: {
      seq: 1,
      warnings: [],
      sources: new Map([['nodes', { name: 'nodes', state, everyMs }]]),
      nodes: new Map(),
      instances: new Map(),
      projects: new Map(),
      maintenance: null,
    },
  }
}

const FRESH = live({ kind: 'live', lastAnswerAt: AT })
const OLD = live({ kind: 'offline', since: AT, why: 'The API server is gone.' })

test.each([
  ['a run that needs you comes first', [MOVES, LEFT], OLD, 'waits', 'cmp-02 needs you'],
  ['a silence comes before the moves seen in it', [MOVES], OLD, 'failed', 'no answer for 3 min'],
  ['what moves is named', [MOVES], FRESH, 'moving', 'cmp-01 is going out'],
  ['several runs are counted', [MOVES, run('cmp-03', MOVES.condition)], FRESH, 'moving', '2 runs'],
  ['a cloud without news says nothing', [], FRESH, 'rest', null],
  ['lists read minutes ago say so', [], live({ kind: 'live', lastAnswerAt: AT }, 5_000), 'rest', 'as of 3 min ago'],
  ['nor does one that nobody opened', [], undefined, 'rest', null],
] as const)('%s', (_rule, runs, state, tone, text) => {
  expect(clusterNote(runs, state, true, NOW_MS)).toMatchObject({ tone, text })
})

test('nothing is live when the console itself is gone', () => {
  expect(clusterNote([], FRESH, false, NOW_MS)).toMatchObject({ tone: 'failed', text: 'as last seen' })
})

test('no known nodes is not "no nodes"', () => {
  expect(nodeCounts(null, [])).toBeNull()
  expect(nodeCounts(OLD.kind === 'open' ? OLD.live : null, [])).toBeNull()
  expect(nodeCounts(FRESH.kind === 'open' ? FRESH.live : null, [])).toMatchObject({ all: 0, inService: 0 })
})

test('figures of nodes that nobody hears any more are old', () => {
  expect([FRESH, OLD, undefined].map(areNodesOld)).toEqual([false, true, true])
})

const HELD = { operator: 'eva', machine: 'ops-2', since: AT, runId: 'elsewhere', gone: false }

test.each([
  ['a node that our run works on moves', { state: 'entering', runId: 'cmp-01' }, 'goingOut'],
  ['one whose run has no driver does not', { state: 'entering', runId: 'cmp-02' }, 'left'],
  ['one that another console works on moves', { state: 'partial', heldBy: HELD }, 'goingOut'],
  ['one that another console left does not', { state: 'partial', heldBy: { ...HELD, gone: true } }, 'left'],
  ['one that is half out of service, held by nobody, is out', { state: 'partial' }, 'out'],
  ['nor is one that does not answer', { state: 'unknown' }, 'silent'],
] as const)('%s', (_rule, node, where) => {
  const picture = FRESH.kind === 'open' ? FRESH.live : null
  const nodes = new Map([['cmp-09', nodeView('cmp-09', node)]])
  expect(nodeCounts(picture === null ? null : { ...picture, nodes }, [MOVES, LEFT])).toMatchObject({
    all: 1,
    [where]: 1,
  })
})

test("a node's card says how old it is, once its cloud does not answer or the console does not", () => {
  const lost = live({ kind: 'offline', since: '2026-11-21T01:58:00.000Z', why: 'cut' })
  const current = live({ kind: 'live', lastAnswerAt: AT })
  expect(ageOfPicture(lost, true, NOW_MS)).toBe('as of 5 min ago')
  expect(ageOfPicture(current, true, NOW_MS)).toBeNull()
  expect(ageOfPicture(current, false, NOW_MS)).toBe('last seen')
})
