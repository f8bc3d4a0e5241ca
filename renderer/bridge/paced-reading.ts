/** A reading that is repeated when something changed, but never more often than it is worth. */
interface PacedReading {
  /** Something changed: reads again, at once or as soon as it may. */
  readonly soon: () => void
  readonly stop: () => void
}

/** What takes long is asked for less often: this many times its own duration lies between two readings. */
const REST_FACTOR = 4
/** No rest is longer: a machine that slept during a reading would rest for hours. */
const LONGEST_REST_MS = 60_000

/** Reads at once, and again whenever asked to: one reading at a time, at most one in `leastMs`, none while the page is hidden. */
export function pacedReading(read: () => Promise<void>, leastMs: number): PacedReading {
  let timer: number | null = null
  let reading = false
  let wanted = false
  let stopped = false
  let notBefore = 0

  async function run(): Promise<void> {
    reading = true
    wanted = false
    // By the clock that nobody sets.
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
