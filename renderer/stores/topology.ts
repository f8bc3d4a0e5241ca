import { create } from 'zustand'
import { persist } from 'zustand/middleware'
import { NodeState } from '../../shared/domain/node-summary.ts'
import { NodeRole } from '../../shared/domain/roles.ts'
import { SIZES, type Size } from '../geometry/map-metrics.ts'
import { GROUPINGS, type Grouping } from '../geometry/node-groups.ts'
import { keptInTab, oneOf, someOf } from './kept-in-tab.ts'

/** Conditions by which the map can be filtered. */
export const CONDITIONS = ['instances', 'blocked', 'not-known'] as const
export type Condition = (typeof CONDITIONS)[number]

/** Which nodes the map shows; an empty list lets all pass. */
export interface MapFilter {
  readonly text: string
  readonly states: readonly NodeState[]
  readonly roles: readonly NodeRole[]
  /** Null means nodes without a zone. */
  readonly zones: readonly (string | null)[]
  readonly conditions: readonly Condition[]
}

export const NO_FILTER: MapFilter = { text: '', states: [], roles: [], zones: [], conditions: [] }

interface TopologyStore {
  readonly grouping: Grouping
  /** How large tiles are; null means as large as they fit. */
  readonly size: Size | null
  readonly filters: ReadonlyMap<string, MapFilter>
  readonly panelTab: PanelTab
}

export const PANEL_TABS = ['overview', 'instances', 'pods', 'services', 'osds', 'events', 'history'] as const
export type PanelTab = (typeof PANEL_TABS)[number]

/** The look of the map: filters per cluster, the rest for all. */
export const useTopology = create<TopologyStore>()(
  persist(
    () => ({
      grouping: 'zone',
      size: null,
      filters: new Map(),
      panelTab: 'overview',
    }),
    keptInTab('map', store => ({ ...store, filters: [...store.filters] }), keptMap),
  ),
)

function keptMap(kept: Readonly<Record<string, unknown>>): Partial<TopologyStore> {
  const { size, filters } = kept
  return {
    ...oneOf(kept, 'grouping', GROUPINGS),
    ...oneOf(kept, 'panelTab', PANEL_TABS),
    size: SIZES.find(known => known === size) ?? null,
    ...(Array.isArray(filters) ? { filters: new Map(filters.flatMap(keptFilter)) } : {}),
  }
}

function keptFilter(entry: unknown): readonly (readonly [string, MapFilter])[] {
  if (!Array.isArray(entry) || typeof entry[0] !== 'string' || typeof entry[1] !== 'object' || entry[1] === null)
    return []
  const { text, states, roles, zones, conditions } = entry[1] as Readonly<Record<string, unknown>>
  const filter: MapFilter = {
    text: typeof text === 'string' ? text : '',
    states: someOf(states, NodeState.options),
    roles: someOf(roles, NodeRole.options),
    zones: Array.isArray(zones) ? zones.filter(zone => zone === null || typeof zone === 'string') : [],
    conditions: someOf(conditions, CONDITIONS),
  }
  return [[entry[0], filter]]
}

export function filterOf(store: TopologyStore, cluster: string): MapFilter {
  return store.filters.get(cluster) ?? NO_FILTER
}

export function changeFilter(cluster: string, change: Partial<MapFilter>): void {
  useTopology.setState(store => ({
    filters: new Map(store.filters).set(cluster, { ...filterOf(store, cluster), ...change }),
  }))
}
