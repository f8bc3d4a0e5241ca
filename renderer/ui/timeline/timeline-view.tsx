// biome-ignore-all lint/a11y/useSemanticElements: only visible rows are drawn, each at its place, which a table cannot do.
// biome-ignore-all lint/a11y/useFocusableInteractive: the grid has the focus and names its span (aria-activedescendant).
import { useVirtualizer, type Virtualizer } from '@tanstack/react-virtual'
import {
  type ReactNode,
  type RefObject,
  useCallback,
  useEffect,
  useId,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from 'react'
import { type NodeStage, type StageSpan, turnOf, type UpdateTimeline } from '../../../shared/domain/update.ts'
import { hasPhases } from '../../geometry/timeline-figure.ts'
import { firstPlace, phaseBoxes, type SpanPlace, timelineRows } from '../../geometry/timeline-layout.ts'
import { countedThen, ribbonParts } from '../../geometry/timeline-ribbon.ts'
import { CLOUD_ROW, type ScreenRow, screenRows } from '../../geometry/timeline-rows.ts'
import type { TimelineScale } from '../../geometry/timeline-scale.ts'
import { TimelineCurves } from './timeline-curves.tsx'
import { TimelineHead } from './timeline-head.tsx'
import { CURVE_PX, HEAD_PX, NAME_PX, RIGHT_PX, ROWS } from './timeline-metrics.ts'
import type { Outlook } from './timeline-outlook.ts'
import { CloudRow, HeadingRow, LaneRow, StepsRow } from './timeline-row.tsx'
import { TimelineReplay, TimelineScrubber } from './timeline-scrubber.tsx'
import { TimelineTooltip } from './timeline-tooltip.tsx'
import { useLaneWords } from './use-lane-words.ts'
import type { ShownMoment } from './use-shown-moment.ts'
import { useSpanKeys } from './use-span-keys.ts'
import { useSpanPointer } from './use-span-pointer.ts'
import { useTimelineScale } from './use-timeline-scale.ts'
import { useWidth } from './use-width.ts'
import { useZoomAnchor } from './use-zoom-anchor.ts'
import './timeline.css'

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
  /** The steps of a node, or of the whole cloud (`null`); absent for an update that another program drives. */
  readonly stepsOf?: StepsOf
}

export type StepsOf = (node: string | null) => ReactNode

/** An update as phases across and nodes as lanes: the same live, observed and replayed (docs/style.md G34). */
export function TimelineView(props: Props): ReactNode {
  const { cluster, timeline, samples, outlook, nowMs, moment } = props
  const { shownMs } = moment
  const scroller = useRef<HTMLDivElement>(null)
  const plane = useTimelinePlane(props, scroller)
  const { scale, rows, current, isFocused } = plane
  const pointer = useSpanPointer({ scroller, timeline, rows, scale, nowMs })
  const hasEnded = timeline.endedAt !== null
  const pointedAt = pointer.over?.place ?? (isFocused ? current : null)
  return (
    <div ref={scroller} className="tl grow" data-over={hasEnded} onScroll={pointer.onPointerLeave}>
      <TimelineGrid view={props} plane={plane} pointer={pointer} />
      <TimelineCurves
        remaining={outlook.remaining}
        isReported={outlook.isReported}
        isThrough={hasEnded && !timeline.lanes.some(({ spans }) => spans.some(isActive))}
        copied={outlook.copied}
        samples={samples}
        scale={scale}
        nowMs={nowMs}
        shownMs={shownMs}
        onShow={moment.onShow}
      />
      {pointedAt === null ? null : (
        <TimelineTooltip
          cluster={cluster}
          timeline={timeline}
          place={pointedAt}
          at={pointer.over?.at ?? null}
          spanId={spanIdOf(plane.name, pointedAt)}
          nowMs={nowMs}
        />
      )}
    </div>
  )
}

/** The drawn rows, the time axis and the span that the keyboard is at. */
interface TimelinePlane {
  /** The beginning of the ids of its elements. */
  readonly name: string
  readonly planeWidth: number
  readonly scale: TimelineScale
  readonly rows: readonly ScreenRow[]
  /** The visible width. */
  readonly seenWidth: number
  readonly steps: OpenSteps
  readonly virtual: Virtualizer<HTMLDivElement, Element>
  readonly current: SpanPlace | null
  readonly setCurrent: (place: SpanPlace | null) => void
  readonly isFocused: boolean
  readonly setFocused: (isFocused: boolean) => void
  /** Makes a span the current one and scrolls to it. */
  readonly show: (place: SpanPlace) => void
}

/** The lanes whose steps are open, with the heights of these. */
interface OpenSteps {
  readonly open: ReadonlySet<string>
  readonly heights: ReadonlyMap<string, number>
  readonly toggle: (of: string) => void
  readonly note: (of: string, height: number) => void
}

function useOpenSteps(): OpenSteps {
  const [open, setOpen] = useState<ReadonlySet<string>>(new Set())
  const [heights, setHeights] = useState<ReadonlyMap<string, number>>(new Map())
  const toggle = useCallback(
    (of: string) =>
      setOpen(before => (before.has(of) ? new Set([...before].filter(each => each !== of)) : new Set([...before, of]))),
    [],
  )
  const note = useCallback(
    (of: string, height: number) =>
      setHeights(before => (before.get(of) === height ? before : new Map(before).set(of, height))),
    [],
  )
  return { open, heights, toggle, note }
}

function useTimelinePlane(
  { timeline, outlook, nowMs, moment, zoom }: Props,
  scroller: RefObject<HTMLDivElement | null>,
): TimelinePlane {
  const name = useId()
  const width = useWidth(scroller)
  const [current, setCurrent] = useState<SpanPlace | null>(null)
  const [isFocused, setFocused] = useState(false)
  const planeWidth = Math.max(MIN_PLANE_PX, Math.floor(((width ?? 0) - NAME_PX - RIGHT_PX) * zoom))
  const scale = useTimelineScale(timeline, planeWidth, nowMs, aheadUntil(timeline, outlook, nowMs))
  const steps = useOpenSteps()
  const { open, heights } = steps
  const rows = useMemo(() => {
    const lanes = timelineRows(moment.then ?? timeline, ROWS)
    return screenRows(lanes, timeline.lanes, hasPhases(timeline), ROWS.lanePx, { open, heights })
  }, [timeline, moment.then, open, heights])
  useZoomAnchor(scroller, scale, moment.shownMs ?? nowMs, zoom)
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: index => rows[index]?.height ?? 0,
    overscan: 6,
    scrollMargin: HEAD_PX,
    scrollPaddingStart: HEAD_PX,
    scrollPaddingEnd: CURVE_PX * 3,
  })
  const shape = rows.map(({ height }) => height).join(' ')
  // biome-ignore lint/correctness/useExhaustiveDependencies: the list measures heights again when one of them changes.
  useLayoutEffect(() => virtual.measure(), [shape])
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
    [rows, virtual, timeline, scale, scroller],
  )
  const isMeasured = width !== null
  // biome-ignore lint/correctness/useExhaustiveDependencies: only once: afterwards the operator scrolls.
  useEffect(() => {
    const at = isMeasured ? firstPlace(timeline, rows) : null
    const row = rows.findIndex(each => each.kind === 'lane' && each.lane === at?.lane)
    if (row >= 0 && timeline.endedAt === null) virtual.scrollToIndex(row, { align: 'auto' })
  }, [isMeasured])
  const seenWidth = width ?? 0
  return { name, planeWidth, seenWidth, scale, rows, steps, virtual, current, setCurrent, isFocused, setFocused, show }
}

function spanIdOf(name: string, place: SpanPlace): string {
  return `${name}-${place.lane}-${place.span}`
}

interface TimelineRowsProps {
  readonly view: Props
  readonly plane: TimelinePlane
}

interface TimelineGridProps extends TimelineRowsProps {
  readonly pointer: ReturnType<typeof useSpanPointer>
}

/** The head and the lanes, which the keyboard and the pointer walk through. */
function TimelineGrid({ view, plane, pointer }: TimelineGridProps): ReactNode {
  const { title, timeline, outlook, nowMs, moment, onOpen } = view
  const { shownMs, onShow, then } = moment
  const { rows, scale, current } = plane
  const onKeyDown = useSpanKeys({ timeline, rows, current, show: plane.show, onOpen, onSteps: plane.steps.toggle })
  const ribbon = useMemo(
    () => countedThen(ribbonParts(timeline, outlook.nodes, outlook.ghosts, scale, nowMs), then?.lanes ?? null),
    [timeline, then, outlook.nodes, outlook.ghosts, scale, nowMs],
  )
  const windowEndMs = windowEndOn(outlook, scale)
  const hasEnded = timeline.endedAt !== null
  const drawnLanes = new Set(
    plane.virtual.getVirtualItems().flatMap(({ index }) => {
      const row = rows[index]
      return row?.kind === 'lane' ? [row.lane] : []
    }),
  )
  return (
    <div
      role="grid"
      className="tl-grid"
      aria-label={`${title}: timeline`}
      aria-rowcount={rows.length + 1}
      aria-activedescendant={
        current !== null && drawnLanes.has(current.lane) ? spanIdOf(plane.name, current) : undefined
      }
      tabIndex={0}
      onKeyDown={onKeyDown}
      onFocus={({ target, currentTarget }) => {
        if (target !== currentTarget) return
        plane.setFocused(true)
        if (current === null) plane.setCurrent(firstPlace(timeline, rows))
      }}
      onBlur={() => plane.setFocused(false)}
      onPointerMove={pointer.onPointerMove}
      onPointerLeave={pointer.onPointerLeave}
      onClick={event => {
        const place = pointer.placeOf(event)
        if (place === null) return
        plane.setCurrent(place)
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
      <TimelineRows view={view} plane={plane} />
    </div>
  )
}

/** The visible lanes, each at its place. */
function TimelineRows({ view, plane }: TimelineRowsProps): ReactNode {
  const { timeline, outlook, nowMs, moment, pinned, stepsOf } = view
  const { shownMs, then } = moment
  const { planeWidth, scale, rows, current, isFocused } = plane
  const words = useLaneWords(timeline, outlook)
  const windowEndMs = windowEndOn(outlook, scale)
  return (
    <div
      role="rowgroup"
      className="tl-rows"
      style={{ height: plane.virtual.getTotalSize(), width: NAME_PX + planeWidth + RIGHT_PX }}
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
      {plane.virtual.getVirtualItems().map(({ index, start }) => {
        const row = rows[index]
        if (row === undefined) return null
        const top = start - HEAD_PX
        if (row.kind === 'heading') {
          return <HeadingRow key={`${row.phase} ${row.group}`} row={row} index={index + 2} top={top} />
        }
        const isOpen = (of: string) => (stepsOf === undefined ? null : plane.steps.open.has(of))
        if (row.kind === 'cloud') {
          return (
            <CloudRow
              key="cloud"
              phases={phaseBoxes(ofCloud(timeline), scale, nowMs)}
              stage={cloudStage(then ?? timeline)}
              width={planeWidth}
              index={index + 2}
              top={top}
              isOpen={isOpen(CLOUD_ROW)}
              onToggle={() => plane.steps.toggle(CLOUD_ROW)}
            />
          )
        }
        if (row.kind === 'steps') {
          return (
            <StepsRow
              key={`steps of ${row.of}`}
              of={row.of}
              width={plane.seenWidth}
              index={index + 2}
              top={top}
              onHeight={plane.steps.note}
            >
              {stepsOf?.(row.of === CLOUD_ROW ? null : row.of)}
            </StepsRow>
          )
        }
        const lane = timeline.lanes[row.lane]
        if (lane === undefined) return null
        const ghost = outlook.ghosts.get(lane.node) ?? null
        return (
          <LaneRow
            key={lane.node}
            id={`${plane.name}-${row.lane}`}
            lane={lane}
            stage={then?.lanes[row.lane]?.stage ?? lane.stage}
            index={index + 2}
            top={top}
            isOpen={isOpen(lane.node)}
            onSteps={plane.steps.toggle}
            scale={scale}
            // A lane without activity does not depend on the present, and is not drawn again for it.
            nowMs={lane.spans.some(isActive) || ghost !== null ? nowMs : scale.toMs}
            shownMs={shownMs}
            ghost={ghost}
            departures={outlook.departures.get(lane.node) ?? null}
            // The texts belong to the present.
            words={shownMs === null ? (words.get(lane.node) ?? null) : null}
            current={isFocused && current?.lane === row.lane ? current.span : null}
            pinned={pinned?.lane === row.lane ? pinned.span : null}
          />
        )
      })}
      <span aria-hidden className="tl-now" style={{ left: NAME_PX + scale.x(nowMs) }} />
      {shownMs === null ? null : (
        <span aria-hidden className="tl-veil" style={{ left: NAME_PX + scale.x(shownMs), right: 0 }} />
      )}
    </div>
  )
}

/** The phases without nodes. */
function ofCloud({ phases }: Pick<UpdateTimeline, 'phases'>): UpdateTimeline['phases'] {
  return phases.filter(({ phase }) => phase !== 'control-nodes' && phase !== 'worker-nodes')
}

/** The mark of the whole cloud: begun with its request, done when nothing is left. */
function cloudStage({ phases, endedAt }: Pick<UpdateTimeline, 'phases' | 'endedAt'>): NodeStage {
  const own = ofCloud({ phases })
  if (own.every(({ state }) => state === 'done')) return 'done'
  return own.some(({ fromAt }) => fromAt !== null) ? (endedAt === null ? 'requested' : 'unseen') : 'pending'
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

/** Scrolls a zoomed timeline until a place is visible. */
function keepInSight(scroller: HTMLElement, x: number): void {
  const seen = scroller.clientWidth - NAME_PX
  if (x < scroller.scrollLeft || x > scroller.scrollLeft + seen - 24) scroller.scrollLeft = Math.max(0, x - seen / 3)
}

/** Whether a node is in this stage now, and works or waits there. */
function isActive({ stage, toAt }: Pick<StageSpan, 'stage' | 'toAt'>): boolean {
  return toAt === null && turnOf(stage) === 'under-way'
}
