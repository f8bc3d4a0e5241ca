import { memo, type ReactNode } from 'react'
import type { NodeView } from '../../../shared/domain/cluster-view.ts'
import type { Zoom } from '../../geometry/map-metrics.ts'
import { selectedNodes, useSelection } from '../../stores/selection.ts'
import { useNode } from './node-selectors.ts'
import { tileName } from './node-words.ts'
import { FarTile } from './tile-far.tsx'
import { MidTile } from './tile-mid.tsx'
import { NearTile } from './tile-near.tsx'

interface Props {
  readonly cluster: string
  readonly name: string
  readonly zoom: Zoom
  readonly x: number
  readonly y: number
  readonly width: number
  readonly height: number
  /** The one tile that the Tab key comes to. */
  readonly focusable: boolean
  /** Its panel is open. */
  readonly current: boolean
  readonly position: number
  readonly count: number
}

/** One node on the map. Draws itself anew when its own facts change, and for nothing else. */
export const NodeTile = memo(function NodeTile(props: Props): ReactNode {
  const { cluster, name, zoom, x, y, width, height, focusable, current, position, count } = props
  const node = useNode(cluster, name)
  const selected = useSelection(store => selectedNodes(store, cluster).includes(name))
  if (node === null) return null
  return (
    <div
      role="option"
      className={`topo-tile column topo-tile-${zoom} topo-state-${node.state}${current ? ' topo-current' : ''}`}
      style={{ transform: `translate(${x}px, ${y}px)`, width, height }}
      data-node={name}
      aria-selected={selected}
      aria-current={current ? 'true' : undefined}
      aria-posinset={position}
      aria-setsize={count}
      tabIndex={focusable ? 0 : -1}
      title={node.stateReason === '' ? undefined : node.stateReason}
    >
      <span className="visually-hidden">{tileName(node)}</span>
      <span className="topo-face" aria-hidden="true">
        {faceOf(zoom, cluster, node)}
      </span>
    </div>
  )
})

function faceOf(zoom: Zoom, cluster: string, node: NodeView): ReactNode {
  switch (zoom) {
    case 'far':
      return <FarTile node={node} />
    case 'mid':
      return <MidTile node={node} />
    case 'near':
      return <NearTile cluster={cluster} node={node} />
  }
}
