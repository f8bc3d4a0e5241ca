import { expect, test } from 'vitest'
import { isApart, isNewOf, narrowedSkew, skewMs } from '../../../shared/domain/clock-skew.ts'
import { apartWords, clockWords } from '../../../shared/words/clocks.ts'

/** An answer of a server whose clock is ahead, requested at `atMs`, with the given time on the way. */
const answer = (aheadMs: number, atMs: number, tookMs = 20) => ({
  serverMs: Math.floor((atMs + tookMs / 2 + aheadMs) / 1000) * 1000,
  sentAtMs: atMs,
  receivedAtMs: atMs + tookMs,
})

test('answers narrow each other down to less than the second that one header tells', () => {
  let known = narrowedSkew(null, answer(7_300, 100_000))
  for (let at = 101_130; at < 130_000; at += 1_130) known = narrowedSkew(known, answer(7_300, at))
  expect(Math.abs(skewMs(known) - 7_300)).toBeLessThan(150)
})

test('a slow answer does not make the clocks differ', () => {
  const known = narrowedSkew(narrowedSkew(null, answer(0, 100_000)), answer(0, 110_000, 14_000))
  expect(Math.abs(skewMs(known))).toBeLessThanOrEqual(600)
})

test('a clock that was set is measured again', () => {
  const known = narrowedSkew(narrowedSkew(null, answer(0, 100_000)), answer(-300_000, 110_000))
  expect(Math.abs(skewMs(known) + 300_000)).toBeLessThanOrEqual(600)
})

test('a slow answer proves only its lower bound: it makes no clock wrong, nor a wrong one right', () => {
  expect(skewMs(narrowedSkew(null, answer(0, 100_000, 29_000)))).toBe(0)
  const certain = skewMs(narrowedSkew(null, answer(-60_000, 100_000, 29_000)))
  expect(certain).toBeLessThanOrEqual(-30_000)
  expect(certain).toBeGreaterThanOrEqual(-60_000)
})

test('it is reported from five seconds on, with its direction', () => {
  expect(isApart({ server: 'Nova', aheadMs: 4_999 })).toBe(false)
  expect(isApart({ server: 'Nova', aheadMs: -5_000 })).toBe(true)
  expect(clockWords({ server: 'Nova', aheadMs: -5_000 })).toBe("The clock of Nova is 5.0 s behind this machine's.")
  expect(clockWords({ server: 'Nova', aheadMs: 5_000 })).toBe("The clock of Nova is 5.0 s ahead of this machine's.")
  expect(apartWords(61_040)).toBe('61.0 s ahead')
})

test('a clock is new when it is unreported, or drifted by five seconds', () => {
  const reported = [{ server: 'Nova', aheadMs: 400 }]
  expect(isNewOf(reported, [{ server: 'Nova', aheadMs: 5_399 }])).toBe(false)
  expect(isNewOf(reported, [{ server: 'Nova', aheadMs: 5_400 }])).toBe(true)
  expect(isNewOf(reported, [{ server: 'Nova', aheadMs: -4_600 }])).toBe(true)
  expect(isNewOf(reported, [{ server: 'Keystone', aheadMs: 0 }])).toBe(true)
  expect(isNewOf(reported, [])).toBe(false)
})
