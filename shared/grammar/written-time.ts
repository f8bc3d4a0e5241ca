import { isTimeZone, offsetWords, zoneOffsetMs } from './times.ts'

/** A written time, with its instant or instants. */
type ZonedReading =
  | { readonly kind: 'one'; readonly at: string }
  /** The clocks go back there; `words` says when, and how to choose. */
  | { readonly kind: 'twice'; readonly first: string; readonly second: string; readonly words: string }
  /** The clocks skip it; `words` names the gap. */
  | { readonly kind: 'never'; readonly words: string }
  | { readonly kind: 'unreadable'; readonly words: string }

const MINUTE_MS = 60_000
const DAY_MS = 86_400_000
/** `2026-11-22 22:00`, with or without seconds, and with or without an offset that chooses between two instants. */
const WRITTEN = /^(\d{4})-(\d{2})-(\d{2})[ T](\d{2}):(\d{2})(?::(\d{2})(?:\.\d+)?)?\s*(Z|[+-]\d{2}:?\d{2})?$/i
const OFFSET = /^([+-])(\d{2}):?(\d{2})$/

/** The clocks of a zone may show a time twice or never: the answer says so. */
export function readZonedTime(written: string, zone: string): ZonedReading {
  if (!isTimeZone(zone)) return unreadable(`There is no time zone "${zone}": give one such as Europe/Berlin, or UTC.`)
  const match = WRITTEN.exec(written.trim())
  const wall = match === null ? null : wallOf(match)
  if (match === null || wall === null) {
    return unreadable(`"${written}" is not a date and time. Write it as 2026-11-22 22:00.`)
  }
  const offset = match[7]
  if (offset !== undefined) return withOffset(wall, offset, written)
  const before = zoneOffsetMs(wall - DAY_MS, zone)
  const after = zoneOffsetMs(wall + DAY_MS, zone)
  const instants = [...new Set([wall - before, wall - after])]
    .filter(at => at + zoneOffsetMs(at, zone) === wall)
    .sort(byTime)
  const [first, second] = instants
  if (first === undefined) {
    const { from, to } = changeBetween(wall - DAY_MS, wall + DAY_MS, zone)
    return {
      kind: 'never',
      words: `${wallText(wall)} does not exist in ${zone}: clocks go from ${from} to ${to} there.`,
    }
  }
  if (second === undefined) return { kind: 'one', at: isoOf(first) }
  const { from, to } = changeBetween(wall - DAY_MS, wall + DAY_MS, zone)
  return {
    kind: 'twice',
    first: isoOf(first),
    second: isoOf(second),
    words: `${wallText(wall)} happens twice in ${zone}: clocks go back from ${from} to ${to} there. Write ${wallText(wall)} ${offsetWords(before)} for the first, or ${wallText(wall)} ${offsetWords(after)} for the second.`,
  }
}

function unreadable(words: string): ZonedReading {
  return { kind: 'unreadable', words }
}

/** Reads a time as if the clocks were at UTC; null if the day or time is impossible. */
function wallOf(match: RegExpExecArray): number | null {
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = match
    .slice(1, 7)
    .map(part => Number(part ?? 0))
  const wall = Date.UTC(year, month - 1, day, hour, minute, second)
  const read = new Date(wall)
  const same =
    read.getUTCMonth() === month - 1 &&
    read.getUTCDate() === day &&
    read.getUTCHours() === hour &&
    read.getUTCMinutes() === minute &&
    read.getUTCSeconds() === second
  return same ? wall : null
}

function withOffset(wall: number, offset: string, written: string): ZonedReading {
  const match = OFFSET.exec(offset)
  if (match === null) return { kind: 'one', at: isoOf(wall) }
  const minutes = Number(match[2]) * 60 + Number(match[3])
  if (minutes > 14 * 60) return unreadable(`"${written}" has an offset that no zone has.`)
  return { kind: 'one', at: isoOf(wall - (match[1] === '-' ? -minutes : minutes) * MINUTE_MS) }
}

/** Just before and just after the change between two instants. */
function changeBetween(earlier: number, later: number, zone: string): { readonly from: string; readonly to: string } {
  const before = zoneOffsetMs(earlier, zone)
  let [low, high] = [earlier, later]
  while (high - low > 1000) {
    const middle = Math.floor((low + high) / 2000) * 1000
    if (zoneOffsetMs(middle, zone) === before) low = middle
    else high = middle
  }
  return { from: wallText(high + before), to: wallText(high + zoneOffsetMs(high, zone)) }
}

function wallText(wall: number): string {
  return isoOf(wall).slice(0, 16).replace('T', ' ')
}

function isoOf(ms: number): string {
  return new Date(ms).toISOString()
}

function byTime(a: number, b: number): number {
  return a - b
}
