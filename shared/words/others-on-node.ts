import type { ForeignMaintenanceCode } from '../domain/foreign-maintenance.ts'
import type { NodeSummary } from '../domain/node-summary.ts'
import type { TaintOfOthers } from '../domain/node-taints.ts'
import { someOf } from '../grammar/counts.ts'
import { taintOwnerWords } from './node-taints.ts'

/** So many nodes fit beside what is dragged; the rest are counted. */
const MOST_NAMED = 2

const MAINTENANCE_BADGES: Readonly<Record<ForeignMaintenanceCode, string>> = {
  NodeMaintenance: 'medik8s: maintenance',
  MachineBeingDeleted: 'Cluster API: deletion',
  MachineMarkedForDeletion: 'Cluster API: next to delete',
  MachineMarkedForRemediation: 'Cluster API: remediation',
  HostRebootAsked: 'Metal3: reboot',
  HostToBeOff: 'Metal3: off',
}

type Others = Pick<NodeSummary, 'maintainedBy' | 'taints'>

/** `medik8s: maintenance`, `taint of Karpenter`: what others do to a node, in a few words each; empty: nothing that is known. */
export function othersOnNode({ maintainedBy = [], taints = [] }: Others): readonly string[] {
  return [...new Set([...maintainedBy.map(({ code }) => MAINTENANCE_BADGES[code]), ...taints.map(taintBadge)])]
}

/** The same without taints whose owner is not known: those mostly say what a node is for. */
export function urgentOthersOnNode({ maintainedBy = [], taints = [] }: Others): readonly string[] {
  return othersOnNode({ maintainedBy, taints: taints.filter(({ owner }) => owner !== 'unknown') })
}

const CLAIMS: Readonly<Record<string, string>> = {
  SeveralComputeRecords: 'several records in Nova',
  SeveralHypervisors: 'several records in Nova',
  SeveralNetworkAgents: 'several records in Neutron',
}

/** `several records in Nova`: that more than one live record claims a node, so that what is on it may be under either; empty: none does. */
export function claimsOnNode({ records = [] }: Pick<NodeSummary, 'records'>): readonly string[] {
  return [...new Set(records.flatMap(({ code }) => CLAIMS[code] ?? []))]
}

/** `Others act on cmp-01 (medik8s: maintenance).`: for nodes that are dragged; empty: on none of them, as far as is known. */
export function othersOnNodes(nodes: readonly (Others & Pick<NodeSummary, 'name'>)[]): string {
  const named = nodes.flatMap(node => {
    const others = othersOnNode(node)
    return others.length === 0 ? [] : [`${node.name} (${others.join(', ')})`]
  })
  return named.length === 0 ? '' : `Others act on ${someOf(named, MOST_NAMED)}.`
}

function taintBadge({ taint, owner }: TaintOfOthers): string {
  return owner === 'unknown' ? `taint ${taint}` : `taint of ${taintOwnerWords(owner)}`
}
