import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type Ghost, mostAtOnce, timelineForecast } from '../../../renderer/geometry/timeline-forecast.ts'
import type { NodeLane, NodeStage } from '../../../shared/domain/update.ts'
import type { TimelineNode } from '../../../shared/domain/update-eta.ts'

const START = Date.parse('2026-11-21T01:00:00Z')
const MINUTE = 60_000
const at = (minute: number) => new Date(START + minute * MINUTE).toISOString()

const span = (stage: NodeStage, from: number, to: number | null): NodeLane['spans'][number] => ({
  stage,
  fromAt: at(from),
  toAt: to === null ? null : at(to),
  note: '',
  evidence: [],
  waits: [],
  retries: [],
})

const lane = (node: string, spans: NodeLane['spans'], more: Partial<NodeLane> = {}): NodeLane => ({
  node,
  phase: 'worker-nodes',
  group: null,
  stage: spans.at(-1)?.stage ?? 'pending',
  spans,
  ...more,
})

const done = (node: string, from: number, to: number, more: Partial<NodeLane> = {}) =>
  lane(node, [span('requested', from, to), span('done', to, to)], more)
const begun = (node: string, from: number, more: Partial<NodeLane> = {}) =>
  lane(node, [span('requested', from, null)], more)
const ahead = (node: string, more: Partial<NodeLane> = {}) => lane(node, [], more)

const atOnce = (count: number, lanes: readonly NodeLane[]): readonly TimelineNode[] =>
  lanes.map(({ node, phase, group }) => ({ node, phase, group, atOnce: count }))

const forecast = (lanes: readonly NodeLane[], count: number, now: number, spans = new Map<string, number>()) =>
  timelineForecast(
    { lanes: [...lanes], endedAt: null },
    atOnce(count, lanes),
    new Map([...spans].map(([node, minutes]) => [node, { lowMs: minutes * MINUTE, highMs: minutes * 2 * MINUTE }])),
    START + now * MINUTE,
  )

const minutesOf = (ghost: Ghost | undefined) =>
  ghost?.kind === 'expected'
    ? [ghost.fromMs, ghost.toMs, ghost.lateMs].map(ms => (ms - START) / MINUTE)
    : (ghost?.kind ?? null)

describe('what is still to come', () => {
  test('follows in its order, a few at a time, each as long as the finished nodes took', () => {
    const lanes = [done('a', 0, 10), begun('b', 10), ahead('c'), ahead('d'), ahead('e')]
    const { ghosts, turns, end } = forecast(lanes, 2, 12)
    expect([...ghosts].map(([node, ghost]) => [node, minutesOf(ghost)])).toEqual([
      ['b', [12, 20, 20]],
      ['c', [12, 22, 22]],
      ['d', [20, 30, 30]],
      ['e', [22, 32, 32]],
    ])
    expect([...turns]).toEqual([
      ['c', 1],
      ['d', 2],
      ['e', 3],
    ])
    expect((end?.lowMs ?? 0) - START).toBe(32 * MINUTE)
  })

  test('has a soft end, from the usual time to the slow one', () => {
    const lanes = [ahead('a'), ahead('b')]
    const { ghosts, end } = forecast(
      lanes,
      1,
      0,
      new Map([
        ['a', 10],
        ['b', 4],
      ]),
    )
    expect(minutesOf(ghosts.get('a'))).toEqual([0, 10, 20])
    expect(minutesOf(ghosts.get('b'))).toEqual([10, 14, 28])
    expect(end).toEqual({ lowMs: START + 14 * MINUTE, highMs: START + 28 * MINUTE })
  })

  test('is unknown without a measure, and so is what follows', () => {
    const lanes = [begun('a', 0), ahead('b'), ahead('c', { group: 'other' })]
    const { ghosts, turns, end } = forecast(lanes, 1, 5, new Map([['c', 10]]))
    expect([...ghosts.values()].map(({ kind }) => kind)).toEqual(['unknown', 'unknown', 'unknown'])
    expect(turns.get('c')).toBe(2)
    expect(end).toBeNull()
  })

  test('says of a node that takes longer than all others that it does, and counts the rest from now', () => {
    const lanes = [done('a', 0, 10), begun('b', 10), ahead('c')]
    const { ghosts } = forecast(lanes, 1, 40)
    expect(minutesOf(ghosts.get('b'))).toBe('overdue')
    expect(minutesOf(ghosts.get('c'))).toEqual([40, 50, 50])
  })

  test('begins a group only when the one before it has finished', () => {
    const lanes = [
      done('c1', 0, 5, { phase: 'control-nodes' }),
      begun('a', 5, { group: 'az1' }),
      ahead('b', { group: 'az2' }),
      ahead('c', { group: 'az2' }),
    ]
    const { ghosts } = forecast(
      lanes,
      2,
      6,
      new Map([
        ['a', 10],
        ['b', 10],
        ['c', 10],
      ]),
    )
    expect(minutesOf(ghosts.get('b'))).toEqual([15, 25, 45])
    expect(minutesOf(ghosts.get('c'))).toEqual([15, 25, 45])
  })

  test('is nothing once it has ended, and for nodes that are finished or left out', () => {
    const lanes = [done('a', 0, 10), lane('b', [span('skipped', 4, 4)])]
    expect(forecast(lanes, 1, 12).ghosts.size).toBe(0)
    expect(timelineForecast({ lanes: [ahead('x')], endedAt: at(3) }, [], new Map(), START).ghosts.size).toBe(0)
  })

  test('never lies in the past, never ends before it begins, never has more beside each other than allowed', () => {
    fc.assert(
      fc.property(
        fc.array(fc.integer({ min: 1, max: 60 }), { minLength: 1, maxLength: 12 }),
        fc.integer({ min: 1, max: 4 }),
        (lengths, count) => {
          const lanes = lengths.map((_, index) => ahead(`n${index}`))
          const { ghosts } = forecast(
            lanes,
            count,
            30,
            new Map(lengths.map((minutes, index) => [`n${index}`, minutes])),
          )
          const drawn = [...ghosts.values()].flatMap(ghost => (ghost.kind === 'expected' ? [ghost] : []))
          expect(drawn).toHaveLength(lengths.length)
          for (const { fromMs, toMs, lateMs } of drawn) {
            expect(fromMs).toBeGreaterThanOrEqual(START + 30 * MINUTE)
            expect(toMs).toBeGreaterThan(fromMs)
            expect(lateMs).toBeGreaterThanOrEqual(toMs)
            const beside = drawn.filter(other => other.fromMs <= fromMs && other.toMs > fromMs)
            expect(beside.length).toBeLessThanOrEqual(count)
          }
        },
      ),
    )
  })
})

test('the number at a time comes from the nodes so far', () => {
  const now = START + 60 * MINUTE
  expect(mostAtOnce([done('a', 0, 10), done('b', 10, 20)], now)).toBe(1)
  expect(mostAtOnce([done('a', 0, 10), done('b', 5, 20), begun('c', 15)], now)).toBe(2)
  expect(mostAtOnce([], now)).toBe(1)
})
