import type { Edit } from '../../shared/domain/edit.ts'
import type { ApiServices } from './services.ts'

/** Keeps in the journal what was changed by hand, or refused. A change stays made when the journal cannot be written: the log says so. */
export function noteEdit(
  services: Pick<ApiServices, 'edits' | 'runs' | 'log'>,
  edit: Omit<Edit, 'seq' | 'at' | 'operator' | 'machine'>,
): void {
  const { operator, machine } = services.runs.driver
  const kept = services.edits.record({ operator, machine, ...edit })
  if (!kept.ok) {
    services.log.error('edit-not-journaled', {
      target: edit.target,
      message: kept.failure.message,
    })
  }
}
