import { create } from 'zustand'
import { persist } from 'zustand/middleware'
import { keptInTab } from './kept-in-tab.ts'

interface RecentStore {
  /** Ids of the entries chosen in the palette in this tab, the last first. */
  readonly chosen: readonly string[]
}

const KEPT = 8

export const useRecent = create<RecentStore>()(
  persist(
    (): RecentStore => ({ chosen: [] }),
    keptInTab(
      'recent',
      store => store,
      ({ chosen }) =>
        Array.isArray(chosen) ? { chosen: chosen.filter(id => typeof id === 'string').slice(0, KEPT) } : {},
    ),
  ),
)

/** Notes a chosen entry of the palette, which is then offered first. */
export function chose(id: string): void {
  useRecent.setState(({ chosen }) => ({ chosen: [id, ...chosen.filter(other => other !== id)].slice(0, KEPT) }))
}
