import { expect, test } from 'vitest'
import { arrivalWords, takeOutWords } from '../../../shared/words/ghosts.ts'

const NONE = { moves: 0, stops: 0, waits: 0, blocked: 0 }

test.each([
  [NONE, 0, 'No instance has to move'],
  [{ ...NONE, moves: 5, stops: 1 }, 0, '5 move, 1 stops'],
  [{ ...NONE, moves: 1, stops: 2, waits: 1, blocked: 2 }, 0, '1 moves, 2 stop, 1 waits for its owner, 2 blocked'],
  [{ ...NONE, moves: 3, waits: 2 }, 1, 'At most 3 move, 2 wait for their owners'],
])('taking out %o has one line', (fates, unknown, words) => expect(takeOutWords(fates, { unknown })).toBe(words))

test('the node that most may come to is named', () => {
  expect(arrivalWords({ to: new Map() })).toBe('')
  expect(arrivalWords({ to: new Map([['cmp-1', ['a']]]) })).toBe('There is room on cmp-1.')
  const three = new Map([
    ['cmp-1', ['a']],
    ['cmp-2', ['b', 'c']],
    ['cmp-3', ['d']],
  ])
  expect(arrivalWords({ to: three })).toBe('There is room on cmp-2 and 2 other nodes.')
})
