/** Time and randomness, injected so that tests control them (style G23). Only this module below the faces uses the machine's own. */
export interface Clock {
  now(): number
  /** Milliseconds since a fixed instant of this process, for durations; stops while the machine sleeps (Linux, macOS). */
  monotonicMs(): number
  /** Resolves after `ms`, or early, without throwing, when `signal` aborts. Callers check the signal afterwards. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>
  random(): number
}

export const systemClock: Clock = {
  now: () => Date.now(),
  monotonicMs: () => performance.now(),
  sleep: (ms, signal) =>
    new Promise(resolve => {
      if (signal?.aborted) {
        resolve()
        return
      }
      const finish = () => {
        clearTimeout(timer)
        signal?.removeEventListener('abort', finish)
        resolve()
      }
      const timer = setTimeout(finish, ms)
      signal?.addEventListener('abort', finish, { once: true })
    }),
  random: () => Math.random(),
}

export function isoNow(clock: Clock): string {
  return new Date(clock.now()).toISOString()
}
