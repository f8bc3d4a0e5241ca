import type { Clock } from '../../main/platform/clock/clock.ts'
import type { Dice } from './dice.ts'
import type { Timeline } from './timeline.ts'

/** A computer of the simulation: its clocks, its sleep, and whether it is there at all. */
export interface Machine {
  readonly name: string
  readonly clock: Clock
  /** Changes its wall clock by this many milliseconds; its monotonic clock stays. */
  setClock(byMs: number): void
  /** Stops all its processes; its monotonic clock stops with a closed lid, and runs if only processes are stopped. */
  sleepFor(ms: number, how: 'lid' | 'stopped'): void
  readonly asleepUntilMs: number
  /**
   * Calls `ring` after this many milliseconds of its monotonic clock, when it is awake; the returned function cancels
   * it.
   */
  alarm(ms: number, ring: () => void): () => void
  /** Runs when it is awake: at once, or when the lid is opened. */
  whenAwake(run: () => void): void
}

/** The clock as one process of the machine has it: one that has ended never wakes. */
export function clockOfProcess({ clock }: Machine, isAlive: () => boolean): Clock {
  return {
    ...clock,
    sleep: (ms, signal) =>
      new Promise(resolve => {
        void clock.sleep(ms, signal).then(() => {
          if (isAlive()) resolve()
        })
      }),
  }
}

/** Makes a machine whose wall clock is off by `skewMs`. */
export function createMachine(name: string, timeline: Timeline, dice: Dice, skewMs = 0): Machine {
  let set = skewMs
  let slept = 0
  let asleepUntil = 0
  const mono = () => timeline.now() - slept

  const alarm: Machine['alarm'] = (ms, ring) => {
    const dueMono = mono() + Math.max(0, ms)
    const wake = () => {
      const left = dueMono - mono()
      if (timeline.now() < asleepUntil) due = timeline.at(asleepUntil, wake)
      else if (left > 0.5) due = timeline.at(timeline.now() + left, wake)
      else ring()
    }
    // Nothing is exact to the microsecond on a real machine either; a day is longer than any run here.
    let due = timeline.at(timeline.now() + Math.min(Math.max(0, ms), 10 * 86_400_000), wake)
    return () => due.callOff()
  }

  const clock: Clock = {
    now: () => Math.floor(timeline.now() + set),
    monotonicMs: mono,
    random: dice.random,
    sleep: (ms, signal) =>
      new Promise(resolve => {
        if (signal?.aborted) {
          resolve()
          return
        }
        const done = () => {
          callOff()
          signal?.removeEventListener('abort', done)
          resolve()
        }
        const callOff = alarm(ms, done)
        signal?.addEventListener('abort', done, { once: true })
      }),
  }
  return {
    name,
    clock,
    alarm,
    setClock: byMs => {
      set += byMs
    },
    sleepFor: (ms, how) => {
      asleepUntil = Math.max(asleepUntil, timeline.now()) + ms
      if (how === 'lid') slept += ms
    },
    get asleepUntilMs() {
      return asleepUntil
    },
    whenAwake: run => {
      if (timeline.now() >= asleepUntil) run()
      else timeline.at(asleepUntil, () => run())
    },
  }
}
