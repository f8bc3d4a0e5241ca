import type { NodeView } from '../../../shared/domain/cluster-view.ts'
import { STATE_WORDS } from '../../words/actions.ts'
import { READY_WORDS } from '../../words/nodes.ts'
import { counted } from '../../words/numbers.ts'

/** A tile read aloud: the name first, then where it stands, then what is on it. */
export function tileName(node: NodeView): string {
  return [
    node.name,
    node.roles.join(' and ') || 'no role',
    node.zone === null ? 'no zone' : `zone ${node.zone}`,
    STATE_WORDS[node.state].toLowerCase(),
    READY_WORDS[node.ready],
    ...(node.schedulable ? [] : ['cordoned']),
    ...(node.computeService === null ? [] : serviceTroubles(node)),
    ...instanceWords(node),
  ].join(', ')
}

/** What is wrong with the compute service of a node, in a word each; empty when it takes instances. */
export function serviceTroubles({ computeService }: NodeView): readonly string[] {
  if (computeService === null) return []
  return [
    ...(computeService.status === 'disabled' ? ['compute disabled'] : []),
    ...(computeService.state === 'down' ? ['compute down'] : []),
  ]
}

function instanceWords({ roles, instances }: NodeView): readonly string[] {
  if (!roles.includes('compute')) return []
  return [instances === null ? 'instances not known' : counted(instances.total, 'instance')]
}

/** `71`, for a bar and its words; null where nothing can be taken. */
export function percentOf(used: number, total: number): number | null {
  return total <= 0 ? null : Math.round((used / total) * 100)
}

/** `12`, `3.5`: GiB from what Placement counts in. */
export function gib(mib: number): string {
  const amount = mib / 1024
  return amount >= 10 || Number.isInteger(amount) ? String(Math.round(amount)) : amount.toFixed(1)
}
