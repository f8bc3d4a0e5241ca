import { type PointerEvent, type RefObject, useCallback, useState } from 'react'
import type { UpdateTimeline } from '../../../shared/domain/update.ts'
import type { Point } from '../../geometry/rectangle.ts'
import { laneBoxes, rowAt, type SpanPlace, spanAt } from '../../geometry/timeline-layout.ts'
import type { ScreenRow } from '../../geometry/timeline-rows.ts'
import type { TimelineScale } from '../../geometry/timeline-scale.ts'
import { HEAD_PX, NAME_PX } from './timeline-metrics.ts'

interface Given {
  /** The scrolling element. */
  readonly scroller: RefObject<HTMLElement | null>
  readonly timeline: UpdateTimeline
  readonly rows: readonly ScreenRow[]
  readonly scale: TimelineScale
  readonly nowMs: number
}

interface SpanPointer {
  /** The span under the pointer, and where the pointer entered it. */
  readonly over: { readonly place: SpanPlace; readonly at: Point } | null
  readonly placeOf: (event: { readonly clientX: number; readonly clientY: number }) => SpanPlace | null
  readonly onPointerMove: (event: PointerEvent) => void
  readonly onPointerLeave: () => void
}

/** The span under the pointer, by geometry; nothing is drawn again while the pointer stays on it. */
export function useSpanPointer({ scroller, timeline, rows, scale, nowMs }: Given): SpanPointer {
  const [over, setOver] = useState<SpanPointer['over']>(null)
  const placeOf = (event: { readonly clientX: number; readonly clientY: number }): SpanPlace | null => {
    const element = scroller.current
    if (element === null) return null
    const box = element.getBoundingClientRect()
    const [x, y] = [event.clientX - box.left, event.clientY - box.top]
    // Names and head lie over the scrolled content.
    if (x < NAME_PX || y < HEAD_PX) return null
    const row = rowAt(rows, y + element.scrollTop - HEAD_PX)
    if (row?.kind !== 'lane') return null
    const lane = timeline.lanes[row.lane]
    if (lane === undefined) return null
    const span = spanAt(laneBoxes(lane, scale, nowMs), x + element.scrollLeft - NAME_PX)
    return span === null ? null : { lane: row.lane, span: span.index }
  }
  const onPointerLeave = useCallback(() => setOver(null), [])
  return {
    over,
    placeOf,
    onPointerMove: event => {
      const place = placeOf(event)
      const at = { x: event.clientX, y: event.clientY }
      setOver(before => {
        if (place === null) return null
        return before?.place.lane === place.lane && before.place.span === place.span ? before : { place, at }
      })
    },
    onPointerLeave,
  }
}
