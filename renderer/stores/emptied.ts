import { create } from 'zustand'
import type { NodeView } from '../../shared/domain/cluster-view.ts'
import { yetToLeave } from '../geometry/instance-chips.ts'
import { lastOf, useViews } from './views.ts'

/** The largest numbers seen on a node since it began to be emptied. */
interface Most {
  readonly total: number
  readonly leaving: number
}

interface EmptiedStore {
  /** Keyed by `${cluster}/${node}`. */
  readonly most: ReadonlyMap<string, Most>
}

/** What nodes that are being emptied had when this page first saw them: holes show what has left since. */
export const useEmptied = create<EmptiedStore>()(() => ({ most: new Map() }))

/** The largest numbers seen on a node that is being emptied; null if it is not, or nothing was seen. */
export function mostOn({ most }: EmptiedStore, cluster: string, node: string): Most | null {
  return most.get(keyOf(cluster, node)) ?? null
}

function keyOf(cluster: string, node: string): string {
  return `${cluster}/${node}`
}

/** Follows a cluster's nodes; returns a stop function. */
export function followEmptied(cluster: string): () => void {
  let seen: ReadonlyMap<string, NodeView> | null = null
  const look = () => {
    const nodes = lastOf(useViews.getState().byCluster.get(cluster))?.nodes ?? null
    if (nodes === null || nodes === seen) return
    seen = nodes
    const before = useEmptied.getState().most
    const after = new Map(before)
    let changed = false
    for (const node of nodes.values()) changed = note(after, keyOf(cluster, node.name), node) || changed
    if (changed) useEmptied.setState({ most: after })
  }
  look()
  return useViews.subscribe(look)
}

/** Notes what is on a node; returns whether that was new. */
function note(most: Map<string, Most>, key: string, { state, instances }: NodeView): boolean {
  const known = most.get(key)
  if (state !== 'entering' && state !== 'maintenance') return known !== undefined && most.delete(key)
  if (instances === null || (known === undefined && state === 'maintenance')) return false
  const next = {
    total: Math.max(known?.total ?? 0, instances.total),
    leaving: Math.max(known?.leaving ?? 0, yetToLeave(instances)),
  }
  if (known !== undefined && known.total === next.total && known.leaving === next.leaving) return false
  most.set(key, next)
  return true
}
