import type { InstanceSummary } from '../../../../shared/domain/node-summary.ts'
import { ACTION_WORDS, SOURCE_WORDS } from '../../../../shared/words/actions.ts'
import type { Look } from '../words/look.ts'
import { renderTable } from '../words/table.ts'

/** The instances as a table, with what a maintenance of the host would do to each and why; ids only if `verbose`. */
export function renderInstances(
  instances: readonly InstanceSummary[],
  projects: readonly { readonly id: string; readonly name: string }[],
  look: Look,
  verbose: boolean,
): readonly string[] {
  if (instances.length === 0) return ['No instances.']
  return renderTable(
    ['NAME', 'PROJECT', ...(verbose ? ['ID'] : []), 'NODE', 'STATUS', 'WHAT HAPPENS', 'DECIDED BY', 'WHY'],
    instances.map(instance => [
      { text: instance.name, paint: look.palette.strong },
      projects.find(({ id }) => id === instance.projectId)?.name ?? instance.projectId ?? '-',
      ...(verbose ? [instance.id] : []),
      instance.host ?? '-',
      instance.taskState === null ? instance.status : `${instance.status} (${instance.taskState})`,
      {
        text: ACTION_WORDS[instance.action],
        paint:
          instance.action === 'blocked' ? look.palette.bad : instance.action === 'ignore' ? look.palette.faint : same,
      },
      SOURCE_WORDS[instance.actionSource],
      [instance.actionReason, ...instance.warnings.map(warning => `${look.symbols.warning} ${warning}`)].join(' '),
    ]),
    look,
  )
}

function same(text: string): string {
  return text
}
