import { useMemo } from 'react'
import type { NodeView } from '../../../shared/domain/cluster-view.ts'
import type { Fate } from '../../geometry/instance-chips.ts'
import { naturally } from '../../geometry/natural-order.ts'
import { mostOn, useEmptied } from '../../stores/emptied.ts'
import { arrivalsOn, useGhosts, wouldLeave } from '../../stores/ghosts.ts'
import { type InstanceOnNode, rankOf, useInstancesOn } from '../../stores/node-instances.ts'
import { lastOf, useViews } from '../../stores/views.ts'
import { type MarkKind, markOfAction } from '../../ui/instance-mark.tsx'

/** An instance on the card of a node: one on the node, one that left, or that would come. */
export interface CardEntry {
  readonly id: string
  readonly name: string
  readonly kind: MarkKind
  /** Null for one that left or would come. */
  readonly there: InstanceOnNode | null
}

/** What the card of a node lists: who would come first, then who is there and who left, each in its place; null if nobody knows. */
export function useCardEntries(cluster: string, { name }: Pick<NodeView, 'name'>): readonly CardEntry[] | null {
  const list = useInstancesOn(cluster, name)
  const seen = useEmptied(store => mostOn(store, cluster, name)?.seen ?? null)
  const arrivals = useGhosts(store => arrivalsOn(store, cluster, name))
  const stuck = useGhosts(store => (wouldLeave(store, cluster, name) ? (store.held?.ghosts.stuck ?? null) : null))
  return useMemo(() => {
    if (list === null) return null
    const there = list.map(on => {
      const { id, name: its } = on.view
      const fate: Fate = stuck?.has(id) === true ? 'blocked' : on.fate
      return { id, name: its, kind: markOfAction(fate) ?? ('off' as const), there: on, rank: rankOf(on.fate) }
    })
    const left = leftOf(seen, list).map(([id, its]) => ({ id, name: its, kind: 'left' as const, there: null, rank: 0 }))
    const instances = lastOf(useViews.getState().byCluster.get(cluster))?.instances
    const coming = arrivals.map(id => ({
      id,
      name: instances?.get(id)?.name ?? id,
      kind: 'arriving' as const,
      there: null,
    }))
    const settled =
      left.length === 0 ? there : [...there, ...left].sort((a, b) => a.rank - b.rank || naturally(a.name, b.name))
    return [...coming, ...settled]
  }, [cluster, list, seen, arrivals, stuck])
}

/** The instances that have left a node that is being emptied. */
function leftOf(
  seen: ReadonlyMap<string, string> | null,
  list: readonly InstanceOnNode[],
): readonly (readonly [id: string, name: string])[] {
  if (seen === null) return []
  const there = new Set(list.map(({ view }) => view.id))
  return [...seen].filter(([id]) => !there.has(id))
}
