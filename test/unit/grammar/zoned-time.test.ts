import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { isTimeZone, zonedText, zonedWall } from '../../../shared/grammar/times.ts'
import { readZonedTime } from '../../../shared/grammar/written-time.ts'

describe('a time on the clocks of a zone', () => {
  it.each([
    ['2026-11-22 22:00', 'Europe/Berlin', '2026-11-22T21:00:00.000Z'],
    ['2026-07-01T22:00', 'Europe/Berlin', '2026-07-01T20:00:00.000Z'],
    ['2026-03-29 01:59', 'Europe/Berlin', '2026-03-29T00:59:00.000Z'],
    ['2026-03-29 03:00', 'Europe/Berlin', '2026-03-29T01:00:00.000Z'],
    ['2026-10-25 01:59', 'Europe/Berlin', '2026-10-24T23:59:00.000Z'],
    ['2026-10-25 03:00', 'Europe/Berlin', '2026-10-25T02:00:00.000Z'],
    ['2026-06-01 00:00', 'UTC', '2026-06-01T00:00:00.000Z'],
    ['2026-06-01 00:00', 'Asia/Kathmandu', '2026-05-31T18:15:00.000Z'],
    ['2026-01-01 00:30', 'Pacific/Kiritimati', '2025-12-31T10:30:00.000Z'],
    ['2028-02-29 12:00', 'America/St_Johns', '2028-02-29T15:30:00.000Z'],
  ])('%s in %s is %s', (written, zone, at) => {
    expect(readZonedTime(written, zone)).toEqual({ kind: 'one', at })
  })

  it.each([
    ['2026-03-29 02:30', 'Europe/Berlin', 'clocks go from 2026-03-29 02:00 to 2026-03-29 03:00'],
    ['2026-03-08 02:30', 'America/New_York', 'clocks go from 2026-03-08 02:00 to 2026-03-08 03:00'],
    ['2026-10-04 02:15', 'Australia/Lord_Howe', 'clocks go from 2026-10-04 02:00 to 2026-10-04 02:30'],
    // The day on which Samoa changed sides of the date line.
    ['2011-12-30 12:00', 'Pacific/Apia', 'clocks go from 2011-12-30 00:00 to 2011-12-31 00:00'],
  ])('%s never comes in %s, and it says from when to when the clocks go', (written, zone, words) => {
    expect(readZonedTime(written, zone)).toEqual({
      kind: 'never',
      words: `${written} does not exist in ${zone}: ${words} there.`,
    })
  })

  it('02:30 on the night the clocks go back happens twice, and each has its offset', () => {
    const reading = readZonedTime('2026-10-25 02:30', 'Europe/Berlin')
    expect(reading).toEqual({
      kind: 'twice',
      first: '2026-10-25T00:30:00.000Z',
      second: '2026-10-25T01:30:00.000Z',
      words:
        '2026-10-25 02:30 happens twice in Europe/Berlin: clocks go back from 2026-10-25 03:00 to 2026-10-25 02:00 there. Write 2026-10-25 02:30 +02:00 for the first, or 2026-10-25 02:30 +01:00 for the second.',
    })
    expect(readZonedTime('2026-10-25 02:30 +02:00', 'Europe/Berlin')).toEqual({
      kind: 'one',
      at: '2026-10-25T00:30:00.000Z',
    })
    expect(readZonedTime('2026-10-25 02:30 +01:00', 'Europe/Berlin')).toEqual({
      kind: 'one',
      at: '2026-10-25T01:30:00.000Z',
    })
  })

  it('an overlap of half an hour is one too', () => {
    expect(readZonedTime('2026-04-05 01:45', 'Australia/Lord_Howe')).toMatchObject({
      kind: 'twice',
      first: '2026-04-04T14:45:00.000Z',
      second: '2026-04-04T15:15:00.000Z',
    })
  })

  it.each([
    ['2026-02-30 10:00', 'UTC', '"2026-02-30 10:00" is not a date and time. Write it as 2026-11-22 22:00.'],
    ['2026-01-01 24:00', 'UTC', '"2026-01-01 24:00" is not a date and time. Write it as 2026-11-22 22:00.'],
    ['tomorrow', 'UTC', '"tomorrow" is not a date and time. Write it as 2026-11-22 22:00.'],
    ['2026-01-01 10:00', 'Europe/Bonn', 'There is no time zone "Europe/Bonn": give one such as Europe/Berlin, or UTC.'],
    ['2026-01-01 10:00', '+02:00', 'There is no time zone "+02:00": give one such as Europe/Berlin, or UTC.'],
  ])('%s in %s is refused in words', (written, zone, words) => {
    expect(readZonedTime(written, zone)).toEqual({ kind: 'unreadable', words })
  })

  it('knows zones by their IANA names', () => {
    expect(['Europe/Berlin', 'UTC', 'Australia/Lord_Howe'].every(isTimeZone)).toBe(true)
    expect(['', 'Berlin', '+01:00', '-05:00'].some(isTimeZone)).toBe(false)
  })

  it('an instant is shown by its zone with the offset of that day', () => {
    expect(zonedText('2026-11-22T21:00:00.000Z', 'Europe/Berlin')).toBe('2026-11-22 22:00 +01:00')
    expect(zonedText('2026-07-22T21:00:00.000Z', 'America/St_Johns')).toBe('2026-07-22 18:30 -02:30')
  })

  it('what a zone shows at an instant is read back as that instant, or as one of two', () => {
    const zones = [
      'Europe/Berlin',
      'Australia/Lord_Howe',
      'America/New_York',
      'Asia/Kathmandu',
      'UTC',
      'Africa/Casablanca',
    ]
    fc.assert(
      fc.property(
        fc.integer({ min: Date.UTC(2000, 0, 1) / 60_000, max: Date.UTC(2035, 0, 1) / 60_000 }),
        fc.constantFrom(...zones),
        (minute, zone) => {
          const at = new Date(minute * 60_000).toISOString()
          const reading = readZonedTime(zonedWall(at, zone), zone)
          const instants =
            reading.kind === 'one' ? [reading.at] : reading.kind === 'twice' ? [reading.first, reading.second] : []
          expect(instants).toContain(at)
        },
      ),
      { numRuns: 300 },
    )
  })
})
