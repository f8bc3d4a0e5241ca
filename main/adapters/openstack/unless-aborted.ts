import { failure } from '../../../shared/domain/failure.ts'
import { failed, type Result } from '../../../shared/domain/result.ts'

/** Waits for work that others wait for too (a renewal serves all callers) no longer than this caller wants to. */
export async function unlessAborted<T>(
  shared: Promise<Result<T>>,
  caller: { readonly doing: string; readonly signal?: AbortSignal | undefined },
): Promise<Result<T>> {
  const { signal } = caller
  if (signal === undefined) return shared
  const stopped = () => failed(failure('aborted', `Stopped before this was done: ${caller.doing}.`))
  if (signal.aborted) return stopped()
  return new Promise((resolve, reject) => {
    const stop = () => resolve(stopped())
    signal.addEventListener('abort', stop, { once: true })
    void shared.then(resolve, reject).finally(() => signal.removeEventListener('abort', stop))
  })
}
