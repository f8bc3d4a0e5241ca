// biome-ignore-all lint/a11y/useSemanticElements: rows in sight alone are drawn, each at its place, which no table allows.
// biome-ignore-all lint/a11y/useFocusableInteractive: the grid has the focus, and names its span (aria-activedescendant).
import { useVirtualizer } from '@tanstack/react-virtual'
import {
  type KeyboardEvent,
  type ReactNode,
  type RefObject,
  useCallback,
  useId,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from 'react'
import type { StageSpan, UpdateTimeline } from '../../../shared/domain/update.ts'
import { STAGE_WORDS } from '../../../shared/words/updates.ts'
import type { Point } from '../../geometry/rectangle.ts'
import {
  firstPlace,
  type SpanPlace,
  spanBeside,
  type TimelineRow,
  timelineRows,
} from '../../geometry/timeline-layout.ts'
import { SpanFacts } from './span-facts.tsx'
import { TimelineHead } from './timeline-head.tsx'
import { HEAD_PX, NAME_PX, RIGHT_PX } from './timeline-metrics.ts'
import { HeadingRow, LaneRow } from './timeline-row.tsx'
import { useSpanPointer } from './use-span-pointer.ts'
import { useTimelineScale } from './use-timeline-scale.ts'
import './timeline.css'

const MOVES = ['ArrowLeft', 'ArrowRight', 'ArrowUp', 'ArrowDown', 'Home', 'End'] as const

const WIDTH_PX = 340

const ROOM_PX = 220

interface Props {
  readonly cluster: string
  readonly title: string
  readonly timeline: UpdateTimeline
  /** By which the scale is made: a replay keeps that of the whole update. */
  readonly whole: UpdateTimeline
  readonly nowMs: number
  /** How many times wider than it fits. */
  readonly zoom: number
  readonly pinned: SpanPlace | null
  readonly onOpen: (place: SpanPlace) => void
}

/** An update as phases across and nodes as lanes: the same live, observed and replayed (docs/style.md G34). */
export function TimelineView({ cluster, title, timeline, whole, nowMs, zoom, pinned, onOpen }: Props): ReactNode {
  const name = useId()
  const grid = useRef<HTMLDivElement>(null)
  const width = useWidth(grid)
  const [current, setCurrent] = useState<SpanPlace | null>(null)
  const [isFocused, setFocused] = useState(false)
  const planeWidth = Math.max(240, Math.floor(((width ?? 0) - NAME_PX - RIGHT_PX) * zoom))
  const scale = useTimelineScale(whole, planeWidth, nowMs)
  const rows = useMemo(() => timelineRows(timeline), [timeline])
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => grid.current,
    estimateSize: index => rows[index]?.height ?? 0,
    overscan: 6,
    scrollMargin: HEAD_PX,
    scrollPaddingStart: HEAD_PX,
  })
  const show = useCallback(
    (place: SpanPlace) => {
      setCurrent(place)
      const row = rows.findIndex(each => each.kind === 'lane' && each.lane === place.lane)
      if (row >= 0) virtual.scrollToIndex(row, { align: 'auto' })
      const span = timeline.lanes[place.lane]?.spans[place.span]
      if (span !== undefined && grid.current !== null) keepInSight(grid.current, scale.x(Date.parse(span.fromAt)))
    },
    [rows, virtual, timeline, scale],
  )
  const onKeyDown = useSpanKeys({ timeline, rows, current, show, onOpen })
  const pointer = useSpanPointer({ grid, timeline, rows, scale, nowMs })
  const items = virtual.getVirtualItems()
  const drawnLanes = new Set(
    items.flatMap(({ index }) => {
      const row = rows[index]
      return row?.kind === 'lane' ? [row.lane] : []
    }),
  )
  const spanId = (place: SpanPlace) => `${name}-${place.lane}-${place.span}`
  const told = pointer.over?.place ?? (isFocused ? current : null)
  return (
    <div
      ref={grid}
      role="grid"
      className="tl card grow"
      aria-label={`${title}: timeline`}
      aria-rowcount={rows.length + 1}
      aria-activedescendant={current !== null && drawnLanes.has(current.lane) ? spanId(current) : undefined}
      tabIndex={0}
      onKeyDown={onKeyDown}
      onFocus={() => {
        setFocused(true)
        if (current === null) setCurrent(firstPlace(timeline, rows))
      }}
      onBlur={() => setFocused(false)}
      onPointerMove={pointer.onPointerMove}
      onPointerLeave={pointer.onPointerLeave}
      onScroll={pointer.onPointerLeave}
      onClick={event => {
        const place = pointer.placeOf(event)
        if (place === null) return
        setCurrent(place)
        onOpen(place)
      }}
    >
      <TimelineHead phases={timeline.phases} scale={scale} nowMs={nowMs} />
      <div
        role="rowgroup"
        className="tl-rows"
        style={{ height: virtual.getTotalSize(), width: NAME_PX + planeWidth + RIGHT_PX }}
      >
        {scale.breaks.map(each => (
          <span
            key={each.fromMs}
            aria-hidden
            className="tl-break-band"
            style={{ left: NAME_PX + each.x, width: each.width }}
          />
        ))}
        {items.map(({ index, start }) => {
          const row = rows[index]
          if (row === undefined) return null
          const top = start - HEAD_PX
          if (row.kind === 'heading') {
            return <HeadingRow key={`${row.phase} ${row.group}`} row={row} index={index + 2} top={top} />
          }
          const lane = timeline.lanes[row.lane]
          if (lane === undefined) return null
          return (
            <LaneRow
              key={lane.node}
              id={`${name}-${row.lane}`}
              lane={lane}
              index={index + 2}
              top={top}
              scale={scale}
              // A lane in which nothing goes on does not know of the present, and is not drawn anew for it.
              nowMs={lane.spans.some(isActive) ? nowMs : scale.toMs}
              current={current?.lane === row.lane && isFocused ? current.span : null}
              pinned={pinned?.lane === row.lane ? pinned.span : null}
            />
          )
        })}
        <span aria-hidden className="tl-now" style={{ left: NAME_PX + scale.x(nowMs) }} />
      </div>
      {told === null ? null : (
        <TimelineTooltip
          cluster={cluster}
          timeline={timeline}
          place={told}
          at={pointer.over?.at ?? null}
          spanId={spanId(told)}
          nowMs={nowMs}
        />
      )}
    </div>
  )
}

/** Scrolls a zoomed timeline so that a place of it is seen. */
function keepInSight(grid: HTMLElement, x: number): void {
  const seen = grid.clientWidth - NAME_PX
  if (x < grid.scrollLeft || x > grid.scrollLeft + seen - 24) grid.scrollLeft = Math.max(0, x - seen / 3)
}

/** Whether a node is in this stage now, and something is done or waited for in it. */
function isActive({ stage, toAt }: Pick<StageSpan, 'stage' | 'toAt'>): boolean {
  return toAt === null && stage !== 'pending' && stage !== 'done' && stage !== 'skipped'
}

/** The width of an element, without its scrollbar; null before it was measured. */
function useWidth(element: RefObject<HTMLElement | null>): number | null {
  const [width, setWidth] = useState<number | null>(null)
  useLayoutEffect(() => {
    const seen = element.current
    if (seen === null) return
    const measure = () => setWidth(seen.clientWidth)
    measure()
    const sizes = new ResizeObserver(measure)
    sizes.observe(seen)
    return () => sizes.disconnect()
  }, [element])
  return width
}

interface TimelineTooltipProps {
  readonly cluster: string
  readonly timeline: UpdateTimeline
  readonly place: SpanPlace
  /** Where the pointer is; null: beside the span that the keys stand on. */
  readonly at: Point | null
  readonly spanId: string
  readonly nowMs: number
}

/** What a span stands for, beside the pointer or the keys; Enter or a click opens all of it. */
function TimelineTooltip({ cluster, timeline, place, at, spanId, nowMs }: TimelineTooltipProps): ReactNode {
  const [beside, setBeside] = useState<Point | null>(null)
  useLayoutEffect(() => {
    if (at !== null) {
      setBeside({ x: at.x + 12, y: at.y + 16 })
      return
    }
    const box = document.getElementById(spanId)?.getBoundingClientRect()
    setBeside(box === undefined ? null : { x: box.left, y: box.bottom + 6 })
  }, [at, spanId])
  const lane = timeline.lanes[place.lane]
  const span = lane?.spans[place.span]
  if (lane === undefined || span === undefined || beside === null) return null
  const left = Math.max(8, Math.min(beside.x, window.innerWidth - WIDTH_PX - 8))
  const isLow = beside.y > window.innerHeight - ROOM_PX
  const vertical = isLow ? { bottom: window.innerHeight - beside.y + 36 } : { top: beside.y }
  return (
    <div role="tooltip" className="tl-tip" style={{ left, width: WIDTH_PX, ...vertical }}>
      <b>
        {lane.node}: {STAGE_WORDS[span.stage]}
      </b>
      <SpanFacts cluster={cluster} span={span} nowMs={nowMs} most={3} />
    </div>
  )
}

interface Given {
  readonly timeline: UpdateTimeline
  readonly rows: readonly TimelineRow[]
  readonly current: SpanPlace | null
  readonly show: (place: SpanPlace) => void
  readonly onOpen: (place: SpanPlace) => void
}

/** The keys of the timeline: arrows walk from span to span, Enter opens the one they stand on. */
function useSpanKeys({ timeline, rows, current, show, onOpen }: Given): (event: KeyboardEvent) => void {
  return useCallback(
    event => {
      if (event.altKey || event.ctrlKey || event.metaKey) return
      const at = current ?? firstPlace(timeline, rows)
      if (at === null) return
      if (event.key === 'Enter' || event.key === ' ') {
        event.preventDefault()
        onOpen(at)
        return
      }
      const key = MOVES.find(known => known === event.key)
      if (key === undefined) return
      event.preventDefault()
      const next = current === null ? at : spanBeside(timeline, rows, at, key)
      if (next !== null) show(next)
    },
    [timeline, rows, current, show, onOpen],
  )
}
