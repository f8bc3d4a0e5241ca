import { expect, test } from 'vitest'
import { watchClocks } from '../../../../main/runs/engine/background.ts'
import type { MeasuredClock } from '../../../../shared/domain/clock-skew.ts'
import { createVirtualClock } from '../../../fixtures/virtual-clock.ts'

test('the clocks are reported when a run begins and when one drifts by five seconds, once each, and not after its end', async () => {
  const clock = createVirtualClock()
  const over = new AbortController()
  const reported: (readonly MeasuredClock[])[] = []
  let now: readonly MeasuredClock[] = [{ server: 'Nova', aheadMs: 0 }]
  const watching = watchClocks({
    measure: async () => now,
    report: clocks => reported.push(clocks),
    clock,
    until: over.signal,
  })
  await clock.advance(60_000)
  now = [{ server: 'Nova', aheadMs: 4_000 }]
  await clock.advance(60_000)
  expect(reported).toEqual([[{ server: 'Nova', aheadMs: 0 }]])
  now = [{ server: 'Nova', aheadMs: 6_000 }]
  await clock.advance(60_000)
  now = [...now, { server: 'Keystone', aheadMs: -300 }]
  await clock.advance(60_000)
  expect(reported.slice(1)).toEqual([[{ server: 'Nova', aheadMs: 6_000 }], now])
  over.abort()
  now = []
  await clock.advance(60_000)
  await watching
  expect(reported).toHaveLength(3)
})
