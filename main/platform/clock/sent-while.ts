import { AsyncLocalStorage } from 'node:async_hooks'
import type { Failure } from '../../../shared/domain/failure.ts'
import { because } from '../../../shared/words/reasons.ts'
import { refusal } from '../../../shared/words/refusal.ts'

const conditions = new AsyncLocalStorage<() => boolean>()

/** Runs an effect whose requests are sent only while `holds()`: a machine may sleep between the check of a Lease and the request (docs/style.md G26). */
export function sentWhile<T>(holds: () => boolean, effect: () => Promise<T>): Promise<T> {
  return conditions.run(holds, effect)
}

/** Whether a request that changes something may be sent now. True outside effects of runs. */
export function mayBeSent(): boolean {
  return conditions.getStore()?.() ?? true
}

export function keptBack(): Failure {
  return refusal('aborted', because('KeptBack'))
}
