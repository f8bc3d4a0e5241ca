import { z } from 'zod'

/** How far a server's clock is ahead of this machine's, within bounds; negative: behind. */
export interface ClockSkew {
  readonly leastMs: number
  readonly mostMs: number
}

/** How far a server's clock is ahead of this machine's, in milliseconds; negative: behind. */
export const MeasuredClock = z.strictObject({
  /** Its name in a sentence: `the API server`, `Keystone`, `Nova`. */
  server: z.string(),
  aheadMs: z.number(),
})
export type MeasuredClock = z.infer<typeof MeasuredClock>

/** The name of the API server in sentences; its clock is recorded under this name. */
export const API_SERVER = 'the API server'

/** From this difference on, Lockkeeper shows it and starts nothing without a reason from the operator. */
const SKEW_SHOWN_MS = 5_000
export const SKEW_REFUSED_MS = 30_000

/** A slower answer is too uncertain for an estimate. */
const WIDE_MS = 4_000

/**
 * Applies one more answer: its Date header has whole seconds and was written between our request and our receipt. Bounds of answers narrow each
 * other; a contradicting answer means that a clock was set, and restarts the measurement.
 */
export function narrowedSkew(
  known: ClockSkew | null,
  answer: { readonly serverMs: number; readonly sentAtMs: number; readonly receivedAtMs: number },
): ClockSkew {
  const { serverMs, sentAtMs, receivedAtMs } = answer
  const now = { leastMs: serverMs - receivedAtMs, mostMs: serverMs + 1_000 - sentAtMs }
  if (known === null) return now
  const both = { leastMs: Math.max(known.leastMs, now.leastMs), mostMs: Math.min(known.mostMs, now.mostMs) }
  return both.leastMs <= both.mostMs ? both : now
}

/** The best estimate in milliseconds; with wide bounds only the certain part, so that a slow answer makes no clock wrong. */
export function skewMs({ leastMs, mostMs }: ClockSkew): number {
  if (mostMs - leastMs <= WIDE_MS) return Math.round((leastMs + mostMs) / 2)
  return Math.round(Math.max(leastMs, Math.min(mostMs, 0)))
}

export function isApart({ aheadMs }: MeasuredClock): boolean {
  return Math.abs(aheadMs) >= SKEW_SHOWN_MS
}

/** Whether a clock changed by a visible amount since the last report, or was never reported. */
export function isNewOf(reported: readonly MeasuredClock[], now: readonly MeasuredClock[]): boolean {
  return now.some(({ server, aheadMs }) => {
    const before = reported.find(clock => clock.server === server)
    return before === undefined || Math.abs(aheadMs - before.aheadMs) >= SKEW_SHOWN_MS
  })
}
