import type { DrivenRun } from '../../main/runs/engine/drive-to-rest.ts'
import type { RunEvent, RunEventBody } from '../../shared/domain/run.ts'
import type { RunControl } from '../../shared/domain/run-control.ts'
import { foldRun } from '../../shared/domain/run-fold.ts'
import type { Console } from './console.ts'
import type { Dice } from './dice.ts'

/** An operator who does not wait for questions: pauses, resumes, aborts, answers and leaves at any time of a run. */
export interface Restless {
  /** How long they think about a question at most. */
  readonly thinksMs: number
  /** What the console journals is what they see. */
  received(event: RunEvent): void
  /** From now on this run is theirs to meddle with. */
  watches(console: Console, run: DrivenRun): void
}

/** The actions that must reach the run. */
interface RestlessParts {
  readonly dice: Dice
  /** An answer was given to a question that was open. */
  readonly onAnswered: (gateId: string) => void
  /** Drops all messages about Leases for this long. */
  readonly silenceLeases: (forMs: number) => void
  readonly trace: (line: string) => void
}

type Effect = Exclude<RunControl['kind'], 'skip-lane' | 'pause-after-node' | 'decide-instance'>

/** This long after a number of events of a kind. */
interface Moment {
  readonly upon: RunEventBody['kind']
  skip: number
  readonly afterMs: number
}

interface Move extends Moment {
  readonly does: Effect
  readonly backAfterMs: number
  readonly throughJournal: boolean
}

/** How many schedules have one. */
export const RESTLESS = 0.05

/** Makes one for a process; what they do is drawn now. */
export function createRestless({ dice, onAnswered, silenceLeases, trace }: RestlessParts): Restless {
  const moment = (upon: Moment['upon']): Moment => ({
    upon,
    skip: upon === 'step-started' || upon === 'fact' ? dice.below(7) : 0,
    afterMs: dice.pick([0, 0, 100, 1_000, 5_000, 30_000]),
  })
  const moves = Array.from(
    { length: dice.between(1, 3) },
    (): Move => ({
      ...moment(
        dice.pick(['lease-acquired', 'step-started', 'fact', 'gate-opened', 'lease-away', 'lease-away', 'lease-back']),
      ),
      does: dice.pick(['pause', 'pause', 'pause', 'abort', 'answer', 'answer', 'detach', 'unpause']),
      backAfterMs: dice.pick([1_000, 20_000, 90_000, 400_000]),
      throughJournal: dice.chance(0.3),
    }),
  )
  const silences = dice.chance(0.7)
    ? [
        {
          ...moment(dice.pick(['step-started', 'gate-opened', 'gate-opened', 'pause-requested', 'fact'])),
          forMs: dice.between(60_000, 420_000),
        },
      ]
    : []
  // An operator who thinks for longer finds the Lease gone.
  const thinksMs = dice.pick([20_000, 300_000])
  let watched: { readonly console: Console; readonly run: DrivenRun } | null = null

  /** Whether the action reached the run, or had no effect to make. */
  function act(does: Effect, throughJournal: boolean): boolean {
    if (watched === null) return true
    const { console, run } = watched
    try {
      const control = controlOf(does, console, run)
      if (control === null) return true
      trace(`somebody: ${JSON.stringify(control)}${throughJournal ? ' by the journal' : ''}`)
      if (throughJournal) console.journal.requestControl(run.runId, control)
      else run.control(control)
      if (control.kind === 'answer' && !throughJournal) onAnswered(control.gateId)
      return true
    } catch {
      // The journal refuses, and says so to who asked; or the process has ended.
      return false
    }
  }

  function controlOf(does: Effect, { journal }: Console, { runId }: DrivenRun): RunControl | null {
    const by = 'somebody'
    if (does === 'abort') return { kind: does, by, reason: 'so the dice fell' }
    if (does !== 'answer') return { kind: does, by }
    const events = journal.events(runId)
    const gate = events.ok ? foldRun(events.value).openGates[0] : undefined
    if (gate === undefined) return null
    const [first = 'abort', ...rest] = gate.choices
    return { kind: 'answer', by, gateId: gate.gateId, choice: dice.pick([first, ...rest]), reason: 'so the dice fell' }
  }

  /** Those whose moment it is; each comes once. */
  function due<T extends Moment>(all: T[], kind: RunEventBody['kind']): readonly T[] {
    const now: T[] = []
    for (const one of all.filter(({ upon }) => upon === kind)) {
      if (one.skip > 0) one.skip -= 1
      else now.push(...all.splice(all.indexOf(one), 1))
    }
    return now
  }

  return {
    thinksMs,
    watches: (console, run) => {
      watched = { console, run }
    },
    received: ({ body }) => {
      const clock = watched?.console.clock
      if (clock === undefined) return
      for (const { afterMs, does, backAfterMs, throughJournal } of due(moves, body.kind)) {
        void clock.sleep(afterMs).then(async () => {
          act(does, throughJournal)
          if (does !== 'pause') return
          await clock.sleep(backAfterMs)
          // An operator whose action could not be written tries again: a paused run waits until somebody resumes it.
          for (let tries = 0; tries < 100 && !act('unpause', throughJournal); tries += 1) await clock.sleep(20_000)
        })
      }
      for (const { afterMs, forMs } of due(silences, body.kind)) {
        void clock.sleep(afterMs).then(() => silenceLeases(forMs))
      }
    },
  }
}
