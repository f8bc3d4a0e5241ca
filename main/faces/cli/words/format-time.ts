import { durationWords } from '../../../../shared/grammar/durations.ts'

type Offset = (atMs: number) => number

/** The time of day of a moment on the operator's clock: `14:03:22`. */
export function timeOfDay(at: string, offsetMinutes: Offset): string {
  return local(at, offsetMinutes)?.slice(11, 19) ?? at
}

/** Date and time of a moment on the operator's clock: `2026-11-21 14:03:22`. */
export function dateAndTime(at: string, offsetMinutes: Offset): string {
  return local(at, offsetMinutes)?.slice(0, 19).replace('T', ' ') ?? at
}

/** The time between two moments in words. */
export function between(from: string, to: string): string {
  return durationWords(Date.parse(to) - Date.parse(from))
}

function local(at: string, offsetMinutes: Offset): string | null {
  const ms = Date.parse(at)
  return Number.isNaN(ms) ? null : new Date(ms + offsetMinutes(ms) * 60_000).toISOString()
}
