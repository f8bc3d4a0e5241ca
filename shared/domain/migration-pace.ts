import { minutes, seconds } from './durations.ts'
import type { InstanceAttempt } from './instance-attempts.ts'
import type { StepView } from './run.ts'
import { historyOfFacts } from './run-history.ts'

/** How what is still to be copied fell in the current attempt of a migration. */
export interface MigrationPace {
  /** What was left at each look, as part of the whole, 0 to 1. */
  readonly left: readonly { readonly at: string; readonly share: number }[]
  /** Bytes less to copy in a second, of late; null: it does not fall, or was looked at once. */
  readonly bytesPerSecond: number | null
  /** When nothing would be left at that pace; null without one. */
  readonly endAt: string | null
}

/** Of so many looks the pace is taken: what was copied minutes ago tells nothing of an instance that writes more now. */
const OF_LATE = 5

/** The pace of an attempt; null where nothing was told of its memory. */
function paceOf({ copies }: Pick<InstanceAttempt, 'copies'>): MigrationPace | null {
  const last = copies.at(-1)
  if (last === undefined) return null
  const left = copies.map(({ at, remaining, total }) => ({ at, share: Math.min(1, remaining / total) }))
  const first = copies.at(-OF_LATE) ?? copies[0] ?? last
  const leastBefore = Math.min(...copies.slice(0, copies.indexOf(first) + 1).map(({ remaining }) => remaining))
  const least = copies.reduce((min, { remaining }) => Math.min(min, remaining), last.remaining)
  const ms = Date.parse(last.at) - Date.parse(first.at)
  // What rises again is another pass over the memory: only less than ever before brings the end nearer.
  const fell = last.remaining > least ? 0 : leastBefore - least
  if (ms <= 0 || fell <= 0) return { left, bytesPerSecond: null, endAt: null }
  const endMs = Date.parse(last.at) + (last.remaining / fell) * ms
  return { left, bytesPerSecond: (fell / ms) * 1000, endAt: new Date(endMs).toISOString() }
}

/** The pace of each migration of a step that memory was told of, by its subject. */
export function migrationPaces(step: Pick<StepView, 'facts'>): ReadonlyMap<string, MigrationPace> {
  return new Map(
    [...historyOfFacts(step).instances.values()].flatMap(({ id, attempts }) => {
      const last = attempts.at(-1)
      const pace = last === undefined ? null : paceOf(last)
      return pace === null ? [] : [[`server/${id}`, pace] as const]
    }),
  )
}

/**
 * Whether a migration gets done. `not-converging`: it copies, and the instance writes as fast, so no end is in sight; `still`: nothing of it is copied, or Nova tells
 * nothing.
 */
export type Copying = 'copying' | 'not-converging' | 'still'

/** Whether an attempt gets done, by what was told of it. */
export function copyingOf({ stalled, slope, copies, end }: InstanceAttempt): Copying {
  if (end !== null || !(stalled || slope === 'not-converging')) return 'copying'
  const late = new Set(copies.slice(-OF_LATE).map(({ remaining }) => remaining))
  return late.size > 1 ? 'not-converging' : 'still'
}

/** What was left to copy of a migration when it was looked at; null: Nova told nothing of it. */
export interface CopyLook {
  readonly atMs: number
  readonly remaining: number | null
}

/**
 * How a live migration gets on. QEMU passes over memory again and again, and what is left jumps up with each pass: the least that was ever left is
 * judged, not the last.
 */
export interface MigrationSlope {
  /** `silent`: Nova tells nothing of it. */
  readonly kind: 'moving' | 'converging-slowly' | 'not-converging' | 'silent'
  /** The least that was left; null: nothing was told. */
  readonly bytesLeft: number | null
  /** By how much the least fell in a second, of late; null: it did not. */
  readonly bytesPerSecond: number | null
  /** When nothing would be left at that rate; null without one. */
  readonly endsAtMs: number | null
  /** When it got on last: it began, or less was left than ever before. */
  readonly gotOnAtMs: number
}

/** What falls no more for so long does not converge. */
const STILL_MS = minutes(1)
/** A migration that would take longer than this converges slowly. */
const SLOW_MS = minutes(10)
/** Nothing was told for so long: silence. */
const SILENT_MS = seconds(30)
/** The rate is taken over this time. */
const RATE_MS = minutes(2)

/** How a live migration that began at a time gets on now, by what was left at each look since, oldest first. */
export function migrationSlope(beganMs: number, looks: readonly CopyLook[], nowMs: number): MigrationSlope {
  const lows: { readonly atMs: number; readonly remaining: number }[] = []
  let reportedAtMs = beganMs
  for (const { atMs, remaining } of looks) {
    if (remaining === null) continue
    reportedAtMs = atMs
    const least = lows.at(-1)
    if (least === undefined || remaining < least.remaining) lows.push({ atMs, remaining })
  }
  const last = lows.at(-1)
  if (last === undefined || nowMs - reportedAtMs > SILENT_MS) {
    const gotOnAtMs = last?.atMs ?? beganMs
    const kind = nowMs - reportedAtMs > SILENT_MS ? 'silent' : 'moving'
    return { kind, bytesLeft: last?.remaining ?? null, bytesPerSecond: null, endsAtMs: null, gotOnAtMs }
  }
  // The rate runs to now: time in which nothing fell counts.
  const from = lows.findLast(({ atMs }) => nowMs - atMs >= RATE_MS) ?? lows[0]
  const fell = from === undefined ? 0 : from.remaining - last.remaining
  const ms = from === undefined ? 0 : nowMs - from.atMs
  const bytesPerSecond = fell > 0 && ms > 0 ? (fell / ms) * 1000 : null
  const endsAtMs = bytesPerSecond === null ? null : nowMs + (last.remaining / bytesPerSecond) * 1000
  const reported = { bytesLeft: last.remaining, bytesPerSecond, endsAtMs, gotOnAtMs: last.atMs }
  if (nowMs - last.atMs > STILL_MS) return { kind: 'not-converging', ...reported }
  return { kind: endsAtMs !== null && endsAtMs - nowMs > SLOW_MS ? 'converging-slowly' : 'moving', ...reported }
}
