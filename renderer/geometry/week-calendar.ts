import { zonedStamp } from '../../shared/grammar/times.ts'
import { readZonedTime } from '../../shared/grammar/written-time.ts'

/** A day of a zone: its date, and its first and last instant (23 to 25 hours). */
export interface CalendarDay {
  readonly date: string
  readonly fromMs: number
  readonly toMs: number
}

export interface Span {
  readonly fromMs: number
  readonly toMs: number
}

/** The part of a window that lies on one day; overlapping parts are side by side. */
export interface DayBlock {
  readonly id: string
  /** Hundredths of the day. */
  readonly topPercent: number
  readonly heightPercent: number
  readonly column: number
  readonly columns: number
  /** Whether the window ends on this day. */
  readonly hasEnd: boolean
}

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
/** Windows move in steps of this length. */
const STEP_MS = 15 * 60_000

/** The seven days, from Monday, of the week of an instant, or of a week before or after it. */
export function weekOf(atMs: number, weeks: number, zone: string): readonly CalendarDay[] {
  return daysFrom(mondayOf(dayOf(atMs, zone)) + weeks * 7 * DAY_MS, 7, zone)
}

/** The whole weeks of the month of an instant, or of a month before or after it. */
export function monthOf(
  atMs: number,
  months: number,
  zone: string,
): readonly (CalendarDay & { readonly isOther: boolean })[] {
  const today = new Date(dayOf(atMs, zone))
  const first = Date.UTC(today.getUTCFullYear(), today.getUTCMonth() + months, 1)
  const next = Date.UTC(today.getUTCFullYear(), today.getUTCMonth() + months + 1, 1)
  const monday = mondayOf(first)
  const weeks = Math.ceil((next - monday) / (7 * DAY_MS))
  const month = new Date(first).toISOString().slice(0, 7)
  return daysFrom(monday, weeks * 7, zone).map(day => ({ ...day, isOther: !day.date.startsWith(month) }))
}

function dayOf(atMs: number, zone: string): number {
  return Date.parse(`${(zonedStamp(atMs, zone) ?? '').slice(0, 10)}T00:00:00Z`)
}

function mondayOf(day: number): number {
  return day - ((new Date(day).getUTCDay() + 6) % 7) * DAY_MS
}

function daysFrom(first: number, count: number, zone: string): readonly CalendarDay[] {
  const dates = Array.from({ length: count + 1 }, (_, day) => new Date(first + day * DAY_MS).toISOString().slice(0, 10))
  return dates.slice(0, count).map((date, at) => ({
    date,
    fromMs: beginningOf(date, zone),
    toMs: beginningOf(dates[at + 1] ?? date, zone),
  }))
}

/** The first instant of a day; if the clocks skip midnight, the first time that they show. */
function beginningOf(date: string, zone: string): number {
  for (const time of ['00:00', '00:30', '01:00']) {
    const read = readZonedTime(`${date} ${time}`, zone)
    if (read.kind === 'one') return Date.parse(read.at)
    if (read.kind === 'twice') return Date.parse(read.first)
  }
  return Date.parse(`${date}T00:00:00Z`)
}

export function blocksOn(day: CalendarDay, spans: readonly (Span & { readonly id: string })[]): readonly DayBlock[] {
  const parts = spans
    .filter(span => span.fromMs < day.toMs && span.toMs > day.fromMs)
    .toSorted((a, b) => a.fromMs - b.fromMs || b.toMs - a.toMs)
  const blocks: DayBlock[] = []
  let group: (Span & { readonly id: string; readonly column: number })[] = []
  const settle = () => {
    const columns = Math.max(0, ...group.map(({ column }) => column)) + 1
    for (const { id, column, fromMs, toMs } of group) {
      const from = Math.max(fromMs, day.fromMs)
      const share = 100 / (day.toMs - day.fromMs)
      blocks.push({
        id,
        column,
        columns,
        topPercent: (from - day.fromMs) * share,
        heightPercent: (Math.min(toMs, day.toMs) - from) * share,
        hasEnd: toMs <= day.toMs,
      })
    }
    group = []
  }
  for (const part of parts) {
    if (group.every(({ toMs }) => toMs <= part.fromMs)) settle()
    const taken = new Set(group.filter(({ toMs }) => toMs > part.fromMs).map(({ column }) => column))
    let column = 0
    while (taken.has(column)) column++
    group.push({ ...part, column })
  }
  settle()
  return blocks
}

/** The instant at a place of a week's grid, both shares from 0 to 1; null without days. */
export function instantAt(days: readonly CalendarDay[], across: number, down: number): number | null {
  const day = days[Math.min(days.length - 1, Math.max(0, Math.floor(across * days.length)))]
  if (day === undefined) return null
  return day.fromMs + Math.min(1, Math.max(0, down)) * (day.toMs - day.fromMs)
}

/** A window with a new beginning and the same length. */
export function movedTo(span: Span, fromMs: number): Span {
  const snapped = Math.round(fromMs / STEP_MS) * STEP_MS
  return { fromMs: snapped, toMs: snapped + span.toMs - span.fromMs }
}

/** The time between two places of the grid, in whole steps. */
export function drawnSpan(aMs: number, bMs: number): Span {
  const fromMs = Math.floor(Math.min(aMs, bMs) / STEP_MS) * STEP_MS
  return { fromMs, toMs: Math.max(fromMs + STEP_MS, Math.ceil(Math.max(aMs, bMs) / STEP_MS) * STEP_MS) }
}

/** What a key does to a time that is being chosen: arrows move it by an hour or a day, with Shift they move its end; null if nothing. */
export function chosenSpan(span: Span, key: string, shift: boolean): Span | null {
  const by = { ArrowUp: -HOUR_MS, ArrowDown: HOUR_MS, ArrowLeft: -DAY_MS, ArrowRight: DAY_MS }[key]
  if (by === undefined) return null
  return shift
    ? { fromMs: span.fromMs, toMs: Math.max(span.fromMs + HOUR_MS, span.toMs + by) }
    : { fromMs: span.fromMs + by, toMs: span.toMs + by }
}

/** A chosen time, moved back into the shown week. */
export function keepInWeek({ fromMs, toMs }: Span, days: readonly CalendarDay[]): Span {
  const [first, last] = [days[0]?.fromMs ?? fromMs, days.at(-1)?.toMs ?? toMs]
  const by = fromMs < first ? first - fromMs : fromMs >= last ? last - HOUR_MS - fromMs : 0
  return { fromMs: fromMs + by, toMs: toMs + by }
}

/** A window with a new end, at least one step after its beginning. */
export function endingAt(span: Span, toMs: number): Span {
  return { fromMs: span.fromMs, toMs: Math.max(span.fromMs + STEP_MS, Math.round(toMs / STEP_MS) * STEP_MS) }
}

/** What a key with Alt does to a window: arrows move it, with Shift they move its end; null if the key does nothing. */
export function keyedSpan(span: Span, key: string, shift: boolean): Span | null {
  const by = { ArrowUp: -STEP_MS, ArrowDown: STEP_MS, ArrowLeft: -DAY_MS, ArrowRight: DAY_MS }[key]
  if (by === undefined) return null
  return shift
    ? { fromMs: span.fromMs, toMs: Math.max(span.fromMs + STEP_MS, span.toMs + by) }
    : { fromMs: span.fromMs + by, toMs: span.toMs + by }
}
