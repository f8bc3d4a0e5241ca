import { seconds } from '../../../../shared/domain/durations.ts'
import type { Clock } from '../../../platform/clock/clock.ts'

/** A lost nudge delays the next check by this at most. */
const LOOK_EVERY_MS = seconds(5)
/** Events of a run often come together: they are gathered for this long. */
const GATHER_MS = 50

/** Wakes a waiting loop, once for several nudges. */
export function createNudge() {
  let isDue = false
  let wake: () => void = () => {}
  return {
    nudge: () => {
      isDue = true
      wake()
    },
    /** Waits for a nudge, or until the next check is due. */
    next: async (clock: Clock, signal: AbortSignal) => {
      if (!isDue) {
        const woken = new AbortController()
        wake = () => woken.abort()
        await clock.sleep(LOOK_EVERY_MS, AbortSignal.any([signal, woken.signal]))
      }
      await clock.sleep(GATHER_MS, signal)
      isDue = false
      wake = () => {}
    },
  }
}
