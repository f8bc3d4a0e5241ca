import { z } from 'zod'

/** How far a server's clock is ahead of ours, within bounds; negative: behind. */
export interface ClockSkew {
  readonly leastMs: number
  readonly mostMs: number
}

/** The clock of one server against this machine's: how far it is ahead, in milliseconds; negative: behind. */
export const MeasuredClock = z.strictObject({
  /** As an operator calls it, in a sentence: `the API server`, `Keystone`, `Nova`. */
  server: z.string(),
  aheadMs: z.number(),
})
export type MeasuredClock = z.infer<typeof MeasuredClock>

/** What operators know the API server by, in a sentence; its clock is measured under this name. */
export const API_SERVER = 'the API server'

/** From here on a difference is shown, and from here on nothing is begun without a reason given. */
const SKEW_SHOWN_MS = 5_000
export const SKEW_REFUSED_MS = 30_000

/** An answer that was longer on its way leaves too much open for a guess. */
const WIDE_MS = 4_000

/**
 * What one more answer tells: the Date header counts whole seconds, and was written between our sending and our hearing. Bounds of answers
 * narrow each other; an answer that contradicts them means that a clock was set, and begins anew.
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

/** The best single guess, in milliseconds; of wide bounds what is certain: a slow answer makes no clock wrong. */
export function skewMs({ leastMs, mostMs }: ClockSkew): number {
  if (mostMs - leastMs <= WIDE_MS) return Math.round((leastMs + mostMs) / 2)
  return Math.round(Math.max(leastMs, Math.min(mostMs, 0)))
}

/** Whether a difference is worth an operator's attention. */
export function isApart({ aheadMs }: MeasuredClock): boolean {
  return Math.abs(aheadMs) >= SKEW_SHOWN_MS
}

/** Whether one of these clocks went off against what was told before by as much as is shown, or was not told of at all. */
export function isNewOf(reported: readonly MeasuredClock[], now: readonly MeasuredClock[]): boolean {
  return now.some(({ server, aheadMs }) => {
    const before = reported.find(clock => clock.server === server)
    return before === undefined || Math.abs(aheadMs - before.aheadMs) >= SKEW_SHOWN_MS
  })
}
