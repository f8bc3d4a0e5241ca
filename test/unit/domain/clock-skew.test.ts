import { expect, test } from 'vitest'
import { narrowedSkew, skewMs, skewWords } from '../../../shared/domain/clock-skew.ts'

/** An answer of a server this far ahead, sent for at `atMs` and on its way for so long. */
const answer = (aheadMs: number, atMs: number, tookMs = 20) => ({
  serverMs: Math.floor((atMs + tookMs / 2 + aheadMs) / 1000) * 1000,
  sentAtMs: atMs,
  heardAtMs: atMs + tookMs,
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

test('a clock that was set is measured anew', () => {
  const known = narrowedSkew(narrowedSkew(null, answer(0, 100_000)), answer(-300_000, 110_000))
  expect(Math.abs(skewMs(known) + 300_000)).toBeLessThanOrEqual(600)
})

test('it is told from five seconds on, in which direction', () => {
  expect(skewWords('the API server', 4_900)).toBeNull()
  expect(skewWords('the API server', null)).toBeNull()
  expect(skewWords('the API server', -5_000)).toContain('5.0 s behind')
})
