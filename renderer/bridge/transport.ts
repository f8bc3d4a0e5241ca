import type {
  Contract,
  Envelope,
  EventName,
  EventPayload,
  RequestInput,
  RequestName,
  RequestOutput,
} from '../../shared/contract/index.ts'
import type { Failure } from '../../shared/domain/failure.ts'

declare global {
  interface Window {
    /** What the preload exposes (main/electron/preload.ts); absent when the page is opened in a plain browser. */
    readonly lockkeeper?: Contract
  }
}

const NOT_CONNECTED: Failure = {
  code: 'unreachable',
  message: 'No main process is connected to this page, so it has nothing to show. Open Lockkeeper as a desktop app.',
  retryable: false,
}

/** Whether a main process answers this page. */
export function isConnected(): boolean {
  return window.lockkeeper !== undefined
}

/**
 * Asks main; every outcome is an envelope, also that nobody is there. Development and test builds hold the answer against the contract
 * (docs/style.md G9); a release trusts main, which is of the same build.
 */
export async function ask<N extends RequestName>(name: N, input: RequestInput<N>): Promise<Envelope<RequestOutput<N>>> {
  const main = window.lockkeeper
  if (main === undefined) return { ok: false, failure: NOT_CONNECTED }
  const answer = await main.ask(name, input)
  if (import.meta.env.DEV && answer.ok) {
    const { requests } = await import('../../shared/contract/index.ts')
    requests[name].output.parse(answer.value)
  }
  return answer
}

/** Listens to one event of main; answers how to stop. Without a main there is nothing to hear. */
export function listen<N extends EventName>(name: N, onEvent: (payload: EventPayload<N>) => void): () => void {
  return window.lockkeeper?.listen(name, onEvent) ?? (() => {})
}

/** Told when something may have been missed: whatever is kept is to be asked for anew. Answers how to stop. */
export function onResync(_again: () => void): () => void {
  return () => {}
}
