import { create } from 'zustand'
import type { Ghosts } from '../../shared/domain/ghosts.ts'

/** What would happen to the instances of nodes that are held over "Take out", or whose plan is open. */
interface GhostStore {
  /** Null if no node would go out. */
  readonly held: { readonly cluster: string; readonly leaving: ReadonlySet<string>; readonly ghosts: Ghosts } | null
}

export const useGhosts = create<GhostStore>()(() => ({ held: null }))

const NOBODY: readonly string[] = []

/** The ids of the instances that may come to a node. */
export function arrivalsOn({ held }: GhostStore, cluster: string, node: string): readonly string[] {
  return held?.cluster === cluster ? (held.ghosts.to.get(node) ?? NOBODY) : NOBODY
}

export function wouldLeave({ held }: GhostStore, cluster: string, node: string): boolean {
  return held?.cluster === cluster && held.leaving.has(node)
}
