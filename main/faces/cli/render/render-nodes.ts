import type { NodeSummary } from '../../../../shared/domain/node-summary.ts'
import type { Look } from '../words/look.ts'
import type { Paint } from '../words/palette.ts'
import { renderTable } from '../words/table.ts'

/** The nodes of a cluster as a table: what each is, whether it serves, and why not. */
export function renderNodes(nodes: readonly NodeSummary[], look: Look): readonly string[] {
  if (nodes.length === 0) return ['The cluster has no nodes.']
  return renderTable(
    ['NAME', 'ROLES', 'READY', 'SCHEDULABLE', 'STATE', 'ZONE', 'COMPUTE', 'KUBELET', 'NOTE'],
    nodes.map(node => [
      { text: node.name, paint: look.palette.strong },
      node.roles.join(',') || '-',
      { text: node.ready, paint: node.ready === 'ready' ? same : look.palette.bad },
      { text: node.schedulable ? 'yes' : 'no', paint: node.schedulable ? same : look.palette.warn },
      { text: node.state, paint: paintOfState(node.state, look) },
      node.zone ?? '-',
      node.computeService === null ? '-' : `${node.computeService.status}/${node.computeService.state}`,
      node.kubeletVersion,
      [
        ...(node.runId === null || node.stateReason.includes(node.runId) ? [] : [`run ${node.runId}`]),
        ...(node.stateReason === '' && node.roleContradictions.length === 0
          ? []
          : [[node.stateReason, ...node.roleContradictions].filter(text => text !== '').join(' ')]),
      ].join(': '),
    ]),
    look,
  )
}

/** The colour of a state. */
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
