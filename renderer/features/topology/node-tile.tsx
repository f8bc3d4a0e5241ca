import { memo, type ReactNode } from 'react'
import type { NodeView } from '../../../shared/domain/cluster-view.ts'
import { counted } from '../../../shared/grammar/counts.ts'
import type { Zoom } from '../../geometry/map-metrics.ts'
import { selectedNodes, useSelection } from '../../stores/selection.ts'
import { Holder } from './holder.tsx'
import { Lamp } from './lamp.tsx'
import { ConditionMarks } from './node-conditions.tsx'
import { NodeName } from './node-name.tsx'
import { useNode } from './node-selectors.ts'
import { serviceTroubles, tileName } from './node-words.ts'
import { Cordoned, InstanceBar, InstanceNumbers, LoadBars, LockLamps, ModeChip, StateBadge } from './tile-parts.tsx'

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

/** A node from far away: where it stands as a colour, its readiness as a lamp, its name. */
function FarTile({ node }: { readonly node: NodeView }): ReactNode {
  return (
    <>
      <Lamp ready={node.ready} />
      <NodeName name={node.name} />
      {(node.instances?.blocked ?? 0) > 0 ? <span className="topo-far-blocked" /> : null}
    </>
  )
}

/** A node from some way off: name, where it stands, how much is on it. */
function MidTile({ node }: { readonly node: NodeView }): ReactNode {
  const troubles = serviceTroubles(node)
  return (
    <>
      <span className="topo-line row">
        <Lamp ready={node.ready} />
        <NodeName name={node.name} />
        <StateBadge node={node} />
      </span>
      <span className="topo-line row topo-fact-instances">
        {node.roles.includes('compute') ? (
          <>
            <InstanceBar counts={node.instances} />
            <span className="topo-total">{node.instances?.total ?? '?'}</span>
          </>
        ) : (
          <span className="topo-roles grow">{node.roles.join(' · ') || 'no role'}</span>
        )}
        {troubles.length > 0 && node.state === 'active' ? <span className="bad">{troubles[0]}</span> : null}
        <Cordoned node={node} />
        <LockLamps locks={node.locks} />
        <ModeChip node={node} />
      </span>
    </>
  )
}

/** A node up close: all that can be said of it in a few lines. */
function NearTile({ cluster, node }: { readonly cluster: string; readonly node: NodeView }): ReactNode {
  const computes = node.roles.includes('compute')
  return (
    <>
      <span className="topo-line row">
        <Lamp ready={node.ready} />
        <NodeName name={node.name} />
        <StateBadge node={node} />
      </span>
      <span className="topo-line row topo-quiet quiet">
        <span className="topo-roles grow">{node.roles.join(' · ') || 'no role'}</span>
        <Cordoned node={node} />
        <LockLamps locks={node.locks} />
        <ModeChip node={node} />
      </span>
      {computes ? (
        <>
          <span className="topo-line row topo-fact-instances">
            <InstanceBar counts={node.instances} />
            <span className="topo-total" title="Instances on it">
              {node.instances?.total ?? '?'}
            </span>
          </span>
          <span className="topo-line row topo-quiet quiet topo-fact-instances">
            <InstanceNumbers counts={node.instances} />
          </span>
          <span className="topo-line row topo-quiet quiet topo-fact-capacity">
            <LoadBars load={node.load} />
          </span>
        </>
      ) : null}
      <span className="topo-line row topo-quiet quiet topo-foot">
        <Foot cluster={cluster} node={node} />
      </span>
    </>
  )
}

/** What stands at the bottom of a tile: what matters most of who works on it, what is wrong with it, what more is on it. */
function Foot({ cluster, node }: { readonly cluster: string; readonly node: NodeView }): ReactNode {
  if (node.heldBy !== null || node.runId !== null) return <Holder cluster={cluster} node={node} />
  if (node.state === 'decommissioned') return <span title={node.stateReason}>no node of the cluster any more</span>
  if (node.state === 'partial' && node.conditions.length > 1) return <ConditionMarks conditions={node.conditions} />
  const troubles = serviceTroubles(node)
  if (troubles.length > 0) {
    return (
      <span
        className={`topo-fact-services${node.state === 'maintenance' ? '' : ' bad'}`}
        title={node.computeService?.disabledReason ?? undefined}
      >
        {troubles.join(', ')}
      </span>
    )
  }
  if (node.ready !== 'ready') return <span className="bad">{node.readinessText || 'kubelet not ready'}</span>
  const storage = node.roles.includes('storage')
  return (
    <span className="topo-more">
      {storage ? (
        <span
          title={
            node.osds === null
              ? 'Ceph could not be asked: it needs a toolbox pod and the right to run commands in it.'
              : undefined
          }
        >
          {node.osds === null ? 'OSDs not known' : counted(node.osds, 'OSD')}
        </span>
      ) : null}
      <span className="topo-fact-pods">{node.pods === null ? 'pods not known' : `${node.pods} pods`}</span>
      {node.agents === null ? null : (
        <span className={`topo-fact-agents${node.agents.alive < node.agents.total ? ' bad' : ''}`}>
          {node.agents.alive}/{node.agents.total} agents
        </span>
      )}
    </span>
  )
}
