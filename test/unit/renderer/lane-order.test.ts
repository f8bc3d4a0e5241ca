import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  type LanePlace,
  lanesAhead,
  laneWords,
  listsOf,
  moveGroup,
  moveLanes,
  placeBeside,
} from '../../../renderer/ui/plan/lane-order.ts'

const ORDER = {
  controlNodes: 'ctl-1\nctl-2',
  groups: [
    { key: '0', name: 'az1', concurrentUpdates: 2, nodes: 'cmp-1\ncmp-2' },
    { key: '1', name: 'az2', concurrentUpdates: 1, nodes: 'cmp-3' },
  ],
}

const plain = (order: Parameters<typeof listsOf>[0]) =>
  listsOf(order).map(({ group, nodes }) => `${group?.name ?? 'control'}: ${nodes.join(' ')}`)
const moved = (nodes: readonly string[], place: LanePlace) => plain(moveLanes(ORDER, nodes, place))

describe('lanes that are put elsewhere', () => {
  test.each<readonly [string, readonly string[], LanePlace, readonly string[]]>([
    [
      'before another node',
      ['cmp-2'],
      { kind: 'before', node: 'cmp-1' },
      ['control: ctl-1 ctl-2', 'az1: cmp-2 cmp-1', 'az2: cmp-3'],
    ],
    [
      'into another group',
      ['cmp-1'],
      { kind: 'before', node: 'cmp-3' },
      ['control: ctl-1 ctl-2', 'az1: cmp-2', 'az2: cmp-1 cmp-3'],
    ],
    [
      'at the end of a group',
      ['cmp-1'],
      { kind: 'end', list: '1' },
      ['control: ctl-1 ctl-2', 'az1: cmp-2', 'az2: cmp-3 cmp-1'],
    ],
    [
      'into a separate group',
      ['cmp-2', 'cmp-1'],
      { kind: 'new' },
      ['control: ctl-1 ctl-2', 'az2: cmp-3', 'group-3: cmp-2 cmp-1'],
    ],
    ['out of the plan', ['ctl-2', 'cmp-3'], { kind: 'out' }, ['control: ctl-1', 'az1: cmp-1 cmp-2']],
    [
      'back in',
      ['new-1'],
      { kind: 'end', list: '0' },
      ['control: ctl-1 ctl-2', 'az1: cmp-1 cmp-2 new-1', 'az2: cmp-3'],
    ],
    [
      'among control-plane nodes',
      ['ctl-2'],
      { kind: 'before', node: 'ctl-1' },
      ['control: ctl-2 ctl-1', 'az1: cmp-1 cmp-2', 'az2: cmp-3'],
    ],
  ])('%s', (_, nodes, place, expected) => expect(moved(nodes, place)).toEqual(expected))

  test.each<readonly [string, readonly string[], LanePlace]>([
    ['on themselves', ['cmp-1'], { kind: 'before', node: 'cmp-1' }],
    ['where they are', ['cmp-1'], { kind: 'before', node: 'cmp-2' }],
    ['a worker among control-plane nodes', ['cmp-1'], { kind: 'before', node: 'ctl-1' }],
    ['a control-plane node among workers', ['ctl-1'], { kind: 'end', list: '0' }],
    ['before a node that is not there', ['cmp-1'], { kind: 'before', node: 'gone' }],
  ])('%s change nothing', (_, nodes, place) => expect(moveLanes(ORDER, nodes, place)).toBe(ORDER))

  test('leave every node in one place, and no group empty', () => {
    const names = ['ctl-1', 'ctl-2', 'cmp-1', 'cmp-2', 'cmp-3']
    const place = fc.oneof(
      fc.record({ kind: fc.constant('before' as const), node: fc.constantFrom(...names) }),
      fc.record({ kind: fc.constant('end' as const), list: fc.constantFrom('control', '0', '1', 'added-3') }),
      fc.constant({ kind: 'new' as const }),
      fc.constant({ kind: 'out' as const }),
    )
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.subarray(names), place), { maxLength: 8 }), moves => {
        const end = moves.reduce((order, [nodes, to]) => moveLanes(order, nodes, to), ORDER)
        const placed = listsOf(end).flatMap(({ nodes }) => nodes)
        expect(new Set(placed).size).toBe(placed.length)
        expect(listsOf(end).every(({ nodes }) => nodes.length > 0)).toBe(true)
        expect(new Set(end.groups.map(({ key }) => key)).size).toBe(end.groups.length)
        expect(new Set(end.groups.map(({ name }) => name)).size).toBe(end.groups.length)
      }),
    )
  })
})

test('a group goes one place earlier or later, and stays at the ends', () => {
  expect(plain(moveGroup(ORDER, '1', -1))).toEqual(['control: ctl-1 ctl-2', 'az2: cmp-3', 'az1: cmp-1 cmp-2'])
  expect(moveGroup(ORDER, '1', 1)).toBe(ORDER)
})

test('keys carry a node up and down through its group and into the next, and control-plane nodes among themselves', () => {
  const step = (order: typeof ORDER, node: string, by: -1 | 1) => {
    const place = placeBeside(order, node, by)
    return place === null ? order : moveLanes(order, [node], place)
  }
  const down = step(ORDER, 'cmp-1', 1)
  expect(plain(down)).toEqual(['control: ctl-1 ctl-2', 'az1: cmp-2 cmp-1', 'az2: cmp-3'])
  const over = step(down, 'cmp-1', 1)
  expect(plain(over)).toEqual(['control: ctl-1 ctl-2', 'az1: cmp-2', 'az2: cmp-1 cmp-3'])
  expect(plain(step(over, 'cmp-1', -1))).toEqual(plain(down))
  expect(step(ORDER, 'ctl-2', 1)).toBe(ORDER)
  expect(step(ORDER, 'cmp-1', -1)).toBe(ORDER)
  expect(plain(step(ORDER, 'ctl-1', 1))[0]).toBe('control: ctl-2 ctl-1')
  expect(plain(step(ORDER, 'left', -1))[2]).toBe('az2: cmp-3 left')
})

test('a move has words', () => {
  expect(laneWords(ORDER, 'cmp-2')).toBe('cmp-2 is number 2 of 2 in az1.')
  expect(laneWords(ORDER, 'ctl-1')).toBe('ctl-1 is number 1 of 2 in the control plane.')
  expect(laneWords(ORDER, 'other')).toBe('other is left out.')
})

test('the lanes ahead stand in their order, in as many at once as their group allows', () => {
  const { lanes, nodes } = lanesAhead(ORDER)
  expect(lanes.map(({ node, stage }) => `${node} ${stage}`)).toEqual(
    ['ctl-1', 'ctl-2', 'cmp-1', 'cmp-2', 'cmp-3'].map(node => `${node} pending`),
  )
  expect(nodes.map(({ atOnce }) => atOnce)).toEqual([1, 1, 2, 2, 1])
})
