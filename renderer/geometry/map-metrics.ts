import type { Preferences } from '../../shared/contract/index.ts'
import type { MapMetrics } from './node-map.ts'

/** How close the map is: `far` shows colour and name, `mid` the essentials, `near` everything. */
export const ZOOMS = ['far', 'mid', 'near'] as const
export type Zoom = (typeof ZOOMS)[number]

type Density = Preferences['density']

const TILES: Readonly<
  Record<Zoom, Pick<MapMetrics, 'tileMinWidth' | 'tileMaxWidth' | 'tileHeight' | 'shortTileHeight'>>
> = {
  far: { tileMinWidth: 72, tileMaxWidth: 112, tileHeight: 24, shortTileHeight: 24 },
  mid: { tileMinWidth: 140, tileMaxWidth: 200, tileHeight: 46, shortTileHeight: 46 },
  near: { tileMinWidth: 164, tileMaxWidth: 224, tileHeight: 80, shortTileHeight: 52 },
}

/** Pixels added to a tile's height, and the gap between tiles. */
const DENSITIES: Readonly<
  Record<Density, { readonly height: Readonly<Record<Zoom, number>>; readonly gap: number; readonly padding: number }>
> = {
  comfortable: { height: { far: 2, mid: 4, near: 4 }, gap: 8, padding: 10 },
  compact: { height: { far: 0, mid: 0, near: 0 }, gap: 6, padding: 8 },
  dense: { height: { far: -2, mid: -4, near: -6 }, gap: 4, padding: 4 },
}

/** The width of one letter of a name in the `far` zoom, and of what is beside the name. */
const FAR_LETTER_PX = 7.2
const FAR_FRAME_PX = 34

/** The sizes of a map at a zoom level and density; in the `far` zoom a tile fits the longest name, within limits. */
export function metricsOf(zoom: Zoom, density: Density, longestName = 0): MapMetrics {
  const named = Math.min(136, Math.max(64, Math.ceil(FAR_FRAME_PX + longestName * FAR_LETTER_PX)))
  const tile = zoom === 'far' ? { ...TILES.far, tileMinWidth: named, tileMaxWidth: named + 24 } : TILES[zoom]
  const { height, gap, padding } = DENSITIES[density]
  return {
    ...tile,
    tileHeight: tile.tileHeight + height[zoom],
    shortTileHeight: tile.shortTileHeight + height[zoom],
    // In the `far` zoom larger gaps would take more room than the tiles.
    gap: zoom === 'far' ? Math.min(gap, 4) : gap,
    padding,
    gutter: 84,
    columnGap: 8,
    rackHead: 20,
  }
}

/** The first zoom level of a cluster of this size. */
export function firstZoom(nodes: number): Zoom {
  if (nodes <= 60) return 'near'
  return nodes <= 240 ? 'mid' : 'far'
}
