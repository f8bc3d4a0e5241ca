import { create } from 'zustand'
import { persist } from 'zustand/middleware'
import { keptInTab, oneOf } from './kept-in-tab.ts'

/** How the schedule is drawn: a calendar week, or bars over one of these spans. */
export const WINDOW_VIEWS = ['calendar', 'day', 'week', 'month'] as const
export type WindowView = (typeof WINDOW_VIEWS)[number]

/** How the schedule is displayed. */
export interface ScheduleDisplay {
  readonly view: WindowView
  /** Null means all clusters. */
  readonly cluster: string | null
  /** `now`: planned, open, or past its end and not closed. `past`: closed or cancelled. */
  readonly when: 'now' | 'past'
  /** How many spans of time from now; negative: earlier. */
  readonly shift: number
}

/** Nobody looks further than this. */
const MOST_SHIFT = 520

export const useScheduleDisplay = create<ScheduleDisplay>()(
  persist(
    (): ScheduleDisplay => ({ view: 'calendar', cluster: null, when: 'now', shift: 0 }),
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

export function lookAtWindows(change: Partial<ScheduleDisplay>): void {
  useScheduleDisplay.setState(change)
}
