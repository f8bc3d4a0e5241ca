import { failure } from '../../shared/domain/failure.ts'
import { failed } from '../../shared/domain/result.ts'
import type { Handlers } from './serve.ts'
import type { ApiServices } from './services.ts'

/** Requests about waves: which nodes may be worked on side by side. */
export function wavesHandlers(_services: ApiServices): Pick<Handlers, 'waves.plan' | 'waves.judge'> {
  const notYet = async () => failed(failure('internal', 'Being built.'))
  return {
    'waves.plan': notYet,
    'waves.judge': notYet,
  }
}
