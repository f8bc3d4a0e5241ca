// biome-ignore-all lint/a11y/useSemanticElements: only visible rows are drawn, each at its place, which a table cannot do.
// biome-ignore-all lint/a11y/useFocusableInteractive: the link within a row has the focus.

import { CalendarIcon } from '@blueprintjs/icons'
import { useVirtualizer } from '@tanstack/react-virtual'
import { type KeyboardEvent, type ReactNode, useEffect, useRef } from 'react'
import { counted } from '../../../shared/grammar/counts.ts'
import { durationWords } from '../../../shared/grammar/durations.ts'
import { dateAndTime } from '../../../shared/grammar/times.ts'
import { kindTitle } from '../../../shared/words/runs.ts'
import { planWords, STATUS_WORDS } from '../../../shared/words/windows.ts'
import { useClusterColour } from '../../stores/clusters.ts'
import { usePreferences } from '../../stores/preferences.ts'
import { clusterRoute, hashOf } from '../../stores/route.ts'
import { useTicks } from '../../stores/ticks.ts'
import { statusAt } from '../../stores/windows.ts'
import { Elapsed } from '../../ui/runs/elapsed.tsx'
import { Named } from '../../ui/runs/named.tsx'
import { StateTag } from '../../ui/runs/state-tag.tsx'
import { WhenMinute } from '../../ui/when.tsx'
import type { HistoryRow } from './history-rows.ts'

/** The row height of history.css. */
const ROW = 52
const HEAD = 28
const COLUMNS = ['When', 'What', 'Result', 'Summary'] as const

/** The history as a virtual table: only visible rows are drawn; arrows move between rows. */
export function HistoryGrid({ rows }: { readonly rows: readonly HistoryRow[] }): ReactNode {
  const grid = useRef<HTMLDivElement>(null)
  /** The row that gets the focus once it is drawn. */
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
      className="hist-grid space scrolls"
      ref={grid}
      role="table"
      aria-label="History"
      aria-rowcount={rows.length + 1}
      onKeyDown={onKeyDown}
    >
      <div role="rowgroup">
        <div role="row" className="hist-row hist-head strong quiet" aria-rowindex={1}>
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

interface Props {
  readonly row: HistoryRow
  readonly index: number
  readonly top: number
}

function HistoryRowView({ row, index, top }: Props): ReactNode {
  return (
    <div
      role="row"
      className="hist-row"
      data-kind={row.kind}
      data-index={index}
      aria-rowindex={index + 2}
      style={{ top }}
    >
      <span role="cell" className="number">
        <Moment at={row.at} />
      </span>
      {row.kind === 'run' ? <RunCells row={row} /> : <WindowCells row={row} />}
    </div>
  )
}

function RunCells({ row: { run, window } }: { readonly row: Extract<HistoryRow, { kind: 'run' }> }): ReactNode {
  const said = window === null ? run.summary : `${window}: ${run.summary}`
  return (
    <>
      <span role="cell" className="hist-what">
        <a href={hashOf(clusterRoute(run.cluster, 'history', { runId: run.id }))}>
          <Named title={kindTitle(run)} />
        </a>
        <Where cluster={run.cluster} operator={run.operator} />
      </span>
      <span role="cell">
        <StateTag condition={run.condition} />
        <span className="quiet small hist-took">
          {run.state === 'interrupted' ? '' : <Elapsed from={run.createdAt} to={run.endedAt} />}
        </span>
      </span>
      <span role="cell" className="hist-said" title={said}>
        {window === null ? null : <b>{window}: </b>}
        {run.summary}
      </span>
    </>
  )
}

function WindowCells({ row: { listed } }: { readonly row: Extract<HistoryRow, { kind: 'window' }> }): ReactNode {
  const { window, runs } = listed
  const status = useTicks(({ nowMs }) => statusAt(listed, nowMs))
  const said = [
    window.ticket,
    planWords(window.plan),
    runs.length === 0 ? '' : counted(runs.length, 'run'),
    window.closed?.summary ?? window.cancelled?.why ?? '',
  ]
    .filter(Boolean)
    .join(' · ')
  return (
    <>
      <span role="cell" className="hist-what">
        <a href={hashOf({ kind: 'window', id: window.id })}>
          <CalendarIcon size={12} aria-hidden /> {window.title}
        </a>
        <Where cluster={window.cluster} operator={window.operator} />
      </span>
      <span role="cell">
        <span className={`strong toned status-${status}`}>{STATUS_WORDS[status]}</span>
        <span className="quiet small hist-took">
          {durationWords(Date.parse(window.endsAt) - Date.parse(window.startsAt))}
        </span>
      </span>
      <span role="cell" className="hist-said" title={said}>
        {said}
      </span>
    </>
  )
}

/** The day over the time. */
function Moment({ at }: { readonly at: string }): ReactNode {
  const clock = usePreferences(store => store.preferences.clock)
  return (
    <>
      {dateAndTime(at, clock).slice(0, 10)}
      <span className="quiet small block">
        <WhenMinute at={at} />
      </span>
    </>
  )
}

/** The cloud and the operator. */
function Where({ cluster, operator }: { readonly cluster: string; readonly operator: string }): ReactNode {
  const colour = useClusterColour(cluster)
  return (
    <span className="quiet small hist-where">
      <span className="dot dot-inline" style={{ background: colour }} />
      {cluster} · {operator}
    </span>
  )
}
