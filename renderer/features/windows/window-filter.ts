import type { ListedWindow } from '../../../shared/contract/index.ts'
import { standingAt } from '../../stores/windows.ts'

/** Which windows are looked at. */
export interface WindowFilter {
  /** Null: of all clusters. */
  readonly cluster: string | null
  /** `now`: planned, open, or over and not closed yet. `past`: closed or cancelled. */
  readonly when: 'now' | 'past'
}

const OF_NOW = new Set(['planned', 'open', 'overrunning', 'over'])

/** The windows that pass: what is coming by its beginning, what is past with the latest first. */
export function filteredWindows(
  list: readonly ListedWindow[],
  { cluster, when }: WindowFilter,
  nowMs: number,
): readonly ListedWindow[] {
  const passing = list.filter(
    each =>
      (cluster === null || each.window.cluster === cluster) && OF_NOW.has(standingAt(each, nowMs)) === (when === 'now'),
  )
  const direction = when === 'now' ? 1 : -1
  return passing.toSorted((a, b) => direction * (Date.parse(a.window.startsAt) - Date.parse(b.window.startsAt)))
}
