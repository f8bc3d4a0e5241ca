import type { NodeView } from '../../../shared/domain/cluster-view.ts'
import { counted } from '../../../shared/grammar/counts.ts'
import { nodeBadge } from '../../../shared/words/actions.ts'
import { READY_WORDS, ROLE_WORDS } from '../../../shared/words/nodes.ts'
import { claimsOnNode, othersOnNode } from '../../../shared/words/others-on-node.ts'
import { CONDITION_ROLE_WORDS, holdsWord } from '../../../shared/words/role-maintenance.ts'

/** A tile read aloud: the name, its state, its content. */
export function tileName(node: NodeView): string {
  return [
    node.name,
    node.roles.map(role => ROLE_WORDS[role].toLowerCase()).join(' and ') || 'no role',
    node.zone === null ? 'no zone' : `zone ${node.zone}`,
    nodeBadge(node).toLowerCase(),
    ...claimsOnNode(node),
    ...othersOnNode(node),
    READY_WORDS[node.ready],
    ...(node.schedulable === false && node.state !== 'decommissioned' ? ['cordoned'] : []),
    ...conditionWords(node),
    ...(node.computeService === null ? [] : serviceProblems(node)),
    ...instanceWords(node),
  ].join(', ')
}

/** Roles of a partial node whose maintenance conditions do not hold, or are unknown. */
function conditionWords({ state, conditions }: NodeView): readonly string[] {
  if (state !== 'partial') return []
  return conditions.flatMap(({ role, holds }) =>
    holds === 'holds' ? [] : [`${CONDITION_ROLE_WORDS[role].toLowerCase()} ${holdsWord(holds, state)}`],
  )
}

/** The faults of a node's compute service, in a word each; empty when it takes instances. */
export function serviceProblems({ computeService }: NodeView): readonly string[] {
  if (computeService === null) return []
  return [
    ...(computeService.status === 'disabled' ? ['compute disabled'] : []),
    ...(computeService.state === 'down' ? ['compute down'] : []),
  ]
}

function instanceWords({ roles, instances }: NodeView): readonly string[] {
  if (!roles.includes('compute')) return []
  return [instances === null ? 'instances unknown' : counted(instances.total, 'instance')]
}

/** `71`, for a bar and its words; null without capacity. */
export function percentOf(used: number, total: number): number | null {
  return total <= 0 ? null : Math.round((used / total) * 100)
}

/** `12`, `3.5`: GiB from the MiB of Placement. */
export function gib(mib: number): string {
  const amount = mib / 1024
  return amount >= 10 || Number.isInteger(amount) ? String(Math.round(amount)) : amount.toFixed(1)
}
