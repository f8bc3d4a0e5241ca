import type { MeasuredClock } from '../domain/clock-skew.ts'

/** How far a clock is off, in a few words: `7.3 s ahead`. */
export function apartWords(aheadMs: number): string {
  return `${(Math.abs(aheadMs) / 1000).toFixed(1)} s ${aheadMs < 0 ? 'behind' : 'ahead'}`
}

/** How far a clock is off, in a sentence. */
export function clockWords({ server, aheadMs }: MeasuredClock): string {
  return `The clock of ${server} is ${apartWords(aheadMs)}${aheadMs < 0 ? '' : ' of'} this machine's.`
}
