import { type ReactNode, useLayoutEffect, useState } from 'react'
import type { UpdateTimeline } from '../../../shared/domain/update.ts'
import { STAGE_WORDS } from '../../../shared/words/updates.ts'
import type { Point } from '../../geometry/rectangle.ts'
import type { SpanPlace } from '../../geometry/timeline-layout.ts'
import { SpanFacts } from './span-facts.tsx'

const WIDTH_PX = 340
/** The space below the pointer that a tooltip needs; with less it goes above. */
const ROOM_PX = 220

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
export function TimelineTooltip({ cluster, timeline, place, at, spanId, nowMs }: TimelineTooltipProps): ReactNode {
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
    <div role="tooltip" className="tl-tip floats breaks small" style={{ left, width: WIDTH_PX, ...vertical }}>
      <b>
        {lane.node}: {STAGE_WORDS[span.stage]}
      </b>
      <SpanFacts cluster={cluster} span={span} nowMs={nowMs} most={3} />
    </div>
  )
}
