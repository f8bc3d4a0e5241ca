/**
 * Lengths of time in words. Screen, terminal, report and every sentence that is kept take them from here, so that one duration reads the
 * same wherever it stands.
 */

/** A length of time: `under 1 s`, `42 s`, `3 min 5 s`, `2 h 5 min`, `1 d 2 h`: its two largest units, the second one only where it is not nothing. */
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

/** The time between two moments: `2 min 3 s`. */
export function betweenWords(fromAt: string, toAt: string): string {
  return durationWords(Date.parse(toAt) - Date.parse(fromAt))
}

/** How long ago or how old: seconds below a minute, then whole minutes that have passed: `12 s`, `3 min`, `2 h 5 min`. */
export function ageWords(ms: number): string {
  return durationWords(ms < MINUTE_MS ? Math.floor(ms / 1000) * 1000 : Math.floor(ms / MINUTE_MS) * MINUTE_MS)
}

/** The most that something may still take: a part of a second counts as a whole one, so that nothing takes longer than was said. */
export function atMostWords(ms: number): string {
  return durationWords(Math.ceil(ms / 1000) * 1000)
}

/** From one length of time to another, or the one where both read the same: `3 s to 4 s`, `3 s`. */
export function spanWords(lowMs: number, highMs: number): string {
  const [low, high] = [durationWords(lowMs), durationWords(highMs)]
  return low === high ? low : `${low} to ${high}`
}

/** The same of an estimate: from ten minutes on in whole minutes, for none of an hour is true to the second. */
export function estimateWords(lowMs: number, highMs: number): string {
  return spanWords(coarse(lowMs), coarse(highMs))
}

function coarse(ms: number): number {
  return ms < 10 * MINUTE_MS ? ms : Math.round(ms / MINUTE_MS) * MINUTE_MS
}

const MINUTE_MS = 60_000
