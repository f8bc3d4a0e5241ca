import type { Clock } from '../../platform/clock/clock.ts'

/** How long stopped work may take to end. After that nobody waits for it; its announcements are refused anyway. */
const HUNG_AFTER_MS = 30_000

/** The result of some work, or `hung` when it continues long after its signal aborted: it must not block a run for ever (style G24, G25). */
export async function resultOrHung<T>(work: Promise<T>, signal: AbortSignal, clock: Clock): Promise<T | 'hung'> {
  const over = new AbortController()
  let listen = () => {}
  const hung = new Promise<'hung'>(resolve => {
    listen = () => {
      void clock.sleep(HUNG_AFTER_MS, over.signal).then(() => {
        if (!over.signal.aborted) resolve('hung')
      })
    }
    if (signal.aborted) listen()
    else signal.addEventListener('abort', listen, { once: true })
  })
  try {
    return await Promise.race([work, hung])
  } finally {
    signal.removeEventListener('abort', listen)
    over.abort()
    work.catch(() => {})
  }
}

/** A signal that aborts after `ms` of awake time, and a way to cancel the timer; `ended` resolves when the timer is gone. */
export function deadlineAfter(
  ms: number,
  clock: Clock,
): { readonly signal: AbortSignal; readonly cancel: () => Promise<void> } {
  const deadline = new AbortController()
  const off = new AbortController()
  const until = clock.monotonicMs() + ms
  const wait = async () => {
    // A timer that fires because the machine woke up is early: only awake time counts.
    for (let left = ms; left > 0 && !off.signal.aborted; left = until - clock.monotonicMs()) {
      await clock.sleep(left, off.signal)
    }
    if (!off.signal.aborted) deadline.abort()
  }
  const timer = wait()
  return {
    signal: deadline.signal,
    cancel: () => {
      off.abort()
      return timer
    },
  }
}
