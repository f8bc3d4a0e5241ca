import type { Span } from './estimate.ts'

export interface TimedWork {
  readonly name: string
  /** Null if not started. */
  readonly begunAt: string | null
  /** Null if unknown. */
  readonly span: Span | null
}

interface PartOfSchedule {
  readonly work: readonly TimedWork[]
  readonly atOnce: number
}

interface Schedule extends Span {
  /** They took longer than expected: their end is unknown, and they are not counted. */
  readonly overdue: readonly string[]
}

/** The one engine of every estimate. Null if a duration is unknown, or everything left is overdue. */
export function schedule(parts: readonly PartOfSchedule[], from: string | null): Schedule | null {
  const overdue: string[] = []
  let [lowMs, highMs, counted] = [0, 0, 0]
  for (const { work, atOnce } of parts) {
    const left: Span[] = []
    for (const { name, begunAt, span } of work.toSorted(
      (a, b) => Number(b.begunAt !== null) - Number(a.begunAt !== null),
    )) {
      if (span === null) return null
      const elapsedMs = begunAt === null || from === null ? 0 : Math.max(0, Date.parse(from) - Date.parse(begunAt))
      if (elapsedMs > span.highMs) {
        overdue.push(name)
        continue
      }
      counted += 1
      left.push({ lowMs: Math.max(0, span.lowMs - elapsedMs), highMs: span.highMs - elapsedMs })
    }
    lowMs += lastEnd(
      left.map(span => span.lowMs),
      atOnce,
    )
    highMs += lastEnd(
      left.map(span => span.highMs),
      atOnce,
    )
  }
  return counted === 0 && overdue.length > 0 ? null : { lowMs, highMs, overdue }
}

function lastEnd(durations: readonly number[], atOnce: number): number {
  const places = Array.from({ length: Math.max(1, atOnce) }, () => 0)
  for (const duration of durations) {
    const free = places.indexOf(Math.min(...places))
    places[free] = (places[free] ?? 0) + duration
  }
  return Math.max(...places)
}
