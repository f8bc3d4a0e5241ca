import { failure } from '../../shared/domain/failure.ts'
import { failed } from '../../shared/domain/result.ts'
import type { Handlers } from './serve.ts'
import type { ApiServices } from './services.ts'

/** Requests about maintenance windows. */
export function windowHandlers(
  _services: ApiServices,
): Pick<
  Handlers,
  | 'window.list'
  | 'window.show'
  | 'window.create'
  | 'window.change'
  | 'window.note'
  | 'window.close'
  | 'window.cancel'
  | 'window.plan'
> {
  const notYet = async () => failed(failure('internal', 'Being built.'))
  return {
    'window.list': notYet,
    'window.show': notYet,
    'window.create': notYet,
    'window.change': notYet,
    'window.note': notYet,
    'window.close': notYet,
    'window.cancel': notYet,
    'window.plan': notYet,
  }
}
