import { type RefObject, useCallback, useEffect, useMemo, useRef, useSyncExternalStore } from 'react'
import { scrollStep } from '../../geometry/auto-scroll.ts'
import type { Point } from '../../geometry/rectangle.ts'
import { createDragController } from './drag-controller.ts'
import { pointOf } from './follow-pointer.ts'
import { startDrag } from './start-drag.ts'
import { useCarryingKeys } from './use-carrying-keys.ts'

export interface PlaceDrag {
  /** What is dragged and the place below it, as its attribute names it; null over no place. */
  readonly drag: { readonly names: readonly string[]; readonly over: string | null } | null
  /** The element that follows the pointer. */
  readonly ghost: RefObject<HTMLDivElement | null>
  /** A pointer went down on the element of these names. */
  readonly press: (event: PointerEvent, names: readonly string[]) => void
}

interface Move {
  readonly names: readonly string[]
  readonly to: string
}

/** Drags names between places with this attribute; Escape cancels. The position of the pointer only moves the ghost. */
export function usePlaceDrag(
  attribute: `data-${string}`,
  scroller: RefObject<HTMLElement | null>,
  onDrop: (names: readonly string[], place: string) => void,
): PlaceDrag {
  const ghost = useRef<HTMLDivElement | null>(null)
  const drop = useRef(onDrop)
  useEffect(() => {
    drop.current = onDrop
  }, [onDrop])
  const controller = useMemo(
    () =>
      createDragController<readonly string[], string, Move>({
        targetAt: ({ x, y }) =>
          document.elementFromPoint(x, y)?.closest(`[${attribute}]`)?.getAttribute(attribute) ?? null,
        judge: (names, to) => ({ names, to }),
        carryOut: ({ names, to }) => drop.current(names, to),
      }),
    [attribute],
  )
  useCarryingKeys(controller)
  const names = useSyncExternalStore(controller.subscribe, () => {
    const state = controller.state()
    return state.kind === 'held' ? state.payload : null
  })
  const over = useSyncExternalStore(controller.subscribe, () => {
    const state = controller.state()
    return state.kind === 'held' ? state.target : null
  })

  const press = useCallback(
    (event: PointerEvent, held: readonly string[]) => {
      let frame = 0
      let at: Point = pointOf(event)
      // Near an edge the page scrolls under a resting pointer, which may then be over another place.
      const follow = () => {
        const view = scroller.current
        if (controller.state().kind === 'idle') return
        if (ghost.current !== null) ghost.current.style.transform = `translate(${at.x + 14}px, ${at.y + 12}px)`
        const by = view === null ? 0 : scrollStep(view.getBoundingClientRect(), at).y
        if (view !== null && by !== 0) {
          view.scrollTop += by
          controller.move(at)
        }
        frame = requestAnimationFrame(follow)
      }
      startDrag({
        controller,
        event,
        payload: held,
        onBegin: () => {
          frame = requestAnimationFrame(follow)
        },
        onMove: point => {
          at = point
        },
        onEnd: () => cancelAnimationFrame(frame),
      })
    },
    [controller, scroller],
  )
  const drag = useMemo(() => (names === null ? null : { names, over }), [names, over])
  return { drag, ghost, press }
}
