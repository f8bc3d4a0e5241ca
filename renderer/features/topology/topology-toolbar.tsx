import { Button, InputGroup, SegmentedControl } from '@blueprintjs/core'
import { InfoSignIcon, SearchIcon } from '@blueprintjs/icons'
import { type ReactNode, type Ref, useCallback } from 'react'
import { counted } from '../../../shared/grammar/counts.ts'
import { firstZoom, ZOOMS, type Zoom } from '../../geometry/map-metrics.ts'
import { isNarrowed } from '../../stores/map-filter.ts'
import { changeFilter, filterOf, NO_FILTER, useTopology } from '../../stores/topology.ts'
import { FilterMenu } from './filter-menu.tsx'
import { useNodeCount, useShownPlaces } from './node-selectors.ts'
import { SelectionBar } from './selection-bar.tsx'
import { StateCounts } from './state-counts.tsx'
import { ViewMenu } from './view-menu.tsx'

interface Props {
  readonly cluster: string
  readonly search: Ref<HTMLInputElement>
  /** Leads from the search to the map. */
  readonly onLeaveSearch: () => void
}

const ZOOM_WORDS: Readonly<Record<Zoom, string>> = { far: 'Far', mid: 'Mid', near: 'Near' }

/** How the map is looked at: what is searched for, what is left out, how near, how dense, by what it is divided. */
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
