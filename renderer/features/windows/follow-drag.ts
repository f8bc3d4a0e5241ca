import type { PointerEvent } from 'react'
import type { Span } from '../../geometry/week-calendar.ts'

/** A shorter move is a click. */
const DRAG_PX = 4

/** Follows the pointer from its press in the calendar to the end of the drag. `spanAt`: the time for a place. */
export function followDrag(
  { clientX, clientY }: PointerEvent,
  spanAt: (x: number, y: number) => Span,
  onMove: (moved: Span) => void,
  /** Also after a press without a move: `moved` is null then. */
  onEnd: (moved: Span | null, dropped: boolean) => void,
): void {
  const stops = new AbortController()
  const { signal } = stops
  let moved: Span | null = null
  window.addEventListener(
    'pointermove',
    ({ clientX: x, clientY: y }) => {
      if (moved === null && Math.hypot(x - clientX, y - clientY) < DRAG_PX) return
      moved = spanAt(x, y)
      onMove(moved)
    },
    { signal },
  )
  const end = (dropped: boolean) => {
    stops.abort()
    // The click that follows would open the window.
    if (moved !== null) {
      window.addEventListener('click', click => click.preventDefault(), { capture: true, once: true })
    }
    onEnd(moved, dropped)
  }
  window.addEventListener('pointerup', () => end(true), { signal })
  window.addEventListener('pointercancel', () => end(false), { signal })
  window.addEventListener('keydown', ({ key }) => key === 'Escape' && end(false), { signal })
}
