import { useMemo, useState } from 'react'
import type { UpdateTimeline } from '../../../shared/domain/update.ts'
import { timelineAt } from '../../geometry/timeline-at.ts'

/** The shown moment of an update. */
export interface ShownMoment {
  /** Null means now. */
  readonly shownMs: number | null
  readonly onShow: (atMs: number | null) => void
  /** The update at that moment; null means now. */
  readonly then: UpdateTimeline | null
}

/** The one moment that head, groups and lanes of a timeline show. */
export function useShownMoment(timeline: UpdateTimeline): ShownMoment {
  const [shownMs, onShow] = useState<number | null>(null)
  const then = useMemo(() => (shownMs === null ? null : timelineAt(timeline, shownMs)), [timeline, shownMs])
  return { shownMs, onShow, then }
}
