import type { Failure } from '../../../shared/domain/failure.ts'
import type { PlannedStep } from '../../../shared/domain/plan.ts'
import type { OpenGate, RunFact, RunOutcome } from '../../../shared/domain/run.ts'
import type { RunFactName } from '../../../shared/domain/run-facts.ts'
import { found } from '../../../shared/words/step-texts.ts'
import type { NotPassed } from '../../../shared/words/steps/engine.ts'
import type { Logger } from '../../platform/log/logger.ts'
import type { Gates } from './gate.ts'
import { type RunRecord, stepContext } from './run-record.ts'
import type { CodedText } from './said.ts'
import type { SleepWatch } from './sleep-watch.ts'
import type { ReadingOf, StepRegistry } from './step.ts'
import type { StopSwitch } from './stop-switch.ts'
import type { TransientRetry } from './transient-retry.ts'

export interface Drive<World> {
  readonly record: RunRecord
  readonly registry: StepRegistry<World>
  /** The world for a step, or as one reading shows it; `refuse` receives what its gate refuses for good. */
  readonly worldFor: (stepId: string, refuse: (why: Failure) => void, seen?: World) => World
  /** One reading of the world for a pass of checks; null if each check reads for itself. */
  readonly read: (signal: AbortSignal) => ReturnType<ReadingOf<World>> | null
  readonly sleep: SleepWatch
  /** How long a transient failure is retried before the run asks the operator. */
  readonly retryForMs: number
  readonly retryOf: (stepId: string) => TransientRetry
  readonly log: Logger
  readonly stop: StopSwitch
  readonly gates: Gates
  readonly resumed: boolean
  readonly mayAct: () => boolean
  /** Reports that the run waits for an answer, and that it continues. */
  readonly onWaiting: (waiting: boolean) => void
  readonly newId: () => string
}

/** How one pass ended: complete, with an outcome, or stopped by the switch. */
export type PassAnswer =
  | {
      readonly kind: 'ended'
      readonly outcome: RunOutcome
      readonly said: CodedText
      /** The failure was transient and retries did not help: the run asks the operator before it ends. */
      readonly mayPass?: true
    }
  | { readonly kind: 'stopped' }

/** The context of a step of this run. `seen`: the world of a reading; otherwise the world itself. */
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

/** How a step of this run is verified: within `limitMs` or its own time, whichever is shorter; its reports go to the journal. */
export function verifyLimit<World>(step: PlannedStep, drive: Drive<World>, limitMs: number) {
  const { stop, sleep, log, retryOf, record } = drive
  const report = (fact: RunFactName, values: RunFact['values']) => {
    record.append({ kind: 'fact', stepId: step.id, fact, subject: step.id, announces: false, values: { ...values } })
  }
  return { stop: stop.signal, sleep, limitMs, log, transientRetry: retryOf(step.id), report }
}

/** The question of a run whose retries did not help. */
export function retriesExhausted<World>(
  why: NotPassed,
  { retryForMs: ms }: Pick<Drive<World>, 'retryForMs'>,
): Required<Pick<OpenGate, 'code' | 'values' | 'question'>> {
  const { code, values, message: question } = found('PatienceOver', { why, forMs: ms })
  return { code, values: { ...values }, question }
}
