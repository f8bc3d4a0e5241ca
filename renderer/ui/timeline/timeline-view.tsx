// biome-ignore-all lint/a11y/useSemanticElements: only visible rows are drawn, each at its place, which a table cannot do.
// biome-ignore-all lint/a11y/useFocusableInteractive: the grid has the focus and names its span (aria-activedescendant).
import { type ReactNode, useMemo, useRef } from 'react'
import { firstPlace, type SpanPlace } from '../../geometry/timeline-layout.ts'
import { countedThen, ribbonParts } from '../../geometry/timeline-ribbon.ts'
import { TimelineCurves } from './timeline-curves.tsx'
import { TimelineHead } from './timeline-head.tsx'
import { isActive, TimelineRows, type TimelineRowsProps } from './timeline-rows.tsx'
import { TimelineReplay, TimelineScrubber } from './timeline-scrubber.tsx'
import { TimelineTooltip } from './timeline-tooltip.tsx'
import { useSpanKeys } from './use-span-keys.ts'
import { useSpanPointer } from './use-span-pointer.ts'
import { type TimelineViewProps, useTimelinePlane, windowEndOn } from './use-timeline-plane.ts'
import './timeline.css'

/** An update as phases across and nodes as lanes: the same live, observed and replayed (docs/style.md G34). */
export function TimelineView(props: TimelineViewProps): ReactNode {
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

function spanIdOf(name: string, place: SpanPlace): string {
  return `${name}-${place.lane}-${place.span}`
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
