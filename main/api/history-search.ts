import type { ListedWindow } from '../../shared/contract/index.ts'
import type { RunInHistory } from '../runs/run-in-history.ts'

/** Whether every typed word occurs in the texts of a thing, ignoring case. */
export function textMatcher(text: string): (known: readonly string[]) => boolean {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean)
  if (words.length === 0) return () => true
  return known => {
    const all = known.join('\n').toLowerCase()
    return words.every(word => all.includes(word))
  }
}

/** Whether a finished or running thing overlaps a period (ends included). */
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

/** The newest of both lists, up to a maximum; a window counts from its start. */
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
  // Entries of the same moment stay on one page.
  const shownRuns = runs.filter(({ summary }) => Date.parse(summary.createdAt) >= oldestShown)
  const shownWindows = byBegin.filter(({ window }) => Date.parse(window.startsAt) >= oldestShown)
  const shown = shownRuns.length + shownWindows.length
  return { runs: shownRuns, windows: shownWindows, more: shown < runs.length + windows.length }
}
