import { TickIcon, WarningSignIcon } from '@blueprintjs/icons'
import type { ReactNode } from 'react'
import type { NodeView } from '../../../shared/domain/cluster-view.ts'
import type { NodeRole } from '../../../shared/domain/roles.ts'
import { counted, someOf } from '../../../shared/grammar/counts.ts'
import { ROLE_WORDS } from '../../../shared/words/nodes.ts'
import { instancesOn } from '../../stores/node-instances.ts'
import { useFromNodes } from './node-selectors.ts'

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
      className="topo-roles"
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
  const stores = useFromNodes(cluster, storageCount)
  const stuck = useFromNodes(cluster, nodes => [...nodes.keys()].flatMap(name => stuckOn(cluster, name)).join(' '))
  return (
    <section className="topo-out-card card" aria-label="If one of them goes out">
      <h2>If one of them goes out</h2>
      {controls === 0 ? null : <ControlLine controls={controls} />}
      {stuck === '' ? (
        <Line good title="Instances can move" words="Each has a node with room." />
      ) : (
        <Line title="Not every instance can move" words={`${someOf(stuck.split(' '), 4)} would block the plan.`} />
      )}
      {stores === 0 ? null : (
        <Line good title="Storage is asked first" words="Each plan asks Ceph whether its OSDs may stop." />
      )}
    </section>
  )
}

function ControlLine({ controls }: { readonly controls: number }): ReactNode {
  const needed = Math.floor(controls / 2) + 1
  const left = controls - 1
  return left >= needed ? (
    <Line good title="Control keeps working" words={`${left} of ${controls} stay, and ${needed} are enough.`} />
  ) : (
    <Line title="Control would stop" words={`${left} of ${controls} stay, and ${needed} are needed.`} />
  )
}

function Line({
  good = false,
  title,
  words,
}: {
  readonly good?: boolean
  readonly title: string
  readonly words: string
}): ReactNode {
  return (
    <div className="topo-out-line">
      {good ? <TickIcon className="good" /> : <WarningSignIcon className="caution" />}
      <b>{title}</b>
      <span className="quiet">{words}</span>
    </div>
  )
}

/** The names of the instances that would block the plan of a node. */
function stuckOn(cluster: string, node: string): readonly string[] {
  return (instancesOn(cluster, node) ?? []).flatMap(({ view, fate }) => (fate === 'blocked' ? [view.name] : []))
}

type Nodes = ReadonlyMap<string, NodeView>

function countRole(nodes: Nodes, role: NodeRole): number {
  return [...nodes.values()].filter(({ roles }) => roles.includes(role)).length
}

function controlCount(nodes: Nodes): number {
  return countRole(nodes, 'control')
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
