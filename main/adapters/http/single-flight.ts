import { failed, type Result } from '../../../shared/domain/result.ts'
import { because } from '../../../shared/words/reasons.ts'
import { refusal } from '../../../shared/words/refusal.ts'
import type { Finding } from '../../../shared/words/steps/coded.ts'

export function createSingleFlight<T>(work: () => Promise<T>): () => Promise<T> {
  let flight: Promise<T> | null = null
  return () => {
    flight ??= work().finally(() => {
      flight = null
    })
    return flight
  }
}

/** Waits for shared work (such as a renewal) until this caller aborts. */
export async function unlessAborted<T>(
  shared: Promise<Result<T>>,
  caller: { readonly doing: Finding; readonly signal?: AbortSignal | undefined },
): Promise<Result<T>> {
  const { signal } = caller
  if (signal === undefined) return shared
  const stopped = () => failed(refusal('aborted', because('StoppedBeforeDone', { call: caller.doing })))
  if (signal.aborted) return stopped()
  return new Promise((resolve, reject) => {
    const stop = () => resolve(stopped())
    signal.addEventListener('abort', stop, { once: true })
    void shared.then(resolve, reject).finally(() => signal.removeEventListener('abort', stop))
  })
}
