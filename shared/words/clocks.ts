import type { MeasuredClock } from '../domain/clock-skew.ts'

/** `7.3 s ahead` */
export function apartWords(aheadMs: number): string {
  return `${(Math.abs(aheadMs) / 1000).toFixed(1)} s ${aheadMs < 0 ? 'behind' : 'ahead'}`
}

export function clockWords({ server, aheadMs }: MeasuredClock): string {
  return `The clock of ${server} is ${apartWords(aheadMs)}${aheadMs < 0 ? '' : ' of'} this machine's.`
}
