import { type RefObject, useCallback, useEffect, useMemo, useRef, useSyncExternalStore } from 'react'
import { scrollStep } from '../../geometry/auto-scroll.ts'
import type { Point } from '../../geometry/rectangle.ts'
import { createDragController } from '../../ui/drag/drag-controller.ts'
import { pointOf } from '../../ui/drag/follow-pointer.ts'
import { startDrag } from '../../ui/drag/start-drag.ts'
import { useCarryingKeys } from '../../ui/drag/use-carrying-keys.ts'
import type { BatchTarget } from './batch-board.ts'

interface BatchDragInHand {
  /** What is dragged, and over which place it is, as written on the place itself (`data-batch-target`); null over none. */
  readonly drag: { readonly nodes: readonly string[]; readonly over: string | null } | null
  readonly ghost: RefObject<HTMLDivElement | null>
  /** A pointer went down on nodes. */
  readonly press: (event: PointerEvent, nodes: readonly string[]) => void
}

interface Move {
  readonly nodes: readonly string[]
  readonly to: string
}

/** Drags nodes between places that carry `data-batch-target`; Escape puts them back. The pointer's own position moves the ghost alone. */
export function useBatchDrag(
  scroller: RefObject<HTMLElement | null>,
  onDrop: (nodes: readonly string[], target: BatchTarget) => void,
): BatchDragInHand {
  const ghost = useRef<HTMLDivElement | null>(null)
  const drop = useRef(onDrop)
  useEffect(() => {
    drop.current = onDrop
  }, [onDrop])
  const controller = useMemo(
    () =>
      createDragController<readonly string[], string, Move>({
        targetAt: placeAt,
        judge: (nodes, to) => ({ nodes, to }),
        carryOut: ({ nodes, to }) => {
          const target = targetOf(to)
          if (target !== null) drop.current(nodes, target)
        },
      }),
    [],
  )
  useCarryingKeys(controller)
  const nodes = useSyncExternalStore(controller.subscribe, () => {
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
      // The board moves under a pointer that rests at its edge, and so may what is under the pointer.
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
  const drag = useMemo(() => (nodes === null ? null : { nodes, over }), [nodes, over])
  return { drag, ghost, press }
}

/** How a place is written on its element. */
export function placeName(target: BatchTarget): string {
  switch (target.kind) {
    case 'batch':
      return `batch ${target.at}`
    case 'new':
      return `new ${target.before}`
    case 'out':
      return 'out'
  }
}

/** The place that was written so; null for anything else. */
export function targetOf(place: string | null): BatchTarget | null {
  const [kind, number] = (place ?? '').split(' ')
  if (kind === 'out') return { kind: 'out' }
  const at = Number(number)
  if (number === undefined || !Number.isInteger(at)) return null
  if (kind === 'batch') return { kind, at }
  return kind === 'new' ? { kind, before: at } : null
}

function placeAt({ x, y }: Point): string | null {
  const found = document.elementFromPoint(x, y)?.closest('[data-batch-target]')
  return found?.getAttribute('data-batch-target') ?? null
}
