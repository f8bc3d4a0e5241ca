import { type ReactNode, type RefObject, useCallback, useEffect, useMemo, useRef, useState } from 'react'
import { firstZoom, metricsOf, type Zoom } from '../../geometry/map-metrics.ts'
import { tilesWithin } from '../../geometry/map-search.ts'
import { groupNodes } from '../../geometry/node-groups.ts'
import { layOut, type PlacedTile } from '../../geometry/node-map.ts'
import type { Rectangle } from '../../geometry/rectangle.ts'
import { usePreferences } from '../../stores/preferences.ts'
import { selectedNodes, selectNodes, useSelection } from '../../stores/selection.ts'
import { useTopology } from '../../stores/topology.ts'
import { ChipFlights } from './chip-flights.tsx'
import { useDragRoom } from './drag-room.tsx'
import { FarCanvas } from './far-canvas.tsx'
import { MapBackdrop, MapHead, type MapLayerProps } from './map-layers.tsx'
import { useNodeCount, useShownPlaces } from './node-selectors.ts'
import { NodeTile } from './node-tile.tsx'
import { useMapKeys } from './use-map-keys.ts'
import { nodeAt, useMapPointer } from './use-map-pointer.ts'

const ROOM_PX = 12

/** How much of the map the open panel of a node covers at the right (panel.css). */
const PANEL_PX = 420 + 14

/** The margin drawn beyond the visible part, so that scrolling shows no empty map. */
const MARGIN_PX = 400

/** The drawn part moves by steps, so that scrolling does not draw again for every pixel. */
const STEP_PX = 200

interface Props {
  readonly cluster: string
  /** The node with the open panel. */
  readonly current: string | null
  readonly onOpen: (node: string) => void
  readonly onClose: () => void
  /** Opens a menu for a node, at a place on the screen. */
  readonly onMenu: (node: string, at: { readonly left: number; readonly top: number }) => void
}

/** The nodes of a cluster as tiles on a map of zones and roles. Only the visible part is drawn. */
export function TopologyMap({ cluster, current, onOpen, onClose, onMenu }: Props): ReactNode {
  const viewport = useRef<HTMLDivElement>(null)
  const plane = useRef<HTMLDivElement>(null)
  const seen = useMapWindow(viewport)
  const layout = useMapLayout(cluster, seen?.width ?? 1000)
  const { map, grouping } = layout
  const focus = useTileFocus(map.tiles, viewport, plane, current)
  // The panel lies over the map, which gets room to scroll its node into view.
  const panel = current === null ? 0 : PANEL_PX
  useFreeOfPanel(map.tiles.find(({ name }) => name === current) ?? null, viewport)
  const { zone } = useDragRoom()

  const putAway = useCallback(() => {
    const { length } = selectedNodes(useSelection.getState(), cluster)
    if (current !== null) onClose()
    else if (length > 0) selectNodes(cluster, [])
  }, [cluster, current, onClose])
  const menuAtTile = useCallback(
    (node: string) => {
      const box = plane.current?.querySelector(`[data-node="${CSS.escape(node)}"]`)?.getBoundingClientRect()
      if (box !== undefined) onMenu(node, { left: box.left + 12, top: box.top + 24 })
    },
    [onMenu],
  )
  const { onPointerDown, marquee } = useMapPointer({ cluster, tiles: map.tiles, viewport, plane, onOpen })
  const onKeyDown = useMapKeys({
    cluster,
    tiles: map.tiles,
    focused: focus.name,
    onFocus: focus.go,
    onOpen,
    onEscape: putAway,
    onMenu: menuAtTile,
  })

  const area = seen?.area ?? null
  return (
    <div ref={zone('map')} className="topo-map grow">
      <div ref={viewport} className="topo-viewport" onPointerDown={onPointerDown}>
        <MapHead map={map} grouping={grouping} />
        <div
          ref={plane}
          role="listbox"
          aria-multiselectable="true"
          aria-label={`Nodes of ${cluster}`}
          className="topo-plane"
          style={{ width: map.width + panel, height: map.height }}
          onKeyDown={onKeyDown}
          onFocus={event => {
            const name = nodeAt(event.target)
            if (name !== null) focus.arrived(name)
          }}
          onContextMenu={event => {
            const name = nodeAt(event.target)
            event.preventDefault()
            if (name !== null) onMenu(name, { left: event.clientX, top: event.clientY })
          }}
        >
          <MapContent
            cluster={cluster}
            layout={layout}
            area={area}
            focused={focus.name}
            current={current}
            marquee={marquee}
          />
        </div>
      </div>
    </div>
  )
}

interface MapLayout extends MapLayerProps {
  readonly zoom: Zoom
}

/** Places the shown nodes as the operator groups and zooms them. */
function useMapLayout(cluster: string, width: number): MapLayout {
  const grouping = useTopology(store => store.grouping)
  const total = useNodeCount(cluster)
  const zoom = useTopology(store => store.zoom) ?? firstZoom(total)
  const preferred = usePreferences(store => store.preferences.density)
  const density = useTopology(store => store.density) ?? preferred
  const places = useShownPlaces(cluster)
  const longest = useMemo(() => places.reduce((most, { name }) => Math.max(most, name.length), 0), [places])
  const groups = useMemo(() => groupNodes(places, grouping), [places, grouping])
  const map = useMemo(
    () => layOut(groups, width, metricsOf(zoom, density, longest)),
    [groups, width, zoom, density, longest],
  )
  return { map, grouping, zoom }
}

interface MapContentProps {
  readonly cluster: string
  readonly layout: MapLayout
  /** The visible part; null before it is measured. */
  readonly area: Rectangle | null
  /** The tile with the focus is drawn wherever it is. */
  readonly focused: string | null
  readonly current: string | null
  readonly marquee: Rectangle | null
}

/** Bands and racks, the visible tiles over them, and what moves between tiles. */
function MapContent({ cluster, layout, area, focused, current, marquee }: MapContentProps): ReactNode {
  const { map, grouping, zoom } = layout
  const drawn = useMemo(() => {
    const near = new Set(area === null ? [] : tilesWithin(map.tiles, area))
    return map.tiles.flatMap((tile, index) =>
      near.has(tile) || (area !== null && tile.name === focused) ? [{ tile, position: index + 1 }] : [],
    )
  }, [map.tiles, area, focused])
  const inSight = useMemo(() => drawn.map(({ tile }) => tile), [drawn])
  // Forced-colours mode has no colours for a canvas.
  const isPainted = zoom === 'far' && !matchMedia('(forced-colors: active)').matches
  return (
    <>
      <MapBackdrop map={map} grouping={grouping} />
      {isPainted && area !== null ? <FarCanvas cluster={cluster} tiles={inSight} area={area} /> : null}
      {drawn.map(({ tile, position }) => (
        <NodeTile
          key={tile.name}
          cluster={cluster}
          name={tile.name}
          zoom={zoom}
          x={tile.x}
          y={tile.y}
          width={tile.width}
          height={tile.height}
          focusable={tile.name === focused}
          current={tile.name === current}
          position={position}
          count={map.tiles.length}
          isPainted={isPainted}
        />
      ))}
      <ChipFlights cluster={cluster} tiles={inSight} />
      {marquee === null ? null : (
        <div
          className="topo-marquee"
          aria-hidden="true"
          style={{
            transform: `translate(${marquee.x}px, ${marquee.y}px)`,
            width: marquee.width,
            height: marquee.height,
          }}
        />
      )}
    </>
  )
}

/** The drawn part of a scrolled map, and its width. */
interface MapWindow {
  readonly width: number
  readonly area: Rectangle
}

/** Follows the size and scrolling of the map's viewport; null before it is measured. */
function useMapWindow(viewport: RefObject<HTMLElement | null>): MapWindow | null {
  const [seen, setSeen] = useState<MapWindow | null>(null)
  useEffect(() => {
    const element = viewport.current
    if (element === null) return
    const measure = () => {
      const { clientWidth, clientHeight, scrollTop, scrollLeft } = element
      const x = Math.floor(scrollLeft / STEP_PX) * STEP_PX - MARGIN_PX
      const y = Math.floor(scrollTop / STEP_PX) * STEP_PX - MARGIN_PX
      const width = clientWidth + MARGIN_PX * 2 + STEP_PX
      const height = Math.ceil(clientHeight / STEP_PX) * STEP_PX + MARGIN_PX * 2 + STEP_PX
      setSeen(before =>
        before !== null &&
        before.width === clientWidth &&
        before.area.x === x &&
        before.area.y === y &&
        before.area.width === width &&
        before.area.height === height
          ? before
          : { width: clientWidth, area: { x, y, width, height } },
      )
    }
    measure()
    const sizes = new ResizeObserver(measure)
    sizes.observe(element)
    element.addEventListener('scroll', measure, { passive: true })
    return () => {
      sizes.disconnect()
      element.removeEventListener('scroll', measure)
    }
  }, [viewport])
  return seen
}

interface TileFocus {
  /** The tile that Tab reaches and from which arrows start; null on an empty map. */
  readonly name: string | null
  /** Draws a tile, scrolls to it, gives it the focus. */
  readonly go: (name: string) => void
  /** The focus came to a tile in another way. */
  readonly arrived: (name: string) => void
}

/** One tile of the map is in the tab order (a roving tabindex), remembered by name. */
function useTileFocus(
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

/** Scrolls a tile out from under its opening panel. Afterwards the operator scrolls. */
function useFreeOfPanel(tile: PlacedTile | null, viewport: RefObject<HTMLElement | null>): void {
  const name = tile?.name ?? null
  const right = tile === null ? 0 : tile.x + tile.width + ROOM_PX
  const left = tile === null ? 0 : Math.max(0, tile.x - ROOM_PX)
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new layout does not scroll the map.
  useEffect(() => {
    const { current } = viewport
    if (name === null || current === null) return
    const hidden = right - (current.scrollLeft + current.clientWidth - PANEL_PX)
    if (hidden > 0) current.scrollLeft = Math.min(left, current.scrollLeft + hidden)
    else if (left < current.scrollLeft) current.scrollLeft = left
  }, [name, viewport])
}

function bringIntoSight(tile: PlacedTile, viewport: HTMLElement, plane: HTMLElement): void {
  // The names of the zones lie over the top of the scrolled map.
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
