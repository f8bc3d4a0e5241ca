import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { ageWords, atMostWords, durationWords, estimateWords, spanWords } from '../../../shared/grammar/durations.ts'

describe('a length of time', () => {
  test.each([
    [-5, 'under 1 s'],
    [0, 'under 1 s'],
    [999, 'under 1 s'],
    [1_000, '1 s'],
    [12_499, '12 s'],
    [59_499, '59 s'],
    [59_999, '1 min'],
    [61_000, '1 min 1 s'],
    [185_000, '3 min 5 s'],
    [3_600_000, '1 h'],
    [3_661_000, '1 h 1 min'],
    [93_600_000, '1 d 2 h'],
  ])('of %d ms reads %s', (ms, words) => expect(durationWords(ms)).toBe(words))
})

describe('an age counts what has passed, in whole minutes from one on', () => {
  test.each([
    [900, 'under 1 s'],
    [59_999, '59 s'],
    [119_999, '1 min'],
    [230_000, '3 min'],
    [7_530_000, '2 h 5 min'],
  ])('of %d ms reads %s', (ms, words) => expect(ageWords(ms)).toBe(words))
})

test('a limit never reads shorter than it is', () => {
  expect(atMostWords(24_001)).toBe('25 s')
  expect(atMostWords(200)).toBe('1 s')
})

describe('from one length to another', () => {
  test.each([
    [5_000, 65_000, '5 s to 1 min 5 s', '5 s to 1 min 5 s'],
    [3_000, 3_200, '3 s', '3 s'],
    [601_000, 3_725_000, '10 min 1 s to 1 h 2 min', '10 min to 1 h 2 min'],
    [601_000, 620_000, '10 min 1 s to 10 min 20 s', '10 min'],
  ])('%d to %d ms reads %s, as an estimate %s', (low, high, span, estimate) => {
    expect(spanWords(low, high)).toBe(span)
    expect(estimateWords(low, high)).toBe(estimate)
  })
})

test('whatever the length, it reads in one or two units, and the same as any other of the same whole second', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 10_000_000 }), fc.integer({ min: 0, max: 499 }), (seconds, more) => {
      const words = durationWords(seconds * 1000)
      expect(words).toMatch(/^[1-9]\d* (d|h|min|s)( [1-9]\d* (h|min|s))?$/)
      expect(durationWords(seconds * 1000 + more)).toBe(words)
    }),
  )
})
