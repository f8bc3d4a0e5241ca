import type { Dice } from './dice.ts'
import type { Machine } from './machine.ts'

/**
 * Two processes of one data directory: the first one stops in the middle of its run, the second takes the run over,
 * and the first wakes up.
 */
interface FencedPair {
  /** The first one journaled an event. */
  received(): void
}

/** How many schedules have such a pair. */
export const FENCED = 0.06

/** What a pair needs of its schedule. */
interface PairParts {
  /** The machine of the first process. */
  readonly machine: Machine
  readonly later: (afterMs: number, run: () => void) => void
  readonly startSecond: () => void
  readonly trace: (line: string) => void
}

/**
 * Draws after which event the first process stops, for how long, and when the second one starts: a driver is silent
 * after 15 s.
 */
export function drawFencedPair(dice: Dice, { machine, later, startSecond, trace }: PairParts): FencedPair {
  let left = dice.between(6, 45)
  const forMs = dice.pick([22_000, 30_000, 60_000, 120_000])
  const how = dice.pick(['stopped', 'lid'] as const)
  const startsAfterMs = dice.between(12_000, 20_000)
  return {
    received: () => {
      left -= 1
      if (left !== 0) return
      trace(`${machine.name} stops for ${forMs} ms (${how}), and a second process of its journal starts`)
      machine.sleepFor(forMs, how)
      later(startsAfterMs, startSecond)
    },
  }
}
