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
export function unlessAborted<T>(
  shared: Promise<Result<T>>,
  { doing, signal }: { readonly doing: Finding; readonly signal?: AbortSignal | undefined },
): Promise<Result<T>> {
  return orStopped(shared, signal, () => because('StoppedBeforeDone', { call: doing }))
}

/** The same; `why`: the finding for a caller that aborts. The others keep waiting. */
export async function orStopped<T>(
  shared: Promise<Result<T>>,
  signal: AbortSignal | undefined,
  why: () => Finding,
): Promise<Result<T>> {
  if (signal === undefined) return shared
  const stopped = () => failed(refusal('aborted', why()))
  if (signal.aborted) return stopped()
  return new Promise((resolve, reject) => {
    const stop = () => resolve(stopped())
    signal.addEventListener('abort', stop, { once: true })
    void shared.then(resolve, reject).finally(() => signal.removeEventListener('abort', stop))
  })
}
