import { Button, InputGroup } from '@blueprintjs/core'
import { SearchIcon } from '@blueprintjs/icons'
import { type ReactNode, type Ref, useCallback } from 'react'
import type { NodeView } from '../../../shared/domain/cluster-view.ts'
import { NodeState } from '../../../shared/domain/node-summary.ts'
import { counted } from '../../../shared/grammar/counts.ts'
import { STATE_WORDS } from '../../../shared/words/actions.ts'
import { SIZES } from '../../geometry/map-metrics.ts'
import { isNarrowed } from '../../stores/map-filter.ts'
import { selectedNodes, selectNodes, useSelection } from '../../stores/selection.ts'
import { changeFilter, filterOf, NO_FILTER, useTopology } from '../../stores/topology.ts'
import { selectedNow } from './chosen-nodes.ts'
import { FilterMenu } from './filter-menu.tsx'
import { useMapSize } from './map-size.ts'
import { useFromNodes, useNodeCount, useShownPlaces } from './node-selectors.ts'
import { TakeButton } from './take-button.tsx'

interface Props {
  readonly cluster: string
  readonly search: Ref<HTMLInputElement>
  /** Moves the focus from the search to the map. */
  readonly onLeaveSearch: () => void
}

/** The look of the map: search, filter and size. */
export function TopologyToolbar({ cluster, search, onLeaveSearch }: Props): ReactNode {
  const filter = useTopology(store => filterOf(store, cluster))
  const total = useNodeCount(cluster)
  const shown = useShownPlaces(cluster).length
  const clear = useCallback(() => changeFilter(cluster, NO_FILTER), [cluster])
  return (
    <div className="topo-toolbar row" role="toolbar" aria-label="Map">
      <InputGroup
        className="topo-search"
        size="small"
        type="search"
        leftIcon={<SearchIcon />}
        placeholder="Search nodes"
        aria-label="Search nodes"
        inputRef={search}
        value={filter.text}
        onValueChange={text => changeFilter(cluster, { text })}
        onKeyDown={event => {
          if (event.key === 'Escape' && filter.text !== '') changeFilter(cluster, { text: '' })
          else if (event.key === 'Escape' || event.key === 'Enter' || event.key === 'ArrowDown') onLeaveSearch()
          else return
          event.preventDefault()
        }}
      />
      <FilterMenu cluster={cluster} />
      <span className="topo-counts" role="status">
        {total === 0 ? '' : shown === total ? counted(total, 'node') : `${shown} of ${counted(total, 'node')}`}
      </span>
      <SelectionBar cluster={cluster} otherwise={<StateCounts cluster={cluster} />} />
      {isNarrowed(filter) ? <Button size="small" variant="minimal" text="Show all" onClick={clear} /> : null}
      <span className="space" />
      <SizeSlider />
    </div>
  )
}

/** The size of the tiles: the largest that fits, or as the operator set it. */
function SizeSlider(): ReactNode {
  const chosen = useTopology(store => store.size)
  const drawn = useMapSize(({ size }) => size)
  return (
    <span className="row">
      {chosen === null ? null : (
        <Button size="small" variant="minimal" text="Fit" onClick={() => useTopology.setState({ size: null })} />
      )}
      <input
        type="range"
        className="topo-size"
        aria-label="Size of the nodes"
        aria-valuetext={SIZE_WORDS[chosen ?? drawn]}
        title={`${SIZE_WORDS[chosen ?? drawn]} (- and +)`}
        min={0}
        max={SIZES.length - 1}
        value={chosen ?? drawn}
        onChange={event =>
          useTopology.setState({ size: SIZES.find(size => size === event.currentTarget.valueAsNumber) ?? null })
        }
      />
    </span>
  )
}

const SIZE_WORDS: Readonly<Record<(typeof SIZES)[number], string>> = {
  0: 'Colours and names',
  1: 'One row of marks',
  2: 'Marks of all instances',
  3: 'Names of instances',
  4: 'Names of instances, large',
  5: 'Names of instances, largest',
}

interface SelectionBarProps {
  readonly cluster: string
  /** Shown while fewer than two nodes are selected: the map must not move during a selection. */
  readonly otherwise: ReactNode
}

/** The actions for several selected nodes. */
function SelectionBar({ cluster, otherwise }: SelectionBarProps): ReactNode {
  const selected = useSelection(store => selectedNodes(store, cluster))
  const places = useShownPlaces(cluster)
  const count = places.filter(place => selected.includes(place.name)).length
  if (count < 2) return otherwise
  return (
    <fieldset className="topo-selection" aria-label="Selected nodes">
      <b>{counted(count, 'node')}</b>
      <TakeButton cluster={cluster} nodes={() => selectedNow(cluster)} target="entering" text="Take out…" />
      <TakeButton cluster={cluster} nodes={() => selectedNow(cluster)} target="leaving" text="Bring back…" />
      <Button size="small" variant="minimal" text="Clear" onClick={() => selectNodes(cluster, [])} />
    </fieldset>
  )
}

/** How many nodes are not simply in service, by state; a click shows only those, another all. */
function StateCounts({ cluster }: { readonly cluster: string }): ReactNode {
  const counts = useFromNodes(cluster, countStates, sameCounts)
  const chosen = useTopology(store => filterOf(store, cluster).states)
  return (
    <span className="topo-state-counts">
      {NodeState.options.map((state, index) =>
        state === 'active' || (counts[index] === 0 && !chosen.includes(state)) ? null : (
          <button
            key={state}
            type="button"
            className={`topo-state-count bare topo-state-${state}`}
            aria-pressed={chosen.includes(state)}
            title={`Show only nodes in state ${STATE_WORDS[state].toLowerCase()}`}
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
