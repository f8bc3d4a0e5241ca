import { expect, test } from 'vitest'
import { retryAfterMs } from '../../../shared/domain/retry-after.ts'

const NOW = Date.parse('2026-11-20T12:00:00Z')
const IN_90_S = 'Fri, 20 Nov 2026 12:01:30 GMT'

test.each([
  ['a number of seconds', { 'retry-after': ' 90 ' }, 90_000],
  ['a date', { 'retry-after': IN_90_S }, 90_000],
  ['a date in the past', { 'retry-after': 'Fri, 20 Nov 2026 11:00:00 GMT' }, 0],
  [
    'a date of a server whose clock is ahead',
    { 'retry-after': IN_90_S, date: 'Fri, 20 Nov 2026 12:00:30 GMT' },
    60_000,
  ],
  ['a date beside a Date that cannot be read', { 'retry-after': IN_90_S, date: 'today' }, 90_000],
  ['nonsense', { 'retry-after': 'soon' }, null],
  ['a negative number', { 'retry-after': '-5' }, null],
  ['nothing', {}, null],
])('Retry-After may be %s', (_, headers, ms) => {
  expect(retryAfterMs(headers, NOW)).toBe(ms)
})
