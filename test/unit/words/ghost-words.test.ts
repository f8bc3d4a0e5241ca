import { expect, test } from 'vitest'
import { ghostWords } from '../../../shared/words/ghosts.ts'

test.each([
  [{ to: new Map(), moving: 0, noRoom: 0, unknown: 0 }, 'No instance has to move.'],
  [{ to: new Map([['cmp-2', 5]]), moving: 5, noRoom: 0, unknown: 0 }, '5 instances move: room is seen on cmp-2.'],
  [
    {
      to: new Map([
        ['cmp-10', 1],
        ['cmp-2', 1],
      ]),
      moving: 4,
      noRoom: 1,
      unknown: 1,
    },
    '4 instances move: room is seen on cmp-2 and cmp-10, for 1 no host of the zone has room, for 1 it is not known where.',
  ],
  [{ to: new Map(), moving: 1, noRoom: 1, unknown: 0 }, '1 instance moves: for 1 no host of the zone has room.'],
])('ghosts are told in words', (ghosts, words) => expect(ghostWords(ghosts)).toBe(words))
