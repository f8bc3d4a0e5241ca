import { create } from 'zustand'
import { persist } from 'zustand/middleware'
import { keptInTab, oneOf } from './kept-in-tab.ts'

/** How the windows are drawn: a week of days, or bars over so much time. */
export const WINDOW_VIEWS = ['calendar', 'day', 'week', 'month'] as const
export type WindowView = (typeof WINDOW_VIEWS)[number]

/** How the windows of all clusters are looked at. */
export interface WindowsLook {
  readonly view: WindowView
  /** Null: of all clusters. */
  readonly cluster: string | null
  /** `now`: planned, open, or over and not closed yet. `past`: closed or cancelled. */
  readonly when: 'now' | 'past'
  /** How many spans of time from now; negative: earlier. */
  readonly shift: number
}

/** Further than this nobody looks. */
const MOST_SHIFT = 520

export const useWindowsLook = create<WindowsLook>()(
  persist(
    (): WindowsLook => ({ view: 'calendar', cluster: null, when: 'now', shift: 0 }),
    keptInTab(
      'windows',
      store => store,
      kept => ({
        ...oneOf(kept, 'view', WINDOW_VIEWS),
        ...oneOf(kept, 'when', ['now', 'past'] as const),
        ...(typeof kept.cluster === 'string' ? { cluster: kept.cluster } : {}),
        ...(typeof kept.shift === 'number' && Math.abs(kept.shift) <= MOST_SHIFT ? { shift: kept.shift } : {}),
      }),
    ),
  ),
)

export function lookAtWindows(change: Partial<WindowsLook>): void {
  useWindowsLook.setState(change)
}
