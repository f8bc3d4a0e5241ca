/** Screen, terminal, report and all texts use these functions, so that a duration reads the same everywhere. */

/** `under 1 s`, `42 s`, `3 min 5 s`, `2 h 5 min`, `1 d 2 h`: its two largest units, the second only if not zero. */
export function durationWords(ms: number): string {
  if (ms < 1000) return 'under 1 s'
  const total = Math.round(ms / 1000)
  const units: readonly (readonly [number, string])[] = [
    [Math.floor(total / 86_400), 'd'],
    [Math.floor(total / 3600) % 24, 'h'],
    [Math.floor(total / 60) % 60, 'min'],
    [total % 60, 's'],
  ]
  const first = units.findIndex(([amount]) => amount > 0)
  return units
    .slice(first, first + 2)
    .filter(([amount]) => amount > 0)
    .map(([amount, unit]) => `${amount} ${unit}`)
    .join(' ')
}

/** `2 min 3 s`. */
export function betweenWords(fromAt: string, toAt: string): string {
  return durationWords(Date.parse(toAt) - Date.parse(fromAt))
}

/** Seconds below a minute, then whole elapsed minutes: `12 s`, `3 min`, `2 h 5 min`. */
export function ageWords(ms: number): string {
  return durationWords(ms < MINUTE_MS ? Math.floor(ms / 1000) * 1000 : Math.floor(ms / MINUTE_MS) * MINUTE_MS)
}

/** Rounds up to whole seconds, so that nothing takes longer than announced. */
export function atMostWords(ms: number): string {
  return durationWords(Math.ceil(ms / 1000) * 1000)
}

/** `3 s to 4 s`, or `3 s` if both read the same. */
export function spanWords(lowMs: number, highMs: number): string {
  const [low, high] = [durationWords(lowMs), durationWords(highMs)]
  return low === high ? low : `${low} to ${high}`
}

/** The same in a column of a table: `3–4 s`, `50 s – 1 min 5 s`. */
export function rangeWords(lowMs: number, highMs: number): string {
  const [low, high] = [durationWords(lowMs), durationWords(highMs)]
  const [amount, unit] = low.split(' ')
  if (low === high) return low
  return /^\d+ \w+$/.test(low) && /^\d+ \w+$/.test(high) && high.endsWith(` ${unit}`)
    ? `${amount}–${high}`
    : `${low} – ${high}`
}

/** From ten minutes on in whole minutes, because no hour is exact to the second. */
export function estimateWords(lowMs: number, highMs: number): string {
  return spanWords(coarse(lowMs), coarse(highMs))
}

function coarse(ms: number): number {
  return ms < 10 * MINUTE_MS ? ms : Math.round(ms / MINUTE_MS) * MINUTE_MS
}

const MINUTE_MS = 60_000
