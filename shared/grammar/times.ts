import { ageWords } from './durations.ts'
import { firstWords } from './first-words.ts'

export type ClockChoice = 'local' | 'utc'

/** `2026-11-21 05:30:12`; UTC with a `Z` if this machine does not know the zone. Null if the time is invalid. */
export function zonedStamp(at: string | number, timeZone: string): string | null {
  const ms = typeof at === 'number' ? at : Date.parse(at)
  return Number.isNaN(ms) ? null : formatOf(timeZone)(ms)
}

/** The IANA database names zones, such as `Europe/Berlin` or `UTC`. */
export function isTimeZone(zone: string): boolean {
  // Engines also accept offsets (`+02:00`): those have no daylight saving, and nobody announces a window in one.
  return zone !== '' && !/^[+-]/.test(zone) && !formatOf(zone)(0).endsWith('Z')
}

/** How far the clocks of a zone are ahead of UTC at an instant, in milliseconds. */
export function zoneOffsetMs(atMs: number, zone: string): number {
  const shown = formatOf(zone)(atMs).slice(0, 19).replace(' ', 'T')
  return Date.parse(`${shown}Z`) - Math.floor(atMs / 1000) * 1000
}

/** An offset as text: `+01:00`. */
export function offsetWords(offsetMs: number): string {
  const minutes = Math.abs(Math.round(offsetMs / 60_000))
  const pad = (value: number) => String(value).padStart(2, '0')
  return `${offsetMs < 0 ? '-' : '+'}${pad(Math.floor(minutes / 60))}:${pad(minutes % 60)}`
}

/** `2026-11-22 22:00`. */
export function zonedWall(at: string, zone: string): string {
  return zonedStamp(at, zone)?.slice(0, 16) ?? at
}

/** The time with its offset: `2026-11-22 22:00 +01:00`. */
export function zonedText(at: string, zone: string): string {
  const ms = Date.parse(at)
  return Number.isNaN(ms) ? at : `${zonedWall(at, zone)} ${offsetWords(zoneOffsetMs(ms, zone))}`
}

/** `2026-11-21 05:30:12`; an invalid time is unchanged. */
export function dateAndTime(at: string, clock: ClockChoice): string {
  return zonedStamp(at, clock === 'utc' ? 'UTC' : ownZone()) ?? at
}

/** `05:30:12`. */
export function timeOfDay(at: string, clock: ClockChoice): string {
  return zonedStamp(at, clock === 'utc' ? 'UTC' : ownZone())?.slice(11) ?? at
}

/** The time with its zone, for the tooltip. */
export function otherReading(at: string, clock: ClockChoice): string {
  if (Number.isNaN(Date.parse(at))) return at
  return clock === 'local' ? `${dateAndTime(at, 'utc')} UTC` : `${dateAndTime(at, 'local')} ${ownZone()}`
}

/** `2026-11-22 12:27:59 UTC`; an invalid one is unchanged. For texts that are stored or that no face formats. */
export function instantWords(at: string): string {
  const stamp = zonedStamp(at, 'UTC')
  return stamp === null ? firstWords(at, 40) : `${stamp} UTC`
}

/** `2026-11-21 14:03 (Europe/Berlin)`. */
export function momentWords(at: string, timeZone: string): string {
  return inZone(at, timeZone, 16)
}

/** The time to the second, for ranges that may be shorter than a minute. */
export function exactWords(at: string, timeZone: string): string {
  return inZone(at, timeZone, 19)
}

/** Repeats the day only if it differs. */
export function stretchWords(fromAt: string, toAt: string, timeZone: string): string {
  const [from, to] = [upTo(zonedStamp(fromAt, timeZone), 16), upTo(zonedStamp(toAt, timeZone), 16)]
  if (from === null || to === null) return `${fromAt} to ${toAt}`
  if (from === to) return `${from} ${zoneWords(timeZone)}`
  return `${from} to ${from.slice(0, 10) === to.slice(0, 10) ? to.slice(11) : to} ${zoneWords(timeZone)}`
}

/** `2026-11-21 22:00 to 02:00`; the second date appears only if more than a night lies between. */
export function zonedRange(fromAt: string, toAt: string, timeZone: string): string {
  const [from, to] = [upTo(zonedStamp(fromAt, timeZone), 16) ?? fromAt, upTo(zonedStamp(toAt, timeZone), 16) ?? toAt]
  const isOneNight = Date.parse(toAt) - Date.parse(fromAt) < 86_400_000
  return `${from} to ${isOneNight ? to.slice(11) : to}`
}

/** `now`, `12 s ago`, `3 min ago`. */
export function age(at: string, nowMs: number): string {
  const ms = nowMs - Date.parse(at)
  if (Number.isNaN(ms)) return at
  return ms < 2000 ? 'now' : `${ageWords(ms)} ago`
}

function inZone(at: string, timeZone: string, length: number): string {
  const stamp = upTo(zonedStamp(at, timeZone), length)
  return stamp === null ? at : `${stamp} ${zoneWords(timeZone)}`
}

/** Cuts a time to the minute (16 characters) or to the second (19), with its `Z` if it has one. */
function upTo(stamp: string | null, length: number): string | null {
  return stamp === null ? null : `${stamp.slice(0, length)}${stamp.endsWith('Z') ? 'Z' : ''}`
}

function zoneWords(timeZone: string): string {
  return timeZone === 'UTC' ? 'UTC' : `(${timeZone})`
}

function ownZone(): string {
  return new Intl.DateTimeFormat().resolvedOptions().timeZone
}

/** Creating a format costs more than using it a thousand times. */
const formats = new Map<string, (ms: number) => string>()

function formatOf(timeZone: string): (ms: number) => string {
  const known = formats.get(timeZone)
  if (known !== undefined) return known
  const format = makeFormat(timeZone)
  formats.set(timeZone, format)
  return format
}

function makeFormat(timeZone: string): (ms: number) => string {
  const utc = (ms: number) => new Date(ms).toISOString().slice(0, 19).replace('T', ' ')
  if (timeZone === 'UTC') return utc
  try {
    // Swedish uses the ISO 8601 format: `2026-11-21 05:30:12`.
    const format = new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short', timeStyle: 'medium' })
    return ms => format.format(ms)
  } catch {
    return ms => `${utc(ms)}Z`
  }
}

export function isDay(text: string): boolean {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return false
  const at = Date.parse(`${text}T00:00:00Z`)
  return Number.isFinite(at) && new Date(at).toISOString().startsWith(text)
}
