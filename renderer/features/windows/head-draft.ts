import type { MaintenanceWindow, WindowDraft } from '../../../shared/domain/window.ts'
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
  readonly endWall: string
  readonly startOccurrence: Occurrence
  readonly endOccurrence: Occurrence
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

/** A window of four hours from the next full hour, on this operator's clocks. */
export function newHead(cluster: string, nowMs: number, timeZone: string): HeadDraft {
  const startMs = Math.ceil(nowMs / HOUR_MS) * HOUR_MS
  return {
    cluster,
    title: '',
    ticket: '',
    startWall: zonedWall(new Date(startMs).toISOString(), timeZone),
    endWall: zonedWall(new Date(startMs + 4 * HOUR_MS).toISOString(), timeZone),
    startOccurrence: 'first',
    endOccurrence: 'first',
    timeZone,
    notes: '',
  }
}

/** A window as a draft, in its own zone. */
export function headDraftOf(window: MaintenanceWindow): HeadDraft {
  const { cluster, title, ticket, startsAt, endsAt, timeZone, notes } = window
  return {
    cluster,
    title,
    ticket,
    startWall: zonedWall(startsAt, timeZone),
    endWall: zonedWall(endsAt, timeZone),
    startOccurrence: occurrenceOf(startsAt, timeZone),
    endOccurrence: occurrenceOf(endsAt, timeZone),
    timeZone,
    notes,
  }
}

/** The same instants on the clocks of another zone. */
export function inZone(draft: HeadDraft, timeZone: string): HeadDraft {
  const start = timeOf(draft, 'start').at
  const end = timeOf(draft, 'end').at
  return {
    ...draft,
    timeZone,
    ...(start === null
      ? {}
      : { startWall: zonedWall(start, timeZone), startOccurrence: occurrenceOf(start, timeZone) }),
    ...(end === null ? {} : { endWall: zonedWall(end, timeZone), endOccurrence: occurrenceOf(end, timeZone) }),
  }
}

/** The instant of the beginning or the end. */
export function timeOf(draft: HeadDraft, which: 'start' | 'end'): ReadTime {
  const wall = which === 'start' ? draft.startWall : draft.endWall
  const occurrence = which === 'start' ? draft.startOccurrence : draft.endOccurrence
  if (wall.trim() === '') return { at: null, words: 'Enter a date and a time, as 2026-11-22 22:00.', isTwice: false }
  const reading = readZonedTime(wall, draft.timeZone)
  switch (reading.kind) {
    case 'one':
      return { at: reading.at, words: '', isTwice: false }
    case 'twice':
      return {
        at: reading[occurrence],
        // The hint how to type it is for a command line; here it is chosen.
        words: reading.words.split(' Write ')[0] ?? reading.words,
        isTwice: true,
      }
    case 'never':
    case 'unreadable':
      return { at: null, words: reading.words, isTwice: false }
  }
}

export function readHead(draft: HeadDraft): HeadReading {
  const start = timeOf(draft, 'start')
  const end = timeOf(draft, 'end')
  const problems = [
    ...(draft.cluster === '' ? ['Choose the cloud.'] : []),
    ...(draft.title.trim() === '' ? ['Enter a title.'] : []),
    ...(start.at === null ? [`Beginning: ${start.words}`] : []),
    ...(end.at === null ? [`End: ${end.words}`] : []),
    ...(start.at !== null && end.at !== null && Date.parse(end.at) <= Date.parse(start.at)
      ? ['The window must end after it begins.']
      : []),
  ]
  if (problems.length > 0 || start.at === null || end.at === null) return { kind: 'unfinished', problems }
  const { cluster, title, ticket, timeZone, notes } = draft
  return {
    kind: 'ready',
    head: { cluster, title: title.trim(), ticket: ticket.trim(), startsAt: start.at, endsAt: end.at, timeZone, notes },
  }
}

/** Which of the two instants it is when clocks show this time twice. */
function occurrenceOf(at: string, timeZone: string): Occurrence {
  const reading = readZonedTime(zonedWall(at, timeZone), timeZone)
  return reading.kind === 'twice' && Date.parse(reading.second) === Date.parse(at) ? 'second' : 'first'
}
