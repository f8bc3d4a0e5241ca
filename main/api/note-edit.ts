import type { Edit } from '../../shared/domain/edit.ts'
import type { ApiServices } from './services.ts'

/** Journals a manual change or its refusal. The change remains even if the journal fails: the log says so. */
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
