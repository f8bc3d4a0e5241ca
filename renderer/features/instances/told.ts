import { create } from 'zustand'
import type { UndoEntry } from '../../stores/edits.ts'

/** What came of the last edit by hand, and how it is taken back. */
export interface Told {
  readonly words: string
  readonly undo: UndoEntry | null
}

interface ToldStore {
  /** By cluster. */
  readonly last: ReadonlyMap<string, Told>
}

/** What was last told of edits by hand; drawn over the list until it is dismissed or something else is told. */
export const useTold = create<ToldStore>()(() => ({ last: new Map() }))

/** Tells something of a cluster's edits; null takes it away. */
export function tellOfEdits(cluster: string, told: Told | null): void {
  useTold.setState(({ last }) => {
    const next = new Map(last)
    if (told === null) next.delete(cluster)
    else next.set(cluster, told)
    return { last: next }
  })
}
