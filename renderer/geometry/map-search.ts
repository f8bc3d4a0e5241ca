import type { PlacedTile } from './node-map.ts'
import { contains, overlap, type Point, type Rectangle } from './rectangle.ts'

/** The tile under a point; null between tiles. */
export function tileAt(tiles: readonly PlacedTile[], point: Point): PlacedTile | null {
  return tiles.find(tile => contains(tile, point)) ?? null
}

/** The tiles that a rectangle touches: what a marquee selects, what a window shows. */
export function tilesWithin(tiles: readonly PlacedTile[], area: Rectangle): readonly PlacedTile[] {
  return tiles.filter(tile => overlap(tile, area))
}

export type Direction = 'left' | 'right' | 'up' | 'down'

/**
 * The tile that an arrow key leads to: the nearest in that direction, one in the same row or column before all others. Null at the
 * edge of the map.
 */
export function neighbour(tiles: readonly PlacedTile[], name: string, direction: Direction): PlacedTile | null {
  const from = tiles.find(tile => tile.name === name)
  if (from === undefined) return null
  let best: PlacedTile | null = null
  let bestCost = Number.POSITIVE_INFINITY
  for (const tile of tiles) {
    const cost = costOf(from, tile, direction)
    if (cost < bestCost) {
      best = tile
      bestCost = cost
    }
  }
  return best
}

/** Sideways counts more than ahead, and leaving one's row or column most. */
function costOf(from: Rectangle, to: Rectangle, direction: Direction): number {
  const flat = direction === 'left' || direction === 'right'
  const ahead = aheadOf(from, to, direction)
  if (ahead < 0) return Number.POSITIVE_INFINITY
  const sideways = flat
    ? Math.abs(to.y + to.height / 2 - from.y - from.height / 2)
    : Math.abs(to.x + to.width / 2 - from.x - from.width / 2)
  const inLine = flat
    ? to.y < from.y + from.height && from.y < to.y + to.height
    : to.x < from.x + from.width && from.x < to.x + to.width
  return ahead + sideways * (inLine ? 0.5 : 2) + (inLine ? 0 : 1_000_000)
}

function aheadOf(from: Rectangle, to: Rectangle, direction: Direction): number {
  switch (direction) {
    case 'left':
      return from.x - (to.x + to.width)
    case 'right':
      return to.x - (from.x + from.width)
    case 'up':
      return from.y - (to.y + to.height)
    case 'down':
      return to.y - (from.y + from.height)
  }
}

/** The tiles from one to another in reading order, both included: what Shift selects. */
export function tilesBetween(tiles: readonly PlacedTile[], from: string, to: string): readonly string[] {
  const names = tiles.map(tile => tile.name)
  const start = names.indexOf(from)
  const end = names.indexOf(to)
  if (end < 0) return []
  if (start < 0) return [to]
  return names.slice(Math.min(start, end), Math.max(start, end) + 1)
}
