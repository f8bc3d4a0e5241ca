import { failure } from '../../shared/domain/failure.ts'
import { failed } from '../../shared/domain/result.ts'
import type { Handlers } from './serve.ts'

/** Requests of the contract whose handlers are being built this week; each is taken out of here when its own file answers it. */
const PENDING = ['plan.outlook'] as const

/** Handlers that say that they are not there yet. */
export function pendingHandlers(): Pick<Handlers, (typeof PENDING)[number]> {
  const answer = async () => failed(failure('internal', 'This part of Lockkeeper is not built yet.'))
  return Object.fromEntries(PENDING.map(name => [name, answer])) as unknown as Pick<Handlers, (typeof PENDING)[number]>
}
