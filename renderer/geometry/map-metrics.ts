import type { Preferences } from '../../shared/contract/index.ts'
import type { MapMetrics } from './node-map.ts'

/** How near the map is looked at: `far` colour and name, `mid` what matters most, `near` all. */
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

/** Pixels taken from (or given to) a tile's height, and the room between tiles. */
const DENSITIES: Readonly<
  Record<Density, { readonly height: Readonly<Record<Zoom, number>>; readonly gap: number; readonly padding: number }>
> = {
  comfortable: { height: { far: 2, mid: 4, near: 4 }, gap: 8, padding: 10 },
  compact: { height: { far: 0, mid: 0, near: 0 }, gap: 6, padding: 8 },
  dense: { height: { far: -2, mid: -4, near: -6 }, gap: 4, padding: 4 },
}

/** What a letter of a name takes from far away, and what stands beside the name. */
const FAR_LETTER_PX = 7.2
const FAR_FRAME_PX = 34

/** The sizes of a map at a zoom level and density; from far away tiles are as wide as the longest name needs, within reason. */
export function metricsOf(zoom: Zoom, density: Density, longestName = 0): MapMetrics {
  const named = Math.min(136, Math.max(64, Math.ceil(FAR_FRAME_PX + longestName * FAR_LETTER_PX)))
  const tile = zoom === 'far' ? { ...TILES.far, tileMinWidth: named, tileMaxWidth: named + 24 } : TILES[zoom]
  const { height, gap, padding } = DENSITIES[density]
  return {
    ...tile,
    tileHeight: tile.tileHeight + height[zoom],
    shortTileHeight: tile.shortTileHeight + height[zoom],
    // From far away the room between tiles would be more than the tiles.
    gap: zoom === 'far' ? Math.min(gap, 4) : gap,
    padding,
    gutter: 84,
    columnGap: 8,
    rackHead: 20,
  }
}

/** The zoom level at which a cluster of this size is first shown. */
export function firstZoom(nodes: number): Zoom {
  if (nodes <= 60) return 'near'
  return nodes <= 240 ? 'mid' : 'far'
}
