import type { OwnersList } from '../../../../shared/domain/batches.ts'
import { counted } from '../../../../shared/grammar/counts.ts'
import type { Look } from '../words/look.ts'
import { renderTable } from '../words/table.ts'

/** Instances whose owners need a message, by project. */
export function renderOwners({ projects }: OwnersList, look: Look): readonly string[] {
  if (projects.length === 0) return ['No instance waits for its owner or stops.']
  const { palette } = look
  const all = projects.flatMap(({ instances }) => instances)
  const of = (action: 'notify' | 'poweroff') => all.filter(instance => instance.action === action).length
  const [waiting, stopping] = [of('notify'), of('poweroff')]
  return [
    ...renderTable(
      ['PROJECT', 'INSTANCE', 'ID', 'BATCH', 'NODE', 'STATE', 'WHAT HAPPENS'],
      projects.flatMap(({ projectId, projectName, instances }) =>
        instances.map(({ id, name, node, batch, status, reason }) => [
          projectName ?? projectId ?? 'unknown',
          { text: name, paint: palette.strong },
          id,
          batch === null ? '-' : String(batch),
          node,
          status,
          { text: reason, paint: palette.warn },
        ]),
      ),
      look,
    ),
    '',
    `${counted(all.length, 'instance')} of ${counted(projects.length, 'project')}: ${[
      ...(waiting > 0 ? [counted(waiting, 'waits for its owner', 'wait for their owners')] : []),
      ...(stopping > 0 ? [counted(stopping, 'stops', 'stop')] : []),
    ].join(', ')}.`,
  ]
}
