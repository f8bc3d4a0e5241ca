import type { Point, Rectangle } from './rectangle.ts'

const EDGE_PX = 48
const FASTEST_PX = 18

/** How far to scroll this frame while something is dragged near an edge: the nearer the edge, the faster. */
export function scrollStep(view: Rectangle, point: Point): Point {
  return {
    x: along(point.x, view.x, view.x + view.width),
    y: along(point.y, view.y, view.y + view.height),
  }
}

function along(at: number, start: number, end: number): number {
  if (at < start - EDGE_PX || at > end + EDGE_PX || end - start < EDGE_PX * 3) return 0
  if (at < start + EDGE_PX) return -Math.ceil(Math.min(1, (start + EDGE_PX - at) / EDGE_PX) * FASTEST_PX)
  if (at > end - EDGE_PX) return Math.ceil(Math.min(1, (at - end + EDGE_PX) / EDGE_PX) * FASTEST_PX)
  return 0
}
