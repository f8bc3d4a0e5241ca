import { create } from 'zustand'
import type { Preferences } from '../../shared/contract/index.ts'
import type { NodeState } from '../../shared/domain/node-summary.ts'
import type { NodeRole } from '../../shared/domain/roles.ts'
import type { Zoom } from '../geometry/map-metrics.ts'
import type { Grouping } from '../geometry/node-groups.ts'

/** What more may be asked of a node to be shown. */
export const CONDITIONS = ['instances', 'blocked', 'not-known'] as const
export type Condition = (typeof CONDITIONS)[number]

/** Which nodes the map shows; an empty list lets all pass. */
export interface MapFilter {
  readonly text: string
  readonly states: readonly NodeState[]
  readonly roles: readonly NodeRole[]
  /** Null stands for nodes without a zone. */
  readonly zones: readonly (string | null)[]
  readonly conditions: readonly Condition[]
}

export const NO_FILTER: MapFilter = { text: '', states: [], roles: [], zones: [], conditions: [] }

interface TopologyStore {
  readonly grouping: Grouping
  /** Null: by the size of the cluster. */
  readonly zoom: Zoom | null
  /** Null: as preferred. */
  readonly density: Preferences['density'] | null
  readonly legend: boolean
  readonly filters: ReadonlyMap<string, MapFilter>
  readonly dockHeight: number
  readonly dockOpen: boolean
  readonly panelTab: PanelTab
}

/** The pages of the node panel. */
export const PANEL_TABS = ['overview', 'instances', 'pods', 'services', 'osds', 'events', 'history'] as const
export type PanelTab = (typeof PANEL_TABS)[number]

/** How the map of nodes is looked at; filters cluster by cluster, the rest the same for all. */
export const useTopology = create<TopologyStore>()(() => ({
  grouping: 'zone',
  zoom: null,
  density: null,
  legend: false,
  filters: new Map(),
  dockHeight: 196,
  dockOpen: false,
  panelTab: 'overview',
}))

/** The filter of a cluster's map. */
export function filterOf(store: TopologyStore, cluster: string): MapFilter {
  return store.filters.get(cluster) ?? NO_FILTER
}

/** Narrows or widens what a cluster's map shows. */
export function changeFilter(cluster: string, change: Partial<MapFilter>): void {
  useTopology.setState(store => ({
    filters: new Map(store.filters).set(cluster, { ...filterOf(store, cluster), ...change }),
  }))
}
