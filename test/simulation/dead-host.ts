import type { RunEventBody } from '../../shared/domain/run.ts'
import type { Cloud } from './cloud.ts'
import type { Dice } from './dice.ts'

/** The host that is silent. */
export const DEAD_HOST = 'cmp-1'

/** A host whose machine is off, or of which only a part is silent, and which may come back at any instant. */
interface DeadHost {
  /** A console journaled an event of this kind. */
  received(kind: RunEventBody['kind']): void
  /** A console was killed. */
  killed(): void
}

/** When the host returns: this long after the given number of events of a kind. */
interface Return {
  readonly upon: RunEventBody['kind'] | 'killed'
  skip: number
  readonly afterMs: number
  readonly what: 'both' | 'nova-compute' | 'kubelet'
  /** It is lost again after this, and looks as it did; null: it stays. */
  readonly staysMs: number | null
}

/** Silences the host before anybody looks at it, and draws whether and when it comes back. */
export function drawDeadHost(
  dice: Dice,
  cloud: Cloud,
  {
    later,
    trace,
  }: { readonly later: (afterMs: number, run: () => void) => void; readonly trace: (line: string) => void },
): DeadHost {
  const isSilent = dice.pick([
    'both',
    'both',
    'both',
    'both',
    'both',
    'both',
    'both',
    'nova-compute',
    'kubelet',
  ] as const)
  const set = (what: Return['what'], reports: boolean) => {
    trace(`${DEAD_HOST}: ${what} ${reports ? 'reports' : 'is silent'}`)
    cloud.setReporting(DEAD_HOST, what, reports)
  }
  set(isSilent, false)
  const upon = dice.pick<Return['upon']>([
    'run-driven',
    'step-started',
    'step-started',
    'fact',
    'fact',
    'gate-opened',
    'killed',
    'killed',
  ])
  const comesBack: Return | null = dice.chance(0.75)
    ? {
        upon,
        skip: upon === 'step-started' ? dice.below(4) : upon === 'fact' ? dice.below(8) : 0,
        afterMs: dice.pick([0, 0, 100, 1_000, 5_000, 30_000]),
        what: dice.pick(['nova-compute', 'nova-compute', 'both', 'kubelet']),
        staysMs: dice.pick([null, null, 2_000, 60_000]),
      }
    : null

  function moment(kind: Return['upon']): void {
    if (comesBack === null || isSilent !== 'both' || kind !== comesBack.upon) return
    comesBack.skip -= 1
    if (comesBack.skip !== -1) return
    later(comesBack.afterMs, () => set(comesBack.what, true))
    // After only its nova-compute was back, no sign of it exists before it was forced down.
    if (comesBack.staysMs === null || comesBack.what === 'nova-compute') return
    later(comesBack.afterMs + comesBack.staysMs, () => set(comesBack.what, false))
  }

  return { received: moment, killed: () => moment('killed') }
}
