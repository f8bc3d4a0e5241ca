import { seconds } from '../../../shared/domain/durations.ts'
import type { Clock } from '../../platform/clock/clock.ts'

/** How often a driver reads the clocks. */
export const LOOK_AT_CLOCKS_EVERY_MS = 500

/** Connections and a Lease renewed in time survive shorter sleeps. */
const SLEPT_FROM_MS = seconds(10)

/** The machine slept, or this process was suspended: for how long, and since when. */
export interface Slept {
  readonly ms: number
  readonly since: string
}

/** Detects that the machine slept during a run: earlier reads and requests no longer describe the world. */
export interface SleepWatch {
  /** Aborts when a sleep is detected: requests in progress get no answer. Each sleep makes a new signal. */
  readonly signal: AbortSignal
  /** The clock of the run: its monotonic time counts only awake time, on every system. */
  readonly clock: Clock
  look(): void
}

/** A sleep shows as a jump of the wall clock, or as a long gap between two reads. A clock that was set forward looks the same: that costs one more read. */
export function createSleepWatch(clock: Clock, onSlept: (slept: Slept) => void): SleepWatch {
  let wallMs = clock.now()
  let monotonicMs = clock.monotonicMs()
  let sleptMonotonicMs = 0
  let awake = new AbortController()

  const look = (): void => {
    const before = wallMs
    const wallGapMs = clock.now() - wallMs
    const gapMs = clock.monotonicMs() - monotonicMs
    wallMs += wallGapMs
    monotonicMs += gapMs
    const stalledMs = gapMs - LOOK_AT_CLOCKS_EVERY_MS
    if (stalledMs >= SLEPT_FROM_MS) sleptMonotonicMs += stalledMs
    const ms = Math.max(wallGapMs - gapMs, stalledMs)
    if (ms < SLEPT_FROM_MS) return
    awake.abort()
    awake = new AbortController()
    onSlept({ ms: Math.round(ms), since: new Date(before).toISOString() })
  }
  return {
    get signal() {
      return awake.signal
    },
    clock: {
      now: () => clock.now(),
      monotonicMs: () => {
        look()
        return clock.monotonicMs() - sleptMonotonicMs
      },
      sleep: (ms, signal) => clock.sleep(ms, signal),
      random: () => clock.random(),
    },
    look,
  }
}
