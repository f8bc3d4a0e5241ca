import type { Lie } from '../lie.ts'

/** What a scripted break of a connection does with the request that met it. */
interface JujuBreak {
  /** Facade and method, such as `Action.EnqueueOperation`. */
  readonly request: string
  /** Before it was done, or after it was done but before the answer. */
  readonly when: 'before' | 'after'
  /** The first so many requests; 1 when absent. */
  readonly times?: number
}

/** What goes wrong with the simulated controller, to be changed at any moment. */
export interface JujuFaults {
  /** False: every connection is cut, new ones are cut at once. */
  setReachable(reachable: boolean): void
  /** Every answer takes this much longer. */
  setLatencyMs(ms: number): void
  /** A lost agent does nothing that it is told until it is back. */
  setAgentLost(hostname: string, lost: boolean): void
  /** The action fails on these machines, without its handler; null removes it. */
  failAction(action: string, failure: { readonly hostname?: string; readonly message: string } | null): void
  /** The model moved to another controller, to which clients are redirected; null brings it back. */
  setMovedTo(controller: { readonly address: string; readonly caCertificate: string } | null): void
  /** Logins are answered as for users who must log in by a browser. */
  setBrowserLogin(needed: boolean): void
  /** Cuts the connection at a request. */
  breakAt(scripted: JujuBreak): void
  /** Requests such as `Client.FullStatus` get a response that is none, until the answer is called. */
  lieAbout(request: string, lie: Lie | ((truth: string) => string)): () => void
  /** All well again; lost agents come back. */
  clear(): void
}

/** What is said instead of the response to a request; a function makes it of the true text. */
interface JujuLie {
  readonly lie: Lie | ((truth: string) => string)
  readonly firsts: Map<string, unknown>
}

/** The faults together with what the simulator asks of them. */
export interface JujuFaultTable extends JujuFaults {
  isReachable(): boolean
  movedTo(): { readonly address: string; readonly caCertificate: string } | null
  needsBrowserLogin(): boolean
  latencyMs(): number
  isAgentLost(hostname: string): boolean
  /** Resolves once the machine's agent answers, at once if it does. */
  untilAgentBack(hostname: string, signal: AbortSignal): Promise<void>
  failureOf(action: string, hostname: string): string | null
  /** Counts the request. */
  takeBreak(request: string): 'before' | 'after' | null
  lieTo(request: string): JujuLie | null
}

/** Makes a table in which all is well; `cutAll` closes the connections that are open. */
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
