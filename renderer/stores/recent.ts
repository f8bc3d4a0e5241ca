import { create } from 'zustand'

interface RecentStore {
  /** Ids of what was chosen in the palette since the page was opened, the last first. */
  readonly chosen: readonly string[]
}

const KEPT = 8

export const useRecent = create<RecentStore>()(() => ({ chosen: [] }))

/** Notes that an entry of the palette was chosen: it is offered first the next time. */
export function chose(id: string): void {
  useRecent.setState(({ chosen }) => ({ chosen: [id, ...chosen.filter(other => other !== id)].slice(0, KEPT) }))
}
