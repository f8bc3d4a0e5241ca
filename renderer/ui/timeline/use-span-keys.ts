import { type KeyboardEvent, useCallback } from 'react'
import type { UpdateTimeline } from '../../../shared/domain/update.ts'
import { firstPlace, type SpanPlace, spanBeside } from '../../geometry/timeline-layout.ts'
import type { ScreenRow } from '../../geometry/timeline-rows.ts'

const MOVES = ['ArrowLeft', 'ArrowRight', 'ArrowUp', 'ArrowDown', 'Home', 'End'] as const

interface Given {
  readonly timeline: UpdateTimeline
  readonly rows: readonly ScreenRow[]
  readonly current: SpanPlace | null
  readonly show: (place: SpanPlace) => void
  readonly onOpen: (place: SpanPlace) => void
  /** Opens or closes the steps of a lane. */
  readonly onSteps: (node: string) => void
}

/** The keys of the timeline: arrows move from span to span, Enter opens a span, Space the steps of its node. */
export function useSpanKeys({ timeline, rows, current, show, onOpen, onSteps }: Given): (event: KeyboardEvent) => void {
  return useCallback(
    event => {
      // Buttons and steps within it have their own keys.
      if (event.target !== event.currentTarget || event.altKey || event.ctrlKey || event.metaKey) return
      const at = current ?? firstPlace(timeline, rows)
      if (at === null) return
      if (event.key === 'Enter' || event.key === ' ') {
        event.preventDefault()
        const node = timeline.lanes[at.lane]?.node
        if (event.key === 'Enter') onOpen(at)
        else if (node !== undefined) onSteps(node)
        return
      }
      const key = MOVES.find(known => known === event.key)
      if (key === undefined) return
      event.preventDefault()
      const next = current === null ? at : spanBeside(timeline, rows, at, key)
      if (next !== null) show(next)
    },
    [timeline, rows, current, show, onOpen, onSteps],
  )
}
