import { useMemo } from 'react'
import type { UpdateTimeline } from '../../../shared/domain/update.ts'
import { type TimelineScale, timelineScale } from '../../geometry/timeline-scale.ts'

/** The scale of an update. It stays the very same while it reads the same, so that what is past is not drawn anew every second. */
export function useTimelineScale(
  timeline: UpdateTimeline,
  width: number,
  nowMs: number,
  untilMs: number,
): TimelineScale {
  const fresh = useMemo(() => timelineScale(timeline, width, nowMs, untilMs), [timeline, width, nowMs, untilMs])
  const reading = [fresh.fromMs, fresh.toMs, fresh.width, ...fresh.breaks.flatMap(each => [each.fromMs, each.toMs])]
  // biome-ignore lint/correctness/useExhaustiveDependencies: one that reads the same is the same.
  return useMemo(() => fresh, [reading.join(' ')])
}
