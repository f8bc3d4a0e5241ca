import { failure } from '../../shared/domain/failure.ts'
import { failed } from '../../shared/domain/result.ts'
import type { Handlers } from './serve.ts'
import type { ApiServices } from './services.ts'

/** Requests about how long work takes and whose instances it touches. */
export function estimateHandlers(
  _services: ApiServices,
): Pick<Handlers, 'estimate.make' | 'window.outlook' | 'owners.list'> {
  const notYet = async () => failed(failure('internal', 'Being built.'))
  return {
    'estimate.make': notYet,
    'window.outlook': notYet,
    'owners.list': notYet,
  }
}
