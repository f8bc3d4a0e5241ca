import { create } from 'zustand'
import type { InstanceView, NodeView } from '../../shared/domain/cluster-view.ts'
import { yetToLeave } from '../geometry/instance-chips.ts'
import { lastOf, useViews } from './views.ts'

/** The largest numbers seen on a node since it began to be emptied. */
interface Most {
  readonly total: number
  readonly leaving: number
  /** The names of all instances that were seen on it, by id: who is missing has left. */
  readonly seen: ReadonlyMap<string, string>
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
    const live = lastOf(useViews.getState().byCluster.get(cluster))
    if (live === null || live.nodes === seen) return
    const { nodes, instances } = live
    seen = nodes
    const before = useEmptied.getState().most
    const after = new Map(before)
    let changed = false
    for (const node of nodes.values()) changed = note(after, keyOf(cluster, node.name), node, instances) || changed
    if (changed) useEmptied.setState({ most: after })
  }
  look()
  return useViews.subscribe(look)
}

/** Notes what is on a node; returns whether that was new. */
function note(
  most: Map<string, Most>,
  key: string,
  { name, state, instances }: NodeView,
  all: ReadonlyMap<string, InstanceView>,
): boolean {
  const known = most.get(key)
  if (state !== 'entering' && state !== 'maintenance') return known !== undefined && most.delete(key)
  if (instances === null || (known === undefined && state === 'maintenance')) return false
  const fresh = [...all.values()].filter(({ id, node }) => node === name && known?.seen.has(id) !== true)
  const next = {
    total: Math.max(known?.total ?? 0, instances.total),
    leaving: Math.max(known?.leaving ?? 0, yetToLeave(instances)),
    seen: new Map([...(known?.seen ?? []), ...fresh.map(({ id, name: its }) => [id, its] as const)]),
  }
  if (known?.total === next.total && known.leaving === next.leaving && fresh.length === 0) return false
  most.set(key, next)
  return true
}
