/** How far a server's clock is ahead of ours, within bounds; negative: behind. */
export interface ClockSkew {
  readonly leastMs: number
  readonly mostMs: number
}

/** From here on a difference is shown, and from here on nothing is begun without a reason given. */
export const SKEW_SHOWN_MS = 5_000
export const SKEW_REFUSED_MS = 30_000

/**
 * What one more answer tells: the Date header counts whole seconds, and was written between our sending and our hearing. Bounds of answers
 * narrow each other; an answer that contradicts them means that a clock was set, and begins anew.
 */
export function narrowedSkew(
  known: ClockSkew | null,
  answer: { readonly serverMs: number; readonly sentAtMs: number; readonly heardAtMs: number },
): ClockSkew {
  const { serverMs, sentAtMs, heardAtMs } = answer
  const now = { leastMs: serverMs - heardAtMs, mostMs: serverMs + 1_000 - sentAtMs }
  if (known === null) return now
  const both = { leastMs: Math.max(known.leastMs, now.leastMs), mostMs: Math.min(known.mostMs, now.mostMs) }
  return both.leastMs <= both.mostMs ? both : now
}

/** The best single guess, in milliseconds. */
export function skewMs({ leastMs, mostMs }: ClockSkew): number {
  return Math.round((leastMs + mostMs) / 2)
}

/** What a difference between the clocks means to an operator; null while it is too small to be told. */
export function skewWords(server: string, ms: number | null): string | null {
  if (ms === null || Math.abs(ms) < SKEW_SHOWN_MS) return null
  const apart = (Math.abs(ms) / 1000).toFixed(1)
  return `The clock of ${server} is ${apart} s ${ms > 0 ? 'ahead of' : 'behind'} this machine's. Times in the journal are this machine's.`
}
