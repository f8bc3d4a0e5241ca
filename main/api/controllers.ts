import { failure } from '../../shared/domain/failure.ts'
import { failed } from '../../shared/domain/result.ts'
import type { Handlers } from './serve.ts'
import type { ApiServices } from './services.ts'

/** Requests about our own application controllers. */
export function controllerHandlers(
  _services: ApiServices,
): Pick<Handlers, 'controllers.detect' | 'controllers.status' | 'controllers.start' | 'controllers.stop'> {
  const none = async () => failed(failure('internal', 'Being built.'))
  return { 'controllers.detect': none, 'controllers.status': none, 'controllers.start': none, 'controllers.stop': none }
}
