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
import type { ReportSubject } from '../../shared/domain/report.ts'
import { useConnection } from '../stores/connection.ts'
import { keepDropped, openSocketContract, type SocketContract, servedReport } from './socket.ts'

declare global {
  interface Window {
    /** What the preload exposes (main/faces/electron/preload.ts); absent in a plain browser. */
    readonly lockkeeper?: Contract & { pathOf(file: File): string }
  }
}

const NOT_CONNECTED: Failure = {
  code: 'unreachable',
  message: 'This page has no console. Open Lockkeeper as a desktop app, or with `lockkeeper serve`.',
  retryable: false,
}

let served: SocketContract | null = null

/** Main: through the preload of the desktop app, else over the socket of the console that served the page. */
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
 * Asks main; every outcome is an envelope, even if main is absent. Development and test builds check the answer against the
 * contract (docs/style.md G9); a release trusts main, which is from the same build.
 */
export async function askMain<N extends RequestName>(
  name: N,
  input: RequestInput<N>,
): Promise<Envelope<RequestOutput<N>>> {
  const contract = main()
  if (contract === null) return { ok: false, failure: NOT_CONNECTED }
  const answer = await contract.ask(name, input)
  if (import.meta.env.DEV && answer.ok) {
    const { requests } = await import('../../shared/contract/index.ts')
    requests[name].output.parse(answer.value)
  }
  return answer
}

/** Listens to one event of main; returns a stop function. Without main there are no events. */
export function listen<N extends EventName>(name: N, onEvent: (payload: EventPayload<N>) => void): () => void {
  return main()?.listen(name, onEvent) ?? (() => {})
}

/** Calls `again` when events may have been missed and everything must be read again; returns a stop function. */
export function onResync(again: () => void): () => void {
  main()
  return served?.onResync(again) ?? (() => {})
}

/** The path of a dropped file: the desktop knows it; for a browser the console keeps a copy. The page does not read the file. */
export async function pathOfDropped(file: File): Promise<Envelope<RequestOutput<'file.keep'>>> {
  if (window.lockkeeper === undefined) return keepDropped(file)
  const path = window.lockkeeper.pathOf(file)
  return path === '' ? { ok: false, failure: NO_PATH } : { ok: true, value: { path } }
}

/** Whether this page runs in a browser, which has tabs. */
export function hasTabs(): boolean {
  return window.lockkeeper === undefined
}

/** Opens a report in a new tab. The tab opens first: a browser lets a page open one only while it handles a click. */
export async function openReport(subject: ReportSubject, redact: boolean): Promise<Envelope<null>> {
  const tab = window.open('', '_blank')
  if (tab === null) return { ok: false, failure: TAB_BLOCKED }
  tab.opener = null
  const served = await servedReport(subject, redact)
  if (!served.ok) {
    tab.close()
    return served
  }
  tab.location.replace(served.value.path)
  return { ok: true, value: null }
}

const TAB_BLOCKED: Failure = {
  code: 'not-permitted',
  message: 'The browser blocked the new tab. Allow pop-ups for this page, then try again.',
  retryable: true,
}

const NO_PATH: Failure = {
  code: 'bad-input',
  message: 'This is not a file of this computer. Drop a kubeconfig or a clouds.yaml.',
  retryable: false,
}
