import { memo, type ReactNode } from 'react'
import type { NodeView } from '../../../shared/domain/cluster-view.ts'
import { counted } from '../../../shared/grammar/counts.ts'
import { READY_WORDS } from '../../../shared/words/nodes.ts'
import { claimsOnNode, othersOnNode, urgentOthersOnNode } from '../../../shared/words/others-on-node.ts'
import { instanceChips, yetToLeave } from '../../geometry/instance-chips.ts'
import type { Zoom } from '../../geometry/map-metrics.ts'
import { mostOn, useEmptied } from '../../stores/emptied.ts'
import { ghostsOn, useGhosts, wouldLeave } from '../../stores/ghosts.ts'
import { useGuide } from '../../stores/guide.ts'
import { selectedNodes, useSelection } from '../../stores/selection.ts'
import { Holder } from './holder.tsx'
import { Lamp } from './lamp.tsx'
import { ConditionMarks } from './node-conditions.tsx'
import { NodeName } from './node-name.tsx'
import { useNode } from './node-selectors.ts'
import { serviceProblems, tileName } from './node-words.ts'
import {
  Chips,
  Cordoned,
  instancesInWords,
  LoadLines,
  LockLamps,
  ModeChip,
  OthersHere,
  Tainted,
  TileTag,
  useWaitsHere,
} from './tile-parts.tsx'

interface Props {
  readonly cluster: string
  readonly name: string
  readonly zoom: Zoom
  readonly x: number
  readonly y: number
  readonly width: number
  readonly height: number
  /** The one tile that the Tab key reaches. */
  readonly focusable: boolean
  /** Its panel is open. */
  readonly current: boolean
  readonly position: number
  readonly count: number
  /** The canvas below already paints the tile. */
  readonly isPainted: boolean
}

/** Padding at the left and right of a tile. */
const PADDING_PX = 20
const CHIP_ROWS = 2
/** The width of a lock and a mode beside the chips, in the `mid` zoom. */
const LOCK_PX = 20
const MODE_PX = 46

/** One node on the map. It draws again only when its own facts change. */
export const NodeTile = memo(function NodeTile(props: Props): ReactNode {
  const { cluster, name, zoom, x, y, width, height, focusable, current, position, count, isPainted } = props
  const node = useNode(cluster, name)
  const selected = useSelection(store => selectedNodes(store, cluster).includes(name))
  const most = useEmptied(store => mostOn(store, cluster, name))
  const pointedAt = useGuide(store => store.pointedAt === `${cluster}/${name}`)
  const waits = useWaitsHere(cluster, node)
  const ghosts = useGhosts(store => ghostsOn(store, cluster, name))
  const leaves = useGhosts(store => wouldLeave(store, cluster, name))
  if (node === null) return null
  return (
    <div
      role="option"
      className={`topo-tile column topo-tile-${zoom} topo-state-${node.state}${current ? ' topo-current' : ''}${pointedAt ? ' guide-pointed' : ''}${waits ? ' topo-waits' : ''}${leaves ? ' topo-would-leave' : ''}${ghosts > 0 ? ' topo-would-take' : ''}${isPainted ? ' topo-painted' : ''}${othersOnNode(node).length + claimsOnNode(node).length > 0 ? ' topo-others' : ''}`}
      style={{ transform: `translate(${x}px, ${y}px)`, width, height }}
      data-node={name}
      aria-selected={selected}
      aria-current={current ? 'true' : undefined}
      aria-posinset={position}
      aria-setsize={count}
      tabIndex={focusable ? 0 : -1}
      title={node.stateReason === '' ? undefined : node.stateReason}
    >
      <span className="visually-hidden">
        {tileName(node)}
        {waits ? ', needs you' : ''}
      </span>
      {isPainted ? null : (
        <span className="topo-face" aria-hidden="true">
          <Water node={node} most={most?.leaving ?? 0} />
          {zoom === 'far' ? (
            <FarTile node={node} ghosts={ghosts} />
          ) : zoom === 'mid' ? (
            <MidTile cluster={cluster} node={node} width={width - PADDING_PX} most={most?.total ?? 0} ghosts={ghosts} />
          ) : (
            <NearTile
              cluster={cluster}
              node={node}
              width={width - PADDING_PX}
              most={most?.total ?? 0}
              ghosts={ghosts}
            />
          )}
        </span>
      )}
    </div>
  )
})

/** How much is left to do on a node being emptied: it falls as instances leave. */
function Water({ node, most }: { readonly node: NodeView; readonly most: number }): ReactNode {
  if (node.state !== 'entering' || node.instances === null || most === 0) return null
  return <span className="topo-water" style={{ height: `${(yetToLeave(node.instances) / most) * 100}%` }} />
}

/** A node in the `far` zoom: its state as a colour, its readiness as a lamp, its name. */
function FarTile({ node, ghosts }: { readonly node: NodeView; readonly ghosts: number }): ReactNode {
  return (
    <>
      <Lamp ready={node.ready} />
      <NodeName name={node.name} />
      {ghosts > 0 ? <span className="topo-ghosts">+{ghosts}</span> : null}
      {(node.instances?.blocked ?? 0) > 0 ? <span className="topo-far-blocked" /> : null}
    </>
  )
}

interface FaceProps {
  readonly cluster: string
  readonly node: NodeView
}

/** A node in the `mid` zoom: name, state, and its instances as a row of chips. */
function MidTile({ cluster, node, width, most, ghosts }: NearProps): ReactNode {
  const troubles = serviceProblems(node)
  return (
    <>
      <Head cluster={cluster} node={node} />
      <span className="topo-line row topo-fact-instances">
        {node.roles.includes('compute') ? (
          <TileChips node={node} width={width - marksPx(node)} rows={1} most={most} ghosts={ghosts} />
        ) : (
          <span className="topo-roles grow">{node.roles.join(' · ') || 'no role'}</span>
        )}
        {troubles.length > 0 && node.state === 'active' ? <span className="bad">{troubles[0]}</span> : null}
        {troubles.length === 0 && node.state === 'active' ? <OthersHere node={node} /> : null}
        <LockLamps locks={node.locks} />
        <ModeChip node={node} />
      </span>
    </>
  )
}

function marksPx({ locks, migrationMode, modeWarnings }: NodeView): number {
  return (locks?.length ?? 0) * LOCK_PX + (migrationMode === null && modeWarnings.length === 0 ? 0 : MODE_PX)
}

interface NearProps extends FaceProps {
  /** The width for chips, in pixels. */
  readonly width: number
  /** The most instances seen on it since it began to be emptied. */
  readonly most: number
  /** Instances that may come to it by the current drag. */
  readonly ghosts: number
}

/** The instances of a node, in rows of chips. */
function TileChips({
  node: { instances },
  width,
  rows,
  most,
  ghosts,
}: Omit<NearProps, 'cluster'> & { readonly rows: number }): ReactNode {
  if (instances === null) {
    return (
      <span className="topo-quiet topo-fact-instances" title="Nova does not answer.">
        Instances unknown
      </span>
    )
  }
  return (
    <span className={`topo-fact-instances topo-chips topo-chips-${rows}`} title={instancesInWords(instances)}>
      <Chips drawn={instanceChips(instances, Math.max(0, most - instances.total), width, rows, ghosts)} />
    </span>
  )
}

/** A node in the `near` zoom: its instances as chips, its load, who works on it. */
function NearTile({ cluster, node, width, most, ghosts }: NearProps): ReactNode {
  const foot = footOf(cluster, node)
  return (
    <>
      <Head cluster={cluster} node={node} />
      {node.roles.includes('compute') ? (
        <TileChips node={node} width={width} rows={CHIP_ROWS} most={most} ghosts={ghosts} />
      ) : null}
      <span className="topo-line row topo-quiet topo-foot">
        {foot ?? (node.roles.includes('compute') ? <LoadLines load={node.load} /> : <More node={node} />)}
        <LockLamps locks={node.locks} />
        <ModeChip node={node} />
      </span>
    </>
  )
}

/** The first line of a tile: its name, and at the right its state or its number of instances. */
function Head({ cluster, node }: FaceProps): ReactNode {
  const inService = node.state === 'active'
  return (
    <span className="topo-line row">
      <Lamp ready={node.ready} />
      <NodeName name={node.name} />
      {inService ? <Cordoned node={node} /> : null}
      {inService ? <Tainted node={node} /> : null}
      {inService && node.roles.includes('compute') ? (
        <span className="topo-total topo-fact-instances">{node.instances?.total ?? '?'}</span>
      ) : (
        <TileTag cluster={cluster} node={node} />
      )}
    </span>
  )
}

/** The run on a node, or its fault; null means neither, so that its load has room. */
function footOf(cluster: string, node: NodeView): ReactNode {
  if (node.heldBy !== null || node.runId !== null) return <Holder cluster={cluster} node={node} />
  if (node.state === 'decommissioned') return <span title={node.stateReason}>no longer a node of the cloud</span>
  if (node.state === 'partial' && node.conditions.length > 1) return <ConditionMarks node={node} />
  const troubles = serviceProblems(node)
  if (troubles.length > 0) {
    return (
      <span
        className={`cut topo-fact-services${node.state === 'maintenance' ? '' : ' bad'}`}
        title={node.computeService?.disabledReason ?? undefined}
      >
        {troubles.join(', ')}
      </span>
    )
  }
  if (node.ready === 'not-ready' || node.ready === 'unknown') {
    return <span className="bad cut">{node.readinessText || `kubelet ${READY_WORDS[node.ready]}`}</span>
  }
  if (urgentOthersOnNode(node).length + claimsOnNode(node).length > 0) return <OthersHere node={node} />
  if (node.agents !== null && node.agents.alive < node.agents.total) {
    return (
      <span className="bad cut topo-fact-agents">
        {node.agents.alive} of {counted(node.agents.total, 'agent')} up
      </span>
    )
  }
  return null
}

/** The content of a node without instances. */
function More({ node }: { readonly node: NodeView }): ReactNode {
  return (
    <span className="topo-more">
      {node.roles.includes('storage') ? (
        <span
          title={
            node.osds === null
              ? 'Ceph does not answer: Lockkeeper needs a toolbox pod and the right to run commands in it.'
              : undefined
          }
        >
          {node.osds === null ? 'OSDs unknown' : counted(node.osds, 'OSD')}
        </span>
      ) : null}
      <span className="topo-fact-pods">{node.pods === null ? 'pods unknown' : counted(node.pods, 'pod')}</span>
    </span>
  )
}
