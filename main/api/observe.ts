import { failure } from '../../shared/domain/failure.ts'
import { failed } from '../../shared/domain/result.ts'
import type { Handlers } from './serve.ts'
import type { ApiServices } from './services.ts'

/** Requests about updates that somebody else drives. */
export function observeHandlers(_services: ApiServices): Pick<Handlers, 'update.observe'> {
  return { 'update.observe': async () => failed(failure('internal', 'Being built.')) }
}
