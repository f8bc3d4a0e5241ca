import { type ReactNode, useCallback, useMemo, useRef } from 'react'
import { firstZoom, metricsOf } from '../../geometry/map-metrics.ts'
import { tilesWithin } from '../../geometry/map-search.ts'
import { groupNodes } from '../../geometry/node-groups.ts'
import { layOut } from '../../geometry/node-map.ts'
import { usePreferences } from '../../stores/preferences.ts'
import { selectedNodes, selectNodes, useSelection } from '../../stores/selection.ts'
import { useTopology } from '../../stores/topology.ts'
import { useDragRoom } from './drag-room.tsx'
import { MapGround, MapHead } from './map-ground.tsx'
import { useNodeCount, useShownPlaces } from './node-selectors.ts'
import { NodeTile } from './node-tile.tsx'
import { useMapKeys } from './use-map-keys.ts'
import { nodeAt, useMapPointer } from './use-map-pointer.ts'
import { useMapWindow } from './use-map-window.ts'
import { useTileFocus } from './use-tile-focus.ts'

interface Props {
  readonly cluster: string
  /** The node whose panel is open. */
  readonly current: string | null
  readonly onOpen: (node: string) => void
  readonly onClose: () => void
  /** A menu is asked for, for a node, at a place on the screen. */
  readonly onMenu: (node: string, at: { readonly left: number; readonly top: number }) => void
}

/** The nodes of a cluster as tiles on a map of zones and roles. Only what is in sight is drawn. */
export function TopologyMap({ cluster, current, onOpen, onClose, onMenu }: Props): ReactNode {
  const viewport = useRef<HTMLDivElement>(null)
  const plane = useRef<HTMLDivElement>(null)
  const seen = useMapWindow(viewport)
  const grouping = useTopology(store => store.grouping)
  const total = useNodeCount(cluster)
  const zoom = useTopology(store => store.zoom) ?? firstZoom(total)
  const preferred = usePreferences(store => store.preferences.density)
  const density = useTopology(store => store.density) ?? preferred
  const places = useShownPlaces(cluster)
  const longest = useMemo(() => places.reduce((most, { name }) => Math.max(most, name.length), 0), [places])
  const groups = useMemo(() => groupNodes(places, grouping), [places, grouping])
  const width = seen?.width ?? 1000
  const map = useMemo(
    () => layOut(groups, width, metricsOf(zoom, density, longest)),
    [groups, width, zoom, density, longest],
  )
  const focus = useTileFocus(map.tiles, viewport, plane, current)
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
  const drawn = useMemo(() => {
    const near = new Set(area === null ? [] : tilesWithin(map.tiles, area))
    return map.tiles.flatMap((tile, index) =>
      near.has(tile) || (area !== null && tile.name === focus.name) ? [{ tile, position: index + 1 }] : [],
    )
  }, [map.tiles, area, focus.name])
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
          style={{ width: map.width, height: map.height }}
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
          <MapGround map={map} grouping={grouping} />
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
              focusable={tile.name === focus.name}
              current={tile.name === current}
              position={position}
              count={map.tiles.length}
            />
          ))}
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
        </div>
      </div>
    </div>
  )
}
