import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  type BatchBoard,
  type BatchTarget,
  batchOf,
  keyTarget,
  moveBatch,
  moveNodes,
  moveWords,
  nodesOf,
  placeName,
  targetOf,
  withChosen,
} from '../../../renderer/features/windows/batch-board.ts'
import { judgeWords } from '../../../renderer/features/windows/batches-editor.tsx'
import { NO_PLAN, planDraftOf, readPlanDraft } from '../../../renderer/features/windows/plan-draft.ts'
import type { JudgedBatch } from '../../../shared/domain/batches.ts'

const board: BatchBoard = { batches: [['a', 'b'], ['c'], ['d', 'e']], leftOut: ['f'] }

describe('moving nodes between batches', () => {
  test('puts them at the end of the batch they are dropped on', () => {
    expect(moveNodes(board, ['a'], { kind: 'batch', at: 2 }).batches).toEqual([['b'], ['c'], ['d', 'e', 'a']])
  })

  test('takes a batch away with its last node', () => {
    expect(moveNodes(board, ['c'], { kind: 'batch', at: 0 }).batches).toEqual([
      ['a', 'b', 'c'],
      ['d', 'e'],
    ])
  })

  test('makes a new batch in the requested place', () => {
    expect(moveNodes(board, ['a', 'd'], { kind: 'new', before: 1 }).batches).toEqual([['b'], ['a', 'd'], ['c'], ['e']])
  })

  test('leaves them out in their natural order, and takes them back in', () => {
    const out = moveNodes(board, ['a'], { kind: 'out' })
    expect(out.leftOut).toEqual(['a', 'f'])
    expect(moveNodes(out, ['f'], { kind: 'batch', at: 0 })).toEqual({
      batches: [['b', 'f'], ['c'], ['d', 'e']],
      leftOut: ['a'],
    })
  })

  test('dropped where they are, nothing changes, so that there is nothing to undo', () => {
    expect(moveNodes(board, ['a'], { kind: 'batch', at: 0 })).toBe(board)
    expect(moveNodes(board, ['f'], { kind: 'out' })).toBe(board)
    expect(moveNodes(board, [], { kind: 'out' })).toBe(board)
  })

  test('a whole batch goes earlier or later, and stays at the ends', () => {
    expect(moveBatch(board, 0, 1).batches).toEqual([['c'], ['a', 'b'], ['d', 'e']])
    expect(moveBatch(board, 0, -1)).toBe(board)
  })

  const name = fc.constantFrom('n-1', 'n-2', 'n-3', 'n-4', 'n-5', 'n-6')
  const target: fc.Arbitrary<BatchTarget> = fc.oneof(
    fc.nat(3).map((at): BatchTarget => ({ kind: 'batch', at })),
    fc.nat(3).map((before): BatchTarget => ({ kind: 'new', before })),
    fc.constant<BatchTarget>({ kind: 'out' }),
  )

  test('however they are moved, each node has one place and no batch is empty', () => {
    const start: BatchBoard = { batches: [['n-1', 'n-2'], ['n-3'], ['n-4', 'n-5']], leftOut: ['n-6'] }
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.array(name, { maxLength: 4 }), target), { maxLength: 12 }), moves => {
        const end = moves.reduce(
          (before, [nodes, to]) =>
            // A batch that is not there is on no screen to be dropped on.
            to.kind === 'batch' && to.at >= before.batches.length ? before : moveNodes(before, nodes, to),
          start,
        )
        expect([...nodesOf(end), ...end.leftOut].sort()).toEqual(['n-1', 'n-2', 'n-3', 'n-4', 'n-5', 'n-6'])
        expect(end.batches.every(batch => batch.length > 0)).toBe(true)
      }),
    )
  })
})

describe('moving by keys', () => {
  test('goes to the batch before or after', () => {
    expect(keyTarget(board, 'c', 1)).toEqual({ kind: 'batch', at: 2 })
    expect(keyTarget(board, 'c', -1)).toEqual({ kind: 'batch', at: 0 })
  })

  test('beyond the ends it makes a new batch, unless the node is alone in its own', () => {
    expect(keyTarget(board, 'a', -1)).toEqual({ kind: 'new', before: 0 })
    expect(keyTarget(board, 'e', 1)).toEqual({ kind: 'new', before: 3 })
    expect(keyTarget({ batches: [['a'], ['b']], leftOut: [] }, 'b', 1)).toBeNull()
  })

  test('brings a node that was left out back in', () => {
    expect(keyTarget(board, 'f', 1)).toEqual({ kind: 'batch', at: 2 })
    expect(keyTarget({ batches: [], leftOut: ['f'] }, 'f', 1)).toEqual({ kind: 'new', before: 0 })
  })

  test('has words', () => {
    expect(moveWords(board, 'c')).toBe('c is in batch 2 of 3, alone.')
    expect(moveWords(board, 'a')).toBe('a is in batch 1 of 3, with 1 more.')
    expect(moveWords(board, 'f')).toBe('f is left out.')
  })
})

test('choosing nodes keeps the batches: a new one waits outside, one that is no longer chosen is gone', () => {
  const next = withChosen(board, new Set(['a', 'd', 'e', 'f', 'g']))
  expect(next).toEqual({ batches: [['a'], ['d', 'e']], leftOut: ['f', 'g'] })
  expect(batchOf(next, 'd')).toBe(1)
})

test.each<BatchTarget>([{ kind: 'batch', at: 3 }, { kind: 'new', before: 0 }, { kind: 'out' }])(
  'a place on the screen is read as written (%j)',
  target => expect(targetOf(placeName(target))).toEqual(target),
)

test('what is not a place gives null', () => {
  expect([targetOf(null), targetOf('batch x'), targetOf('elsewhere 3')]).toEqual([null, null, null])
})

describe('a plan that is edited', () => {
  test('comes to the plan it was made of', () => {
    const plan = {
      kind: 'batches',
      scope: 'drain',
      batches: [{ nodes: ['a'] }, { nodes: ['b', 'c'] }],
      work: { kind: 'person' },
      workMinutes: 20,
      pauseBetweenBatches: true,
      wish: { zones: 'spread', atOnce: { compute: 2 } },
    } as const
    const given = { ...plan, batches: plan.batches.map(({ nodes }) => ({ nodes: [...nodes] })) }
    expect(readPlanDraft(planDraftOf(given), null)).toEqual({ kind: 'ready', plan: given })
  })

  test('keeps the nodes that it leaves out, each with its reason', () => {
    const left = [{ node: 'd', reasons: [], why: 'It is in ERROR.' }]
    const board = { batches: [['a']], leftOut: ['d', 'e'] }
    const draft = { ...NO_PLAN, kind: 'batches', batches: { ...NO_PLAN.batches, board, whyLeft: left } } as const
    const read = readPlanDraft(draft, null)
    expect(read).toMatchObject({ plan: { left: [...left, { node: 'e', why: '' }] } })
    if (read.kind !== 'ready') throw new Error('it is ready')
    expect(planDraftOf(read.plan).batches.board).toEqual(board)
  })

  test('is not finished without a batch, nor with work whose end nobody could know', () => {
    const batches = { ...NO_PLAN.batches, board: { batches: [['a']], leftOut: [] } }
    expect(readPlanDraft({ ...NO_PLAN, kind: 'batches' }, null).kind).toBe('unfinished')
    expect(
      readPlanDraft(
        { ...NO_PLAN, kind: 'batches', batches: { ...batches, work: { kind: 'kubelet-version', version: '' } } },
        null,
      ),
    ).toEqual({
      kind: 'unfinished',
      problems: ['How Lockkeeper knows that the work on a node has ended is incomplete.'],
    })
  })
})

describe('the verdict of judged batches', () => {
  const judged = (change: Partial<JudgedBatch>): JudgedBatch => ({
    nodes: ['a'],
    zones: ['az1'],
    problems: [],
    capacity: { kind: 'fits', moving: 1 },
    ...change,
  })

  test('says nothing if nothing is wrong', () => {
    expect(judgeWords([judged({})])).toBe('')
  })

  test('counts each node that its plan blocks once, and other problems', () => {
    const problem = { weight: 'hard' as const, nodes: ['a'], code: 'X', values: {}, words: 'x' }
    const blocked = { ...problem, rule: 'plan-blocked' as const }
    expect(judgeWords([judged({ problems: [blocked, blocked, { ...problem, rule: 'zone' }] })])).toBe(
      '1 node cannot go out, 1 problem',
    )
  })

  test('never says less than a batch that does not fit, or of which nobody can tell', () => {
    expect(
      judgeWords([
        judged({ capacity: { kind: 'does-not-fit', moving: 3, instances: [] } }),
        judged({ capacity: { kind: 'cannot-tell', moving: 3, why: 'Placement does not answer.' } }),
      ]),
    ).toBe('no room for 1 batch, room of 1 batch unknown')
  })
})
