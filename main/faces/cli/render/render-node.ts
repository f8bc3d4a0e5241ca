import type { NodeSummary } from '../../../../shared/domain/node-summary.ts'
import { foreignMaintenanceWords } from '../../../../shared/words/foreign-maintenances.ts'
import { taintsText } from '../../../../shared/words/node-taints.ts'
import { ROLE_WORDS } from '../../../../shared/words/nodes.ts'
import { holdsWord } from '../../../../shared/words/role-maintenance.ts'
import type { Look } from '../words/look.ts'
import { hang } from '../words/width.ts'
import { paintOfState, stateText } from './render-nodes.ts'

/** One node: its state and why, the sources of each role, contradictions between them, and the conditions of each role. */
export function renderNode(node: NodeSummary, look: Look): readonly string[] {
  const { palette } = look
  const compute = node.computeService
  const said = (label: string, text: string) => hang(`  ${label.padEnd(14)}`, text, look.columns)
  return [
    `${palette.strong(node.name)}: ${paintOfState(node.state, look)(stateText(node))}`,
    ...(node.stateReason === '' ? [] : said('why', node.stateReason)),
    ...said(
      'kubelet',
      node.schedulable === null
        ? 'none: it is not a Kubernetes node'
        : `${node.ready}, ${node.schedulable ? 'schedulable' : 'cordoned'}, ${node.kubeletVersion || '-'}`,
    ),
    ...(compute === null
      ? []
      : said(
          'nova-compute',
          `${compute.status}, ${compute.state}${compute.disabledReason ? `: ${compute.disabledReason}` : ''}`,
        )),
    ...(node.zone === null ? [] : said('zone', node.zone)),
    ...(node.runId === null ? [] : said('run', node.runId)),
    ...(node.roles.length === 0 ? said('roles', 'none') : []),
    ...node.roles.flatMap(role =>
      said(
        ROLE_WORDS[role].toLowerCase(),
        `by ${node.roleSources
          .filter(reporter => reporter.role === role)
          .map(({ by }) => by)
          .join(', ')}`,
      ),
    ),
    ...(taintsText(node.taints) === '' ? [] : said('taints', taintsText(node.taints))),
    ...(node.maintainedBy ?? []).flatMap(each => said('maintained', foreignMaintenanceWords(each)).map(palette.warn)),
    ...(node.records ?? []).flatMap(each => said('records', each.message).map(palette.warn)),
    ...node.roleContradictions.flatMap(text => said('contradicts', text).map(palette.warn)),
    ...(node.conditions.length === 0 ? [] : ['  It is in maintenance when:']),
    ...node.conditions.flatMap(({ role, holds, text }) =>
      hang(`    ${role}, ${holdsWord(holds, node.state)}: `, text, look.columns),
    ),
  ]
}
