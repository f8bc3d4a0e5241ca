import { create } from 'zustand'
import { persist } from 'zustand/middleware'
import { InstanceView } from '../../shared/domain/cluster-view.ts'
import { keptInTab, oneOf, someOf } from './kept-in-tab.ts'

/** What a list of instances can be sorted by, and shows. */
export const INSTANCE_COLUMNS = [
  'name',
  'id',
  'project',
  'node',
  'zone',
  'status',
  'flavor',
  'action',
  'source',
  'mark',
  'warnings',
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
  /** Only those with something odd: warnings, several marks, or an edit by hand that was refused. */
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
  /** The row the keyboard is on. */
  readonly current: string | null
  /** Where a range of selected rows starts. */
  readonly anchor: string | null
  /** The instance whose details are open. */
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
  /** Columns that are not shown, in every list; null: as there is room. */
  readonly hidden: ReadonlySet<InstanceColumn> | null
}

/** The lists of instances that were looked at; filters, order, columns and the details that are open outlive a reload, what is selected does not. */
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

/** The name of one list: of a cluster, or of one node of it. */
export function listKey(cluster: string, node: string | null): string {
  return node === null ? cluster : `${cluster}/${node}`
}

/** A list, as it was left. */
export function listOf(store: InstanceListStore, key: string): InstanceList {
  return store.lists.get(key) ?? FIRST_INSTANCE_LIST
}

/** Changes something of a list. */
export function changeList(key: string, change: Partial<InstanceList>): void {
  useInstanceLists.setState(store => ({ lists: new Map(store.lists).set(key, { ...listOf(store, key), ...change }) }))
}

/** Narrows or widens what a list shows. */
export function changeInstanceFilter(key: string, change: Partial<InstanceFilter>): void {
  const { filter } = listOf(useInstanceLists.getState(), key)
  changeList(key, { filter: { ...filter, ...change } })
}

/** Hides these columns, and shows all others. */
export function hideColumns(hidden: ReadonlySet<InstanceColumn>): void {
  useInstanceLists.setState({ hidden })
}
