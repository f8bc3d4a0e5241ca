import fc from 'fast-check'
import { expect, test } from 'vitest'
import { durationTicks } from '../../../renderer/geometry/duration-ticks.ts'
import { naturally } from '../../../renderer/geometry/natural-order.ts'
import { durationsOf, measuredParts } from '../../../shared/domain/duration-figures.ts'
import type { MeasuredNode } from '../../../shared/domain/history.ts'

const MINUTE = 60_000

function measured(more: Partial<MeasuredNode> & Pick<MeasuredNode, 'node'>): MeasuredNode {
  return {
    cluster: 'east',
    runId: 'r',
    kind: 'enter',
    at: '2026-11-01T10:00:00.000Z',
    evacuationMs: null,
    instancesMoved: 0,
    movedGib: null,
    drainMs: null,
    podsLeft: 0,
    workMs: null,
    returnMs: null,
    totalMs: null,
    ...more,
  }
}

test('median and p90 are of a node and of its whole cluster; nodes stand in the order people expect', () => {
  const times = [5, 1, 3].map((count, at) =>
    measured({ node: 'cmp-10', at: `2026-11-0${at + 1}T10:00:00.000Z`, drainMs: count * MINUTE }),
  )
  const [east] = durationsOf([...times, measured({ node: 'cmp-2', drainMs: 9 * MINUTE })], 'drain', naturally)
  expect(east?.nodes.map(({ node }) => node)).toEqual(['cmp-2', 'cmp-10'])
  expect(east?.nodes[1]?.figures).toMatchObject({
    count: 3,
    medianMs: 3 * MINUTE,
    p90Ms: 5 * MINUTE,
    lastMs: 3 * MINUTE,
  })
  expect(east?.all).toMatchObject({ count: 4, medianMs: 3 * MINUTE, p90Ms: 9 * MINUTE })
})

test('a node without instances says nothing of how long an evacuation takes', () => {
  expect(
    durationsOf([measured({ node: 'cmp-1', evacuationMs: 10, instancesMoved: 0 })], 'evacuation', naturally),
  ).toEqual([])
})

test('entering as a whole and a node of an update are never mixed', () => {
  const both = [
    measured({ node: 'cmp-1', totalMs: 1 * MINUTE }),
    measured({ node: 'cmp-1', totalMs: 50 * MINUTE, kind: 'update' }),
    measured({ node: 'cmp-1', totalMs: 2 * MINUTE, kind: 'leave' }),
  ]
  expect(durationsOf(both, 'enter', naturally)[0]?.all).toMatchObject({ count: 1, medianMs: 1 * MINUTE })
  expect(durationsOf(both, 'update', naturally)[0]?.all).toMatchObject({ count: 1, medianMs: 50 * MINUTE })
  expect([...measuredParts(both)]).toEqual(['enter', 'update'])
})

test('an axis of durations has few marks, begins at zero and holds the longest', () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 40 * 86_400_000 }), longest => {
      const ticks = durationTicks(longest)
      expect(ticks[0]).toBe(0)
      expect(ticks.at(-1)).toBeGreaterThanOrEqual(longest)
      expect(ticks.length).toBeLessThanOrEqual(6)
      expect(ticks.length).toBeGreaterThanOrEqual(2)
    }),
  )
})
