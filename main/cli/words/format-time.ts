type Offset = (atMs: number) => number

/** The time of day of a moment on the operator's clock: `14:03:22`. */
export function timeOfDay(at: string, offsetMinutes: Offset): string {
  return local(at, offsetMinutes)?.slice(11, 19) ?? at
}

/** Date and time of a moment on the operator's clock: `2026-11-21 14:03:22`. */
export function dateAndTime(at: string, offsetMinutes: Offset): string {
  return local(at, offsetMinutes)?.slice(0, 19).replace('T', ' ') ?? at
}

/** A length of time in words: `under 1 s`, `42 s`, `3 min 05 s`, `1 h 02 min`. */
export function duration(ms: number): string {
  const seconds = Math.floor(Math.max(0, ms) / 1000)
  if (seconds < 1) return 'under 1 s'
  if (seconds < 60) return `${seconds} s`
  const minutes = Math.floor(seconds / 60)
  if (minutes < 60) return `${minutes} min ${two(seconds % 60)} s`
  return `${Math.floor(minutes / 60)} h ${two(minutes % 60)} min`
}

/** The time between two moments in words. */
export function between(from: string, to: string): string {
  return duration(Date.parse(to) - Date.parse(from))
}

function local(at: string, offsetMinutes: Offset): string | null {
  const ms = Date.parse(at)
  return Number.isNaN(ms) ? null : new Date(ms + offsetMinutes(ms) * 60_000).toISOString()
}

function two(amount: number): string {
  return String(amount).padStart(2, '0')
}
