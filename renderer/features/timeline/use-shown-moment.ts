import { useMemo, useState } from 'react'
import type { UpdateTimeline } from '../../../shared/domain/update.ts'
import { timelineAt } from '../../geometry/timeline-at.ts'

/** Which moment of an update is looked at. */
export interface ShownMoment {
  /** Null: as it stands. */
  readonly shownMs: number | null
  readonly onShow: (atMs: number | null) => void
  /** The update as it stood then; null: as it stands. */
  readonly then: UpdateTimeline | null
}

/** The one moment that head, groups and lanes of a timeline show. */
export function useShownMoment(timeline: UpdateTimeline): ShownMoment {
  const [shownMs, onShow] = useState<number | null>(null)
  const then = useMemo(() => (shownMs === null ? null : timelineAt(timeline, shownMs)), [timeline, shownMs])
  return { shownMs, onShow, then }
}
