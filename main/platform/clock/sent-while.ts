import { AsyncLocalStorage } from 'node:async_hooks'
import type { Failure } from '../../../shared/domain/failure.ts'
import { because } from '../../../shared/words/reasons.ts'
import { refusal } from '../../../shared/words/refusal.ts'

const conditions = new AsyncLocalStorage<() => boolean>()

/**
 * Makes an effect whose requests are sent only while `holds` says so. Between the look at a Lease and the request itself a credential may be renewed, an
 * object be read, or the machine sleep for hours: whoever sends asks {@link mayBeSent} at the last instant (docs/style.md G26).
 */
export function sentWhile<T>(holds: () => boolean, effect: () => Promise<T>): Promise<T> {
  return conditions.run(holds, effect)
}

/** Whether a request that changes something may leave this process now. True for what is no effect of a run. */
export function mayBeSent(): boolean {
  return conditions.getStore()?.() ?? true
}

/** The failure for a request that was kept back. */
export function keptBack(): Failure {
  return refusal('aborted', because('KeptBack'))
}
