import type { ForeignMaintenanceCode } from '../domain/foreign-maintenance.ts'
import type { NodeSummary } from '../domain/node-summary.ts'
import type { TaintOfOthers } from '../domain/node-taints.ts'
import { someOf } from '../grammar/counts.ts'
import { taintOwnerWords } from './node-taints.ts'

/** Longest list of nodes beside a drag. */
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

/** `medik8s: maintenance`, `taint of Karpenter`: work of other programs on a node; empty if none is known. */
export function othersOnNode({ maintainedBy = [], taints = [] }: Others): readonly string[] {
  return [...new Set([...maintainedBy.map(({ code }) => MAINTENANCE_BADGES[code]), ...taints.map(taintBadge)])]
}

/** The same without taints of unknown owners, which mostly describe the purpose of a node. */
export function urgentOthersOnNode({ maintainedBy = [], taints = [] }: Others): readonly string[] {
  return othersOnNode({ maintainedBy, taints: taints.filter(({ owner }) => owner !== 'unknown') })
}

const CLAIMS: Readonly<Record<string, string>> = {
  SeveralComputeRecords: 'several records in Nova',
  SeveralHypervisors: 'several records in Nova',
  SeveralNetworkAgents: 'several records in Neutron',
}

/** `several records in Nova`: more than one live record claims a node, so its instances may be under any of them; empty if there is no such claim. */
export function claimsOnNode({ records = [] }: Pick<NodeSummary, 'records'>): readonly string[] {
  return [...new Set(records.flatMap(({ code }) => CLAIMS[code] ?? []))]
}

/** `Others act on cmp-01 (medik8s: maintenance).`: for dragged nodes; empty if none is known. */
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
