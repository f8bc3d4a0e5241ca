// biome-ignore-all lint/a11y/useSemanticElements: only visible rows are drawn, each at its place, which a table cannot do.
// biome-ignore-all lint/a11y/useFocusableInteractive: the grid has the focus and names its row (aria-activedescendant).
import { CaretDownIcon, CaretUpIcon } from '@blueprintjs/icons'
import { useVirtualizer } from '@tanstack/react-virtual'
import {
  type CSSProperties,
  type KeyboardEvent,
  type MouseEvent,
  type ReactNode,
  type RefObject,
  useId,
  useLayoutEffect,
} from 'react'
import type { InstanceView } from '../../../shared/domain/cluster-view.ts'
import { changeList, type InstanceColumn, type InstanceList } from '../../stores/instance-lists.ts'
import { COLUMNS, leastWidthPx, tracksOf } from './instance-columns.ts'
import { InstanceRow } from './instance-row.tsx'
import { rangeBetween, rowAfter, toggled } from './selection-moves.ts'
import './instance-grid.css'

/** The row heights of instance-grid.css. */
const ONE_LINE = 36
const TWO_LINES = 48
const HEAD = 28

interface Props {
  readonly cluster: string
  readonly listKey: string
  readonly label: string
  readonly list: InstanceList
  readonly rows: readonly InstanceView[]
  readonly columns: readonly InstanceColumn[]
  readonly grid: RefObject<HTMLDivElement | null>
  /** Opens the modes of all selected instances. */
  readonly onManyModes: () => void
  readonly onCopy: (id: string) => void
}

/** A virtual list of instances: only visible rows are drawn. One stop of the Tab key; arrows move within it. */
export function InstanceGrid({
  cluster,
  listKey,
  label,
  list,
  rows,
  columns,
  grid,
  onManyModes,
  onCopy,
}: Props): ReactNode {
  const name = useId()
  const row = columns.includes('action') ? ONE_LINE : TWO_LINES
  const tracks: CSSProperties & Record<`--${string}`, string> = {
    '--inst-tracks': tracksOf(columns),
    '--inst-least': `${leastWidthPx(columns)}px`,
    '--inst-row': `${row}px`,
  }
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => grid.current,
    estimateSize: () => row,
    getItemKey: index => rows[index]?.id ?? index,
    overscan: 8,
    scrollMargin: HEAD,
    scrollPaddingStart: HEAD,
  })
  // The list keeps the heights that it has computed.
  // biome-ignore lint/correctness/useExhaustiveDependencies: only another height needs it.
  useLayoutEffect(() => virtual.measure(), [row])
  const items = virtual.getVirtualItems()
  const openModes = (id: string) => {
    if (list.selected.has(id)) onManyModes()
    else openSelect(grid.current?.querySelector<HTMLSelectElement>(`[data-id="${CSS.escape(id)}"] select`) ?? null)
  }
  const onKeyDown = useGridKeys({
    listKey,
    list,
    rows,
    page: () => Math.max(1, Math.floor(((grid.current?.clientHeight ?? 0) - HEAD) / row) - 1),
    show: index => virtual.scrollToIndex(index, { align: 'auto' }),
    openModes,
  })
  const currentIsDrawn = items.some(item => item.key === list.current)
  return (
    <div
      ref={grid}
      role="grid"
      className="inst-grid grow"
      tabIndex={0}
      aria-label={label}
      aria-multiselectable
      aria-rowcount={rows.length + 1}
      aria-activedescendant={currentIsDrawn ? `${name}-${list.current}` : undefined}
      style={tracks}
      onKeyDown={event => {
        if (event.target === event.currentTarget) onKeyDown(event)
        else if (event.key === 'Escape') event.currentTarget.focus({ preventScroll: true })
      }}
      onFocus={event => {
        if (event.target !== event.currentTarget || list.current !== null || rows[0] === undefined) return
        changeList(listKey, { current: rows[0].id, anchor: rows[0].id })
      }}
      onClick={event => onGridClick(event, { listKey, list, rows, copy: onCopy })}
      onContextMenu={event => {
        const id = event.target instanceof Element ? event.target.closest<HTMLElement>('[data-id]')?.dataset.id : ''
        if (id === undefined || id === '') return
        event.preventDefault()
        changeList(listKey, { current: id })
        openModes(id)
      }}
    >
      <Head listKey={listKey} list={list} rows={rows} columns={columns} />
      <div role="rowgroup" className="inst-body" style={{ height: virtual.getTotalSize() }}>
        {items.map(item => {
          const instance = rows[item.index]
          return instance === undefined ? null : (
            <InstanceRow
              key={instance.id}
              cluster={cluster}
              rowId={`${name}-${instance.id}`}
              id={instance.id}
              index={item.index}
              top={item.start - HEAD}
              columns={columns}
              selected={list.selected.has(instance.id)}
              current={list.current === instance.id}
            />
          )
        })}
      </div>
    </div>
  )
}

/** Opens a select by a key, where the browser allows it. */
export function openSelect(select: HTMLSelectElement | null): void {
  if (select === null) return
  select.focus({ preventScroll: true })
  if (!select.disabled && navigator.userActivation.isActive) select.showPicker()
}

/** The names of the columns, and the box that selects all shown instances. */
function Head({ listKey, list, rows, columns }: Pick<Props, 'listKey' | 'list' | 'rows' | 'columns'>): ReactNode {
  const allSelected = rows.length > 0 && rows.every(({ id }) => list.selected.has(id))
  return (
    <div role="row" className="inst-head" aria-rowindex={1}>
      <div role="columnheader">
        <input
          type="checkbox"
          aria-label="Select all shown instances"
          checked={allSelected}
          onChange={() =>
            changeList(listKey, { selected: allSelected ? new Set() : new Set(rows.map(({ id }) => id)) })
          }
        />
      </div>
      {columns.map(column => (
        <HeadCell key={column} column={column} listKey={listKey} sort={list.sort} />
      ))}
    </div>
  )
}

interface HeadCellProps {
  readonly column: InstanceColumn
  readonly listKey: string
  readonly sort: InstanceList['sort']
}

function HeadCell({ column, listKey, sort }: HeadCellProps): ReactNode {
  const isSorted = sort.by === column
  return (
    <div
      role="columnheader"
      aria-sort={isSorted ? (sort.descending ? 'descending' : 'ascending') : 'none'}
      className={`inst-cell-${column}`}
    >
      <button
        type="button"
        onClick={() => changeList(listKey, { sort: { by: column, descending: isSorted && !sort.descending } })}
      >
        <span className="inst-cut cut">{COLUMNS[column].title}</span>
        {isSorted ? sort.descending ? <CaretDownIcon size={12} /> : <CaretUpIcon size={12} /> : null}
      </button>
    </div>
  )
}

interface Options {
  readonly listKey: string
  readonly list: InstanceList
  readonly rows: readonly InstanceView[]
  readonly copy: (id: string) => void
}

/** What a click in a list of instances does: one listener for all rows. */
function onGridClick(event: MouseEvent, { listKey, list, rows, copy }: Options): void {
  if (!(event.target instanceof Element)) return
  const row = event.target.closest<HTMLElement>('[data-id]')
  const id = row?.dataset.id
  if (id === undefined) return
  const part = event.target.closest<HTMLElement>('select, [data-open], [data-copy], [data-box]')
  if (part instanceof HTMLSelectElement) changeList(listKey, { current: id })
  else if (part?.dataset.copy !== undefined) copy(id)
  else if (event.shiftKey) {
    const range = rangeBetween(
      rows.map(instance => instance.id),
      list.anchor ?? list.current,
      id,
    )
    changeList(listKey, { current: id, selected: new Set([...list.selected, ...range]) })
  } else if (part?.dataset.box !== undefined || event.ctrlKey || event.metaKey) {
    changeList(listKey, { current: id, anchor: id, selected: toggled(list.selected, id) })
    // The keys belong to the grid although the box has the focus: `m` sets the mode of what is ticked.
    event.target.closest<HTMLElement>('[role="grid"]')?.focus({ preventScroll: true })
  } else if (part?.dataset.open !== undefined) changeList(listKey, { current: id, anchor: id, open: id })
  else changeList(listKey, { current: id, anchor: id, ...(list.open === null ? {} : { open: id }) })
}

interface UseGridKeysOptions {
  readonly listKey: string
  readonly list: InstanceList
  readonly rows: readonly InstanceView[]
  /** How many rows are visible. */
  readonly page: () => number
  readonly show: (index: number) => void
  readonly openModes: (id: string) => void
}

/** The keys of a list of instances: arrows move, Space selects, Shift extends, Ctrl+A selects all, Enter opens, m sets the mode. */
function useGridKeys(options: UseGridKeysOptions): (event: KeyboardEvent) => void {
  return event => {
    if (event.altKey) return
    if ((event.ctrlKey || event.metaKey) && event.key.toLowerCase() === 'a') {
      event.preventDefault()
      changeList(options.listKey, { selected: new Set(options.rows.map(({ id }) => id)) })
      return
    }
    const handled = onCurrent(event, options) || onMove(event, options)
    if (handled) event.preventDefault()
  }
}

function onCurrent(event: KeyboardEvent, { listKey, list, rows, openModes }: UseGridKeysOptions): boolean {
  const current = rows.find(({ id }) => id === list.current)?.id ?? null
  if (event.key === 'Escape') {
    if (list.open !== null) changeList(listKey, { open: null })
    else if (list.selected.size > 0) changeList(listKey, { selected: new Set() })
    else return false
    return true
  }
  if (current === null || event.ctrlKey || event.metaKey) return false
  switch (event.key) {
    case ' ':
      changeList(
        listKey,
        event.shiftKey
          ? { selected: extended(list, rows, current) }
          : { selected: toggled(list.selected, current), anchor: current },
      )
      return true
    case 'Enter':
      changeList(listKey, { open: current })
      return true
    case 'm':
    case 'ContextMenu':
      openModes(current)
      return true
    case 'F10':
      if (!event.shiftKey) return false
      openModes(current)
      return true
    default:
      return false
  }
}

function onMove(event: KeyboardEvent, { listKey, list, rows, page, show }: UseGridKeysOptions): boolean {
  const at = rows.findIndex(({ id }) => id === list.current)
  const to = rowAfter(event.key, at, rows.length, page())
  const next = to === null ? undefined : rows[to]
  if (to === null || next === undefined) return false
  const details = list.open === null ? {} : { open: next.id }
  changeList(
    listKey,
    event.shiftKey
      ? { current: next.id, anchor: list.anchor ?? list.current, selected: extended(list, rows, next.id), ...details }
      : { current: next.id, anchor: next.id, ...details },
  )
  show(to)
  return true
}

/** The earlier selection plus the rows from the anchor to this one. */
function extended(list: InstanceList, rows: readonly InstanceView[], to: string): ReadonlySet<string> {
  const ids = rows.map(({ id }) => id)
  return new Set([...list.selected, ...rangeBetween(ids, list.anchor ?? list.current, to)])
}
