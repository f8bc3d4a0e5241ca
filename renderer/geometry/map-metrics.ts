import { namesWithin } from './instance-chips.ts'
import type { NodeGroups } from './node-groups.ts'
import { layOut, type MapMetrics, type NodeMap } from './node-map.ts'

/** How large tiles are: from colour and name on a canvas to cards that name every instance. */
export const SIZES = [0, 1, 2, 3, 4, 5] as const
export type Size = (typeof SIZES)[number]

/** What a tile shows: `far` colour and name, `row` one row of marks, `marks` several, `names` instances by name, `rows` one to a line. */
export type Face = 'far' | 'row' | 'marks' | 'names' | 'rows'

interface TileSize {
  readonly face: Exclude<Face, 'rows'>
  readonly width: number
  readonly widest: number
  /** The height of a node with instances, how far it may grow in a high window, and the height of a node without instances. */
  readonly height: number
  readonly highest: number
  readonly short: number
  readonly gap: number
  readonly padding: number
}

const TILES: Readonly<Record<Size, TileSize>> = {
  0: { face: 'far', width: 72, widest: 112, height: 26, highest: 26, short: 26, gap: 4, padding: 8 },
  1: { face: 'row', width: 148, widest: 260, height: 54, highest: 54, short: 54, gap: 8, padding: 8 },
  2: { face: 'marks', width: 164, widest: 420, height: 88, highest: 132, short: 62, gap: 8, padding: 10 },
  3: { face: 'names', width: 172, widest: 420, height: 132, highest: 330, short: 62, gap: 8, padding: 10 },
  4: { face: 'names', width: 212, widest: 480, height: 132, highest: 340, short: 62, gap: 10, padding: 10 },
  5: { face: 'names', width: 330, widest: 640, height: 176, highest: 360, short: 64, gap: 12, padding: 10 },
}

/** The width of one letter of a name on the canvas, and of what is beside the name. */
const FAR_LETTER_PX = 7.2
const FAR_FRAME_PX = 34

/** With at most this many nodes each instance has a line, with its size or the reason why it cannot move. */
const FEW_NODES = 6
const HIGHEST_OF_FEW_PX = 560
const LEAST_ROWS_PX = 240

/** The names of bands at the left; a single band needs none. */
const GUTTER_PX = 84
const EDGE_PX = 10
/** Free at the right. */
const MARGIN_PX = 10

/** The sizes of a map; on the canvas a tile fits the longest name, within limits. */
export function metricsOf(size: Size, longestName = 0, bands = 2): MapMetrics {
  const { face, width, widest, height, short, gap, padding } = TILES[size]
  const named = Math.min(136, Math.max(64, Math.ceil(FAR_FRAME_PX + longestName * FAR_LETTER_PX)))
  return {
    tileMinWidth: face === 'far' ? named : width,
    tileMaxWidth: face === 'far' ? named + 24 : widest,
    tileHeight: height,
    shortTileHeight: short,
    gap,
    padding,
    gutter: bands < 2 ? EDGE_PX : GUTTER_PX,
    columnGap: 8,
    rackHead: 20,
  }
}

interface MapRoom {
  readonly width: number
  readonly height: number
}

export interface FittedMap {
  readonly map: NodeMap
  readonly size: Size
  readonly face: Face
}

/** The largest map that fits the room, or the wished size; its tiles grow until the room is used. */
export function fitMap(groups: NodeGroups, room: MapRoom, wished: Size | null, longestName: number): FittedMap {
  const nodes = groups.bands.reduce((sum, band) => sum + band.count, 0)
  const size = wished ?? largestFit(groups, room, nodes, longestName)
  const { face, highest } = TILES[size]
  const isFew = face === 'names' && nodes > 0 && nodes <= FEW_NODES
  const map = grown(groups, room, size, { longestName, highest: isFew ? HIGHEST_OF_FEW_PX : highest })
  const isWide = map.tiles.every(tile => tile.width >= LEAST_ROWS_PX && tile.height >= LEAST_ROWS_PX)
  return { map, size, face: isFew && isWide ? 'rows' : face }
}

/** Over 240 nodes a row of marks is too much to draw, over 60 a name for each instance is. Without room for names, the map scrolls. */
function largestFit(groups: NodeGroups, room: MapRoom, nodes: number, longestName: number): Size {
  if (nodes > 240) return 0
  if (nodes > 60) return 1
  let best: { readonly size: Size; readonly names: number } = { size: 2, names: 0 }
  for (const size of SIZES.filter(each => TILES[each].face === 'names')) {
    const map = grown(groups, room, size, { longestName, highest: TILES[size].highest })
    if (map.width > room.width - MARGIN_PX || map.height > room.height) continue
    const names = namesOnCard(map)
    if (names >= best.names) best = { size, names }
  }
  return best.size
}

/** Around the names of a card: its edges, its first and its last line. */
const AROUND_NAMES_PX = { width: 24, height: 68 } as const

/** How many names the highest card has room for. */
function namesOnCard({ tiles }: NodeMap): number {
  const widest = tiles.reduce((most, tile) => (tile.height > most.height ? tile : most), { width: 0, height: 0 })
  const { names } = namesWithin(
    MANY_NAMES,
    widest.width - AROUND_NAMES_PX.width,
    widest.height - AROUND_NAMES_PX.height,
  )
  return names
}

/** More than a card has room for. */
const MANY_NAMES = 1000

/** Tiles with instances share the height that is left. */
function grown(
  groups: NodeGroups,
  room: MapRoom,
  size: Size,
  { longestName, highest }: { readonly longestName: number; readonly highest: number },
): NodeMap {
  const metrics = metricsOf(size, longestName, groups.bands.length)
  const map = layOut(groups, room.width - MARGIN_PX, metrics)
  const free = room.height - map.height
  const growing = groups.bands.flatMap((band, at) => (band.computes ? (map.bands[at] ?? []) : []))
  const rows = growing.reduce((sum, { height }) => {
    const step = metrics.tileHeight + metrics.gap
    return sum + Math.max(1, Math.round((height - metrics.padding * 2 + metrics.gap) / step))
  }, 0)
  if (free <= 0 || rows === 0) return map
  const tileHeight = Math.min(highest, metrics.tileHeight + Math.floor(free / rows))
  return layOut(groups, room.width - MARGIN_PX, { ...metrics, tileHeight })
}
