import { type PointerEvent as ReactPointerEvent, type RefObject, useCallback, useRef, useState } from 'react'
import { scrollStep } from '../../geometry/auto-scroll.ts'
import { tilesBetween, tilesWithin } from '../../geometry/map-search.ts'
import type { PlacedTile } from '../../geometry/node-map.ts'
import { between, distance, type Point, type Rectangle } from '../../geometry/rectangle.ts'
import { selectedNodes, selectNodes, useSelection } from '../../stores/selection.ts'
import { DRAG_THRESHOLD_PX } from '../../ui/drag/drag-controller.ts'
import { followPointer, pointOf } from '../../ui/drag/follow-pointer.ts'
import { startDrag } from '../../ui/drag/start-drag.ts'
import { useDragRoom } from './drag-room.tsx'

interface Options {
  readonly cluster: string
  readonly tiles: readonly PlacedTile[]
  /** The scrolling element, and its content. */
  readonly viewport: RefObject<HTMLElement | null>
  readonly plane: RefObject<HTMLElement | null>
  /** A click on a tile, or Enter. */
  readonly onOpen: (node: string) => void
}

interface MapPointer {
  readonly onPointerDown: (event: ReactPointerEvent<HTMLElement>) => void
  /** The frame drawn by the pointer, on the plane of the map. */
  readonly marquee: Rectangle | null
}

/** Selects on the map by pointer: click, Ctrl- and Shift-click, a marquee; and begins every drag. */
export function useMapPointer({ cluster, tiles, viewport, plane, onOpen }: Options): MapPointer {
  const { controller } = useDragRoom()
  const [marquee, setMarquee] = useState<Rectangle | null>(null)
  const anchor = useRef<string | null>(null)

  const onPointerDown = useCallback(
    (event: ReactPointerEvent<HTMLElement>) => {
      if (event.button !== 0 || controller.state().kind === 'held') return
      const name = nodeAt(event.target)
      if (name === null) {
        if (event.pointerType !== 'touch') frame(event.nativeEvent)
        return
      }
      const chosen = shown(selectedNodes(useSelection.getState(), cluster), tiles)
      const nodes = chosen.includes(name) ? chosen : [name]
      startDrag({
        controller,
        event: event.nativeEvent,
        payload: nodes,
        onBegin: () => selectNodes(cluster, nodes),
        onClick: click => select(name, click),
      })

      function select(clicked: string, { ctrlKey, metaKey, shiftKey }: PointerEvent): void {
        const before = selectedNodes(useSelection.getState(), cluster)
        if (shiftKey) {
          const range = tilesBetween(tiles, anchor.current ?? clicked, clicked)
          selectNodes(cluster, ctrlKey || metaKey ? [...new Set([...before, ...range])] : range)
          return
        }
        anchor.current = clicked
        if (ctrlKey || metaKey) {
          const others = before.filter(node => node !== clicked)
          selectNodes(cluster, before.includes(clicked) ? others : [...before, clicked])
          return
        }
        selectNodes(cluster, [clicked])
        onOpen(clicked)
      }

      function frame(press: PointerEvent): void {
        const facts = plane.current
        if (facts === null) return
        const onPlane = (point: Point): Point => {
          const { left, top } = facts.getBoundingClientRect()
          return { x: point.x - left, y: point.y - top }
        }
        const from = onPlane(pointOf(press))
        const kept =
          press.ctrlKey || press.metaKey || press.shiftKey ? selectedNodes(useSelection.getState(), cluster) : []
        let moved = false
        let last = pointOf(press)
        const draw = () => {
          const area = between(from, onPlane(last))
          setMarquee(area)
          const within = tilesWithin(tiles, area).map(tile => tile.name)
          selectIfOther(cluster, [...new Set([...kept, ...within])])
        }
        const scroller = autoScroller(viewport, draw)
        followPointer(press.pointerId, {
          onMove: point => {
            last = point
            moved ||= distance(pointOf(press), point) >= DRAG_THRESHOLD_PX
            if (!moved) return
            draw()
            scroller.at(point)
          },
          onEnd: () => {
            scroller.stop()
            setMarquee(null)
            if (!moved && kept.length === 0) selectNodes(cluster, [])
          },
        })
      }
    },
    [cluster, controller, onOpen, plane, tiles, viewport],
  )
  return { onPointerDown, marquee }
}

/** Selects nodes; the same selection is not set again, because that would draw the map. */
function selectIfOther(cluster: string, next: readonly string[]): void {
  const now = selectedNodes(useSelection.getState(), cluster)
  if (next.length !== now.length || next.some((node, index) => node !== now[index])) selectNodes(cluster, next)
}

/** The node of an event's tile. */
export function nodeAt(target: EventTarget | null): string | null {
  return target instanceof Element ? (target.closest<HTMLElement>('[data-node]')?.dataset.node ?? null) : null
}

/** The selected and visible nodes: hidden ones are not dragged. */
function shown(selected: readonly string[], tiles: readonly PlacedTile[]): readonly string[] {
  const names = new Set(tiles.map(tile => tile.name))
  return selected.filter(name => names.has(name))
}

/** Scrolls the map near its edges during a marquee. During a drag it does not scroll. */
function autoScroller(viewport: RefObject<HTMLElement | null>, onScroll: () => void) {
  let point: Point | null = null
  let frame: number | null = null
  const step = () => {
    frame = null
    const element = viewport.current
    if (element === null || point === null) return
    const view = element.getBoundingClientRect()
    const by = scrollStep(view, point)
    if (by.x === 0 && by.y === 0) return
    element.scrollBy(by.x, by.y)
    onScroll()
    frame = requestAnimationFrame(step)
  }
  return {
    at: (next: Point) => {
      point = next
      frame ??= requestAnimationFrame(step)
    },
    stop: () => {
      point = null
      if (frame !== null) cancelAnimationFrame(frame)
      frame = null
    },
  }
}
