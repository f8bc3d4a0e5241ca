import type { NodeView } from '../../shared/domain/cluster-view.ts'
import type { Condition, MapFilter } from './topology.ts'

/** Whether a node passes: it contains every word of the text, and each list that is not empty has it. */
export function passes(node: NodeView, filter: MapFilter): boolean {
  return (
    isOneOf(filter.states, node.state) &&
    isOneOf(filter.zones, node.zone) &&
    (filter.roles.length === 0 || node.roles.some(role => filter.roles.includes(role))) &&
    filter.conditions.every(condition => holds(node, condition)) &&
    wordsOf(filter.text).every(word => textOf(node).includes(word))
  )
}

export function isNarrowed(filter: MapFilter): boolean {
  const { text, states, roles, zones, conditions } = filter
  return text.trim() !== '' || states.length + roles.length + zones.length + conditions.length > 0
}

/** Whether something about a node could not be read, so that the map is incomplete. */
function isNotFullyKnown(node: NodeView): boolean {
  if (node.state === 'unknown' || node.ready === 'unknown') return true
  return node.roles.includes('compute') && (node.instances === null || node.computeService === null)
}

function holds(node: NodeView, condition: Condition): boolean {
  switch (condition) {
    case 'instances':
      return (node.instances?.total ?? 0) > 0
    case 'blocked':
      return (node.instances?.blocked ?? 0) > 0
    case 'not-known':
      return isNotFullyKnown(node)
  }
}

function isOneOf<T>(list: readonly T[], value: T): boolean {
  return list.length === 0 || list.includes(value)
}

function wordsOf(text: string): readonly string[] {
  return text
    .toLowerCase()
    .split(/\s+/)
    .filter(word => word !== '')
}

function textOf(node: NodeView): string {
  return [
    node.name,
    node.state,
    ...node.roles,
    node.zone ?? '',
    node.rack ?? '',
    node.internalIp ?? '',
    node.kubeletVersion,
  ]
    .join(' ')
    .toLowerCase()
}
