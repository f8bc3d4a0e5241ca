import { expect, test } from 'vitest'
import { atOnce, inPieces, type Pieces } from '../../../shared/domain/pieces.ts'
import { createVirtualClock } from '../../fixtures/virtual-clock.ts'

test('work in pieces rests after 20 ms, not at each yield, and has the result of the work at once', async () => {
  const clock = createVirtualClock()
  const rests: number[] = []
  const sleep = async (ms: number) => {
    expect(ms).toBe(0)
    rests.push(clock.monotonicMs())
  }
  const startedMs = clock.monotonicMs()
  function* work(): Pieces<number> {
    let sum = 0
    for (let at = 0; at < 10; at += 1) {
      sum += at
      clock.jump(7)
      yield
    }
    return sum
  }
  const counting = { monotonicMs: () => clock.now(), sleep }
  expect(await inPieces(work(), counting)).toBe(45)
  expect(rests).toHaveLength(3)
  expect(startedMs).toBeLessThanOrEqual(clock.monotonicMs())
  expect(atOnce(work())).toBe(45)
})
