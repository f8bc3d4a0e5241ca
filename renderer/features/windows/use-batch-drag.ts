import { type RefObject, useCallback, useEffect, useRef, useState } from 'react'
import { scrollStep } from '../../geometry/auto-scroll.ts'
import { distance, type Point } from '../../geometry/rectangle.ts'
import { DRAG_THRESHOLD_PX } from '../../ui/drag/drag-controller.ts'
import { followPointer, pointOf } from '../../ui/drag/follow-pointer.ts'
import type { BatchTarget } from './batch-board.ts'

/** What is dragged, and over which place it is. The pointer's own position moves the ghost alone. */
interface BatchDrag {
  readonly nodes: readonly string[]
  /** As written on the place itself (`data-batch-target`); null over none. */
  readonly over: string | null
}

interface BatchDragInHand {
  readonly drag: BatchDrag | null
  readonly ghost: RefObject<HTMLDivElement | null>
  /** A pointer went down on nodes. */
  readonly press: (event: PointerEvent, nodes: readonly string[]) => void
}

/** Drags nodes between places that carry `data-batch-target`; Escape puts them back. */
export function useBatchDrag(
  scroller: RefObject<HTMLElement | null>,
  onDrop: (nodes: readonly string[], target: BatchTarget) => void,
): BatchDragInHand {
  const [drag, setDrag] = useState<BatchDrag | null>(null)
  const ghost = useRef<HTMLDivElement | null>(null)
  const cancel = useRef<(() => void) | null>(null)
  const drop = useRef(onDrop)
  useEffect(() => {
    drop.current = onDrop
  }, [onDrop])
  useEffect(() => () => cancel.current?.(), [])

  const press = useCallback(
    (event: PointerEvent, nodes: readonly string[]) => {
      const begun = pointOf(event)
      let at: Point = begun
      let held = false
      let isOver = false
      let over: string | null = null
      let frame = 0
      const end = () => {
        held = false
        cancel.current = null
        cancelAnimationFrame(frame)
        window.removeEventListener('keydown', onKey, { capture: true })
        setDrag(null)
      }
      const onKey = (pressed: KeyboardEvent) => {
        if (pressed.key !== 'Escape' || !held) return
        pressed.preventDefault()
        pressed.stopImmediatePropagation()
        isOver = true
        end()
      }
      const look = () => {
        if (ghost.current !== null) ghost.current.style.transform = `translate(${at.x + 14}px, ${at.y + 12}px)`
        const next = placeAt(at)
        if (next === over) return
        over = next
        setDrag({ nodes, over })
      }
      const follow = () => {
        const view = scroller.current
        if (view !== null) view.scrollTop += scrollStep(view.getBoundingClientRect(), at).y
        look()
        frame = requestAnimationFrame(follow)
      }
      followPointer(event.pointerId, {
        onMove: point => {
          at = point
          if (held || isOver || distance(begun, at) < DRAG_THRESHOLD_PX) return
          held = true
          over = placeAt(at)
          cancel.current = end
          window.addEventListener('keydown', onKey, { capture: true })
          setDrag({ nodes, over })
          frame = requestAnimationFrame(follow)
        },
        onEnd: point => {
          isOver = true
          if (!held) return
          const target = point === null ? null : targetOf(placeAt(point))
          end()
          if (target !== null) drop.current(nodes, target)
        },
      })
    },
    [scroller],
  )
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
