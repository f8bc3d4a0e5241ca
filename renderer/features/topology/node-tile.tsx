import { memo, type ReactNode } from 'react'
import type { NodeView } from '../../../shared/domain/cluster-view.ts'
import { counted } from '../../../shared/grammar/counts.ts'
import { STATE_WORDS } from '../../../shared/words/actions.ts'
import { READY_WORDS, ROLE_WORDS } from '../../../shared/words/nodes.ts'
import { claimsOnNode, othersOnNode, urgentOthersOnNode } from '../../../shared/words/others-on-node.ts'
import { yetToLeave } from '../../geometry/instance-chips.ts'
import type { Face } from '../../geometry/map-metrics.ts'
import { mostOn, useEmptied } from '../../stores/emptied.ts'
import { arrivalsOn, useGhosts, wouldLeave } from '../../stores/ghosts.ts'
import { useGuide } from '../../stores/guide.ts'
import { hasBlocked } from '../../stores/node-instances.ts'
import { selectedNodes, useSelection } from '../../stores/selection.ts'
import { useViews } from '../../stores/views.ts'
import { useCardEntries } from './card-entries.ts'
import { CardMarks, CardNames, CardRows } from './card-instances.tsx'
import { Holder } from './holder.tsx'
import { Lamp } from './lamp.tsx'
import { MachineRoles, ROLE_PX, useRoleRows } from './machine-roles.tsx'
import { ConditionMarks } from './node-conditions.tsx'
import { NodeName } from './node-name.tsx'
import { useNode } from './node-selectors.ts'
import { serviceProblems, tileName } from './node-words.ts'
import { Cordoned, Load, LockLamps, ModeChip, OthersHere, Tainted, TileTag, useWaitsHere } from './tile-parts.tsx'

interface Props {
  readonly cluster: string
  readonly name: string
  readonly face: Face
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

/** One node on the map. It draws again only when its own facts change. */
export const NodeTile = memo(function NodeTile(props: Props): ReactNode {
  const { cluster, name, face, x, y, width, height, focusable, current, position, count, isPainted } = props
  const node = useNode(cluster, name)
  const selected = useSelection(store => selectedNodes(store, cluster).includes(name))
  const pointedAt = useGuide(store => store.pointedAt === `${cluster}/${name}`)
  const waits = useWaitsHere(cluster, node)
  const takes = useGhosts(store => arrivalsOn(store, cluster, name).length > 0)
  const leaves = useGhosts(store => wouldLeave(store, cluster, name))
  if (node === null) return null
  const classes = [
    `topo-tile column topo-face-${face} topo-state-${node.state}`,
    current ? 'topo-current' : '',
    pointedAt ? 'guide-pointed' : '',
    waits ? 'topo-waits' : '',
    leaves ? 'topo-would-leave' : '',
    takes ? 'topo-would-take' : '',
    isPainted ? 'topo-painted' : '',
    othersOnNode(node).length + claimsOnNode(node).length > 0 ? 'topo-others' : '',
  ]
  return (
    <div
      role="option"
      className={classes.filter(each => each !== '').join(' ')}
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
        <span className="topo-inside column" aria-hidden="true">
          <Water cluster={cluster} node={node} />
          {face === 'far' ? (
            <FarTile cluster={cluster} node={node} />
          ) : (
            <NodeCard cluster={cluster} node={node} face={face} width={width} height={height} />
          )}
        </span>
      )}
    </div>
  )
})

interface NodeProps {
  readonly cluster: string
  readonly node: NodeView
}

/** How much is left to do on a node being emptied: it falls as instances leave. */
function Water({ cluster, node }: NodeProps): ReactNode {
  const most = useEmptied(store => mostOn(store, cluster, node.name)?.leaving ?? 0)
  if (node.state !== 'entering' || node.instances === null || most === 0) return null
  return <span className="topo-water" style={{ height: `${(yetToLeave(node.instances) / most) * 100}%` }} />
}

/** A node from far away: its state as a colour, its readiness as a lamp, its name. */
function FarTile({ cluster, node }: NodeProps): ReactNode {
  const arriving = useGhosts(store => arrivalsOn(store, cluster, node.name).length)
  const blocked = useViews(() => hasBlocked(cluster, node.name))
  return (
    <>
      <Lamp ready={node.ready} />
      <NodeName name={node.name} />
      {arriving > 0 ? <span className="topo-arriving">+{arriving}</span> : null}
      {blocked ? <span className="topo-far-blocked" /> : null}
    </>
  )
}

interface CardProps extends NodeProps {
  readonly face: Exclude<Face, 'far'>
  /** Only its name and its instances. */
  readonly plain?: boolean
  readonly width: number
  readonly height: number
}

/** Padding at both sides of a card, its first line, its last line, and the gap between them. */
const PADDING_PX = { width: 24, height: 20 } as const
const LARGE_PADDING_PX = { width: 32, height: 26 } as const
const HEAD_PX = { row: 20, marks: 20, names: 20, rows: 26 } as const
const FOOT_PX = 16
const GAP_PX = 6

/** A node as a card: its instances as marks, by name or as rows; then its load and what happens there. */
export function NodeCard({ cluster, node, face, width, height, plain = false }: CardProps): ReactNode {
  const entries = useCardEntries(cluster, node)
  const computes = node.roles.includes('compute')
  const note = plain ? null : noteOf(cluster, node)
  const load = computes && face !== 'row' && !plain ? <Load load={node.load} /> : null
  const isLarge = face === 'names' || face === 'rows'
  const hasRoles = face === 'rows' && node.roles.length > 1
  const feet = Number(note !== null) + Number(load !== null && node.load !== null && (note === null || isLarge))
  const padding = face === 'rows' ? LARGE_PADDING_PX : PADDING_PX
  const inner = width - padding.width
  const roles = useRoleRows(cluster, hasRoles ? inner : 0)
  const room = height - padding.height - HEAD_PX[face] - GAP_PX - feet * (FOOT_PX + GAP_PX) - roles * (ROLE_PX + GAP_PX)
  const shown = { entries, width: inner, height: room }
  return (
    <>
      <Head cluster={cluster} node={node} words={hasRoles} />
      {hasRoles ? <MachineRoles cluster={cluster} node={node} rows={roles} /> : null}
      {computes && face === 'rows' ? <CardRows cluster={cluster} {...shown} /> : null}
      {computes && face === 'names' ? <CardNames {...shown} /> : null}
      {computes && (face === 'marks' || (face === 'row' && note === null)) ? <CardMarks {...shown} /> : null}
      {computes || hasRoles ? null : <Content node={node} />}
      {note === null ? null : <span className="topo-line row topo-quiet">{note}</span>}
      {note === null || isLarge ? load : null}
    </>
  )
}

/** The first line of a card: its name, and at the right its state or its number of instances. */
function Head({ cluster, node, words }: NodeProps & { readonly words: boolean }): ReactNode {
  const inService = node.state === 'active'
  const arriving = useGhosts(store => arrivalsOn(store, cluster, node.name).length)
  const total = node.instances?.total ?? 0
  return (
    <span className="topo-line topo-head-line row">
      <Lamp ready={node.ready} />
      <NodeName name={node.name} />
      {inService ? <Cordoned node={node} /> : null}
      {inService ? <Tainted node={node} /> : null}
      {arriving > 0 ? (
        <span className="badge topo-arriving">+{arriving}</span>
      ) : inService ? (
        <span className="rigid strong quiet topo-fact-instances">
          {words ? STATE_WORDS.active : total === 0 ? '' : total}
        </span>
      ) : (
        <TileTag cluster={cluster} node={node} />
      )}
    </span>
  )
}

/** The run on a node, its fault, its locks or its mode; null means that all is as usual. */
function noteOf(cluster: string, node: NodeView): ReactNode {
  const what = troubleOf(cluster, node)
  const locks = (node.locks ?? []).some(({ state }) => node.state !== 'active' || state === 'failed')
  // What a mode does is drawn as marks; only one that nobody knows needs a word.
  const odd = node.modeWarnings.length > 0
  if (what === null && !locks && !odd) return null
  return (
    <>
      {what}
      <LockLamps node={node} />
      {odd ? <ModeChip node={node} /> : null}
    </>
  )
}

function troubleOf(cluster: string, node: NodeView): ReactNode {
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

/** The content of a node without instances: what Lockkeeper knows about it, and no zeros. */
function Content({ node: { roles, osds, pods } }: { readonly node: NodeView }): ReactNode {
  const parts = [
    ...(roles.length > 1 ? [roles.map(role => ROLE_WORDS[role]).join(', ')] : []),
    ...(osds === null || osds === 0 ? [] : [counted(osds, 'OSD')]),
    ...(pods === null || pods === 0 ? [] : [counted(pods, 'pod')]),
  ]
  return parts.length === 0 ? null : (
    <span className="topo-line topo-quiet topo-fact-pods cut">{parts.join(' · ')}</span>
  )
}
