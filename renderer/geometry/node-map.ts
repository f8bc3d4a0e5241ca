import type { NodeGroups, RackGroup } from './node-groups.ts'
import type { Rectangle } from './rectangle.ts'

/** The sizes of a map, in pixels. */
export interface MapMetrics {
  /** A tile is at least this wide, and grows to fill its column up to the maximum. */
  readonly tileMinWidth: number
  readonly tileMaxWidth: number
  /** Height of a tile in a band with instances, and in one without. */
  readonly tileHeight: number
  readonly shortTileHeight: number
  readonly gap: number
  /** Room around the tiles of a cell. */
  readonly padding: number
  /** The width of the band names at the left. */
  readonly gutter: number
  readonly columnGap: number
  readonly rackHead: number
}

export interface PlacedTile extends Rectangle {
  readonly name: string
}

/** A named area: a zone's column, a role's band, a rack within a cell. */
export interface PlacedArea extends Rectangle {
  readonly key: string | null
  readonly count: number
}

/** The place of everything on the map; tiles in reading order. */
export interface NodeMap {
  readonly width: number
  readonly height: number
  readonly columns: readonly PlacedArea[]
  readonly bands: readonly PlacedArea[]
  readonly racks: readonly PlacedArea[]
  readonly tiles: readonly PlacedTile[]
}

/**
 * Places groups within a width: columns share it by their content, tiles fill them, and a band is as high as its highest cell.
 * Below one tile per column the map becomes wider than the screen.
 */
export function layOut(groups: NodeGroups, width: number, metrics: MapMetrics): NodeMap {
  const { gutter, columnGap, padding, gap } = metrics
  const slots = shareSlots(groups, slotsWithin(groups.columns.length, width, metrics))
  const total = slots.reduce((sum, count) => sum + count, 0)
  const spent = gutter + slots.length * (padding * 2 + columnGap) - columnGap + (total - slots.length) * gap
  const tileWidth = clamp(Math.floor((width - spent) / Math.max(1, total)), metrics.tileMinWidth, metrics.tileMaxWidth)
  const spans = columnSpans(slots, tileWidth, metrics)

  const tiles: PlacedTile[] = []
  const racks: PlacedArea[] = []
  const bands: PlacedArea[] = []
  let y = 0
  for (const band of groups.bands) {
    const tileHeight = band.computes ? metrics.tileHeight : metrics.shortTileHeight
    let bottom = y + padding * 2 + tileHeight
    band.cells.forEach((cell, index) => {
      const span = spans[index]
      if (span === undefined) return
      const placed = placeCell(
        cell,
        { x: span.x + padding, y: y + padding, columns: slots[index] ?? 1 },
        {
          ...metrics,
          tileWidth,
          tileHeight,
        },
      )
      tiles.push(...placed.tiles)
      racks.push(...placed.racks)
      if (cell.length > 0) bottom = Math.max(bottom, placed.bottom + padding)
    })
    bands.push({ key: band.key, count: band.count, x: 0, y, width: 0, height: bottom - y })
    y = bottom
  }
  const right = spans.at(-1)
  const mapWidth = right === undefined ? width : right.x + right.width
  const columns = groups.columns.map((column, index) => ({
    key: column.key,
    count: groups.bands.reduce((sum, band) => sum + countOf(band.cells[index]), 0),
    x: spans[index]?.x ?? 0,
    y: 0,
    width: spans[index]?.width ?? 0,
    height: y,
  }))
  return { width: mapWidth, height: y, columns, bands: bands.map(band => ({ ...band, width: mapWidth })), racks, tiles }
}

interface CellOrigin {
  readonly x: number
  readonly y: number
  readonly columns: number
}

function placeCell(
  cell: readonly RackGroup[],
  origin: CellOrigin,
  sizes: MapMetrics & { readonly tileWidth: number; readonly tileHeight: number },
): { readonly tiles: readonly PlacedTile[]; readonly racks: readonly PlacedArea[]; readonly bottom: number } {
  const { tileWidth, tileHeight, gap, rackHead } = sizes
  const tiles: PlacedTile[] = []
  const racks: PlacedArea[] = []
  const labelled = cell.some(group => group.rack !== null)
  let y = origin.y
  for (const shelf of shelvesOf(cell, origin.columns)) {
    const top = labelled ? y + rackHead : y
    let x = origin.x
    for (const { rack, names } of shelf) {
      names.forEach((name, index) => {
        tiles.push({
          name,
          x: x + (index % origin.columns) * (tileWidth + gap),
          y: top + Math.floor(index / origin.columns) * (tileHeight + gap),
          width: tileWidth,
          height: tileHeight,
        })
      })
      const width = slotsOf(names, origin.columns) * (tileWidth + gap)
      const bottom = top + Math.ceil(names.length / origin.columns) * (tileHeight + gap)
      if (labelled) racks.push({ key: rack, count: names.length, x, y, width: width - gap, height: bottom - gap - y })
      x += width
    }
    y = top + rowsOfShelf(shelf, origin.columns) * (tileHeight + gap)
  }
  return { tiles, racks, bottom: y - gap }
}

function columnSpans(
  slots: readonly number[],
  tileWidth: number,
  { gutter, gap, padding, columnGap }: MapMetrics,
): readonly { readonly x: number; readonly width: number }[] {
  let x = gutter
  return slots.map(count => {
    const span = { x, width: padding * 2 + count * (tileWidth + gap) - gap }
    x += span.width + columnGap
    return span
  })
}

/** How many tiles fit side by side over all columns. */
function slotsWithin(columns: number, width: number, metrics: MapMetrics): number {
  const { gutter, padding, columnGap, gap, tileMinWidth } = metrics
  const free = width - gutter - columns * (padding * 2 + columnGap) + columnGap + columns * gap
  return Math.max(columns, Math.floor(free / (tileMinWidth + gap)))
}

/** Gives each column the width of one tile, then one more to the highest column until no column gains by it. */
function shareSlots(groups: NodeGroups, total: number): readonly number[] {
  const cells = groups.columns.map((_, index) => groups.bands.map(band => band.cells[index] ?? []))
  const widest = cells.map(column => Math.max(1, ...column.map(countOf)))
  const slots = groups.columns.map(() => 1)
  for (let left = total - slots.length; left > 0; left--) {
    let highest = -1
    let rows = 0
    slots.forEach((count, index) => {
      if (count >= (widest[index] ?? 1)) return
      const own = rowsOf(cells[index] ?? [], count)
      if (own > rows) {
        rows = own
        highest = index
      }
    })
    if (highest < 0) break
    slots[highest] = (slots[highest] ?? 0) + 1
  }
  return slots
}

function rowsOf(cells: readonly (readonly RackGroup[])[], columns: number): number {
  return cells.flatMap(cell => shelvesOf(cell, columns)).reduce((sum, shelf) => sum + rowsOfShelf(shelf, columns), 0)
}

/** Racks in their order, side by side while there is room: a rack of one node takes no separate row. */
function shelvesOf(cell: readonly RackGroup[], columns: number): readonly (readonly RackGroup[])[] {
  const shelves: RackGroup[][] = []
  let free = 0
  for (const group of cell) {
    const wide = slotsOf(group.names, columns)
    const shelf = shelves.at(-1)
    if (shelf !== undefined && wide <= free) shelf.push(group)
    else {
      shelves.push([group])
      free = columns
    }
    free -= wide
  }
  return shelves
}

function slotsOf(names: readonly string[], columns: number): number {
  return Math.min(names.length, columns)
}

function rowsOfShelf(shelf: readonly RackGroup[], columns: number): number {
  return Math.max(...shelf.map(group => Math.ceil(group.names.length / columns)))
}

function countOf(cell: readonly RackGroup[] | undefined): number {
  return (cell ?? []).reduce((sum, group) => sum + group.names.length, 0)
}

function clamp(value: number, low: number, high: number): number {
  return Math.min(high, Math.max(low, value))
}
