import type { MouseEvent } from 'react'
import type { InstanceView } from '../../../shared/domain/cluster-view.ts'
import { changeList, type InstanceList } from '../../stores/instance-lists.ts'
import { rangeBetween, toggled } from './selection-moves.ts'

interface Options {
  readonly listKey: string
  readonly list: InstanceList
  readonly rows: readonly InstanceView[]
  readonly openMenu: (id: string) => void
  readonly copy: (id: string) => void
}

/** What a click in a list of instances does: one listener for all its rows. */
export function onGridClick(event: MouseEvent, { listKey, list, rows, openMenu, copy }: Options): void {
  if (!(event.target instanceof Element)) return
  const row = event.target.closest<HTMLElement>('[data-id]')
  const id = row?.dataset.id
  if (id === undefined) return
  const part = event.target.closest<HTMLElement>('[data-mark], [data-open], [data-copy], [data-box]')
  if (part?.dataset.mark !== undefined) {
    changeList(listKey, { current: id })
    openMenu(id)
  } else if (part?.dataset.copy !== undefined) copy(id)
  else if (event.shiftKey) {
    const range = rangeBetween(
      rows.map(instance => instance.id),
      list.anchor ?? list.current,
      id,
    )
    changeList(listKey, { current: id, selected: new Set([...list.selected, ...range]) })
  } else if (part?.dataset.box !== undefined || event.ctrlKey || event.metaKey) {
    changeList(listKey, { current: id, anchor: id, selected: toggled(list.selected, id) })
  } else if (part?.dataset.open !== undefined) changeList(listKey, { current: id, anchor: id, open: id })
  else changeList(listKey, { current: id, anchor: id, ...(list.open === null ? {} : { open: id }) })
}
