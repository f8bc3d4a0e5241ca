import type { ListedWindow } from '../../../shared/contract/index.ts'
import type { HistoryRun } from '../../../shared/contract/reports.ts'

export type HistoryRow =
  | {
      readonly kind: 'run'
      readonly key: string
      readonly at: string
      readonly run: HistoryRun
      readonly window: string | null
    }
  | { readonly kind: 'window'; readonly key: string; readonly at: string; readonly listed: ListedWindow }

/** Runs and windows in one list, newest first; a run has the title of its window if that was found too. */
export function historyRows(
  runs: readonly HistoryRun[],
  windows: readonly ListedWindow[],
  titleOf: (windowId: string) => string | null,
): readonly HistoryRow[] {
  const rows: readonly HistoryRow[] = [
    ...windows.map(
      (listed): HistoryRow => ({
        kind: 'window',
        key: `window ${listed.window.id}`,
        at: listed.window.startsAt,
        listed,
      }),
    ),
    ...runs.map(
      (run): HistoryRow => ({
        kind: 'run',
        key: `run ${run.id}`,
        at: run.createdAt,
        run,
        window: run.windowId === null ? null : titleOf(run.windowId),
      }),
    ),
  ]
  return rows.toSorted((a, b) => Date.parse(b.at) - Date.parse(a.at))
}
