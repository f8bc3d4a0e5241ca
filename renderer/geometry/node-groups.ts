import type { NodeView } from '../../shared/domain/cluster-view.ts'
import { NodeState } from '../../shared/domain/node-summary.ts'
import { NodeRole } from '../../shared/domain/roles.ts'
import { naturally } from './natural-order.ts'

export const GROUPINGS = ['zone', 'role', 'state', 'rack'] as const
export type Grouping = (typeof GROUPINGS)[number]

/** What decides a node's place on the map; nothing else may move a tile. */
export type NodePlace = Pick<NodeView, 'name' | 'roles' | 'zone' | 'rack' | 'state'>

/** A column of the map: an availability zone, or the whole cluster in other groupings. */
interface GroupColumn {
  /** Null means nodes without a zone, or the only column. */
  readonly key: string | null
}

/** Nodes of one rack within a cell; `rack` is null without a label, or if racks are not used. */
export interface RackGroup {
  readonly rack: string | null
  readonly names: readonly string[]
}

/** A band across the map, with one cell per column. */
interface GroupBand {
  /** A role, a state or a rack; null for nodes without one. */
  readonly key: string | null
  /** Whether its nodes hold instances, so that their tiles need more room. */
  readonly computes: boolean
  readonly count: number
  readonly cells: readonly (readonly RackGroup[])[]
}

export interface NodeGroups {
  readonly grouping: Grouping
  readonly columns: readonly GroupColumn[]
  readonly bands: readonly GroupBand[]
}

const STATE_ORDER: readonly string[] = NodeState.options
const ROLE_ORDER: readonly string[] = NodeRole.options

/** Divides nodes into columns and bands, each node in exactly one place, in natural order of names. */
export function groupNodes(nodes: readonly NodePlace[], grouping: Grouping): NodeGroups {
  const sorted = [...nodes].sort((a, b) => naturally(a.name, b.name))
  const columnOf = (node: NodePlace) => (grouping === 'zone' ? node.zone : null)
  const columns = keysInOrder(sorted.map(columnOf), naturally)
  const bandOf = (node: NodePlace) => bandKey(node, grouping)
  const bandKeys = keysInOrder(sorted.map(bandOf), bandOrder(grouping))
  const bands = bandKeys.map(key => {
    const members = sorted.filter(node => bandOf(node) === key)
    return {
      key,
      computes: members.some(node => node.roles.includes('compute')),
      count: members.length,
      cells: columns.map(column =>
        racksOf(
          members.filter(node => columnOf(node) === column),
          grouping,
        ),
      ),
    }
  })
  return { grouping, columns: columns.map(key => ({ key })), bands }
}

function bandKey(node: NodePlace, grouping: Grouping): string | null {
  switch (grouping) {
    // A node with several roles is in the band of its first role; its tile shows all.
    case 'zone':
    case 'role':
      return NodeRole.options.find(role => node.roles.includes(role)) ?? null
    case 'state':
      return node.state
    case 'rack':
      return node.rack
  }
}

function bandOrder(grouping: Grouping): (a: string, b: string) => number {
  if (grouping === 'rack') return naturally
  const order = grouping === 'state' ? STATE_ORDER : ROLE_ORDER
  return (a, b) => order.indexOf(a) - order.indexOf(b)
}

function racksOf(members: readonly NodePlace[], grouping: Grouping): readonly RackGroup[] {
  if (members.length === 0) return []
  if (grouping !== 'zone') return [{ rack: null, names: members.map(node => node.name) }]
  return keysInOrder(
    members.map(node => node.rack),
    naturally,
  ).map(rack => ({
    rack,
    names: members.filter(node => node.rack === rack).map(node => node.name),
  }))
}

/** Each key once, null at the end. */
function keysInOrder(
  keys: readonly (string | null)[],
  order: (a: string, b: string) => number,
): readonly (string | null)[] {
  const named = [...new Set(keys)].filter(key => key !== null).sort(order)
  return keys.includes(null) ? [...named, null] : named
}
