import { type RefObject, useCallback, useEffect, useState } from 'react'
import type { PlacedTile } from '../../geometry/node-map.ts'

interface TileFocus {
  /** The tile that Tab comes to and arrows start from; null on an empty map. */
  readonly name: string | null
  /** Goes to a tile: draws it, brings it into sight, gives it the focus. */
  readonly go: (name: string) => void
  /** The focus came to a tile by itself. */
  readonly arrived: (name: string) => void
}

/** One tile of the map is in the tab order (a roving tabindex); it is remembered by name, whatever moves. */
export function useTileFocus(
  tiles: readonly PlacedTile[],
  viewport: RefObject<HTMLElement | null>,
  plane: RefObject<HTMLElement | null>,
  current: string | null,
): TileFocus {
  const [wished, setWished] = useState<string | null>(current)
  const [going, setGoing] = useState<string | null>(null)
  const isThere = (name: string | null) => name !== null && tiles.some(tile => tile.name === name)
  const name = isThere(wished) ? wished : isThere(current) ? current : (tiles[0]?.name ?? null)

  useEffect(() => {
    if (going === null) return
    setGoing(null)
    const tile = tiles.find(placed => placed.name === going)
    if (tile !== undefined && viewport.current !== null && plane.current !== null) {
      bringIntoSight(tile, viewport.current, plane.current)
    }
    plane.current?.querySelector<HTMLElement>(`[data-node="${CSS.escape(going)}"]`)?.focus({ preventScroll: true })
  }, [going, tiles, viewport, plane])

  const go = useCallback((to: string) => {
    setWished(to)
    setGoing(to)
  }, [])
  return { name, go, arrived: setWished }
}

const ROOM_PX = 12

function bringIntoSight(tile: PlacedTile, viewport: HTMLElement, plane: HTMLElement): void {
  // The names of the zones lie over the top of the map while it is scrolled.
  const head = plane.offsetTop
  const top = tile.y - ROOM_PX
  const bottom = head + tile.y + tile.height + ROOM_PX
  if (top < viewport.scrollTop) viewport.scrollTop = Math.max(0, top)
  else if (bottom > viewport.scrollTop + viewport.clientHeight) viewport.scrollTop = bottom - viewport.clientHeight
  if (tile.x < viewport.scrollLeft) viewport.scrollLeft = Math.max(0, tile.x - ROOM_PX)
  else if (tile.x + tile.width > viewport.scrollLeft + viewport.clientWidth) {
    viewport.scrollLeft = tile.x + tile.width + ROOM_PX - viewport.clientWidth
  }
}
