import { expect, test } from 'vitest'
import { ghostWords } from '../../../shared/words/ghosts.ts'

const NONE = { to: new Map<string, number>(), moving: 0, noRoom: 0, grouped: 0, unknown: 0 }
const two = new Map([
  ['cmp-10', 1],
  ['cmp-2', 1],
])

test.each([
  [NONE, 'No instance has to move.'],
  [{ ...NONE, grouped: 2 }, 'No instance can move: a server group keeps 2.'],
  [{ ...NONE, to: new Map([['cmp-2', 5]]), moving: 5 }, 'At most 5 instances move: there is room on cmp-2.'],
  [
    { to: two, moving: 3, noRoom: 1, grouped: 1, unknown: 1 },
    'At most 3 instances move: there is room on cmp-2 and cmp-10, a server group keeps 1, for 1 no host has room, the destination of 1 is unknown.',
  ],
  [{ ...NONE, noRoom: 1 }, 'No instance can move: for 1 no host has room.'],
])('leftover records have words', (ghosts, words) => expect(ghostWords(ghosts)).toBe(words))
