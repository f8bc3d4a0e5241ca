import type { Lie } from '../lie.ts'

/** A broken connection at a chosen request. */
interface JujuBreak {
  /** Facade and method, such as `Action.EnqueueOperation`. */
  readonly request: string
  /** Before the work is done, or after it and before the answer. */
  readonly when: 'before' | 'after'
  /** How many requests it breaks; the default is 1. */
  readonly times?: number
}

/** Faults of the simulated controller; a test can change them at any time. */
export interface JujuFaults {
  /** False cuts all connections, and new ones at once. */
  setReachable(reachable: boolean): void
  /** Delays each answer by this many milliseconds. */
  setLatencyMs(ms: number): void
  /** A lost agent runs no task until it is back. */
  setAgentLost(hostname: string, lost: boolean): void
  /** Makes an action fail on these machines without its handler; null removes the fault. */
  failAction(action: string, failure: { readonly hostname?: string; readonly message: string } | null): void
  /** Redirects clients to the controller that has the model now; null brings the model back. */
  setMovedTo(controller: { readonly address: string; readonly caCertificate: string } | null): void
  /** Answers logins as for users who must log in with a browser. */
  setBrowserLogin(needed: boolean): void
  /** Cuts the connection at a request. */
  breakAt(scripted: JujuBreak): void
  /** Sends a false response to requests such as `Client.FullStatus`, until the returned function is called. */
  lieAbout(request: string, lie: Lie | ((truth: string) => string)): () => void
  /** Removes all faults; lost agents come back. */
  clear(): void
}

/** The false response to a request; a function makes it from the true text. */
interface JujuLie {
  readonly lie: Lie | ((truth: string) => string)
  readonly firsts: Map<string, unknown>
}

/** The faults with the questions that the simulator asks them. */
export interface JujuFaultTable extends JujuFaults {
  isReachable(): boolean
  movedTo(): { readonly address: string; readonly caCertificate: string } | null
  needsBrowserLogin(): boolean
  latencyMs(): number
  isAgentLost(hostname: string): boolean
  /** Resolves when the machine's agent answers, at once if it already does. */
  untilAgentBack(hostname: string, signal: AbortSignal): Promise<void>
  failureOf(action: string, hostname: string): string | null
  /** Returns the break of this request, and counts the request. */
  takeBreak(request: string): 'before' | 'after' | null
  lieTo(request: string): JujuLie | null
}

/** Makes a table without faults; `cutAll` closes the open connections. */
export function createJujuFaults(cutAll: () => void): JujuFaultTable {
  let reachable = true
  let latency = 0
  let moved: { readonly address: string; readonly caCertificate: string } | null = null
  let browser = false
  const lost = new Set<string>()
  const failures = new Map<string, { readonly hostname?: string; readonly message: string }>()
  let breaks: { readonly scripted: JujuBreak; left: number }[] = []
  let lies: (JujuLie & { readonly request: string })[] = []
  let waiting: (() => void)[] = []
  const wake = () => {
    const woken = waiting
    waiting = []
    for (const look of woken) look()
  }
  return {
    setReachable: now => {
      reachable = now
      if (!now) cutAll()
    },
    setLatencyMs: ms => {
      latency = ms
    },
    setAgentLost: (hostname, isLost) => {
      if (isLost) lost.add(hostname)
      else lost.delete(hostname)
      wake()
    },
    failAction: (action, failure) => {
      if (failure === null) failures.delete(action)
      else failures.set(action, failure)
    },
    setMovedTo: controller => {
      moved = controller
    },
    setBrowserLogin: needed => {
      browser = needed
    },
    breakAt: scripted => {
      breaks.push({ scripted, left: scripted.times ?? 1 })
    },
    lieAbout: (request, lie) => {
      const entry = { request, lie, firsts: new Map<string, unknown>() }
      lies.push(entry)
      return () => {
        lies = lies.filter(each => each !== entry)
      }
    },
    clear: () => {
      reachable = true
      latency = 0
      moved = null
      browser = false
      lost.clear()
      failures.clear()
      breaks = []
      lies = []
      wake()
    },
    isReachable: () => reachable,
    movedTo: () => moved,
    needsBrowserLogin: () => browser,
    latencyMs: () => latency,
    isAgentLost: hostname => lost.has(hostname),
    untilAgentBack: (hostname, signal) =>
      new Promise(resolve => {
        const look = () => {
          if (!lost.has(hostname) || signal.aborted) resolve()
          else waiting.push(look)
        }
        signal.addEventListener('abort', wake, { once: true })
        look()
      }),
    failureOf: (action, hostname) => {
      const failure = failures.get(action)
      if (failure === undefined) return null
      return failure.hostname === undefined || failure.hostname === hostname ? failure.message : null
    },
    takeBreak: request => {
      const met = breaks.find(each => each.scripted.request === request && each.left > 0)
      if (met === undefined) return null
      met.left -= 1
      return met.scripted.when
    },
    lieTo: request => lies.find(each => each.request === request) ?? null,
  }
}
