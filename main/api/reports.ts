import { failure } from '../../shared/domain/failure.ts'
import { failed } from '../../shared/domain/result.ts'
import type { Handlers } from './serve.ts'
import type { ApiServices } from './services.ts'

/** Requests about reports. */
export function reportHandlers(_services: ApiServices): Pick<Handlers, 'report.make' | 'report.verify'> {
  const notYet = async () => failed(failure('internal', 'Being built.'))
  return {
    'report.make': notYet,
    'report.verify': notYet,
  }
}
