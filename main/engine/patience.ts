import type { Clock } from '../clock/clock.ts'

/** How long something that was told to stop may take to do so. Afterwards it is not waited for: what it announces is refused anyway. */
const PATIENCE_MS = 30_000

/**
 * The result of some work, or `hung` when the work goes on long after its signal was aborted: a request that ignores its signal must
 * not hold up a run for ever (style G24, G25).
 */
export async function withPatience<T>(work: Promise<T>, signal: AbortSignal, clock: Clock): Promise<T | 'hung'> {
  const over = new AbortController()
  const hung = (async (): Promise<'hung' | null> => {
    await aborted(signal, over.signal)
    if (!over.signal.aborted) await clock.sleep(PATIENCE_MS, over.signal)
    return over.signal.aborted ? null : 'hung'
  })()
  try {
    const first = await Promise.race([work, hung])
    return first === null ? await work : first
  } finally {
    over.abort()
    // Whatever becomes of it later was not waited for.
    work.catch(() => {})
    await hung
  }
}

/** Resolves when either signal aborts. */
function aborted(one: AbortSignal, other: AbortSignal): Promise<void> {
  return new Promise(resolve => {
    const both = AbortSignal.any([one, other])
    if (both.aborted) resolve()
    else both.addEventListener('abort', () => resolve(), { once: true })
  })
}

/** A signal that aborts after `ms` of awake time, and how to call the timer off; `ended` resolves when the timer is gone. */
export function deadlineAfter(
  ms: number,
  clock: Clock,
): { readonly signal: AbortSignal; readonly callOff: () => Promise<void> } {
  const deadline = new AbortController()
  const off = new AbortController()
  const until = clock.monotonicMs() + ms
  const wait = async () => {
    // A timer that fires because the machine woke up is early: only the time awake counts.
    for (let left = ms; left > 0 && !off.signal.aborted; left = until - clock.monotonicMs()) {
      await clock.sleep(left, off.signal)
    }
    if (!off.signal.aborted) deadline.abort()
  }
  const timer = wait()
  return {
    signal: deadline.signal,
    callOff: () => {
      off.abort()
      return timer
    },
  }
}
