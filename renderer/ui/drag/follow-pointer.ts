import type { Point } from '../../geometry/rectangle.ts'

/** Callbacks while a pointer is down. */
interface PointerFollower {
  readonly onMove: (point: Point, event: PointerEvent) => void
  /** Null if the press was cancelled (a scroll by touch, a lost window). */
  readonly onEnd: (point: Point | null, event: PointerEvent) => void
}

/** Follows one pointer from its press to its release, anywhere on the screen. */
export function followPointer(pointerId: number, { onMove, onEnd }: PointerFollower): void {
  const move = (event: PointerEvent) => {
    if (event.pointerId === pointerId) onMove(pointOf(event), event)
  }
  const end = (event: PointerEvent) => {
    if (event.pointerId !== pointerId) return
    window.removeEventListener('pointermove', move)
    window.removeEventListener('pointerup', end)
    window.removeEventListener('pointercancel', end)
    onEnd(event.type === 'pointerup' ? pointOf(event) : null, event)
  }
  window.addEventListener('pointermove', move)
  window.addEventListener('pointerup', end)
  window.addEventListener('pointercancel', end)
}

export function pointOf(event: { readonly clientX: number; readonly clientY: number }): Point {
  return { x: event.clientX, y: event.clientY }
}
