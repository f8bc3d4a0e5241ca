import { TickIcon, WarningSignIcon } from '@blueprintjs/icons'
import type { ReactNode } from 'react'
import { useShallow } from 'zustand/react/shallow'
import type { NodeView } from '../../../shared/domain/cluster-view.ts'
import type { NodeRole } from '../../../shared/domain/roles.ts'
import { counted } from '../../../shared/grammar/counts.ts'
import { ROLE_WORDS } from '../../../shared/words/nodes.ts'
import { instancesOn } from '../../stores/node-instances.ts'
import { lastOf, useInstancesRead, useViews } from '../../stores/views.ts'
import { ifOneGoesOut } from './if-one-goes-out.ts'
import { useFromNodes } from './node-selectors.ts'
import './machine-roles.css'

/** The height of a chip, and the least width. */
export const ROLE_PX = 50
const LEAST_ROLE_PX = 104

/** The rows that the chips of a machine take in this width; 0 without width. */
export function useRoleRows(cluster: string, width: number): number {
  const { length } = useFromNodes(cluster, rolesOfCloud, sameRoles)
  if (width === 0) return 0
  return length * (LEAST_ROLE_PX + 8) <= width + 8 ? 1 : Math.ceil(length / 2)
}

/** The height of the card below the machines, with its gaps. */
export const OUT_CARD_PX = 120

const ORDER: readonly NodeRole[] = ['control', 'compute', 'storage', 'gateway']

interface Props {
  readonly cluster: string
  readonly node: NodeView
  readonly rows: number
}

/** The roles of a machine that has several, each with what Lockkeeper knows about it. */
export function MachineRoles({ cluster, node, rows }: Props): ReactNode {
  const roles = useFromNodes(cluster, rolesOfCloud, sameRoles)
  const controls = useFromNodes(cluster, controlCount)
  return (
    <span
      className="topo-roles stack small quiet"
      style={{ gridTemplateColumns: `repeat(${Math.ceil(roles.length / rows)}, minmax(0, 1fr))` }}
    >
      {roles.map(role => {
        const here = node.roles.includes(role)
        return (
          <span key={role} className={here ? 'topo-role' : 'topo-role topo-role-none'}>
            <b>{ROLE_WORDS[role]}</b>
            <i className={here && node.state === 'active' && node.ready === 'ready' ? 'topo-role-ok' : ''} />
            <span>{here ? roleFacts(role, node, controls) : 'not on this machine'}</span>
          </span>
        )
      })}
    </span>
  )
}

function roleFacts(role: NodeRole, { instances, osds, agents, pods }: NodeView, controls: number): string {
  switch (role) {
    case 'control':
      return controls > 1 ? `1 of ${controls}` : 'the only control node'
    case 'compute':
      return instances === null ? 'instances unknown' : counted(instances.total, 'instance')
    case 'storage':
      return osds === null ? 'OSDs unknown' : counted(osds, 'OSD')
    case 'gateway':
      if (agents === null) return pods === null ? '' : counted(pods, 'pod')
      return agents.alive < agents.total
        ? `${agents.alive} of ${counted(agents.total, 'agent')} up`
        : counted(agents.total, 'agent')
  }
}

/** What happens to each role if one of a few machines goes out, by the rules of the plan. */
export function IfOneGoesOut({ cluster }: { readonly cluster: string }): ReactNode {
  const controls = useFromNodes(cluster, controlCount)
  const controlsUp = useFromNodes(cluster, controlsUpCount)
  const stores = useFromNodes(cluster, storageCount)
  const areNodesRead = useFromNodes(cluster, areMovesRead)
  const areInstancesRead = useInstancesRead(cluster)
  const stuck = useViews(useShallow(store => stuckIn(cluster, lastOf(store.byCluster.get(cluster))?.nodes)))
  return (
    <section className="topo-out-card card" aria-label="If one of them goes out">
      <h2>If one of them goes out</h2>
      {ifOneGoesOut({ controls, controlsUp, stores, stuck: areNodesRead && areInstancesRead ? stuck : null }).map(
        ({ good, title, words }) => (
          <div key={title} className="topo-out-line">
            {good ? <TickIcon className="good" /> : <WarningSignIcon className="caution" />}
            <b>{title}</b>
            <span className="quiet">{words}</span>
          </div>
        ),
      )}
    </section>
  )
}

/** The names of the instances that would block the plan of their node. */
function stuckIn(cluster: string, nodes: Nodes | undefined): readonly string[] {
  return [...(nodes?.keys() ?? [])].flatMap(name =>
    (instancesOn(cluster, name) ?? []).flatMap(({ view, fate }) => (fate === 'blocked' ? [view.name] : [])),
  )
}

/** Whether the instances of each compute node and the room on it are read. */
function areMovesRead(nodes: Nodes): boolean {
  return [...nodes.values()].every(
    ({ roles, instances, load }) => !roles.includes('compute') || (instances !== null && load !== null),
  )
}

type Nodes = ReadonlyMap<string, NodeView>

function countRole(nodes: Nodes, role: NodeRole): number {
  return [...nodes.values()].filter(({ roles }) => roles.includes(role)).length
}

function controlCount(nodes: Nodes): number {
  return countRole(nodes, 'control')
}

function controlsUpCount(nodes: Nodes): number {
  return [...nodes.values()].filter(
    ({ roles, state, ready }) => roles.includes('control') && state === 'active' && ready === 'ready',
  ).length
}

function storageCount(nodes: Nodes): number {
  return countRole(nodes, 'storage')
}

function rolesOfCloud(nodes: Nodes): readonly NodeRole[] {
  return ORDER.filter(role => countRole(nodes, role) > 0)
}

function sameRoles(a: readonly NodeRole[], b: readonly NodeRole[]): boolean {
  return a.join() === b.join()
}
