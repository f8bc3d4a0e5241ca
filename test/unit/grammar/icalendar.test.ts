import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type CalendarEvent, calendarText } from '../../../shared/grammar/icalendar.ts'

const event: CalendarEvent = {
  uid: 'w-1@lockkeeper',
  sequence: 3,
  fromAt: '2026-11-21T22:00:00.000Z',
  toAt: '2026-11-22T02:00:00.000Z',
  title: 'Kernel; firmware, and C:\\boot',
  description: 'Ticket CHG-4711\nCall the "desk"\r\nfirst',
  place: 'east',
  isCancelled: false,
}
const MADE_AT = '2026-11-20T08:00:00.000Z'

/** The lines as a reader of RFC 5545 sees them: unfolded. */
function read(text: string): readonly string[] {
  return text.replaceAll('\r\n ', '').split('\r\n').slice(0, -1)
}

describe('a calendar', () => {
  const text = calendarText([event], MADE_AT)

  test('ends every line with CRLF and has no other line end', () => {
    expect(text.endsWith('END:VCALENDAR\r\n')).toBe(true)
    expect(text.replaceAll('\r\n', '')).not.toMatch(/[\r\n]/)
  })

  test('has what the RFC asks of a calendar and of an event, once each', () => {
    const lines = read(text)
    for (const name of ['VERSION', 'PRODID', 'UID', 'DTSTAMP', 'DTSTART', 'DTEND', 'SUMMARY', 'SEQUENCE', 'STATUS']) {
      expect(lines.filter(line => line.startsWith(`${name}:`))).toHaveLength(1)
    }
    expect(lines[0]).toBe('BEGIN:VCALENDAR')
    expect(lines).toContain('DTSTAMP:20261120T080000Z')
    expect(lines).toContain('DTSTART:20261121T220000Z')
    expect(lines).toContain('DTEND:20261122T020000Z')
  })

  test('escapes what has a meaning in text', () => {
    expect(read(text)).toContain('SUMMARY:Kernel\\; firmware\\, and C:\\\\boot')
    expect(read(text)).toContain('DESCRIPTION:Ticket CHG-4711\\nCall the "desk"\\nfirst')
  })

  test('keeps the identity of an event when it changes', () => {
    const later = calendarText([{ ...event, fromAt: '2026-11-21T23:00:00.000Z', sequence: 4 }], MADE_AT)
    expect(read(later)).toContain('UID:w-1@lockkeeper')
    expect(read(later)).toContain('SEQUENCE:4')
  })

  test('cannot be made to say another line by a title or an id', () => {
    const hostile = { ...event, uid: 'a\r\nBEGIN:VALARM', title: 'x\nATTENDEE:mailto:a@b\u0000\u0007' }
    expect(read(calendarText([hostile], MADE_AT)).some(line => /^(BEGIN:VALARM|ATTENDEE)/.test(line))).toBe(false)
  })

  test('says that a window was cancelled', () => {
    expect(read(calendarText([{ ...event, isCancelled: true }], MADE_AT))).toContain('STATUS:CANCELLED')
  })
})

test('no line is longer than 75 octets, no character is cut, and nothing is lost', () => {
  for (const sign of ['a', 'ß', '語', '🛠']) {
    for (let length = 60; length < 160; length++) {
      const title = sign.repeat(length)
      const text = calendarText([{ ...event, title }], MADE_AT)
      for (const line of text.split('\r\n')) expect(Buffer.byteLength(line)).toBeLessThanOrEqual(75)
      expect(text).not.toContain('\ufffd')
      expect(read(text)).toContain(`SUMMARY:${title}`)
    }
  }
})

test('whatever a title, a description or a place holds, the lines are the same, each short, and say it again', () => {
  const anyText = fc.string({ unit: 'binary', maxLength: 300 })
  const names = read(calendarText([event], MADE_AT)).map(line => line.split(':')[0])
  fc.assert(
    fc.property(anyText, anyText, anyText, (title, description, place) => {
      const text = calendarText([{ ...event, title, description, place }], MADE_AT)
      for (const line of text.split('\r\n')) expect(Buffer.byteLength(line)).toBeLessThanOrEqual(75)
      const lines = read(text)
      expect(lines.map(line => line.split(':')[0])).toEqual(names)
      const said = lines.find(line => line.startsWith('SUMMARY:'))?.slice('SUMMARY:'.length) ?? ''
      const plain = said.replaceAll(/\\([\\;,n])/g, (_, sign: string) => (sign === 'n' ? '\n' : sign))
      expect(plain).toBe(title.replaceAll(/\r\n?/g, '\n').replaceAll(/[\u0000-\u0009\u000b-\u001f\u007f]/g, ' '))
    }),
  )
})
