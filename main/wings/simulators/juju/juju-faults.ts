import type { Lie } from '../lie.ts'

/** A broken connection at a chosen request. */
interface JujuBreak {
  readonly request: string
  /** Whether the fault occurs before the work, or after it and before the answer. */
  readonly when: 'before' | 'after'
  /** How many requests it breaks; the default is 1. */
  readonly times?: number
}

interface Controller {
  readonly address: string
  readonly caCertificate: string
}

/** Faults of the simulated controller; a test can change them at any time. */
export interface JujuFaults {
  /** False cuts all connections, and new ones at once. */
  setReachable(reachable: boolean): void
  setLatencyMs(ms: number): void
  /** A lost agent runs no task until it is back. */
  setAgentLost(hostname: string, lost: boolean): void
  /** Makes an action fail on these machines without its handler; null removes the fault. */
  failAction(action: string, failure: { readonly hostname?: string; readonly message: string } | null): void
  /** Redirects clients to the controller that has the model now; null brings the model back. */
  setMovedTo(controller: Controller | null): void
  setBrowserLogin(needed: boolean): void
  breakAt(scripted: JujuBreak): void
  /** Sends a false response to requests such as `Client.FullStatus`, until the returned function is called. */
  lieAbout(request: string, lie: Lie | ((truth: string) => string)): () => void
  clear(): void
}

/** The false response to a request; a function makes it from the true text. */
export interface JujuLie {
  readonly lie: Lie | ((truth: string) => string)
  readonly firsts: Map<string, unknown>
}

/** The faults with the questions that the simulator asks them. */
export interface JujuFaultTable extends JujuFaults {
  isReachable(): boolean
  movedTo(): Controller | null
  needsBrowserLogin(): boolean
  latencyMs(): number
  isAgentLost(hostname: string): boolean
  untilAgentBack(hostname: string, signal: AbortSignal): Promise<void>
  failureOf(action: string, hostname: string): string | null
  /** Returns the break of this request, and counts the request. */
  takeBreak(request: string): 'before' | 'after' | null
  lieTo(request: string): JujuLie | null
}

interface FaultState {
  reachable: boolean
  latency: number
  movedTo: Controller | null
  browserLogin: boolean
  readonly lost: Set<string>
  readonly failures: Map<string, { readonly hostname?: string; readonly message: string }>
  breaks: { readonly scripted: JujuBreak; left: number }[]
  lies: (JujuLie & { readonly request: string })[]
  waiting: (() => void)[]
}

/** Makes a table without faults; `cutAll` closes the open connections. */
export function createJujuFaults(cutAll: () => void): JujuFaultTable {
  const state: FaultState = {
    reachable: true,
    latency: 0,
    movedTo: null,
    browserLogin: false,
    lost: new Set(),
    failures: new Map(),
    breaks: [],
    lies: [],
    waiting: [],
  }
  return {
    ...controlsOf(state, cutAll),
    isReachable: () => state.reachable,
    movedTo: () => state.movedTo,
    needsBrowserLogin: () => state.browserLogin,
    latencyMs: () => state.latency,
    isAgentLost: hostname => state.lost.has(hostname),
    untilAgentBack: (hostname, signal) => untilAgentBack(state, hostname, signal),
    failureOf: (action, hostname) => {
      const failure = state.failures.get(action)
      if (failure === undefined) return null
      return failure.hostname === undefined || failure.hostname === hostname ? failure.message : null
    },
    takeBreak: request => {
      const met = state.breaks.find(each => each.scripted.request === request && each.left > 0)
      if (met === undefined) return null
      met.left -= 1
      return met.scripted.when
    },
    lieTo: request => state.lies.find(each => each.request === request) ?? null,
  }
}

function controlsOf(state: FaultState, cutAll: () => void): JujuFaults {
  return {
    setReachable: reachable => {
      state.reachable = reachable
      if (!reachable) cutAll()
    },
    setLatencyMs: ms => {
      state.latency = ms
    },
    setAgentLost: (hostname, isLost) => {
      if (isLost) state.lost.add(hostname)
      else state.lost.delete(hostname)
      wakeWaiting(state)
    },
    failAction: (action, failure) => {
      if (failure === null) state.failures.delete(action)
      else state.failures.set(action, failure)
    },
    setMovedTo: controller => {
      state.movedTo = controller
    },
    setBrowserLogin: needed => {
      state.browserLogin = needed
    },
    breakAt: scripted => {
      state.breaks.push({ scripted, left: scripted.times ?? 1 })
    },
    lieAbout: (request, lie) => {
      const entry = { request, lie, firsts: new Map<string, unknown>() }
      state.lies.push(entry)
      return () => {
        state.lies = state.lies.filter(each => each !== entry)
      }
    },
    clear: () => clearFaults(state),
  }
}

function clearFaults(state: FaultState): void {
  state.reachable = true
  state.latency = 0
  state.movedTo = null
  state.browserLogin = false
  state.lost.clear()
  state.failures.clear()
  state.breaks = []
  state.lies = []
  wakeWaiting(state)
}

function wakeWaiting(state: FaultState): void {
  const woken = state.waiting
  state.waiting = []
  for (const look of woken) look()
}

function untilAgentBack(state: FaultState, hostname: string, signal: AbortSignal): Promise<void> {
  return new Promise(resolve => {
    const look = () => {
      if (!state.lost.has(hostname) || signal.aborted) resolve()
      else state.waiting.push(look)
    }
    signal.addEventListener('abort', () => wakeWaiting(state), { once: true })
    look()
  })
}
