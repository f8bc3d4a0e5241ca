import { firstWords } from './first-words.ts'

/** An instant as operators read it, `2026-11-22 12:27:59 UTC`; what is none is shown as it came. For sentences that are kept or that no face formats. */
export function instantWords(at: string): string {
  const ms = Date.parse(at)
  return Number.isNaN(ms) ? firstWords(at, 40) : `${new Date(ms).toISOString().slice(0, 19).replace('T', ' ')} UTC`
}
