import type { NodeLane } from '../../../shared/domain/update.ts'
import type { TimelineNode } from '../../../shared/domain/update-eta.ts'
import { type GroupDraft, namesIn, type UpdateDraft } from './update-draft.ts'

/** The order of an update as it is edited. */
type Order = Pick<UpdateDraft, 'controlNodes' | 'groups'>

/** Where a node can go: before another node, to the end of the control plane or of a group, into a new group, or out of the plan. */
export type LanePlace =
  | { readonly kind: 'before'; readonly node: string }
  | { readonly kind: 'end'; readonly list: string }
  | { readonly kind: 'new' }
  | { readonly kind: 'out' }

/** The key of the control-plane list among the keys of groups. */
const CONTROL_LIST = 'control'

/** Nodes in order, with the number at a time. */
export interface OrderedList {
  readonly list: string
  /** Null means the control plane. */
  readonly group: GroupDraft | null
  readonly nodes: readonly string[]
  readonly atOnce: number
}

/** The lists of an order from first to last, with the control plane if it has nodes. */
export function listsOf({ controlNodes, groups }: Order): readonly OrderedList[] {
  const control = namesIn(controlNodes)
  return [
    ...(control.length === 0 ? [] : [{ list: CONTROL_LIST, group: null, nodes: control, atOnce: 1 }]),
    ...groups.map(group => ({
      list: group.key,
      group,
      nodes: namesIn(group.nodes),
      atOnce: group.concurrentUpdates,
    })),
  ]
}

/**
 * Moves nodes, in the order given; an empty group disappears. Returns the same object if nothing changes. Control-plane nodes
 * stay together: they come first, one by one.
 */
export function moveLanes<Given extends Order>(order: Given, nodes: readonly string[], place: LanePlace): Given {
  const moved = [...new Set(nodes)]
  const before = listsOf(order)
  const target = place.kind === 'before' ? listWith(before, place.node) : place.kind === 'end' ? place.list : null
  if (moved.length === 0 || (place.kind === 'before' && moved.includes(place.node))) return order
  if (place.kind === 'before' && target === null) return order
  const control = new Set(before.find(({ list }) => list === CONTROL_LIST)?.nodes)
  const isLeft = (node: string) => listWith(before, node) === null
  // A node that was left out may go anywhere; the checks of the plan say if it may not.
  const fits = (node: string) => place.kind === 'out' || isLeft(node) || control.has(node) === (target === CONTROL_LIST)
  if (!moved.every(fits)) return order
  const placed = (list: string, names: readonly string[]): readonly string[] => {
    const rest = names.filter(name => !moved.includes(name))
    if (list !== target) return rest
    const at = place.kind === 'before' ? rest.indexOf(place.node) : rest.length
    return rest.toSpliced(at, 0, ...moved)
  }
  const groups = order.groups
    .map(group => ({ ...group, nodes: placed(group.key, namesIn(group.nodes)).join('\n') }))
    .filter(({ nodes: left }) => left !== '')
  const next = {
    ...order,
    controlNodes: placed(CONTROL_LIST, namesIn(order.controlNodes)).join('\n'),
    groups: place.kind === 'new' ? [...groups, freshGroup(order.groups, moved)] : groups,
  }
  return isSame(order, next) ? order : next
}

/** Moves a group one place; returns the same order at the ends. */
export function moveGroup<Given extends Order>(order: Given, key: string, by: -1 | 1): Given {
  const at = order.groups.findIndex(group => group.key === key)
  const group = order.groups[at]
  const to = at + by
  if (group === undefined || to < 0 || to >= order.groups.length) return order
  return { ...order, groups: order.groups.toSpliced(at, 1).toSpliced(to, 0, group) }
}

/** Where keys move a node: before the node above, behind the node below, or into the next group; null if the node can go no further. */
export function placeBeside(order: Order, node: string, by: -1 | 1): LanePlace | null {
  const lists = listsOf(order)
  const at = lists.findIndex(({ nodes }) => nodes.includes(node))
  const own = lists[at]
  if (own === undefined) return lists.length === 0 ? { kind: 'new' } : { kind: 'end', list: lists.at(-1)?.list ?? '' }
  const index = own.nodes.indexOf(node)
  const beside = own.nodes[index + by]
  if (by === -1 && beside !== undefined) return { kind: 'before', node: beside }
  if (by === 1 && beside !== undefined) {
    const after = own.nodes[index + 2]
    return after === undefined ? { kind: 'end', list: own.list } : { kind: 'before', node: after }
  }
  const next = lists[at + by]
  if (own.list === CONTROL_LIST || next === undefined || next.list === CONTROL_LIST) return null
  const first = next.nodes[0]
  return by === -1 || first === undefined ? { kind: 'end', list: next.list } : { kind: 'before', node: first }
}

/** The result of a move, for screen readers. */
export function laneWords(order: Order, node: string): string {
  const own = listsOf(order).find(({ nodes }) => nodes.includes(node))
  if (own === undefined) return `${node} is left out.`
  const where = own.group === null ? 'the control plane' : own.group.name
  return `${node} is number ${own.nodes.indexOf(node) + 1} of ${own.nodes.length} in ${where}.`
}

/** The planned lanes, all pending, and the number at a time of each group. */
export function lanesAhead(order: Order): {
  readonly lanes: readonly NodeLane[]
  readonly nodes: readonly TimelineNode[]
} {
  const nodes = listsOf(order).flatMap(({ group, nodes: names, atOnce, list }): readonly TimelineNode[] =>
    names.map(node => ({
      node,
      phase: group === null ? 'control-nodes' : 'worker-nodes',
      // By key: two groups may have the same name while they are edited.
      group: group === null ? null : list,
      atOnce,
    })),
  )
  return {
    nodes,
    lanes: nodes.map(({ node, phase, group }) => ({ node, phase, group, stage: 'pending', spans: [] })),
  }
}

function listWith(lists: readonly OrderedList[], node: string): string | null {
  return lists.find(({ nodes }) => nodes.includes(node))?.list ?? null
}

/** `batch-3` beside batches, `group-3` beside groups. */
function freshGroup(groups: readonly GroupDraft[], nodes: readonly string[]): GroupDraft {
  const stem = groups.length > 0 && groups.every(({ name }) => /^batch[ -]\d+$/.test(name)) ? 'batch' : 'group'
  const free = (taken: (group: GroupDraft) => string, word: string) => {
    const known = new Set(groups.map(taken))
    let number = groups.length + 1
    while (known.has(`${word}-${number}`)) number += 1
    return `${word}-${number}`
  }
  return {
    key: free(({ key }) => key, 'added'),
    name: free(({ name }) => name, stem),
    concurrentUpdates: 1,
    nodes: nodes.join('\n'),
  }
}

function isSame(a: Order, b: Order): boolean {
  const plain = (order: Order) => JSON.stringify(listsOf(order).map(({ list, nodes }) => [list, nodes]))
  return plain(a) === plain(b)
}
