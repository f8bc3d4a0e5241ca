/** A read that repeats after changes, but not more often than its cost allows. */
interface PacedReading {
  /** Something changed: reads again, at once or as soon as allowed. */
  readonly soon: () => void
  readonly stop: () => void
}

/** A pause lasts this many times as long as the last read. */
const REST_FACTOR = 4
/** The longest pause. Without it, a machine that slept during a read would pause for hours. */
const LONGEST_REST_MS = 60_000

/** Reads at once and on request: one read at a time, at most one per `leastMs`, none while the page is hidden. */
export function pacedReading(read: () => Promise<void>, leastMs: number): PacedReading {
  let timer: number | null = null
  let reading = false
  let wanted = false
  let stopped = false
  let notBefore = 0

  async function run(): Promise<void> {
    reading = true
    wanted = false
    // This clock never jumps.
    const begun = performance.now()
    try {
      await read()
    } finally {
      reading = false
      const ended = performance.now()
      const rest = Math.min((ended - begun) * REST_FACTOR, LONGEST_REST_MS)
      notBefore = Math.max(begun + leastMs, ended + rest)
      if (wanted) plan()
    }
  }

  function plan(): void {
    if (stopped || reading || timer !== null) return
    timer = window.setTimeout(
      () => {
        timer = null
        if (stopped || document.visibilityState !== 'visible') return
        void run()
      },
      Math.max(0, notBefore - performance.now()),
    )
  }

  const soon = () => {
    wanted = true
    plan()
  }
  const onVisible = () => {
    if (wanted) plan()
  }
  document.addEventListener('visibilitychange', onVisible)
  void run()
  return {
    soon,
    stop: () => {
      stopped = true
      document.removeEventListener('visibilitychange', onVisible)
      if (timer !== null) window.clearTimeout(timer)
    },
  }
}
