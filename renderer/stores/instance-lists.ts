import { create } from 'zustand'
import { persist } from 'zustand/middleware'
import { InstanceView } from '../../shared/domain/cluster-view.ts'
import { keptInTab, oneOf, someOf } from './kept-in-tab.ts'

/** The columns of a list of instances; a list can be sorted by each. */
export const INSTANCE_COLUMNS = [
  'name',
  'action',
  'mark',
  'node',
  'status',
  'flavor',
  'project',
  'zone',
  'id',
  'notes',
] as const
export type InstanceColumn = (typeof INSTANCE_COLUMNS)[number]

/** Which instances a list shows; null and empty let all pass. */
export interface InstanceFilter {
  readonly text: string
  readonly project: string | null
  readonly zone: string | null
  readonly host: string | null
  readonly status: string | null
  readonly actions: readonly InstanceView['action'][]
  /** Only instances with warnings, several marks, or a refused manual edit. */
  readonly odd: 'warnings' | 'several-marks' | 'refused' | null
}

export const NO_INSTANCE_FILTER: InstanceFilter = {
  text: '',
  project: null,
  zone: null,
  host: null,
  status: null,
  actions: [],
  odd: null,
}

export interface InstanceSort {
  readonly by: InstanceColumn
  readonly descending: boolean
}

/** One list as the operator left it. */
export interface InstanceList {
  readonly filter: InstanceFilter
  readonly sort: InstanceSort
  readonly selected: ReadonlySet<string>
  /** The row of the keyboard. */
  readonly current: string | null
  /** Where a range of selected rows starts. */
  readonly anchor: string | null
  /** The instance with open details. */
  readonly open: string | null
}

const FIRST_INSTANCE_LIST: InstanceList = {
  filter: NO_INSTANCE_FILTER,
  sort: { by: 'name', descending: false },
  selected: new Set(),
  current: null,
  anchor: null,
  open: null,
}

interface InstanceListStore {
  readonly lists: ReadonlyMap<string, InstanceList>
  /** Columns hidden in every list; null if the available room decides it. */
  readonly hidden: ReadonlySet<InstanceColumn> | null
}

/** The opened lists of instances. A reload keeps filters, order, columns and open details, but not the selection. */
export const useInstanceLists = create<InstanceListStore>()(
  persist(
    (): InstanceListStore => ({ lists: new Map(), hidden: null }),
    keptInTab(
      'instances',
      ({ lists, hidden }) => ({
        lists: [...lists].map(([key, { filter, sort, open }]) => [key, { ...filter, ...sort, open }]),
        hidden: hidden === null ? null : [...hidden],
      }),
      ({ lists, hidden }) => ({
        lists: new Map(Array.isArray(lists) ? lists.flatMap(keptList) : []),
        hidden: Array.isArray(hidden) ? new Set(someOf(hidden, INSTANCE_COLUMNS)) : null,
      }),
    ),
  ),
)

function keptList(entry: unknown): readonly (readonly [string, InstanceList])[] {
  if (!Array.isArray(entry) || typeof entry[0] !== 'string' || typeof entry[1] !== 'object' || entry[1] === null)
    return []
  const kept = entry[1] as Readonly<Record<string, unknown>>
  const named = (key: 'project' | 'zone' | 'host' | 'status') => {
    const value = kept[key]
    return typeof value === 'string' ? value : null
  }
  const filter: InstanceFilter = {
    text: typeof kept.text === 'string' ? kept.text : '',
    project: named('project'),
    zone: named('zone'),
    host: named('host'),
    status: named('status'),
    actions: someOf(kept.actions, InstanceView.shape.action.options),
    odd: (['warnings', 'several-marks', 'refused'] as const).find(odd => odd === kept.odd) ?? null,
  }
  const sort: InstanceSort = {
    ...FIRST_INSTANCE_LIST.sort,
    ...oneOf(kept, 'by', INSTANCE_COLUMNS),
    ...oneOf(kept, 'descending', [true, false]),
  }
  const open = typeof kept.open === 'string' ? kept.open : null
  return [[entry[0], { ...FIRST_INSTANCE_LIST, filter, sort, open }]]
}

/** The key of the list of a cluster or of one of its nodes. */
export function listKey(cluster: string, node: string | null): string {
  return node === null ? cluster : `${cluster}/${node}`
}

export function listOf(store: InstanceListStore, key: string): InstanceList {
  return store.lists.get(key) ?? FIRST_INSTANCE_LIST
}

export function changeList(key: string, change: Partial<InstanceList>): void {
  useInstanceLists.setState(store => ({ lists: new Map(store.lists).set(key, { ...listOf(store, key), ...change }) }))
}

export function changeInstanceFilter(key: string, change: Partial<InstanceFilter>): void {
  const { filter } = listOf(useInstanceLists.getState(), key)
  changeList(key, { filter: { ...filter, ...change } })
}

/** Hides these columns and shows all others. */
export function hideColumns(hidden: ReadonlySet<InstanceColumn>): void {
  useInstanceLists.setState({ hidden })
}
