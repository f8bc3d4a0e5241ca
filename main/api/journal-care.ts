import { failure } from '../../shared/domain/failure.ts'
import { failed } from '../../shared/domain/result.ts'
import type { Handlers } from './serve.ts'
import type { ApiServices } from './services.ts'

/** Requests about the journal itself. */
export function journalHandlers(
  _services: ApiServices,
): Pick<Handlers, 'journal.status' | 'journal.check' | 'journal.export' | 'journal.import' | 'journal.prune'> {
  const notYet = async () => failed(failure('internal', 'Being built.'))
  return {
    'journal.status': notYet,
    'journal.check': notYet,
    'journal.export': notYet,
    'journal.import': notYet,
    'journal.prune': notYet,
  }
}
