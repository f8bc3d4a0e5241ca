import { create } from 'zustand'
import { persist } from 'zustand/middleware'
import { keptInTab, oneOf } from './kept-in-tab.ts'

export const RUN_STATES = ['all', 'open', 'needs-you', 'failed', 'done'] as const

export interface RunFilter {
  readonly states: (typeof RUN_STATES)[number]
  readonly text: string
}

export const ALL_RUNS: RunFilter = { states: 'all', text: '' }

interface Looks {
  readonly runs: RunFilter
  /** How many times wider than the window a timeline is drawn. */
  readonly timelineZoom: number
}

export const TIMELINE_ZOOMS = [1, 2, 4, 8, 16, 32] as const

/** Filters and zoom of runs and timelines, kept over reloads. */
export const useLooks = create<Looks>()(
  persist(
    (): Looks => ({ runs: ALL_RUNS, timelineZoom: 1 }),
    keptInTab(
      'looks',
      store => store,
      kept => ({ ...oneOf(kept, 'timelineZoom', TIMELINE_ZOOMS), ...keptRuns(kept.runs) }),
    ),
  ),
)

function keptRuns(kept: unknown): Partial<Looks> {
  if (typeof kept !== 'object' || kept === null) return {}
  const { states, text } = kept as Readonly<Record<string, unknown>>
  return {
    runs: { ...ALL_RUNS, ...oneOf({ states }, 'states', RUN_STATES), ...(typeof text === 'string' ? { text } : {}) },
  }
}
