import { type ReactNode, type RefObject, useCallback, useEffect, useMemo, useRef, useState } from 'react'
import { type FittedMap, fitMap } from '../../geometry/map-metrics.ts'
import { tilesWithin } from '../../geometry/map-search.ts'
import { groupNodes } from '../../geometry/node-groups.ts'
import type { PlacedTile } from '../../geometry/node-map.ts'
import type { Rectangle } from '../../geometry/rectangle.ts'
import { selectedNodes, selectNodes, useSelection } from '../../stores/selection.ts'
import { useTopology } from '../../stores/topology.ts'
import { ChipFlights } from './chip-flights.tsx'
import { FarCanvas } from './far-canvas.tsx'
import { IfOneGoesOut, OUT_CARD_PX } from './machine-roles.tsx'
import { HEAD_PX, hasHead, MapBackdrop, MapHead, type MapLayerProps } from './map-layers.tsx'
import { useMapSize } from './map-size.ts'
import { useShownPlaces } from './node-selectors.ts'
import { NodeTile } from './node-tile.tsx'
import { useMapKeys } from './use-map-keys.ts'
import { nodeAt, useMapPointer } from './use-map-pointer.ts'

const ROOM_PX = 12

/** Free room below the last band. */
const BELOW_PX = 12

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
  const layout = useMapLayout(cluster, seen)
  const { map, grouping } = layout
  const focus = useTileFocus(map.tiles, viewport, plane, current)
  // The panel lies over the map, which gets room to scroll its node into view.
  const panel = current === null ? 0 : PANEL_PX
  useFreeOfPanel(map.tiles.find(({ name }) => name === current) ?? null, viewport)
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
    <div className="topo-map grow">
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
        {layout.face === 'rows' && layout.isShared ? <IfOneGoesOut cluster={cluster} /> : null}
      </div>
    </div>
  )
}

interface MapLayout extends MapLayerProps, FittedMap {
  /** Every machine has several roles. */
  readonly isShared: boolean
}

/** Before it is measured. */
const UNSEEN = { width: 1000, height: 600 } as const

/** Places the shown nodes as the operator groups them, as large as they fit. */
function useMapLayout(cluster: string, seen: MapWindow | null): MapLayout {
  const grouping = useTopology(store => store.grouping)
  const size = useTopology(store => store.size)
  const places = useShownPlaces(cluster)
  const longest = useMemo(() => places.reduce((most, { name }) => Math.max(most, name.length), 0), [places])
  const groups = useMemo(() => groupNodes(places, grouping), [places, grouping])
  const isShared = groups.bands.length === 1 && places.every(({ roles }) => roles.length > 1)
  const { width, height } = seen ?? UNSEEN
  const head = hasHead(grouping, groups.columns.length) ? HEAD_PX : 0
  const fitted = useMemo(
    () => fitMap(groups, { width, height: height - head - BELOW_PX - (isShared ? OUT_CARD_PX : 0) }, size, longest),
    [groups, width, height, head, size, longest, isShared],
  )
  const { size: drawn, face } = fitted
  useEffect(() => useMapSize.setState({ size: drawn, face }), [drawn, face])
  return { ...fitted, grouping, isShared }
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
  const { map, grouping, face } = layout
  const drawn = useMemo(() => {
    const near = new Set(area === null ? [] : tilesWithin(map.tiles, area))
    return map.tiles.flatMap((tile, index) =>
      near.has(tile) || (area !== null && tile.name === focused) ? [{ tile, position: index + 1 }] : [],
    )
  }, [map.tiles, area, focused])
  const inSight = useMemo(() => drawn.map(({ tile }) => tile), [drawn])
  const placed = useInSteps(drawn.length)
  // Forced-colours mode has no colours for a canvas.
  const isPainted = face === 'far' && !matchMedia('(forced-colors: active)').matches
  return (
    <>
      <MapBackdrop map={map} grouping={grouping} />
      {isPainted && area !== null ? <FarCanvas cluster={cluster} tiles={inSight} area={area} /> : null}
      {drawn.map(({ tile, position }, at) =>
        at >= placed && tile.name !== focused ? null : (
          <NodeTile
            key={tile.name}
            cluster={cluster}
            name={tile.name}
            face={face}
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
        ),
      )}
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

/** Tiles placed in one frame: hundreds at once would hold the page up. */
const PLACED_A_FRAME = 60

/** How many of these are placed by now: at first some, then more in each frame until all are. */
function useInSteps(count: number): number {
  const [placed, setPlaced] = useState(PLACED_A_FRAME)
  useEffect(() => {
    if (placed >= count) return
    const frame = requestAnimationFrame(() => setPlaced(placed + PLACED_A_FRAME))
    return () => cancelAnimationFrame(frame)
  }, [placed, count])
  return placed
}

/** The drawn part of a scrolled map, and its size. */
interface MapWindow {
  readonly width: number
  readonly height: number
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
      const steady = clientHeight - missingLiveBar(element)
      setSeen(before =>
        before !== null &&
        before.width === clientWidth &&
        before.height === steady &&
        before.area.x === x &&
        before.area.y === y &&
        before.area.width === width &&
        before.area.height === height
          ? before
          : { width: clientWidth, height: steady, area: { x, y, width, height } },
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

/** Where the screen begins below the live bar, and the bar's height. */
const BELOW_LIVE_BAR_PX = 88
const LIVE_BAR_PX = 40

/** The room that the live bar would take, so that tiles keep their size when a run begins or ends. */
function missingLiveBar(element: HTMLElement): number {
  const top = element.closest('.topo')?.getBoundingClientRect().top ?? BELOW_LIVE_BAR_PX
  return Math.min(LIVE_BAR_PX, Math.max(0, BELOW_LIVE_BAR_PX - top))
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
