import type { NodeSummary } from '../../../../shared/domain/node-summary.ts'
import { nodeBadge } from '../../../../shared/words/actions.ts'
import { foreignMaintenanceWords } from '../../../../shared/words/foreign-maintenances.ts'
import { taintsText } from '../../../../shared/words/node-taints.ts'
import { ROLE_WORDS } from '../../../../shared/words/nodes.ts'
import type { Look } from '../words/look.ts'
import type { Paint } from '../words/palette.ts'
import { type Cell, renderTable } from '../words/table.ts'

export function renderNodes(nodes: readonly NodeSummary[], look: Look): readonly string[] {
  if (nodes.length === 0) return ['The cloud has no nodes.']
  return renderTable(
    ['NAME', 'ROLES', 'READY', 'SCHEDULABLE', 'STATE', 'ZONE', 'COMPUTE', 'KUBELET', 'NOTE'],
    nodes.map(node => [
      { text: node.name, paint: look.palette.strong },
      node.roles.map(role => ROLE_WORDS[role].toLowerCase()).join(',') || '-',
      ...kubeletCells(node, look),
      { text: stateText(node), paint: paintOfState(node.state, look) },
      node.zone ?? '-',
      node.computeService === null ? '-' : `${node.computeService.status}/${node.computeService.state}`,
      node.kubeletVersion || '-',
      [
        ...(node.runId === null || node.stateReason.includes(node.runId) ? [] : [`run ${node.runId}`]),
        ...noted([
          node.stateReason,
          ...node.roleContradictions,
          taintsText(node.taints),
          ...(node.maintainedBy ?? []).map(foreignMaintenanceWords),
          ...(node.records ?? []).map(({ message }) => message),
        ]),
      ].join(': '),
    ]),
    look,
  )
}

/** Notes about a node as one text; empty list if there are none. */
function noted(texts: readonly string[]): readonly string[] {
  const text = texts.filter(each => each !== '').join(' ')
  return text === '' ? [] : [text]
}

/** Whether it is ready and schedulable; `-` for a machine outside Kubernetes, which has no kubelet. */
function kubeletCells({ ready, schedulable }: NodeSummary, { palette }: Look): readonly Cell[] {
  if (schedulable === null) return ['-', '-']
  return [
    { text: ready, paint: ready === 'ready' ? same : palette.bad },
    { text: schedulable ? 'yes' : 'no', paint: schedulable ? same : palette.warn },
  ]
}

/** The state of a node, as its badge on the map. */
export function stateText(node: Pick<NodeSummary, 'state' | 'verdict'>): string {
  return nodeBadge(node).toLowerCase()
}

export function paintOfState(state: NodeSummary['state'], { palette }: Look): Paint {
  switch (state) {
    case 'active':
      return palette.good
    case 'unknown':
      return palette.bad
    case 'entering':
    case 'leaving':
    case 'maintenance':
    case 'partial':
      return palette.warn
    case 'decommissioned':
      return palette.faint
  }
}

function same(text: string): string {
  return text
}
