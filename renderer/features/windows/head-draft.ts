import type { MaintenanceWindow, WindowDraft } from '../../../shared/domain/window.ts'
import { durationWords } from '../../../shared/grammar/durations.ts'
import { zonedWall } from '../../../shared/grammar/times.ts'
import { readZonedTime } from '../../../shared/grammar/written-time.ts'

/** Which of two instants is meant when clocks show a time twice. */
export type Occurrence = 'first' | 'second'

/** The fields of a window beside its plan, as edited; times as the clocks of `timeZone` show them. */
export interface HeadDraft {
  readonly cluster: string
  readonly title: string
  readonly ticket: string
  /** `2026-11-21 22:00`. */
  readonly startWall: string
  readonly startOccurrence: Occurrence
  /** `4 h`, `90 min`, `1 h 30 min`. */
  readonly length: string
  readonly timeZone: string
  readonly notes: string
}

/** A typed time with its instant; null if invalid, and the words say why. */
interface ReadTime {
  readonly at: string | null
  /** The message about it; empty if there is none. */
  readonly words: string
  readonly isTwice: boolean
}

/** The window of a draft, or what is still missing. */
export type HeadReading =
  | { readonly kind: 'ready'; readonly head: Omit<WindowDraft, 'plan'> }
  | { readonly kind: 'unfinished'; readonly problems: readonly string[] }

const HOUR_MS = 3_600_000

/** A window at a given time, or of four hours from the next full hour, on this operator's clocks. */
export function newHead(
  cluster: string,
  nowMs: number,
  timeZone: string,
  times: { readonly startsAt: string; readonly endsAt: string } | null = null,
): HeadDraft {
  const startMs = Math.ceil(nowMs / HOUR_MS) * HOUR_MS
  const { startsAt, endsAt } =
    times !== null && Date.parse(times.endsAt) > Date.parse(times.startsAt)
      ? times
      : { startsAt: new Date(startMs).toISOString(), endsAt: new Date(startMs + 4 * HOUR_MS).toISOString() }
  return { cluster, title: '', ticket: '', ...wallsOf(startsAt, endsAt, timeZone), timeZone, notes: '' }
}

/** A window as a draft, in its own zone. */
export function headDraftOf(window: MaintenanceWindow): HeadDraft {
  const { cluster, title, ticket, startsAt, endsAt, timeZone, notes } = window
  return { cluster, title, ticket, ...wallsOf(startsAt, endsAt, timeZone), timeZone, notes }
}

function wallsOf(startsAt: string, endsAt: string, timeZone: string) {
  return {
    startWall: zonedWall(startsAt, timeZone),
    startOccurrence: occurrenceOf(startsAt, timeZone),
    length: durationWords(Date.parse(endsAt) - Date.parse(startsAt)),
  }
}

/** The same instants on the clocks of another zone. */
export function inZone(draft: HeadDraft, timeZone: string): HeadDraft {
  const { at } = startOf(draft)
  if (at === null) return { ...draft, timeZone }
  return { ...draft, timeZone, startWall: zonedWall(at, timeZone), startOccurrence: occurrenceOf(at, timeZone) }
}

/** The instant of the start. */
export function startOf({ startWall, startOccurrence, timeZone }: HeadDraft): ReadTime {
  if (startWall.trim() === '')
    return { at: null, words: 'Enter a date and a time, as 2026-11-22 22:00.', isTwice: false }
  const reading = readZonedTime(startWall, timeZone)
  switch (reading.kind) {
    case 'one':
      return { at: reading.at, words: '', isTwice: false }
    case 'twice':
      return {
        at: reading[startOccurrence],
        // The hint how to type it is for a command line; here it is chosen.
        words: reading.words.split(' Write ')[0] ?? reading.words,
        isTwice: true,
      }
    case 'never':
    case 'unreadable':
      return { at: null, words: reading.words, isTwice: false }
  }
}

const UNIT_MS: Readonly<Record<string, number>> = { d: 24 * HOUR_MS, h: HOUR_MS, min: 60_000, m: 60_000 }

/** A length as typed; a number alone is hours. Null if it is not a length. */
export function lengthMs(length: string): number | null {
  const typed = length.trim()
  if (/^\d+(\.\d+)?$/.test(typed)) return Number(typed) > 0 ? Math.round(Number(typed) * 60) * 60_000 : null
  if (!/^(\d+\s*(d|h|min|m)\s*)+$/.test(typed)) return null
  const ms = [...typed.matchAll(/(\d+)\s*(d|h|min|m)/g)].reduce(
    (sum, [, amount = '', unit = '']) => sum + Number(amount) * (UNIT_MS[unit] ?? 0),
    0,
  )
  return ms > 0 ? ms : null
}

/** The times of a draft; null while they are incomplete. */
export function timesOf(draft: HeadDraft): { readonly startsAt: string; readonly endsAt: string } | null {
  const { at } = startOf(draft)
  const ms = lengthMs(draft.length)
  return at === null || ms === null ? null : { startsAt: at, endsAt: new Date(Date.parse(at) + ms).toISOString() }
}

export function readHead(draft: HeadDraft): HeadReading {
  const start = startOf(draft)
  const times = timesOf(draft)
  const problems = [
    ...(draft.cluster === '' ? ['Choose the cloud.'] : []),
    ...(draft.title.trim() === '' ? ['Enter a name.'] : []),
    ...(start.at === null ? [`Start: ${start.words}`] : []),
    ...(lengthMs(draft.length) === null ? ['Enter a length, as 4 h or 90 min.'] : []),
  ]
  if (problems.length > 0 || times === null) return { kind: 'unfinished', problems }
  const { cluster, title, ticket, timeZone, notes } = draft
  return { kind: 'ready', head: { cluster, title: title.trim(), ticket: ticket.trim(), ...times, timeZone, notes } }
}

/** Which of the two instants it is when clocks show this time twice. */
function occurrenceOf(at: string, timeZone: string): Occurrence {
  const reading = readZonedTime(zonedWall(at, timeZone), timeZone)
  return reading.kind === 'twice' && Date.parse(reading.second) === Date.parse(at) ? 'second' : 'first'
}
