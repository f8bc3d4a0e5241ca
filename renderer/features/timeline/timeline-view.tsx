// biome-ignore-all lint/a11y/useSemanticElements: only visible rows are drawn, each at its place, which a table cannot do.
// biome-ignore-all lint/a11y/useFocusableInteractive: the grid has the focus and names its span (aria-activedescendant).
import { useVirtualizer } from '@tanstack/react-virtual'
import {
  type KeyboardEvent,
  type ReactNode,
  useCallback,
  useEffect,
  useId,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from 'react'
import { type StageSpan, turnOf, type UpdateTimeline } from '../../../shared/domain/update.ts'
import { timeOfDay } from '../../../shared/grammar/times.ts'
import { STAGE_WORDS } from '../../../shared/words/updates.ts'
import type { Point } from '../../geometry/rectangle.ts'
import {
  firstPlace,
  type SpanPlace,
  spanBeside,
  type TimelineRow,
  timelineRows,
} from '../../geometry/timeline-layout.ts'
import { countedThen, ribbonParts } from '../../geometry/timeline-ribbon.ts'
import type { TimelineScale } from '../../geometry/timeline-scale.ts'
import { usePreferences } from '../../stores/preferences.ts'
import { type LaneWords, laneWords, readsSame } from './lane-words.ts'
import { SpanFacts } from './span-facts.tsx'
import { TimelineCurves } from './timeline-curves.tsx'
import { TimelineHead } from './timeline-head.tsx'
import { CURVE_PX, HEAD_PX, NAME_PX, RIGHT_PX, ROWS } from './timeline-metrics.ts'
import type { Outlook } from './timeline-outlook.ts'
import { HeadingRow, LaneRow } from './timeline-row.tsx'
import { TimelineReplay, TimelineScrubber } from './timeline-scrubber.tsx'
import type { ShownMoment } from './use-shown-moment.ts'
import { useSpanPointer } from './use-span-pointer.ts'
import { useTimelineScale } from './use-timeline-scale.ts'
import { useWidth } from './use-width.ts'
import './timeline.css'

const MOVES = ['ArrowLeft', 'ArrowRight', 'ArrowUp', 'ArrowDown', 'Home', 'End'] as const

const WIDTH_PX = 340

const ROOM_PX = 220

/** Without an expected end, this share of the past is left free for the future. */
const ROOM_AHEAD = 0.4
const LEAST_AHEAD_MS = 5 * 60_000
/** The window's end is on the axis unless the rest would get less than this share. */
const LEAST_PART = 0.45

interface Props {
  readonly cluster: string
  readonly title: string
  readonly timeline: UpdateTimeline
  readonly samples: UpdateTimeline['samples']
  readonly outlook: Outlook
  /** Now, or the end of the update. */
  readonly nowMs: number
  /** The shown moment: everything after it is dimmed. */
  readonly moment: ShownMoment
  /** How many times wider than it fits. */
  readonly zoom: number
  readonly pinned: SpanPlace | null
  readonly onOpen: (place: SpanPlace) => void
}

/** An update as phases across and nodes as lanes: the same live, observed and replayed (docs/style.md G34). */
export function TimelineView(props: Props): ReactNode {
  const { cluster, title, timeline, samples, outlook, nowMs, moment, zoom, pinned, onOpen } = props
  const { shownMs, onShow, then } = moment
  const name = useId()
  const scroller = useRef<HTMLDivElement>(null)
  const width = useWidth(scroller)
  const [current, setCurrent] = useState<SpanPlace | null>(null)
  const [isFocused, setFocused] = useState(false)
  const planeWidth = Math.max(MIN_PLANE_PX, Math.floor(((width ?? 0) - NAME_PX - RIGHT_PX) * zoom))
  const scale = useTimelineScale(timeline, planeWidth, nowMs, aheadUntil(timeline, outlook, nowMs))
  const rows = useMemo(() => timelineRows(then ?? timeline, ROWS), [timeline, then])
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: index => rows[index]?.height ?? 0,
    overscan: 6,
    scrollMargin: HEAD_PX,
    scrollPaddingStart: HEAD_PX,
    scrollPaddingEnd: CURVE_PX * 3,
  })
  const show = useCallback(
    (place: SpanPlace) => {
      setCurrent(place)
      const row = rows.findIndex(each => each.kind === 'lane' && each.lane === place.lane)
      if (row >= 0) virtual.scrollToIndex(row, { align: 'auto' })
      const span = timeline.lanes[place.lane]?.spans[place.span]
      if (span !== undefined && scroller.current !== null) {
        keepInSight(scroller.current, scale.x(Date.parse(span.fromAt)))
      }
    },
    [rows, virtual, timeline, scale],
  )
  const isMeasured = width !== null
  // biome-ignore lint/correctness/useExhaustiveDependencies: only once: afterwards the operator scrolls.
  useEffect(() => {
    const at = isMeasured ? firstPlace(timeline, rows) : null
    const row = rows.findIndex(each => each.kind === 'lane' && each.lane === at?.lane)
    if (row >= 0 && timeline.endedAt === null) virtual.scrollToIndex(row, { align: 'auto' })
  }, [isMeasured])
  const onKeyDown = useSpanKeys({ timeline, rows, current, show, onOpen })
  const pointer = useSpanPointer({ scroller, timeline, rows, scale, nowMs })
  const words = useLaneWords(timeline, outlook)
  const ribbon = useMemo(
    () => countedThen(ribbonParts(timeline, outlook.nodes, outlook.ghosts, scale, nowMs), then?.lanes ?? null),
    [timeline, then, outlook.nodes, outlook.ghosts, scale, nowMs],
  )
  const windowEndMs = windowEndOn(outlook, scale)
  const hasEnded = timeline.endedAt !== null
  const items = virtual.getVirtualItems()
  const drawnLanes = new Set(
    items.flatMap(({ index }) => {
      const row = rows[index]
      return row?.kind === 'lane' ? [row.lane] : []
    }),
  )
  const spanId = (place: SpanPlace) => `${name}-${place.lane}-${place.span}`
  const pointedAt = pointer.over?.place ?? (isFocused ? current : null)
  return (
    <div ref={scroller} className="tl grow" data-over={hasEnded} onScroll={pointer.onPointerLeave}>
      <div
        role="grid"
        className="tl-grid"
        aria-label={`${title}: timeline`}
        aria-rowcount={rows.length + 1}
        aria-activedescendant={current !== null && drawnLanes.has(current.lane) ? spanId(current) : undefined}
        tabIndex={0}
        onKeyDown={onKeyDown}
        onFocus={({ target, currentTarget }) => {
          if (target !== currentTarget) return
          setFocused(true)
          if (current === null) setCurrent(firstPlace(timeline, rows))
        }}
        onBlur={() => setFocused(false)}
        onPointerMove={pointer.onPointerMove}
        onPointerLeave={pointer.onPointerLeave}
        onClick={event => {
          const place = pointer.placeOf(event)
          if (place === null) return
          setCurrent(place)
          onOpen(place)
        }}
      >
        <TimelineHead
          ribbon={ribbon}
          scale={scale}
          nowMs={nowMs}
          windowEndMs={windowEndMs}
          corner={<TimelineReplay scale={scale} presentMs={nowMs} hasEnded={hasEnded} atMs={shownMs} onShow={onShow} />}
          scrubber={
            <TimelineScrubber scale={scale} presentMs={nowMs} hasEnded={hasEnded} atMs={shownMs} onShow={onShow} />
          }
        />
        <div
          role="rowgroup"
          className="tl-rows"
          style={{ height: virtual.getTotalSize(), width: NAME_PX + planeWidth + RIGHT_PX }}
        >
          {scale.ticks.map(({ x, atMs }) => (
            <span key={atMs} aria-hidden className="tl-gridline" style={{ left: NAME_PX + x }} />
          ))}
          {scale.breaks.map(each => (
            <span
              key={each.fromMs}
              aria-hidden
              className="tl-break-band"
              style={{ left: NAME_PX + each.x, width: each.width }}
            />
          ))}
          {windowEndMs === null ? null : (
            <span aria-hidden className="tl-window-end" style={{ left: NAME_PX + scale.x(windowEndMs) }} />
          )}
          {items.map(({ index, start }) => {
            const row = rows[index]
            if (row === undefined) return null
            const top = start - HEAD_PX
            if (row.kind === 'heading') {
              return <HeadingRow key={`${row.phase} ${row.group}`} row={row} index={index + 2} top={top} />
            }
            const lane = timeline.lanes[row.lane]
            if (lane === undefined) return null
            const ghost = outlook.ghosts.get(lane.node) ?? null
            return (
              <LaneRow
                key={lane.node}
                id={`${name}-${row.lane}`}
                lane={lane}
                stage={then?.lanes[row.lane]?.stage ?? lane.stage}
                index={index + 2}
                top={top}
                scale={scale}
                // A lane without activity does not depend on the present, and is not drawn again for it.
                nowMs={lane.spans.some(isActive) || ghost !== null ? nowMs : scale.toMs}
                shownMs={shownMs}
                ghost={ghost}
                departures={outlook.departures.get(lane.node) ?? null}
                // The texts belong to the present.
                words={shownMs === null ? (words.get(lane.node) ?? null) : null}
                current={current?.lane === row.lane && isFocused ? current.span : null}
                pinned={pinned?.lane === row.lane ? pinned.span : null}
              />
            )
          })}
          <span aria-hidden className="tl-now" style={{ left: NAME_PX + scale.x(nowMs) }} />
          {shownMs === null ? null : (
            <span aria-hidden className="tl-veil" style={{ left: NAME_PX + scale.x(shownMs), right: 0 }} />
          )}
        </div>
      </div>
      <TimelineCurves
        remaining={outlook.remaining}
        isReported={outlook.isReported}
        isThrough={hasEnded && !timeline.lanes.some(({ spans }) => spans.some(isActive))}
        copied={outlook.copied}
        samples={samples}
        scale={scale}
        nowMs={nowMs}
        shownMs={shownMs}
      />
      {pointedAt === null ? null : (
        <TimelineTooltip
          cluster={cluster}
          timeline={timeline}
          place={pointedAt}
          at={pointer.over?.at ?? null}
          spanId={spanId(pointedAt)}
          nowMs={nowMs}
        />
      )}
    </div>
  )
}

/** A narrower plane would be unreadable, so it scrolls. */
const MIN_PLANE_PX = 420

/** The end of the axis: the expected end, and the window's end if it leaves enough room. */
function aheadUntil(timeline: UpdateTimeline, { end, window, ghosts }: Outlook, nowMs: number): number {
  if (timeline.endedAt !== null) return nowMs
  const fromMs = timeline.startedAt === null ? nowMs : Date.parse(timeline.startedAt)
  const late = [...ghosts.values()].reduce(
    (most, ghost) => (ghost.kind === 'expected' ? Math.max(most, ghost.lateMs) : most),
    nowMs,
  )
  const room = nowMs + Math.max(LEAST_AHEAD_MS, (nowMs - fromMs) * ROOM_AHEAD)
  // After the expected end comes the end of the last phase, which is not measured.
  const until = end === null ? Math.max(late, room) : Math.max(late, end.highMs + (end.highMs - nowMs) * 0.2)
  const windowMs = window === null ? 0 : Date.parse(window.window.endsAt)
  return windowMs > until && (until - fromMs) / (windowMs - fromMs) >= LEAST_PART ? windowMs : until
}

/** When the window ends, if that is on the axis. */
function windowEndOn({ window }: Outlook, scale: TimelineScale): number | null {
  if (window === null) return null
  const endMs = Date.parse(window.window.endsAt)
  return endMs >= scale.fromMs && endMs <= scale.toMs ? endMs : null
}

/** The text of each lane, by node; unchanged texts keep their identity, so that rows are not drawn again. */
function useLaneWords(timeline: UpdateTimeline, outlook: Outlook): ReadonlyMap<string, LaneWords> {
  const clock = usePreferences(store => store.preferences.clock)
  const before = useRef<ReadonlyMap<string, LaneWords>>(new Map())
  return useMemo(() => {
    const time = (ms: number) => timeOfDay(new Date(ms).toISOString(), clock).slice(0, 5)
    const words = new Map<string, LaneWords>()
    if (timeline.endedAt === null || timeline.lanes.some(({ stage }) => stage === 'skipped' || stage === 'unseen')) {
      for (const lane of timeline.lanes) {
        const { node } = lane
        const fresh = laneWords(lane, {
          ghost: outlook.ghosts.get(node) ?? null,
          // Only the process that runs it knows the order.
          turn: outlook.nodes.length === 0 ? null : (outlook.turns.get(node) ?? null),
          condition: outlook.condition,
          left: outlook.departures.get(node)?.length ?? 0,
          toLeave: outlook.toLeave.get(node) ?? null,
          time,
        })
        if (fresh === null) continue
        const known = before.current.get(node)
        words.set(node, known !== undefined && readsSame(known, fresh) ? known : fresh)
      }
    }
    before.current = words
    return words
  }, [timeline, outlook, clock])
}

/** Scrolls a zoomed timeline until a place is visible. */
function keepInSight(scroller: HTMLElement, x: number): void {
  const seen = scroller.clientWidth - NAME_PX
  if (x < scroller.scrollLeft || x > scroller.scrollLeft + seen - 24) scroller.scrollLeft = Math.max(0, x - seen / 3)
}

/** Whether a node is in this stage now, and works or waits there. */
function isActive({ stage, toAt }: Pick<StageSpan, 'stage' | 'toAt'>): boolean {
  return toAt === null && turnOf(stage) === 'under-way'
}

interface TimelineTooltipProps {
  readonly cluster: string
  readonly timeline: UpdateTimeline
  readonly place: SpanPlace
  /** Where the pointer is; null means beside the span of the keyboard. */
  readonly at: Point | null
  readonly spanId: string
  readonly nowMs: number
}

/** A description of the span under the pointer or the keyboard; Enter or a click shows all details. */
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

/** The keys of the timeline: arrows move from span to span, Enter opens a span. */
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
