/**
 * Time and chance, injected so that a test advances them by hand (style G23). This is the one module below the faces that
 * may touch the machine's own.
 */
export interface Clock {
  /** Milliseconds since the epoch. */
  now(): number
  /**
   * Milliseconds since some instant that stays the same while the process lives. Never set back or forward, and never counted while
   * the machine sleeps (Linux, macOS): durations are measured with it, and a jump of `now` against it tells that the machine slept or its clock was set.
   */
  monotonicMs(): number
  /** Resolves after `ms`; resolves early, without throwing, when `signal` aborts. Callers look at the signal afterwards. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>
  /** A number in [0, 1), for jitter. */
  random(): number
}

/** The machine's own clock. */
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

/** The time of a clock as the ISO string that journals and contracts carry. */
export function isoNow(clock: Clock): string {
  return new Date(clock.now()).toISOString()
}
