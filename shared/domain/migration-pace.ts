import { minutes, seconds } from './durations.ts'
import type { InstanceAttempt } from './instance-attempts.ts'
import type { StepView } from './run.ts'
import { historyOfFacts } from './run-history.ts'

interface MigrationPace {
  readonly left: readonly { readonly at: string; readonly share: number }[]
  /** How fast the remaining copy shrank recently; null if it does not shrink, or was observed only once. */
  readonly bytesPerSecond: number | null
  /** Null if there is no pace. */
  readonly endAt: string | null
}

/** Older observations say nothing about an instance that writes more now. */
const OF_LATE = 5

function paceOf({ copies }: Pick<InstanceAttempt, 'copies'>): MigrationPace | null {
  const last = copies.at(-1)
  if (last === undefined) return null
  const left = copies.map(({ at, remaining, total }) => ({ at, share: Math.min(1, remaining / total) }))
  const first = copies.at(-OF_LATE) ?? copies[0] ?? last
  const leastBefore = Math.min(...copies.slice(0, copies.indexOf(first) + 1).map(({ remaining }) => remaining))
  const least = copies.reduce((min, { remaining }) => Math.min(min, remaining), last.remaining)
  const ms = Date.parse(last.at) - Date.parse(first.at)
  // A rise means another pass over the memory: only a new minimum brings the end nearer.
  const fell = last.remaining > least ? 0 : leastBefore - least
  if (ms <= 0 || fell <= 0) return { left, bytesPerSecond: null, endAt: null }
  const endMs = Date.parse(last.at) + (last.remaining / fell) * ms
  return { left, bytesPerSecond: (fell / ms) * 1000, endAt: new Date(endMs).toISOString() }
}

export function migrationPaces(step: Pick<StepView, 'facts'>): ReadonlyMap<string, MigrationPace> {
  return new Map(
    [...historyOfFacts(step).instances.values()].flatMap(({ id, attempts }) => {
      const last = attempts.at(-1)
      const pace = last === undefined ? null : paceOf(last)
      return pace === null ? [] : [[`server/${id}`, pace] as const]
    }),
  )
}

/** `not-converging`: the instance writes as fast as it copies; `still`: it copies nothing, or Nova does not report. */
export type Copying = 'copying' | 'not-converging' | 'still'

export function copyingOf({ stalled, slope, copies, end }: InstanceAttempt): Copying {
  if (end !== null || !(stalled || slope === 'not-converging')) return 'copying'
  const late = new Set(copies.slice(-OF_LATE).map(({ remaining }) => remaining))
  return late.size > 1 ? 'not-converging' : 'still'
}

/** One observation; null if Nova did not report the remaining copy. */
export interface CopyLook {
  readonly atMs: number
  readonly remaining: number | null
}

/** The remaining amount rises with each pass over memory, so the smallest amount counts. */
export interface MigrationSlope {
  /** `silent`: Nova does not report progress. */
  readonly kind: 'moving' | 'converging-slowly' | 'not-converging' | 'silent'
  /** The smallest remaining amount; null if not reported. */
  readonly bytesLeft: number | null
  readonly bytesPerSecond: number | null
  readonly endsAtMs: number | null
  /** Its start, or the last new minimum. */
  readonly progressedAtMs: number
}

/** Without a new minimum for this long, it does not converge. */
const STILL_MS = minutes(1)
const SLOW_MS = minutes(10)
const SILENT_MS = seconds(30)
const RATE_MS = minutes(2)
/** After that minute, a look that finds the least by chance shows no progress: only several in a row show that the copy shrinks again. */
const STEADY_LOOKS = 3

/** The progress, from observations, oldest first. */
export function migrationSlope(beganMs: number, looks: readonly CopyLook[], nowMs: number): MigrationSlope {
  const lows: { readonly atMs: number; readonly remaining: number }[] = []
  let reportedAtMs = beganMs
  let least = Number.POSITIVE_INFINITY
  let inARow = 0
  for (const { atMs, remaining } of looks) {
    if (remaining === null) continue
    reportedAtMs = atMs
    inARow = remaining < least ? inARow + 1 : 0
    least = Math.min(least, remaining)
    const isStill = atMs - (lows.at(-1)?.atMs ?? atMs) > STILL_MS
    if (inARow >= (isStill ? STEADY_LOOKS : 1)) lows.push({ atMs, remaining })
  }
  const last = lows.at(-1)
  if (last === undefined || nowMs - reportedAtMs > SILENT_MS) {
    const progressedAtMs = last?.atMs ?? beganMs
    const kind = nowMs - reportedAtMs > SILENT_MS ? 'silent' : 'moving'
    return { kind, bytesLeft: last === undefined ? null : least, bytesPerSecond: null, endsAtMs: null, progressedAtMs }
  }
  // The rate extends to now: time without progress counts.
  const from = lows.findLast(({ atMs }) => nowMs - atMs >= RATE_MS) ?? lows[0]
  const fell = from === undefined ? 0 : from.remaining - last.remaining
  const ms = from === undefined ? 0 : nowMs - from.atMs
  const bytesPerSecond = fell > 0 && ms > 0 ? (fell / ms) * 1000 : null
  const endsAtMs = bytesPerSecond === null ? null : nowMs + (last.remaining / bytesPerSecond) * 1000
  const pace = { bytesLeft: least, bytesPerSecond, endsAtMs, progressedAtMs: last.atMs }
  if (nowMs - last.atMs > STILL_MS) return { kind: 'not-converging', ...pace }
  return { kind: endsAtMs !== null && endsAtMs - nowMs > SLOW_MS ? 'converging-slowly' : 'moving', ...pace }
}
