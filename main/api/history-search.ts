import type { ListedWindow } from '../../shared/contract/index.ts'
import type { RunInHistory } from '../runs/run-in-history.ts'

/** Whether every word that was typed occurs somewhere in what is known of a thing; capitals do not matter. */
export function textMatcher(text: string): (known: readonly string[]) => boolean {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean)
  if (words.length === 0) return () => true
  return known => {
    const all = known.join('\n').toLowerCase()
    return words.every(word => all.includes(word))
  }
}

/** Whether something that began and ended, or goes on, was under way between two times (the ends included). */
export function withinTimes(
  from: string | null,
  to: string | null,
  nowMs: number,
): (beganAt: string, endedAt: string | null) => boolean {
  const first = from === null ? Number.NEGATIVE_INFINITY : Date.parse(from)
  const last = to === null ? Number.POSITIVE_INFINITY : Date.parse(to)
  return (beganAt, endedAt) =>
    Date.parse(beganAt) <= last && (endedAt === null ? Math.max(nowMs, first) : Date.parse(endedAt)) >= first
}

/** The newest of both together, so many at most; a window counts from its beginning. */
export function newestFirst(
  runs: readonly RunInHistory[],
  windows: readonly ListedWindow[],
  limit: number,
): { readonly runs: readonly RunInHistory[]; readonly windows: readonly ListedWindow[]; readonly more: boolean } {
  const oldestShown = [
    ...runs.map(({ summary }) => Date.parse(summary.createdAt)),
    ...windows.map(({ window }) => Date.parse(window.startsAt)),
  ].toSorted((a, b) => b - a)[limit - 1]
  const byBegin = windows.toSorted((a, b) => Date.parse(b.window.startsAt) - Date.parse(a.window.startsAt))
  if (oldestShown === undefined) return { runs, windows: byBegin, more: false }
  // Two of the same moment never fall apart over the edge of a page.
  const shownRuns = runs.filter(({ summary }) => Date.parse(summary.createdAt) >= oldestShown)
  const shownWindows = byBegin.filter(({ window }) => Date.parse(window.startsAt) >= oldestShown)
  const shown = shownRuns.length + shownWindows.length
  return { runs: shownRuns, windows: shownWindows, more: shown < runs.length + windows.length }
}
