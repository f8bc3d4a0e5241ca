import type { Point } from '../../geometry/rectangle.ts'
import type { DragController } from './drag-controller.ts'
import { followPointer, pointOf } from './follow-pointer.ts'

/** A finger that rests this long picks up; before, it scrolls. */
const LONG_PRESS_MS = 350

interface Press<Payload, Target, Verdict> {
  readonly controller: DragController<Payload, Target, Verdict>
  readonly event: PointerEvent
  readonly payload: Payload
  /** Called when the press becomes a drag. */
  readonly onBegin?: () => void
  readonly onMove?: (point: Point) => void
  /** It was released without a drag. */
  readonly onClick?: (event: PointerEvent) => void
  /** However it ended. */
  readonly onEnd?: () => void
}

/** Follows a press on something that can be dragged: a drag after some distance or a long press, else a click. */
export function startDrag<Payload, Target, Verdict>({
  controller,
  event,
  payload,
  onBegin,
  onMove,
  onClick,
  onEnd,
}: Press<Payload, Target, Verdict>): void {
  const capturer = event.currentTarget instanceof HTMLElement ? event.currentTarget : null
  const touch = event.pointerType === 'touch'
  let dragging = false
  const begin = () => {
    dragging = true
    capturer?.setPointerCapture(event.pointerId)
    if (touch) window.addEventListener('touchmove', holdStill, { passive: false })
    onBegin?.()
  }
  const timer = touch
    ? window.setTimeout(() => {
        controller.lift(payload, pointOf(event))
        begin()
      }, LONG_PRESS_MS)
    : null
  if (!touch) controller.press(payload, pointOf(event))
  followPointer(event.pointerId, {
    onMove: point => {
      const moved = controller.move(point)
      if (moved && !dragging) begin()
      if (moved) onMove?.(point)
    },
    onEnd: (point, ended) => {
      if (timer !== null) window.clearTimeout(timer)
      window.removeEventListener('touchmove', holdStill)
      onEnd?.()
      if (point === null) controller.cancel()
      else if (!controller.release() && !dragging) onClick?.(ended)
    },
  })
}

/** Prevents scrolling while a finger drags something. */
function holdStill(event: TouchEvent): void {
  event.preventDefault()
}
