import { Button, InputGroup, PopoverNext, Radio, RadioGroup, SegmentedControl } from '@blueprintjs/core'
import { CrossIcon, GridViewIcon, InfoSignIcon, SearchIcon } from '@blueprintjs/icons'
import { type ReactNode, type Ref, useCallback } from 'react'
import type { NodeView } from '../../../shared/domain/cluster-view.ts'
import { NodeState } from '../../../shared/domain/node-summary.ts'
import { counted } from '../../../shared/grammar/counts.ts'
import { STATE_WORDS } from '../../../shared/words/actions.ts'
import { firstZoom, ZOOMS, type Zoom } from '../../geometry/map-metrics.ts'
import { GROUPINGS, type Grouping } from '../../geometry/node-groups.ts'
import { isNarrowed } from '../../stores/map-filter.ts'
import { usePreferences } from '../../stores/preferences.ts'
import { selectedNodes, selectNodes, useSelection } from '../../stores/selection.ts'
import { changeFilter, filterOf, NO_FILTER, useTopology } from '../../stores/topology.ts'
import { selectedNow } from './chosen-nodes.ts'
import { FilterMenu } from './filter-menu.tsx'
import { useFromNodes, useNodeCount, useShownPlaces } from './node-selectors.ts'
import { TakeButton } from './take-button.tsx'

const GROUPING_WORDS: Readonly<Record<Grouping, string>> = {
  zone: 'Zone and role',
  role: 'Role',
  state: 'State',
  rack: 'Rack',
}

const DENSITY_WORDS = { comfortable: 'Comfortable', compact: 'Compact', dense: 'Dense' } as const

const DENSITIES = ['comfortable', 'compact', 'dense'] as const

interface Props {
  readonly cluster: string
  readonly search: Ref<HTMLInputElement>
  /** Moves the focus from the search to the map. */
  readonly onLeaveSearch: () => void
}

const ZOOM_WORDS: Readonly<Record<Zoom, string>> = { far: 'Far', mid: 'Mid', near: 'Near' }

/** The look of the map: search, filter, zoom, density and grouping. */
export function TopologyToolbar({ cluster, search, onLeaveSearch }: Props): ReactNode {
  const filter = useTopology(store => filterOf(store, cluster))
  const zoom = useTopology(store => store.zoom)
  const legend = useTopology(store => store.legend)
  const total = useNodeCount(cluster)
  const shown = useShownPlaces(cluster).length
  const clear = useCallback(() => changeFilter(cluster, NO_FILTER), [cluster])
  return (
    <div className="topo-toolbar row wrap" role="toolbar" aria-label="Map">
      <InputGroup
        className="topo-search"
        size="small"
        type="search"
        leftIcon={<SearchIcon />}
        placeholder="Search nodes  /"
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
      <ViewMenu />
      <SegmentedControl
        size="small"
        aria-label="Zoom"
        value={zoom ?? firstZoom(total)}
        options={ZOOMS.map(value => ({ value, label: ZOOM_WORDS[value] }))}
        onValueChange={value => useTopology.setState({ zoom: oneOf(ZOOMS, value, 'near') })}
      />
      <Button
        size="small"
        variant="minimal"
        icon={<InfoSignIcon />}
        aria-label="Legend"
        title="What the colours and lamps mean"
        active={legend}
        aria-pressed={legend}
        onClick={() => useTopology.setState({ legend: !legend })}
      />
    </div>
  )
}

function oneOf<T extends string>(known: readonly T[], value: string, otherwise: T): T {
  return known.find(name => name === value) ?? otherwise
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
      <span>{count} selected</span>
      <TakeButton cluster={cluster} nodes={() => selectedNow(cluster)} target="entering" text="Take out…" />
      <TakeButton cluster={cluster} nodes={() => selectedNow(cluster)} target="leaving" text="Bring back…" />
      <TakeButton cluster={cluster} nodes={() => selectedNow(cluster)} target="queue" text="Queue" />
      <Button
        size="small"
        variant="minimal"
        icon={<CrossIcon />}
        aria-label="Select none"
        onClick={() => selectNodes(cluster, [])}
      />
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
            className={`topo-state-count topo-state-${state}`}
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

/** Grouping and density of the map. */
function ViewMenu(): ReactNode {
  return (
    <PopoverNext placement="bottom-end" content={<Choices />}>
      <Button size="small" icon={<GridViewIcon />} text="View" />
    </PopoverNext>
  )
}

function Choices(): ReactNode {
  const grouping = useTopology(store => store.grouping)
  const chosen = useTopology(store => store.density)
  const preferred = usePreferences(store => store.preferences.density)
  return (
    <div className="topo-filters">
      <RadioGroup
        label="Group by"
        selectedValue={grouping}
        onChange={event =>
          useTopology.setState({ grouping: GROUPINGS.find(name => name === event.currentTarget.value) ?? 'zone' })
        }
      >
        {GROUPINGS.map(value => (
          <Radio key={value} value={value} label={GROUPING_WORDS[value]} />
        ))}
      </RadioGroup>
      <RadioGroup
        label="Density"
        selectedValue={chosen ?? preferred}
        onChange={event =>
          useTopology.setState({ density: DENSITIES.find(name => name === event.currentTarget.value) ?? null })
        }
      >
        {DENSITIES.map(value => (
          <Radio key={value} value={value} label={DENSITY_WORDS[value]} />
        ))}
      </RadioGroup>
    </div>
  )
}
