import { memo, type ReactNode } from 'react'
import { counted } from '../../../shared/grammar/counts.ts'
import { STATE_WORDS } from '../../../shared/words/actions.ts'
import { ROLE_WORDS } from '../../../shared/words/nodes.ts'
import type { Grouping } from '../../geometry/node-groups.ts'
import type { NodeMap, PlacedArea } from '../../geometry/node-map.ts'

export interface MapLayerProps {
  readonly map: NodeMap
  readonly grouping: Grouping
}

/** The height of the names of the zones (map.css). */
export const HEAD_PX = 30

/** A single zone needs no name. */
export function hasHead(grouping: Grouping, columns: number): boolean {
  return grouping === 'zone' && columns > 1
}

/** The names of the zones, which stay in sight while the map scrolls. */
export const MapHead = memo(function MapHead({ map, grouping }: MapLayerProps): ReactNode {
  if (!hasHead(grouping, map.columns.length)) return null
  return (
    <div className="topo-head" style={{ width: map.width }} aria-hidden="true">
      {map.columns.map(column => (
        <div
          key={column.key ?? ''}
          className="topo-head-column"
          style={{ transform: `translateX(${column.x}px)`, width: column.width }}
        >
          <b>{column.key ?? 'No zone'}</b>
          <span className="quiet">{counted(column.count, 'node')}</span>
        </div>
      ))}
    </div>
  )
})

/** What lies below the tiles: a band for each role, a frame for each rack. */
export const MapBackdrop = memo(function MapBackdrop({ map, grouping }: MapLayerProps): ReactNode {
  return (
    <div aria-hidden="true">
      {map.bands.map((band, index) => (
        <div
          key={band.key ?? ''}
          className={`topo-band${index === 0 ? ' topo-band-first' : ''}`}
          style={placeOfBand(band)}
        >
          {map.bands.length < 2 ? null : (
            <span className="topo-band-name column">
              <b>{bandName(band, grouping)}</b>
              <span className="quiet">{band.count}</span>
            </span>
          )}
        </div>
      ))}
      {map.racks.map(rack => (
        <div key={`${rack.x} ${rack.y}`} className="topo-rack small quiet" style={boxOf(rack)}>
          {rack.key ?? 'no rack'}
        </div>
      ))}
    </div>
  )
})

function boxOf({ x, y, width, height }: PlacedArea) {
  return { transform: `translate(${x}px, ${y}px)`, width, height }
}

/** A band is placed by its top, not by a transform: sticky content would stick to the old place. */
function placeOfBand({ y, width, height }: PlacedArea) {
  return { top: y, width, height }
}

function bandName({ key }: PlacedArea, grouping: Grouping): string {
  const words: Readonly<Record<string, string>> = grouping === 'state' ? STATE_WORDS : ROLE_WORDS
  if (key === null) return grouping === 'rack' ? 'No rack' : 'No role'
  return words[key] ?? key
}
