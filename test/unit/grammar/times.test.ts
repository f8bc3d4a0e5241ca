import { afterEach, describe, expect, it } from 'vitest'
import { betweenWords } from '../../../shared/grammar/durations.ts'
import { dateAndTime, isDay, otherReading, timeOfDay, zonedText, zonedWall } from '../../../shared/grammar/times.ts'

const ZONE = process.env.TZ

afterEach(() => {
  if (ZONE === undefined) delete process.env.TZ
  else process.env.TZ = ZONE
})

describe('a moment', () => {
  it("is written by the operator's clock or by UTC, over midnight too", () => {
    process.env.TZ = 'Europe/Berlin'
    expect(dateAndTime('2026-11-21T23:30:05.000Z', 'local')).toBe('2026-11-22 00:30:05')
    expect(timeOfDay('2026-11-21T23:30:05.000Z', 'local')).toBe('00:30:05')
    expect(timeOfDay('2026-11-21T23:30:05.000Z', 'utc')).toBe('23:30:05')
    expect(otherReading('2026-11-21T23:30:05.000Z', 'utc')).toBe('2026-11-22 00:30:05 Europe/Berlin')
    process.env.TZ = 'America/New_York'
    expect(dateAndTime('2026-11-21T00:30:05.000Z', 'local')).toBe('2026-11-20 19:30:05')
  })

  it('that is not a time is shown unchanged', () => {
    expect(timeOfDay('soon', 'utc')).toBe('soon')
    expect(dateAndTime('soon', 'local')).toBe('soon')
    expect(zonedWall('soon', 'Europe/Berlin')).toBe('soon')
    expect(zonedText('soon', 'Europe/Berlin')).toBe('soon')
  })

  it('is as long before another as the two say', () => {
    expect(betweenWords('2026-11-21T10:00:00Z', '2026-11-21T10:02:03Z')).toBe('2 min 3 s')
  })
})

it.each([
  ['2026-11-23', true],
  ['2028-02-29', true],
  ['2026-02-29', false],
  ['2026-13-01', false],
  ['11/23/2026', false],
  ['2026-11-2', false],
  ['', false],
])('%s is a day of the calendar: %s', (text, expected) => {
  expect(isDay(text)).toBe(expected)
})
