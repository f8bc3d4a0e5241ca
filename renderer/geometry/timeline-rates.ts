import type { UpdateTimeline } from '../../shared/domain/update.ts'

/** Migrations per minute, up to a moment. Null if unknown. */
interface RatePoint {
  readonly atMs: number
  readonly perMinute: number | null
}

const LEAST_BUCKET_MS = 60_000
const MOST_BUCKETS = 60

/**
 * The rate of migrations, in stretches of at least a minute. It is unknown where the count is unknown or restarts because another
 * process reports it.
 */
export function migrationRates(samples: UpdateTimeline['samples']): readonly RatePoint[] {
  const first = samples[0]
  const last = samples.at(-1)
  if (first === undefined || last === undefined) return []
  const fromMs = Date.parse(first.at)
  const bucket = Math.max(LEAST_BUCKET_MS, Math.ceil((Date.parse(last.at) - fromMs) / MOST_BUCKETS))
  const points: RatePoint[] = []
  let begin = { ms: fromMs, done: first.migrationsDone }
  samples.forEach((sample, index) => {
    const ms = Date.parse(sample.at)
    const isLast = index === samples.length - 1
    if (ms - begin.ms < bucket && !(isLast && ms > begin.ms)) return
    const known = begin.done !== null && sample.migrationsDone !== null && sample.migrationsDone >= begin.done
    const amount = known ? (sample.migrationsDone ?? 0) - (begin.done ?? 0) : null
    // A short last stretch counts as a whole minute, so that one migration in a second is not sixty.
    points.push({ atMs: ms, perMinute: amount === null ? null : amount / (Math.max(bucket, ms - begin.ms) / 60_000) })
    begin = { ms, done: sample.migrationsDone }
  })
  return points
}
