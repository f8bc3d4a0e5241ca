import { seconds } from '../../../shared/domain/durations.ts'
import type { Clock } from '../../platform/clock/clock.ts'

/** How often a driver looks at the clocks. */
export const LOOK_AT_CLOCKS_EVERY_MS = 500

/** Connections and a Lease that is renewed in time survive shorter sleeps. */
const SLEPT_FROM_MS = seconds(10)

/** The machine slept, or this process did not run: for how long, and since when. */
export interface Slept {
  readonly ms: number
  readonly since: string
}

/** Finds out that the machine slept while a run was driven: earlier readings and requests tell nothing about the world any more. */
export interface SleepWatch {
  /** Aborts when the machine is found to have slept: requests that were under way get no answer. A fresh one from then on. */
  readonly signal: AbortSignal
  /** The clock of the run: its monotonic time is the time that the machine was awake, on every system. */
  readonly clock: Clock
  look(): void
}

/**
 * A sleep shows as a jump of the wall clock against the monotonic one; where the monotonic clock runs in sleep too, as a gap between two looks much
 * longer than was asked for. A wall clock that was set forward looks the same and is answered the same: it costs one look at everything.
 */
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
