import type { KeyboardEvent } from 'react'
import type { InstanceView } from '../../../shared/domain/cluster-view.ts'
import { changeList, type InstanceList } from '../../stores/instance-lists.ts'
import { rangeBetween, rowAfter, toggled } from './selection-moves.ts'

interface Options {
  readonly listKey: string
  readonly list: InstanceList
  readonly rows: readonly InstanceView[]
  /** How many rows are seen at once. */
  readonly page: () => number
  readonly show: (index: number) => void
  readonly openMenu: (id: string) => void
}

/** What keys do in a list of instances: arrows go, Space selects, Shift extends, Ctrl+A takes all, Enter opens, m sets the mode. */
export function useGridKeys(options: Options): (event: KeyboardEvent) => void {
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

function onCurrent(event: KeyboardEvent, { listKey, list, rows, openMenu }: Options): boolean {
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
      openMenu(current)
      return true
    case 'F10':
      if (!event.shiftKey) return false
      openMenu(current)
      return true
    default:
      return false
  }
}

function onMove(event: KeyboardEvent, { listKey, list, rows, page, show }: Options): boolean {
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

/** The rows from the anchor to this one, beside what was selected. */
function extended(list: InstanceList, rows: readonly InstanceView[], to: string): ReadonlySet<string> {
  const ids = rows.map(({ id }) => id)
  return new Set([...list.selected, ...rangeBetween(ids, list.anchor ?? list.current, to)])
}
