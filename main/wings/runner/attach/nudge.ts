import { seconds } from '../../../../shared/domain/durations.ts'
import type { Clock } from '../../../platform/clock/clock.ts'

/** A nudge that was lost costs so long at most. */
const LOOK_EVERY_MS = seconds(5)
/** Events of a run come in crowds. */
const GATHER_MS = 50

/** Wakes whoever waits, once for a crowd. */
export function createNudge() {
  let isDue = false
  let wake: () => void = () => {}
  return {
    nudge: () => {
      isDue = true
      wake()
    },
    /** Until something is told, or it is time to look anyway. */
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
