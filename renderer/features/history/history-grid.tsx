// biome-ignore-all lint/a11y/useSemanticElements: rows in sight alone are drawn, each at its place, which no table allows.
// biome-ignore-all lint/a11y/useFocusableInteractive: what is focused is the link within a row.
import { useVirtualizer } from '@tanstack/react-virtual'
import { type KeyboardEvent, type ReactNode, useEffect, useRef } from 'react'
import { HistoryRowView } from './history-row.tsx'
import type { HistoryRow } from './history-rows.ts'

/** As in history.css. */
const ROW = 32
const HEAD = 28
const COLUMNS = ['When', 'What', 'Cluster', 'Came to', 'Took', 'By', 'What happened'] as const

/** The history as a table, the rows in sight alone; arrows go from row to row. */
export function HistoryGrid({ rows }: { readonly rows: readonly HistoryRow[] }): ReactNode {
  const grid = useRef<HTMLDivElement>(null)
  /** The row that gets the focus as soon as it is drawn. */
  const wanted = useRef<number | null>(null)
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => grid.current,
    estimateSize: () => ROW,
    getItemKey: index => rows[index]?.key ?? index,
    overscan: 10,
    scrollMargin: HEAD,
    scrollPaddingStart: HEAD,
  })
  const items = virtual.getVirtualItems()
  useEffect(() => {
    if (wanted.current === null) return
    const link = linkAt(grid.current, wanted.current)
    if (link === null) return
    wanted.current = null
    link.focus({ preventScroll: true })
  })
  const onKeyDown = (event: KeyboardEvent) => {
    const row = event.target instanceof Element ? event.target.closest<HTMLElement>('[data-index]') : null
    const next = row === null ? null : indexAfter(event.key, Number(row.dataset.index), rows.length)
    if (next === null) return
    event.preventDefault()
    virtual.scrollToIndex(next, { align: 'auto' })
    const link = linkAt(grid.current, next)
    if (link === null) wanted.current = next
    else link.focus({ preventScroll: true })
  }
  return (
    <div
      className="hist-grid"
      ref={grid}
      role="table"
      aria-label="History"
      aria-rowcount={rows.length + 1}
      onKeyDown={onKeyDown}
    >
      <div role="rowgroup">
        <div role="row" className="hist-row hist-head" aria-rowindex={1}>
          {COLUMNS.map(name => (
            <span key={name} role="columnheader">
              {name}
            </span>
          ))}
        </div>
      </div>
      <div role="rowgroup" className="hist-body" style={{ height: virtual.getTotalSize() }}>
        {items.map(({ index, start }) => {
          const row = rows[index]
          return row === undefined ? null : <HistoryRowView key={row.key} row={row} index={index} top={start - HEAD} />
        })}
      </div>
    </div>
  )
}

function linkAt(grid: HTMLElement | null, index: number): HTMLElement | null {
  return grid?.querySelector<HTMLElement>(`[data-index="${index}"] a`) ?? null
}

function indexAfter(key: string, at: number, count: number): number | null {
  switch (key) {
    case 'ArrowDown':
      return Math.min(count - 1, at + 1)
    case 'ArrowUp':
      return Math.max(0, at - 1)
    case 'Home':
      return 0
    case 'End':
      return count - 1
    default:
      return null
  }
}
