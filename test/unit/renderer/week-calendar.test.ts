import { expect, test } from 'vitest'
import { blocksOn, endingAt, instantAt, keyedSpan, movedTo, weekOf } from '../../../renderer/geometry/week-calendar.ts'

const HOUR = 3_600_000
const at = (text: string) => Date.parse(text)

test('a week begins on Monday of the zone, whose days may have 23 or 25 hours', () => {
  const week = weekOf(at('2026-10-25T12:00:00Z'), 0, 'Europe/Vienna')
  expect(week.map(({ date }) => date)).toEqual([
    '2026-10-19',
    '2026-10-20',
    '2026-10-21',
    '2026-10-22',
    '2026-10-23',
    '2026-10-24',
    '2026-10-25',
  ])
  expect(week.map(({ fromMs, toMs }) => (toMs - fromMs) / HOUR)).toEqual([24, 24, 24, 24, 24, 24, 25])
  expect(weekOf(at('2026-10-25T12:00:00Z'), 1, 'Europe/Vienna')[0]?.date).toBe('2026-10-26')
  // Late on Sunday in London it is Monday in Kolkata.
  expect(weekOf(at('2026-11-22T22:00:00Z'), 0, 'Asia/Kolkata')[0]?.date).toBe('2026-11-23')
})

test('a window over midnight lies on both days and ends on the second', () => {
  const [monday, tuesday] = weekOf(at('2026-11-23T12:00:00Z'), 0, 'UTC')
  const night = [{ id: 'w', fromMs: at('2026-11-23T18:00:00Z'), toMs: at('2026-11-24T06:00:00Z') }]
  expect(monday === undefined ? [] : blocksOn(monday, night)).toMatchObject([
    { topPercent: 75, heightPercent: 25, hasEnd: false },
  ])
  expect(tuesday === undefined ? [] : blocksOn(tuesday, night)).toMatchObject([
    { topPercent: 0, heightPercent: 25, hasEnd: true },
  ])
})

test('overlapping windows are side by side, touching ones are not', () => {
  const [monday] = weekOf(at('2026-11-23T12:00:00Z'), 0, 'UTC')
  const span = (id: string, from: number, to: number) => ({
    id,
    fromMs: at('2026-11-23T00:00:00Z') + from * HOUR,
    toMs: at('2026-11-23T00:00:00Z') + to * HOUR,
  })
  const blocks =
    monday === undefined ? [] : blocksOn(monday, [span('a', 1, 4), span('b', 2, 3), span('c', 3, 5), span('d', 5, 6)])
  expect(blocks.map(({ id, column, columns }) => [id, column, columns])).toEqual([
    ['a', 0, 2],
    ['b', 1, 2],
    ['c', 1, 2],
    ['d', 0, 1],
  ])
})

test('a window is moved and resized in quarters of an hour', () => {
  const span = { fromMs: at('2026-11-23T20:00:00Z'), toMs: at('2026-11-23T22:00:00Z') }
  expect(movedTo(span, at('2026-11-24T21:08:00Z'))).toEqual({
    fromMs: at('2026-11-24T21:15:00Z'),
    toMs: at('2026-11-24T23:15:00Z'),
  })
  expect(endingAt(span, at('2026-11-23T23:29:00Z')).toMs).toBe(at('2026-11-23T23:30:00Z'))
  expect(endingAt(span, at('2026-11-23T10:00:00Z')).toMs).toBe(at('2026-11-23T20:15:00Z'))
  expect(keyedSpan(span, 'ArrowRight', false)?.fromMs).toBe(at('2026-11-24T20:00:00Z'))
  expect(keyedSpan(span, 'ArrowDown', true)).toEqual({ ...span, toMs: at('2026-11-23T22:15:00Z') })
  expect(keyedSpan(span, 'Enter', false)).toBeNull()
})

test('a place on the grid is an instant of its day', () => {
  const week = weekOf(at('2026-11-23T12:00:00Z'), 0, 'UTC')
  expect(instantAt(week, 1.5 / 7, 0.5)).toBe(at('2026-11-24T12:00:00Z'))
  expect(instantAt(week, 9, 2)).toBe(at('2026-11-30T00:00:00Z'))
})
