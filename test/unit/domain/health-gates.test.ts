import { describe, expect, test } from 'vitest'
import { type HealthGate, judgeGate, readStopsWhen } from '../../../shared/domain/health-gates.ts'
import { gateWords } from '../../../shared/words/health-gates.ts'

const NOW = Date.parse('2026-01-01T12:00:00Z')
const gate = (comparison: HealthGate['stopsWhen']['comparison'], threshold: number): HealthGate => ({
  name: 'error rate',
  query: 'errors',
  stopsWhen: { comparison, threshold },
})
const judge = (numbers: readonly number[], { atMs = NOW, of = gate('>', 0.01), doubts = [] as string[] } = {}) =>
  judgeGate(of, { values: numbers.map((value, at) => ({ labels: `x${at}`, value })), atMs, doubts }, NOW)

describe('a health gate', () => {
  test.each([
    ['below the threshold', [0], 'healthy'],
    ['at the threshold', [0.01], 'healthy'],
    ['over it', [0.02], 'stops'],
    ['one of many over it', [0, 0.5, 0], 'stops'],
    ['endless', [Number.POSITIVE_INFINITY], 'stops'],
    ['no value at all', [], 'cannot-tell'],
    ['NaN', [Number.NaN], 'cannot-tell'],
    ['NaN beside a good one', [0, Number.NaN], 'cannot-tell'],
    ['NaN beside a bad one', [Number.NaN, 1], 'stops'],
  ] as const)('%s', (_, numbers, kind) => {
    expect(judge(numbers).kind).toBe(kind)
  })

  test.each([-6, 6])('an answer of another moment, %i minutes off, tells nothing', minutes => {
    expect(judge([0], { atMs: NOW + minutes * 60_000 }).kind).toBe('cannot-tell')
  })

  test('an answer that may not be whole is never taken for well, and stops where what it has does', () => {
    const doubts = ['fetch series for {cluster="b"}: connection refused']
    const verdict = judge([0], { doubts })
    expect(verdict).toEqual({ kind: 'cannot-tell', why: { code: 'NotWhole', cause: doubts[0] } })
    expect(gateWords(verdict)).toBe(`the answer may be incomplete: ${doubts[0]}`)
    expect(judge([0.02], { doubts }).kind).toBe('stops')
  })

  test.each([
    ['<', 1, 2, 'healthy'],
    ['<', 3, 2, 'stops'],
    ['<=', 2, 2, 'stops'],
    ['>=', 2, 2, 'stops'],
    ['==', 0, 0, 'stops'],
    ['!=', 1, 1, 'healthy'],
    ['!=', 1, 2, 'stops'],
  ] as const)('stops when the value %s %d: %d', (comparison, threshold, value, kind) => {
    expect(judge([value], { of: gate(comparison, threshold) }).kind).toBe(kind)
  })

  test('the end of a command line is read, or refused', () => {
    expect(readStopsWhen('> 0.01')).toEqual({ comparison: '>', threshold: 0.01 })
    expect(readStopsWhen('<=-3e2')).toEqual({ comparison: '<=', threshold: -300 })
    for (const text of ['0.01', '> x', '=> 1', '> 1 %', '>']) expect(readStopsWhen(text)).toBeNull()
  })
})
