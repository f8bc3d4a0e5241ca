import type { Dice } from './dice.ts'

/**
 * The focus of a schedule, as in swarm testing: faults that rarely meet are frequent in one family of schedules, and
 * so meet at the moment that matters.
 */
export interface Theme {
  readonly name: 'everything' | 'two drivers' | 'taken Leases' | 'lies' | 'attempts' | 'disks'
  /** How likely there is a second console, and how soon after the first it begins at the latest. */
  readonly second: number
  readonly secondWithinMs: number
  /** How likely a clock is off. */
  readonly skewed: number
  /** How likely somebody with kubectl touches the Lease. */
  readonly leaseTouched: number
  /** How likely a process is killed, and between which of its writes. */
  readonly kills: number
  readonly killedAt: readonly [number, number]
  /** How likely disks and machines fare badly, times the usual. */
  readonly accidents: number
  /** Times of bad weather. */
  readonly episodes: readonly [number, ...number[]]
  /** How likely a lie begins with a step and lasts beyond it. */
  readonly lieAtStep: number
  /** How likely live migrations fail. */
  readonly failing: number
  /** How likely the nodes have maintenance objects. */
  readonly mosk: number
  readonly mostServers: number
}

const EVERYTHING: Theme = {
  name: 'everything',
  second: 0.3,
  secondWithinMs: 150_000,
  skewed: 0.3,
  leaseTouched: 0.25,
  kills: 0.3,
  killedAt: [1, 70],
  accidents: 1,
  episodes: [0, 1, 1, 2, 2, 3],
  lieAtStep: 0.1,
  failing: 0.2,
  mosk: 0.03,
  mostServers: 2,
}

const THEMES: readonly (Theme & { readonly weight: number })[] = [
  { ...EVERYTHING, weight: 6 },
  {
    ...EVERYTHING,
    name: 'two drivers',
    weight: 4,
    second: 1,
    secondWithinMs: 20_000,
    skewed: 0.8,
    leaseTouched: 0.1,
    episodes: [0, 0, 1],
    lieAtStep: 0,
    mosk: 0,
  },
  {
    ...EVERYTHING,
    name: 'taken Leases',
    weight: 3,
    second: 0.2,
    leaseTouched: 1,
    kills: 0.1,
    accidents: 0.3,
    episodes: [0, 0, 0, 1],
    lieAtStep: 0,
    failing: 0.4,
    mosk: 0,
    mostServers: 5,
  },
  {
    ...EVERYTHING,
    name: 'lies',
    weight: 4,
    second: 0.05,
    leaseTouched: 0,
    kills: 0.05,
    accidents: 0.1,
    episodes: [0, 0, 1],
    lieAtStep: 1,
    mosk: 0.1,
  },
  {
    ...EVERYTHING,
    name: 'attempts',
    weight: 2,
    second: 0,
    skewed: 0,
    leaseTouched: 0.1,
    kills: 0.9,
    // Most are between the first announced migration and the last one then.
    killedAt: [23, 45],
    accidents: 0.2,
    episodes: [0, 0, 0, 1],
    lieAtStep: 0,
    failing: 1,
    mosk: 0,
  },
  { ...EVERYTHING, name: 'disks', weight: 1, kills: 0.7, accidents: 2.5, episodes: [0, 0, 1], mosk: 0 },
]

/** What is so in every schedule that rescues a dead host: kills between the force-down and the last instance. */
export const RESCUE: Pick<Theme, 'kills' | 'killedAt' | 'leaseTouched'> = {
  kills: 0.7,
  killedAt: [20, 90],
  leaseTouched: 0,
}

/** What is so in every schedule that hands a run over: kills around the announcement, the object and the taking over. */
export const HANDING_OVER: Pick<Theme, 'kills' | 'killedAt' | 'leaseTouched'> = {
  kills: 0.6,
  killedAt: [3, 60],
  leaseTouched: 0,
}

/** Draws the theme of a schedule. */
export function drawTheme(dice: Dice): Theme {
  let at = dice.below(THEMES.reduce((sum, { weight }) => sum + weight, 0))
  for (const theme of THEMES) {
    at -= theme.weight
    if (at < 0) return theme
  }
  return EVERYTHING
}
