import type { PlacedTile } from './node-map.ts'
import { overlap, type Rectangle } from './rectangle.ts'

/** The tiles that a rectangle touches: what a marquee selects or a viewport shows. */
export function tilesWithin(tiles: readonly PlacedTile[], area: Rectangle): readonly PlacedTile[] {
  return tiles.filter(tile => overlap(tile, area))
}

export type Direction = 'left' | 'right' | 'up' | 'down'

/**
 * The tile that an arrow key reaches: the nearest in the same row or column. Otherwise left and right follow reading order, so
 * that every tile can be reached, and up and down take the nearest tile in that direction. Null at the end of the map.
 */
export function neighbour(tiles: readonly PlacedTile[], name: string, direction: Direction): PlacedTile | null {
  const index = tiles.findIndex(tile => tile.name === name)
  const from = tiles[index]
  if (from === undefined) return null
  const ahead = tiles.filter(tile => aheadOf(from, tile, direction) >= 0)
  const inLine = nearest(
    from,
    ahead.filter(tile => isInLine(from, tile, direction)),
    direction,
  )
  if (inLine !== null) return inLine
  if (direction === 'right') return tiles[index + 1] ?? null
  if (direction === 'left') return tiles[index - 1] ?? null
  return nearest(from, ahead, direction)
}

function nearest(from: Rectangle, tiles: readonly PlacedTile[], direction: Direction): PlacedTile | null {
  let best: PlacedTile | null = null
  let least = Number.POSITIVE_INFINITY
  for (const tile of tiles) {
    const cost = aheadOf(from, tile, direction) + sidewaysOf(from, tile, direction)
    if (cost >= least) continue
    best = tile
    least = cost
  }
  return best
}

function isInLine(from: Rectangle, to: Rectangle, direction: Direction): boolean {
  return isFlat(direction)
    ? to.y < from.y + from.height && from.y < to.y + to.height
    : to.x < from.x + from.width && from.x < to.x + to.width
}

function sidewaysOf(from: Rectangle, to: Rectangle, direction: Direction): number {
  return isFlat(direction)
    ? Math.abs(to.y + to.height / 2 - from.y - from.height / 2)
    : Math.abs(to.x + to.width / 2 - from.x - from.width / 2)
}

function isFlat(direction: Direction): boolean {
  return direction === 'left' || direction === 'right'
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

/** The tiles between two in reading order, both included: what Shift selects. */
export function tilesBetween(tiles: readonly PlacedTile[], from: string, to: string): readonly string[] {
  const names = tiles.map(tile => tile.name)
  const start = names.indexOf(from)
  const end = names.indexOf(to)
  if (end < 0) return []
  if (start < 0) return [to]
  return names.slice(Math.min(start, end), Math.max(start, end) + 1)
}
