import type { ReactNode } from 'react'
import type { NodeView } from '../../../shared/domain/cluster-view.ts'
import { NodeState } from '../../../shared/domain/node-summary.ts'
import { STATE_WORDS } from '../../../shared/words/actions.ts'
import { changeFilter, filterOf, useTopology } from '../../stores/topology.ts'
import { useFromNodes } from './node-selectors.ts'

/** How many nodes are not plainly in service, by state; a click shows only those, another one all again. */
export function StateCounts({ cluster }: { readonly cluster: string }): ReactNode {
  const counts = useFromNodes(cluster, countStates, sameCounts)
  const chosen = useTopology(store => filterOf(store, cluster).states)
  return (
    <span className="topo-state-counts">
      {NodeState.options.map((state, index) =>
        state === 'active' || (counts[index] === 0 && !chosen.includes(state)) ? null : (
          <button
            key={state}
            type="button"
            className={`topo-state-count topo-state-${state}`}
            aria-pressed={chosen.includes(state)}
            title={`Show only nodes whose state is ${STATE_WORDS[state].toLowerCase()}`}
            onClick={() =>
              changeFilter(cluster, {
                states: chosen.includes(state) ? chosen.filter(other => other !== state) : [...chosen, state],
              })
            }
          >
            <span className="topo-swatch" />
            {counts[index]} {STATE_WORDS[state].toLowerCase()}
          </button>
        ),
      )}
    </span>
  )
}

function countStates(nodes: ReadonlyMap<string, NodeView>): readonly number[] {
  const counts = NodeState.options.map(() => 0)
  for (const { state } of nodes.values()) {
    const at = NodeState.options.indexOf(state)
    counts[at] = (counts[at] ?? 0) + 1
  }
  return counts
}

function sameCounts(a: readonly number[], b: readonly number[]): boolean {
  return a.every((count, index) => count === b[index])
}
