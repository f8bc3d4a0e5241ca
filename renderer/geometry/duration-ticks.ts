const SECOND = 1000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE
/** Steps that read well on an axis of durations. */
const STEPS_MS = [
  ...[1, 2, 5, 10, 15, 30].map(count => count * SECOND),
  ...[1, 2, 5, 10, 15, 30].map(count => count * MINUTE),
  ...[1, 2, 3, 6, 12, 24].map(count => count * HOUR),
]
const MOST_STEPS = 5

/** The marks of an axis from zero to the longest duration; the last mark is not below it. */
export function durationTicks(longestMs: number): readonly number[] {
  const day = 24 * HOUR
  const step = STEPS_MS.find(each => longestMs <= each * MOST_STEPS) ?? Math.ceil(longestMs / MOST_STEPS / day) * day
  return Array.from({ length: Math.max(1, Math.ceil(longestMs / step)) + 1 }, (_, at) => at * step)
}
