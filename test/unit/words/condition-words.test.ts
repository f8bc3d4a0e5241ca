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
  ] as const)('of a node that is %s, what is not so is said to be: %s', (state, words) => {
    expect(holdsWord('does-not-hold', state)).toBe(words)
  })

  test('holds, or is not known, wherever the node is on its way', () => {
    expect([holdsWord('holds', 'entering'), holdsWord('unknown', 'entering')]).toEqual(['met', 'unknown'])
  })
})
