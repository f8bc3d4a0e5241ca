export interface CalendarEvent {
  /** The same at every export, so that a calendar updates its entry. */
  readonly uid: string
  readonly sequence: number
  readonly fromAt: string
  readonly toAt: string
  readonly title: string
  readonly description: string
  readonly place: string
  readonly isCancelled: boolean
}

/** In octets of UTF-8, without its end (RFC 5545, 3.1). */
const LINE_OCTETS = 75

/** A file's text (RFC 5545); `madeAt`: its time of creation. */
export function calendarText(events: readonly CalendarEvent[], madeAt: string): string {
  return [
    'BEGIN:VCALENDAR',
    'VERSION:2.0',
    'PRODID:-//Lockkeeper//Lockkeeper//EN',
    'CALSCALE:GREGORIAN',
    'METHOD:PUBLISH',
    ...events.flatMap(event => eventLines(event, madeAt)),
    'END:VCALENDAR',
  ]
    .map(line => `${folded(line)}\r\n`)
    .join('')
}

function eventLines(event: CalendarEvent, madeAt: string): readonly string[] {
  return [
    'BEGIN:VEVENT',
    `UID:${escaped(event.uid)}`,
    `DTSTAMP:${utcStamp(madeAt)}`,
    `DTSTART:${utcStamp(event.fromAt)}`,
    `DTEND:${utcStamp(event.toAt)}`,
    `SEQUENCE:${event.sequence}`,
    `SUMMARY:${escaped(event.title)}`,
    `LOCATION:${escaped(event.place)}`,
    `DESCRIPTION:${escaped(event.description)}`,
    `STATUS:${event.isCancelled ? 'CANCELLED' : 'CONFIRMED'}`,
    'TRANSP:TRANSPARENT',
    'END:VEVENT',
  ]
}

/** `20261121T220000Z`: UTC needs no definition of a zone. */
function utcStamp(at: string): string {
  return `${new Date(at).toISOString().slice(0, 19).replaceAll(/[-:]/g, '')}Z`
}

/** Returns a value (3.3.11) without control characters, which a line must not contain. */
function escaped(text: string): string {
  return (
    text
      .replaceAll(/\r\n?/g, '\n')
      // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is left out.
      .replaceAll(/[\u0000-\u0009\u000b-\u001f\u007f]/g, ' ')
      .replaceAll(/[\\;,]/g, '\\$&')
      .replaceAll('\n', '\\n')
  )
}

/** Folds a line, never within a character. */
function folded(line: string): string {
  let octets = 0
  let text = ''
  for (const sign of line) {
    const length = octetsOf(sign)
    if (octets + length > LINE_OCTETS) {
      text += '\r\n '
      octets = 1
    }
    text += sign
    octets += length
  }
  return text
}

function octetsOf(sign: string): number {
  const code = sign.codePointAt(0) ?? 0
  if (code < 0x80) return 1
  if (code < 0x800) return 2
  return code < 0x10000 ? 3 : 4
}
