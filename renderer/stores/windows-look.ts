import { create } from 'zustand'
import { persist } from 'zustand/middleware'
import { keptInTab, oneOf } from './kept-in-tab.ts'

/** How much of the calendar is shown. */
export const WINDOW_VIEWS = ['week', 'month'] as const
export type WindowView = (typeof WINDOW_VIEWS)[number]

/** How the schedule is displayed. */
export interface ScheduleDisplay {
  readonly view: WindowView
  /** Null means all clusters. */
  readonly cluster: string | null
  /** How many weeks or months from now; negative: earlier. */
  readonly shift: number
}

/** Nobody looks further than this. */
const MOST_SHIFT = 520

export const useScheduleDisplay = create<ScheduleDisplay>()(
  persist(
    (): ScheduleDisplay => ({ view: 'week', cluster: null, shift: 0 }),
    keptInTab(
      'windows',
      store => store,
      kept => ({
        ...oneOf(kept, 'view', WINDOW_VIEWS),
        ...(typeof kept.cluster === 'string' ? { cluster: kept.cluster } : {}),
        ...(typeof kept.shift === 'number' && Math.abs(kept.shift) <= MOST_SHIFT ? { shift: kept.shift } : {}),
      }),
    ),
  ),
)

export function lookAtWindows(change: Partial<ScheduleDisplay>): void {
  useScheduleDisplay.setState(change)
}
