import { failure } from '../../shared/domain/failure.ts'
import { failed } from '../../shared/domain/result.ts'
import type { Handlers } from './serve.ts'
import type { ApiServices } from './services.ts'

/** Requests about the update of a whole cluster. */
export function updateHandlers(
  _services: ApiServices,
): Pick<Handlers, 'update.propose' | 'update.plan' | 'update.timeline'> {
  const none = async () => failed(failure('internal', 'Being built.'))
  return { 'update.propose': none, 'update.plan': none, 'update.timeline': none }
}
