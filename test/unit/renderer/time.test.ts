import { describe, expect, test } from 'vitest'
import { counted, listed } from '../../../shared/grammar/counts.ts'
import { age, dateAndTime } from '../../../shared/grammar/times.ts'

describe('an age', () => {
  const now = Date.parse('2026-11-21T12:00:00Z')
  test.each([
    ['2026-11-21T12:00:00Z', 'now'],
    ['2026-11-21T11:59:48Z', '12 s ago'],
    ['2026-11-21T11:56:10Z', '3 min ago'],
    ['2026-11-21T09:55:00Z', '2 h 5 min ago'],
    ['2026-11-21T12:00:09Z', 'now'],
    ['never', 'never'],
  ])('of %s reads %s', (at, words) => expect(age(at, now)).toBe(words))
})

test('a time in UTC is written as it is', () => {
  expect(dateAndTime('2026-11-21T05:06:07.000Z', 'utc')).toBe('2026-11-21 05:06:07')
})

test('counts and lists read as people say them', () => {
  expect([counted(1, 'instance'), counted(1200, 'instance'), counted(2, 'copy', 'copies')]).toEqual([
    '1 instance',
    '1,200 instances',
    '2 copies',
  ])
  expect([listed([]), listed(['a']), listed(['a', 'b']), listed(['a', 'b', 'c'])]).toEqual([
    '',
    'a',
    'a and b',
    'a, b and c',
  ])
})
