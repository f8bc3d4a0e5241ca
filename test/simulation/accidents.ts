import type { Dice } from './dice.ts'
import type { WriteFate } from './disk.ts'
import type { Theme } from './themes.ts'

/** What befalls one process or its machine. */
export type Accident =
  /** `atWrite` counts the writes of the process. */
  | { readonly kind: 'killed'; readonly atWrite: number; readonly how: Extract<WriteFate, `killed-${string}`> }
  | { readonly kind: 'disk'; readonly fromWrite: number; readonly forMs: number; readonly how: 'full' | 'broken' }
  /** `stopped`: only the process stops (SIGSTOP, a suspended container), and all its clocks run. */
  | { readonly kind: 'sleeps'; readonly atMs: number; readonly forMs: number; readonly how: 'lid' | 'stopped' }
  | { readonly kind: 'clock-set'; readonly atMs: number; readonly byMs: number }

/**
 * An operator changes the node's Lease with kubectl, some time after a console journals the start of a step of this
 * kind.
 */
export interface LeaseAccident {
  readonly afterStep: string
  readonly afterMs: number
  readonly how: 'deleted' | 'taken'
}

/** Draws what befalls a process that starts now, `less` likely than the theme says; times are from the start of the run. */
export function drawAccidents(dice: Dice, theme: Theme, less = 1): readonly Accident[] {
  const likely = theme.accidents * less
  const accidents: Accident[] = []
  if (dice.chance(theme.kills * less)) {
    accidents.push({
      kind: 'killed',
      atWrite: dice.between(...theme.killedAt),
      how: dice.pick(['killed-before', 'killed-after', 'killed-within']),
    })
  }
  if (dice.chance(0.15 * likely)) {
    accidents.push({
      kind: 'disk',
      fromWrite: dice.between(1, 70),
      forMs: dice.between(1, 60_000),
      how: dice.pick(['full', 'full', 'broken']),
    })
  }
  if (dice.chance(0.25 * likely)) {
    accidents.push({
      kind: 'sleeps',
      atMs: dice.between(2_000, dice.pick([20_000, 60_000])),
      forMs: dice.pick([3_000, 30_000, 75_000, 150_000, 600_000]),
      how: dice.pick(['lid', 'lid', 'stopped']),
    })
  }
  if (dice.chance(0.15 * likely)) {
    const by = dice.pick([2_000, 45_000, 90_000, 300_000, 3_600_000])
    accidents.push({ kind: 'clock-set', atMs: dice.between(2_000, 60_000), byMs: dice.chance(0.5) ? by : -by })
  }
  return accidents
}
