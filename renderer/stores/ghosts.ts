import { create } from 'zustand'
import type { Ghosts } from '../../shared/domain/ghosts.ts'

/** What would happen to the instances of nodes that are dragged over the dock. */
interface GhostStore {
  /** Null if no node is over a place that takes nodes out of service. */
  readonly held: { readonly cluster: string; readonly leaving: ReadonlySet<string>; readonly ghosts: Ghosts } | null
}

export const useGhosts = create<GhostStore>()(() => ({ held: null }))

/** How many of the instances that would move may come to a node. */
export function ghostsOn({ held }: GhostStore, cluster: string, node: string): number {
  return held?.cluster === cluster ? (held.ghosts.to.get(node) ?? 0) : 0
}

export function wouldLeave({ held }: GhostStore, cluster: string, node: string): boolean {
  return held?.cluster === cluster && held.leaving.has(node)
}
