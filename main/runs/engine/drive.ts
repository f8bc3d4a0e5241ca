import type { Failure } from '../../../shared/domain/failure.ts'
import type { PlannedStep } from '../../../shared/domain/plan.ts'
import type { OpenGate, RunFact, RunOutcome } from '../../../shared/domain/run.ts'
import type { RunFactName } from '../../../shared/domain/run-facts.ts'
import { found } from '../../../shared/words/step-texts.ts'
import type { NotPassed } from '../../../shared/words/steps/engine.ts'
import type { Logger } from '../../platform/log/logger.ts'
import type { Gates } from './gate.ts'
import { type RunRecord, stepContext } from './run-record.ts'
import type { Said } from './said.ts'
import type { SleepWatch } from './sleep-watch.ts'
import type { ReadingOf, StepRegistry } from './step.ts'
import type { StopSwitch } from './stop-switch.ts'
import type { TransientRetry } from './transient-retry.ts'

/** Everything that the driving of a run leans on. */
export interface Drive<World> {
  readonly record: RunRecord
  readonly registry: StepRegistry<World>
  /** The world as a step may use it, or as a reading shows it; `refuse` hears what its gate refuses for good. */
  readonly worldFor: (stepId: string, refuse: (why: Failure) => void, seen?: World) => World
  /** One reading of the world for a pass of checks; null: every check asks for itself. */
  readonly read: (signal: AbortSignal) => ReturnType<ReadingOf<World>> | null
  /** With the clock of the run. */
  readonly sleep: SleepWatch
  /** How long what may pass by itself is waited out before a person is asked. */
  readonly retryForMs: number
  readonly retryOf: (stepId: string) => TransientRetry
  readonly log: Logger
  readonly stop: StopSwitch
  readonly gates: Gates
  readonly resumed: boolean
  /** Whether the run may act at this instant (it holds the lease). */
  readonly mayAct: () => boolean
  /** Tells that the run waits for an answer, and that it goes on. */
  readonly onWaiting: (waiting: boolean) => void
  readonly newId: () => string
}

/** How far one pass came: to the end, or stopped by the switch. */
export type PassAnswer =
  | {
      readonly kind: 'ended'
      readonly outcome: RunOutcome
      readonly said: Said
      /** It may still pass by itself, and was waited out in vain: a person is asked before the run ends with it. */
      readonly mayPass?: true
    }
  | { readonly kind: 'stopped' }

/** The context that a step of this run works with. `seen`: the world as a reading shows it; else as it is. */
export function contextWith<World>(step: PlannedStep, drive: Drive<World>, seen?: World) {
  const { record, worldFor, resumed, mayAct, stop } = drive
  const { clock } = drive.sleep
  const stoppedBy = () => stop.reason()?.kind ?? null
  const transientRetry = drive.retryOf(step.id)
  return (signal: AbortSignal, refuse: (why: Failure) => void = () => {}) =>
    stepContext({
      record,
      step,
      world: worldFor(step.id, refuse, seen),
      clock,
      signal,
      resumed,
      mayAct,
      stoppedBy,
      transientRetry,
    })
}

/** How a step of this run is verified: within `limitMs` or its own time, whichever is shorter; facts that it tells meanwhile go to the journal. */
export function lookLimit<World>(step: PlannedStep, drive: Drive<World>, limitMs: number) {
  const { stop, sleep, log, retryOf, record } = drive
  const report = (fact: RunFactName, values: RunFact['values']) => {
    record.append({ kind: 'fact', stepId: step.id, fact, subject: step.id, announces: false, values: { ...values } })
  }
  return { stop: stop.signal, sleep, limitMs, log, transientRetry: retryOf(step.id), report }
}

/** What the run asks now, after it waited in vain. */
export function patienceOver<World>(
  why: NotPassed,
  { retryForMs: ms }: Pick<Drive<World>, 'retryForMs'>,
): Required<Pick<OpenGate, 'code' | 'values' | 'question'>> {
  const { code, values, message: question } = found('PatienceOver', { why, forMs: ms })
  return { code, values: { ...values }, question }
}
