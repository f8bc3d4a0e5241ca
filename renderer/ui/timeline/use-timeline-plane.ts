import { useVirtualizer, type Virtualizer } from '@tanstack/react-virtual'
import {
  type ReactNode,
  type RefObject,
  useCallback,
  useEffect,
  useId,
  useLayoutEffect,
  useMemo,
  useState,
} from 'react'
import type { UpdateTimeline } from '../../../shared/domain/update.ts'
import { hasPhases } from '../../geometry/timeline-figure.ts'
import { firstPlace, type SpanPlace, timelineRows } from '../../geometry/timeline-layout.ts'
import { type ScreenRow, screenRows } from '../../geometry/timeline-rows.ts'
import type { TimelineScale } from '../../geometry/timeline-scale.ts'
import { CURVE_PX, HEAD_PX, NAME_PX, RIGHT_PX, ROWS } from './timeline-metrics.ts'
import type { Outlook } from './timeline-outlook.ts'
import type { ShownMoment } from './use-shown-moment.ts'
import { useTimelineScale } from './use-timeline-scale.ts'
import { useWidth } from './use-width.ts'
import { useZoomAnchor } from './use-zoom-anchor.ts'

/** Without an expected end, this share of the past is left free for the future. */
const ROOM_AHEAD = 0.4
const LEAST_AHEAD_MS = 5 * 60_000
/** The window's end is on the axis unless the rest would get less than this share. */
const LEAST_PART = 0.45

/** A narrower plane would be unreadable, so it scrolls. */
const MIN_PLANE_PX = 420

export interface TimelineViewProps {
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

/** What an open lane shows. */
export type StepsOf = (node: string | null) => ReactNode

/** The drawn rows, the time axis and the span that the keyboard is at. */
export interface TimelinePlane {
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

/** The rows, the axis and the current span of a timeline that is drawn in a scroller. */
export function useTimelinePlane(
  { timeline, outlook, nowMs, moment, zoom }: TimelineViewProps,
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
export function windowEndOn({ window }: Outlook, scale: TimelineScale): number | null {
  if (window === null) return null
  const endMs = Date.parse(window.window.endsAt)
  return endMs >= scale.fromMs && endMs <= scale.toMs ? endMs : null
}

/** Scrolls a zoomed timeline until a place is visible. */
function keepInSight(scroller: HTMLElement, x: number): void {
  const seen = scroller.clientWidth - NAME_PX
  if (x < scroller.scrollLeft || x > scroller.scrollLeft + seen - 24) scroller.scrollLeft = Math.max(0, x - seen / 3)
}
