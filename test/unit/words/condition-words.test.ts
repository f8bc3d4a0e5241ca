import { describe, expect, test } from 'vitest'
import { holdsWord } from '../../../shared/words/role-maintenance.ts'

describe('what maintenance asks of a node', () => {
  test.each([
    ['entering', 'not yet'],
    ['active', 'not yet'],
    ['leaving', 'no longer'],
    ['partial', 'not met'],
    ['maintenance', 'not met'],
    ['unknown', 'not met'],
  ] as const)('for a node that is %s, an unmet condition reads: %s', (state, words) => {
    expect(holdsWord('does-not-hold', state)).toBe(words)
  })

  test('passes, or is unknown, wherever the node is on its way', () => {
    expect([holdsWord('holds', 'entering'), holdsWord('unknown', 'entering')]).toEqual(['met', 'unknown'])
  })
})
