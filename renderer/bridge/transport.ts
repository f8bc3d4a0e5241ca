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
import { useConnection } from '../stores/connection.ts'
import { keepDropped, openSocketContract, type SocketContract } from './socket.ts'

declare global {
  interface Window {
    /** What the preload exposes (main/faces/electron/preload.ts); absent when the page is opened in a plain browser. */
    readonly lockkeeper?: Contract & { pathOf(file: File): string }
  }
}

const NOT_CONNECTED: Failure = {
  code: 'unreachable',
  message:
    'No main process is connected to this page, so it has nothing to show. Open Lockkeeper as a desktop app, or with `lockkeeper serve`.',
  retryable: false,
}

let served: SocketContract | null = null

/** Main, however it is reached: through the preload of the desktop face, else over the socket of the console that served the page. */
function main(): Contract | null {
  if (window.lockkeeper !== undefined) {
    if (useConnection.getState().connection.kind === 'connecting') {
      useConnection.setState({ connection: { kind: 'connected' } })
    }
    return window.lockkeeper
  }
  if (served === null && window.location?.protocol?.startsWith('http')) {
    served = openSocketContract(`${window.location.origin.replace(/^http/, 'ws')}/socket`)
  }
  return served
}

/**
 * Asks main; every outcome is an envelope, also that nobody is there. Development and test builds hold the answer against the contract
 * (docs/style.md G9); a release trusts main, which is of the same build.
 */
export async function ask<N extends RequestName>(name: N, input: RequestInput<N>): Promise<Envelope<RequestOutput<N>>> {
  const contract = main()
  if (contract === null) return { ok: false, failure: NOT_CONNECTED }
  const answer = await contract.ask(name, input)
  if (import.meta.env.DEV && answer.ok) {
    const { requests } = await import('../../shared/contract/index.ts')
    requests[name].output.parse(answer.value)
  }
  return answer
}

/** Listens to one event of main; answers how to stop. Without a main there is nothing to hear. */
export function listen<N extends EventName>(name: N, onEvent: (payload: EventPayload<N>) => void): () => void {
  return main()?.listen(name, onEvent) ?? (() => {})
}

/** Told when something may have been missed: whatever is kept is to be asked for anew. Answers how to stop. */
export function onResync(again: () => void): () => void {
  main()
  return served?.onResync(again) ?? (() => {})
}

/** Where a file lies that was dropped on the page: the desktop knows; for a browser the console keeps a copy. The page hands it on unread. */
export async function pathOfDropped(file: File): Promise<Envelope<RequestOutput<'file.keep'>>> {
  if (window.lockkeeper === undefined) return keepDropped(file)
  const path = window.lockkeeper.pathOf(file)
  return path === '' ? { ok: false, failure: NO_PATH } : { ok: true, value: { path } }
}

const NO_PATH: Failure = {
  code: 'bad-input',
  message: 'What was dropped is no file of this machine. Drop a kubeconfig or a clouds.yaml.',
  retryable: false,
}
