import { type KeyboardEvent, useCallback } from 'react'
import type { UpdateTimeline } from '../../../shared/domain/update.ts'
import { firstPlace, type SpanPlace, spanBeside, type TimelineRow } from '../../geometry/timeline-layout.ts'

const MOVES = ['ArrowLeft', 'ArrowRight', 'ArrowUp', 'ArrowDown', 'Home', 'End'] as const

interface Given {
  readonly timeline: UpdateTimeline
  readonly rows: readonly TimelineRow[]
  readonly current: SpanPlace | null
  readonly show: (place: SpanPlace) => void
  readonly onOpen: (place: SpanPlace) => void
}

/** The keys of the timeline: arrows move from span to span, Enter opens a span. */
export function useSpanKeys({ timeline, rows, current, show, onOpen }: Given): (event: KeyboardEvent) => void {
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
