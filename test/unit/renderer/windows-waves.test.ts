import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { judgeWords } from '../../../renderer/features/windows/judge-words.ts'
import { NO_PLAN, planDraftOf, readPlanDraft } from '../../../renderer/features/windows/plan-draft.ts'
import { placeName, targetOf } from '../../../renderer/features/windows/use-wave-drag.ts'
import {
  keyTarget,
  moveNodes,
  moveWave,
  moveWords,
  nodesOf,
  type WaveBoard,
  type WaveTarget,
  waveOf,
  withChosen,
} from '../../../renderer/features/windows/wave-board.ts'
import type { JudgedWave } from '../../../shared/domain/waves.ts'

const board: WaveBoard = { waves: [['a', 'b'], ['c'], ['d', 'e']], leftOut: ['f'] }

describe('moving nodes between waves', () => {
  test('puts them at the end of the wave they are dropped on', () => {
    expect(moveNodes(board, ['a'], { kind: 'wave', at: 2 }).waves).toEqual([['b'], ['c'], ['d', 'e', 'a']])
  })

  test('takes a wave away with its last node', () => {
    expect(moveNodes(board, ['c'], { kind: 'wave', at: 0 }).waves).toEqual([
      ['a', 'b', 'c'],
      ['d', 'e'],
    ])
  })

  test('makes a new wave where it was asked for', () => {
    expect(moveNodes(board, ['a', 'd'], { kind: 'new', before: 1 }).waves).toEqual([['b'], ['a', 'd'], ['c'], ['e']])
  })

  test('leaves them out in their natural order, and takes them back in', () => {
    const out = moveNodes(board, ['a'], { kind: 'out' })
    expect(out.leftOut).toEqual(['a', 'f'])
    expect(moveNodes(out, ['f'], { kind: 'wave', at: 0 })).toEqual({
      waves: [['b', 'f'], ['c'], ['d', 'e']],
      leftOut: ['a'],
    })
  })

  test('dropped where they are, nothing changes, so that there is nothing to undo', () => {
    expect(moveNodes(board, ['a'], { kind: 'wave', at: 0 })).toBe(board)
    expect(moveNodes(board, ['f'], { kind: 'out' })).toBe(board)
    expect(moveNodes(board, [], { kind: 'out' })).toBe(board)
  })

  test('a whole wave goes earlier or later, and stays at the ends', () => {
    expect(moveWave(board, 0, 1).waves).toEqual([['c'], ['a', 'b'], ['d', 'e']])
    expect(moveWave(board, 0, -1)).toBe(board)
  })

  const name = fc.constantFrom('n-1', 'n-2', 'n-3', 'n-4', 'n-5', 'n-6')
  const target: fc.Arbitrary<WaveTarget> = fc.oneof(
    fc.nat(3).map((at): WaveTarget => ({ kind: 'wave', at })),
    fc.nat(3).map((before): WaveTarget => ({ kind: 'new', before })),
    fc.constant<WaveTarget>({ kind: 'out' }),
  )

  test('however they are moved, each node has one place and no wave is empty', () => {
    const start: WaveBoard = { waves: [['n-1', 'n-2'], ['n-3'], ['n-4', 'n-5']], leftOut: ['n-6'] }
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.array(name, { maxLength: 4 }), target), { maxLength: 12 }), moves => {
        const end = moves.reduce(
          (before, [nodes, to]) =>
            // A wave that is not there is on no screen to be dropped on.
            to.kind === 'wave' && to.at >= before.waves.length ? before : moveNodes(before, nodes, to),
          start,
        )
        expect([...nodesOf(end), ...end.leftOut].sort()).toEqual(['n-1', 'n-2', 'n-3', 'n-4', 'n-5', 'n-6'])
        expect(end.waves.every(wave => wave.length > 0)).toBe(true)
      }),
    )
  })
})

describe('moving by keys', () => {
  test('goes to the wave before or after', () => {
    expect(keyTarget(board, 'c', 1)).toEqual({ kind: 'wave', at: 2 })
    expect(keyTarget(board, 'c', -1)).toEqual({ kind: 'wave', at: 0 })
  })

  test('beyond the ends it makes a new wave, unless the node is alone in its own', () => {
    expect(keyTarget(board, 'a', -1)).toEqual({ kind: 'new', before: 0 })
    expect(keyTarget(board, 'e', 1)).toEqual({ kind: 'new', before: 3 })
    expect(keyTarget({ waves: [['a'], ['b']], leftOut: [] }, 'b', 1)).toBeNull()
  })

  test('brings a node that was left out back in', () => {
    expect(keyTarget(board, 'f', 1)).toEqual({ kind: 'wave', at: 2 })
    expect(keyTarget({ waves: [], leftOut: ['f'] }, 'f', 1)).toEqual({ kind: 'new', before: 0 })
  })

  test('is told in words', () => {
    expect(moveWords(board, 'c')).toBe('c is in wave 2 of 3, alone.')
    expect(moveWords(board, 'a')).toBe('a is in wave 1 of 3, with 1 more.')
    expect(moveWords(board, 'f')).toBe('f is left out.')
  })
})

test('choosing nodes keeps the waves: a new one waits outside, one that is not chosen any more is gone', () => {
  const next = withChosen(board, new Set(['a', 'd', 'e', 'f', 'g']))
  expect(next).toEqual({ waves: [['a'], ['d', 'e']], leftOut: ['f', 'g'] })
  expect(waveOf(next, 'd')).toBe(1)
})

test.each<WaveTarget>([{ kind: 'wave', at: 3 }, { kind: 'new', before: 0 }, { kind: 'out' }])(
  'a place on the screen is read as it was written (%j)',
  target => expect(targetOf(placeName(target))).toEqual(target),
)

test('what is no place is none', () => {
  expect([targetOf(null), targetOf('wave x'), targetOf('elsewhere 3')]).toEqual([null, null, null])
})

describe('a plan that is edited', () => {
  test('comes to the plan it was made of', () => {
    const plan = {
      kind: 'waves',
      scope: 'drain',
      waves: [{ nodes: ['a'] }, { nodes: ['b', 'c'] }],
      work: { kind: 'person' },
      workMinutes: 20,
      pauseBetweenWaves: true,
      wish: { zones: 'spread', atOnce: { compute: 2 } },
    } as const
    const given = { ...plan, waves: plan.waves.map(({ nodes }) => ({ nodes: [...nodes] })) }
    expect(readPlanDraft(planDraftOf(given), null)).toEqual({ kind: 'ready', plan: given })
  })

  test('is not finished without a wave, nor with work whose end nobody could know', () => {
    const waves = { ...NO_PLAN.waves, board: { waves: [['a']], leftOut: [] } }
    expect(readPlanDraft({ ...NO_PLAN, kind: 'waves' }, null).kind).toBe('unfinished')
    expect(
      readPlanDraft(
        { ...NO_PLAN, kind: 'waves', waves: { ...waves, work: { kind: 'kubelet-version', version: '' } } },
        null,
      ),
    ).toEqual({ kind: 'unfinished', problems: ['How the work on a node is known to be over is not complete.'] })
  })
})

describe('what judged waves come to', () => {
  const judged = (change: Partial<JudgedWave>): JudgedWave => ({
    nodes: ['a'],
    zones: ['az1'],
    problems: [],
    capacity: { kind: 'fits', moving: 1 },
    ...change,
  })

  test('is told as well when every rule is kept and everything fits', () => {
    expect(judgeWords([judged({})])).toBe('The waves keep every rule between nodes.')
  })

  test('never says less than a wave that does not fit, or of which nobody can tell', () => {
    expect(
      judgeWords([
        judged({ capacity: { kind: 'does-not-fit', moving: 3, instances: [] } }),
        judged({ capacity: { kind: 'cannot-tell', moving: 3, why: 'Placement does not answer.' } }),
      ]),
    ).toBe('The waves keep every rule between nodes; 1 wave does not fit; of 1 wave nobody can tell whether it fits.')
  })
})
