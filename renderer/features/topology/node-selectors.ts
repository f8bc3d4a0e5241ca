import { useCallback, useMemo, useRef } from 'react'
import type { NodeView } from '../../../shared/domain/cluster-view.ts'
import { othersOnNodes } from '../../../shared/words/others-on-node.ts'
import type { NodePlace } from '../../geometry/node-groups.ts'
import { passes } from '../../stores/map-filter.ts'
import { useRuns } from '../../stores/runs.ts'
import { filterOf, useTopology } from '../../stores/topology.ts'
import { lastOf, useViews } from '../../stores/views.ts'
import { type NodesOut, nodesOut, reused } from '../../ui/drag/nodes-out.ts'

type Nodes = ReadonlyMap<string, NodeView>
const NO_NODES: Nodes = new Map()

/** One node; null if the cluster has no node of that name. */
export function useNode(cluster: string, name: string): NodeView | null {
  return useViews(store => lastOf(store.byCluster.get(cluster))?.nodes.get(name) ?? null)
}

/** Other operators' or tools' maintenance of these nodes, in a sentence; empty if none is known. */
export function useOthersOn(cluster: string, names: readonly string[]): string {
  return useViews(store => {
    const nodes = lastOf(store.byCluster.get(cluster))?.nodes ?? NO_NODES
    return othersOnNodes(names.flatMap(name => nodes.get(name) ?? []))
  })
}

/** A value made from all nodes: computed again when a node changes, drawn again only if it differs. */
export function useFromNodes<T>(
  cluster: string,
  derive: (nodes: Nodes) => T,
  same: (before: T, after: T) => boolean = Object.is,
): T {
  const kept = useRef<{ readonly nodes: Nodes; readonly derive: (nodes: Nodes) => T; readonly value: T } | null>(null)
  return useViews(store => {
    const nodes = lastOf(store.byCluster.get(cluster))?.nodes ?? NO_NODES
    const before = kept.current
    if (before !== null && before.nodes === nodes && before.derive === derive) return before.value
    const next = derive(nodes)
    const value = before !== null && same(before.value, next) ? before.value : next
    kept.current = { nodes, derive, value }
    return value
  })
}

/** The visible nodes, by what decides their place. */
export function useShownPlaces(cluster: string): readonly NodePlace[] {
  const filter = useTopology(store => filterOf(store, cluster))
  const byState = useTopology(store => store.grouping === 'state')
  const derive = useCallback(
    (nodes: Nodes) => [...nodes.values()].filter(node => passes(node, filter)).map(node => placeOf(node, byState)),
    [filter, byState],
  )
  return useFromNodes(cluster, derive, samePlaces)
}

/** The names of the nodes that the map shows now. */
export function shownNow(cluster: string): readonly string[] {
  const nodes = lastOf(useViews.getState().byCluster.get(cluster))?.nodes ?? NO_NODES
  const filter = filterOf(useTopology.getState(), cluster)
  return [...nodes.values()].filter(node => passes(node, filter)).map(node => node.name)
}

/** Without grouping by state, a change of state moves nothing. */
function placeOf({ name, roles, zone, rack, state }: NodeView, byState: boolean): NodePlace {
  return { name, roles, zone, rack, state: byState ? state : 'unknown' }
}

function samePlaces(a: readonly NodePlace[], b: readonly NodePlace[]): boolean {
  return a.length === b.length && a.every((place, index) => samePlace(place, b[index]))
}

function samePlace(a: NodePlace, b: NodePlace | undefined): boolean {
  return (
    b !== undefined &&
    a.name === b.name &&
    a.zone === b.zone &&
    a.rack === b.rack &&
    a.state === b.state &&
    a.roles.join() === b.roles.join()
  )
}

export function useNodeCount(cluster: string): number {
  return useFromNodes(cluster, countOf)
}

function countOf(nodes: Nodes): number {
  return nodes.size
}

const keyed = (nodes: Nodes) => nodes

/** The nodes that are not simply in service; unchanged parts keep their identity. */
export function useNodesOut(cluster: string): NodesOut {
  const nodes = useFromNodes(cluster, keyed, sameStatuses)
  const isKnown = useViews(store => lastOf(store.byCluster.get(cluster)) !== null)
  const list = useRuns(store => store.list)
  const kept = useRef<NodesOut | null>(null)
  return useMemo(() => {
    const next = nodesOut({
      nodes: isKnown ? nodes : null,
      runs: (list ?? []).filter(run => run.cluster === cluster),
    })
    kept.current = kept.current === null ? next : reused(kept.current, next)
    return kept.current
  }, [nodes, isKnown, list, cluster])
}

/** The same now, for an action. */
export function nodesOutNow(cluster: string): NodesOut {
  return nodesOut({
    nodes: lastOf(useViews.getState().byCluster.get(cluster))?.nodes ?? null,
    runs: (useRuns.getState().list ?? []).filter(run => run.cluster === cluster),
  })
}

/** Nodes with unchanged states change nothing. */
function sameStatuses(a: Nodes, b: Nodes): boolean {
  if (a.size !== b.size) return false
  for (const [name, node] of a) {
    const other = b.get(name)
    if (other === undefined || other.state !== node.state || other.runId !== node.runId) return false
  }
  return true
}
