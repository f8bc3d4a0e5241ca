import { ageWords } from '../../shared/domain/duration-words.ts'

/** Which time is written out; the other one is on hover. */
type ClockChoice = 'local' | 'utc'

/** `2026-11-21 05:30:12`, in the operator's zone or in UTC. */
export function dateAndTime(at: string, clock: ClockChoice): string {
  return `${date(at, clock)} ${timeOfDay(at, clock)}`
}

/** `05:30:12`. */
export function timeOfDay(at: string, clock: ClockChoice): string {
  const time = new Date(at)
  if (Number.isNaN(time.getTime())) return at
  const parts =
    clock === 'utc'
      ? [time.getUTCHours(), time.getUTCMinutes(), time.getUTCSeconds()]
      : [time.getHours(), time.getMinutes(), time.getSeconds()]
  return parts.map(two).join(':')
}

function date(at: string, clock: ClockChoice): string {
  const time = new Date(at)
  if (Number.isNaN(time.getTime())) return ''
  return clock === 'utc'
    ? time.toISOString().slice(0, 10)
    : [time.getFullYear(), two(time.getMonth() + 1), two(time.getDate())].join('-')
}

/** The other reading of a time, with its zone: what stands on hover. */
export function otherReading(at: string, clock: ClockChoice): string {
  if (Number.isNaN(Date.parse(at))) return at
  const zone = Intl.DateTimeFormat().resolvedOptions().timeZone
  return clock === 'local' ? `${dateAndTime(at, 'utc')} UTC` : `${dateAndTime(at, 'local')} ${zone}`
}

/** How long ago, in words: `now`, `12 s ago`, `3 min ago`. */
export function age(at: string, nowMs: number): string {
  const ms = nowMs - Date.parse(at)
  if (Number.isNaN(ms)) return at
  return ms < 2000 ? 'now' : `${ageWords(ms)} ago`
}

function two(amount: number): string {
  return String(amount).padStart(2, '0')
}

/** `2026-11-21 22:00 to 02:00`, both read in a time zone; the second date stands only where it is another by more than a night. */
export function zonedRange(fromAt: string, toAt: string, timeZone: string): string {
  const [from, to] = [zonedMinute(fromAt, timeZone), zonedMinute(toAt, timeZone)]
  const isOneNight = Date.parse(toAt) - Date.parse(fromAt) < 86_400_000
  return `${from.day} ${from.time} to ${isOneNight ? '' : `${to.day} `}${to.time}`
}

/** `2026-11-21` and `22:00` as a clock in that zone shows them; UTC where the zone is not known to this machine. */
function zonedMinute(at: string, timeZone: string): { readonly day: string; readonly time: string } {
  const parts = new Map(
    formatOf(timeZone)
      .formatToParts(new Date(at))
      .map(({ type, value }) => [type, value]),
  )
  const part = (type: Intl.DateTimeFormatPartTypes) => parts.get(type) ?? ''
  return { day: `${part('year')}-${part('month')}-${part('day')}`, time: `${part('hour')}:${part('minute')}` }
}

/** Making a format costs more than using it a thousand times. */
const formats = new Map<string, Intl.DateTimeFormat>()

function formatOf(timeZone: string): Intl.DateTimeFormat {
  const known = formats.get(timeZone)
  if (known !== undefined) return known
  const format = makeFormat(timeZone)
  formats.set(timeZone, format)
  return format
}

function makeFormat(timeZone: string): Intl.DateTimeFormat {
  const fields: Intl.DateTimeFormatOptions = {
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
  }
  try {
    return new Intl.DateTimeFormat('en-GB', { ...fields, timeZone })
  } catch {
    return new Intl.DateTimeFormat('en-GB', { ...fields, timeZone: 'UTC' })
  }
}
