import { failure } from '../../shared/domain/failure.ts'
import { failed } from '../../shared/domain/result.ts'
import type { Handlers } from './serve.ts'
import type { ApiServices } from './services.ts'

/** Requests about what happened on all clusters. */
export function historyHandlers(
  _services: ApiServices,
): Pick<Handlers, 'history.search' | 'history.durations' | 'history.blockers'> {
  const notYet = async () => failed(failure('internal', 'Being built.'))
  return {
    'history.search': notYet,
    'history.durations': notYet,
    'history.blockers': notYet,
  }
}
