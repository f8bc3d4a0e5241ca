import { z } from 'zod'

/** Bounds of how far a server's clock is ahead of this machine's; negative: behind. */
export interface ClockSkew {
  readonly leastMs: number
  readonly mostMs: number
}

/** Milliseconds; negative if it is behind. */
export const MeasuredClock = z.strictObject({
  /** The name within a sentence: `the API server`, `Keystone`, `Nova`. */
  server: z.string(),
  aheadMs: z.number(),
})
export type MeasuredClock = z.infer<typeof MeasuredClock>

export const API_SERVER = 'the API server'

/** From here on Lockkeeper shows it, and from `SKEW_REFUSED_MS` starts nothing without a reason. */
const SKEW_SHOWN_MS = 5_000
export const SKEW_REFUSED_MS = 30_000

/** A slower answer is too uncertain for an estimate. */
const WIDE_MS = 4_000

/** One more Date header, in whole seconds, narrows the bounds; a contradicting one means that a clock was set, and restarts the measurement. */
export function narrowedSkew(
  known: ClockSkew | null,
  answer: { readonly serverMs: number; readonly sentAtMs: number; readonly receivedAtMs: number },
): ClockSkew {
  const { serverMs, sentAtMs, receivedAtMs } = answer
  const now = { leastMs: serverMs - receivedAtMs, mostMs: serverMs + 1_000 - sentAtMs }
  if (known === null) return now
  const narrowed = { leastMs: Math.max(known.leastMs, now.leastMs), mostMs: Math.min(known.mostMs, now.mostMs) }
  return narrowed.leastMs <= narrowed.mostMs ? narrowed : now
}

/** With wide bounds only the certain part, so that a slow answer makes no clock wrong. */
export function skewMs({ leastMs, mostMs }: ClockSkew): number {
  if (mostMs - leastMs <= WIDE_MS) return Math.round((leastMs + mostMs) / 2)
  return Math.round(Math.max(leastMs, Math.min(mostMs, 0)))
}

export function isApart({ aheadMs }: MeasuredClock): boolean {
  return Math.abs(aheadMs) >= SKEW_SHOWN_MS
}

/** A clock changed visibly since the last report, or was never reported. */
export function isNewOf(reported: readonly MeasuredClock[], now: readonly MeasuredClock[]): boolean {
  return now.some(({ server, aheadMs }) => {
    const before = reported.find(clock => clock.server === server)
    return before === undefined || Math.abs(aheadMs - before.aheadMs) >= SKEW_SHOWN_MS
  })
}
