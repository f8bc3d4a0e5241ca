import { useMemo } from 'react'
import type { UpdateTimeline } from '../../../shared/domain/update.ts'
import { type TimelineScale, timelineScale } from '../../geometry/timeline-scale.ts'

/** The scale of an update. An equal scale keeps its identity, so that the past is not drawn again every second. */
export function useTimelineScale(
  timeline: UpdateTimeline,
  width: number,
  nowMs: number,
  untilMs: number,
): TimelineScale {
  const fresh = useMemo(() => timelineScale(timeline, width, nowMs, untilMs), [timeline, width, nowMs, untilMs])
  const reading = [fresh.fromMs, fresh.toMs, fresh.width, ...fresh.breaks.flatMap(each => [each.fromMs, each.toMs])]
  // biome-ignore lint/correctness/useExhaustiveDependencies: equal readings give equal scales.
  return useMemo(() => fresh, [reading.join(' ')])
}
