import type { RunEvent, RunEventBody } from '../../shared/domain/run.ts'
import { OUTLASTED, OUTLASTING } from '../../shared/domain/run-facts.ts'
import type { Cloud } from './cloud.ts'
import type { Dice } from './dice.ts'

/**
 * Whether a host also comes back after its force-down while nobody rebuilds its instances: the rescue that is resumed, retried or goes on after a pause then
 * compares with what it reads itself, and evacuates a host that runs; so does one whose request is sent again after answers that cannot be read. Off until the
 * product keeps what it saw, and looks before each request.
 */
const RETURNS_UNWATCHED = false

/** The host that is silent. */
export const DEAD_HOST = 'cmp-1'

/** A host whose machine is off, or of which only a part is silent, and which may come back at any instant. */
interface DeadHost {
  /** A console journaled an event; `kind`: of its step. */
  heard(event: RunEvent, kind: string): void
  /** A console was killed. */
  killed(): void
}

/** When it comes back: so long after the so many-th event of a kind. */
interface Return {
  readonly upon: RunEventBody['kind'] | 'killed'
  skip: number
  readonly afterMs: number
  readonly what: 'both' | 'nova-compute' | 'kubelet'
}

/** With these the rebuilding rests, or is over: what a run saw of the host before, it does not look at again. */
const RESTS: ReadonlySet<RunEventBody['kind']> = new Set([
  'step-applied',
  'step-failed',
  'gate-opened',
  'pause-requested',
  'paused',
  'abort-requested',
  'lease-away',
  'lease-lost',
  'machine-slept',
  'driver-left',
  'run-finished',
])

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
      }
    : null
  let isRebuilding = false
  let isBack = false

  function moment(kind: Return['upon']): void {
    if (comesBack === null || isSilent !== 'both' || kind !== comesBack.upon) return
    comesBack.skip -= 1
    if (comesBack.skip !== -1) return
    later(comesBack.afterMs, () => {
      if (!RETURNS_UNWATCHED && isForcedDown(cloud) && !isRebuilding) return
      isBack = true
      set(comesBack.what, true)
    })
  }

  /** Where nobody watches it, a person sees that it runs, and switches it off again. */
  function rests(): void {
    isRebuilding = false
    if (RETURNS_UNWATCHED || !isBack || comesBack === null || !isForcedDown(cloud)) return
    isBack = false
    set(comesBack.what, false)
  }

  return {
    heard: ({ body }, kind) => {
      if (body.kind === 'step-started') isRebuilding = kind === 'rescue-instances'
      if (RESTS.has(body.kind)) rests()
      if (body.kind === 'fact' && body.fact === OUTLASTING) rests()
      if (body.kind === 'fact' && body.fact === OUTLASTED) isRebuilding = kind === 'rescue-instances'
      moment(body.kind)
    },
    killed: () => {
      rests()
      moment('killed')
    },
  }
}

function isForcedDown({ state }: Cloud): boolean {
  return state.services.some(
    ({ binary, host, forcedDown }) => binary === 'nova-compute' && host === DEAD_HOST && forcedDown,
  )
}
