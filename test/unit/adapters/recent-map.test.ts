import { expect, test } from 'vitest'
import { createRecentMap } from '../../../main/platform/clock/recent-map.ts'

const HOUR_MS = 3_600_000

function recentMap(count: number) {
  const clock = { ms: 0, monotonicMs: () => clock.ms }
  const map = createRecentMap<number>(clock)
  const put = (from: number, to: number) => {
    for (let key = from; key < to; key += 1) map.put(`${key}`, key)
  }
  put(0, count)
  return { clock, map, put }
}

test('what was put within the last hour is kept, however much there is', () => {
  const { clock, map, put } = recentMap(100_000)
  clock.ms += HOUR_MS - 1
  put(100_000, 200_000)
  expect([0, 99_999, 199_999].map(key => map.get(`${key}`))).toEqual([0, 99_999, 199_999])
})

test('of much, what was not put for two hours is forgotten; what was put again is kept', () => {
  const { clock, map, put } = recentMap(50_000)
  clock.ms += HOUR_MS
  put(10, 40_000)
  clock.ms += HOUR_MS
  put(10, 40_000)
  expect([0, 10, 45_000].map(key => map.get(`${key}`))).toEqual([undefined, 10, undefined])
})

test('little is kept for ever', () => {
  const { clock, map, put } = recentMap(1_000)
  clock.ms += 1_000 * HOUR_MS
  put(1_000, 1_001)
  expect(map.get('0')).toBe(0)
})
